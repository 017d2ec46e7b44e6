#include "cli/load_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "base/version.hpp"
#include "fabric/names.hpp"
#include "flow/bound.hpp"

namespace banyan::cli {
namespace {

std::string named(const Fabric& fabric, Channel c) {
  return port_name(fabric, c) + " -> " + port_name(fabric, fabric.reverse(c));
}

void print_hot(const Fabric& fabric, const HotChannel& hot) {
  constexpr std::size_t maximum = 8;
  std::cout << fmt::format("\n{}: load {:.6g} of {} flows\n ", named(fabric, hot.channel), hot.load,
                           hot.flows.size());
  for (std::size_t i = 0; i < std::min(maximum, hot.flows.size()); ++i)
    std::cout << fmt::format(" {}->{}", fabric.name(fabric.node(hot.flows[i].from)),
                             fabric.name(fabric.node(hot.flows[i].to)));
  std::cout << (hot.flows.size() > maximum ? " ...\n" : "\n");
}

bool is_worst(const LoadAnswer& answer) {
  const LoadStudy& study = answer.study;
  return answer.looked_at == study.worst_sample * study.rounds + study.worst_round;
}

void print_worst(const LoadAnswer& answer) {
  std::cout << fmt::format("\n{:<22} {:>9} {:>9} {:>10} {:>10}\n", "channels", "cabled", "loaded", "max load",
                           "mean load");
  for (const ChannelKind& kind : answer.worst.kinds)
    std::cout << fmt::format("{:<22} {:>9} {:>9} {:>10.4g} {:>10.4g}\n", kind.name, kind.channels,
                             kind.loaded, kind.max_load, kind.mean_load);
  std::cout << "\nload: channels   ";
  for (const LoadRange& range : answer.worst.ranges)
    std::cout << (range.from == range.to
                      ? fmt::format(" {:.4g}: {}", range.from, range.channels)
                      : fmt::format(" {:.4g}..{:.4g}: {}", range.from, range.to, range.channels));
  std::cout << '\n';
  for (const HotChannel& hot : answer.worst.hot) print_hot(answer.topology.fabric, hot);
}

void write_worst(JsonWriter& json, const Fabric& fabric, const WorstRound& worst) {
  json.key("channels").begin_array();
  for (const ChannelKind& kind : worst.kinds)
    json.begin_object()
        .field("kind", kind.name)
        .field("channels", kind.channels)
        .field("loaded", kind.loaded)
        .field("max_load", kind.max_load)
        .field("mean_load", kind.mean_load)
        .end_object();
  json.end_array().key("distribution").begin_array();
  for (const LoadRange& range : worst.ranges)
    json.begin_object()
        .field("from", range.from)
        .field("to", range.to)
        .field("channels", range.channels)
        .end_object();
  json.end_array().key("hottest").begin_array();
  for (const HotChannel& hot : worst.hot) {
    json.begin_object().field("channel", index(hot.channel)).field("name", named(fabric, hot.channel));
    json.field("load", hot.load).key("flows").begin_array();
    for (const HotChannel::Share& share : hot.flows)
      json.begin_object()
          .field("source", fabric.name(fabric.node(share.from)))
          .field("destination", fabric.name(fabric.node(share.to)))
          .field("load", share.load)
          .end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

void write_study(JsonWriter& json, const LoadStudy& study) {
  json.field("samples", study.max_load.samples).field("rounds", study.rounds);
  json.field("mean_max_load", study.max_load.mean).key("half_width_99");
  std::isfinite(study.max_load.half_width_99) ? json.value(study.max_load.half_width_99) : json.null();
  json.field("min_max_load", study.least).field("worst_max_load", study.worst);
  const auto bounded = [&](std::string_view key, double value) {
    json.key(key);
    study.has_bound ? json.value(value) : json.null();
  };
  bounded("bound_mean", study.bound_mean);
  bounded("ratio_mean", study.ratio_mean);
  bounded("ratio_worst", study.ratio_worst);
}

}  // namespace

WorstRound::WorstRound(const Topology& topology, const LoadSampler& sampler, u64 number, u64 seed,
                       u32 hottest, unsigned threads) {
  if (const UniformKernel* uniform = sampler.uniform()) {
    loads = uniform->loads(threads).load;
    hot = flow::hottest(loads, hottest);
    uniform->add_flows(hot);
  } else {
    flows = sampler.listed().flows(seed, number);
    LoadMeter meter = sampler.listed().meter();
    meter.measure(flows);
    loads = meter.loads();
    hot = flow::hottest(loads, hottest);
    add_flows(hot, meter, flows);
  }
  kinds = by_kind(topology, loads);
  ranges = distribution(topology, loads);
}

bool WorstRound::asks_for_one_each() const {
  return !flows.empty() &&
         std::all_of(flows.begin(), flows.end(), [](const Flow& flow) { return flow.demand == 1; });
}

void print_text(const LoadAnswer& answer) {
  const Traffic& traffic = answer.job.traffic;
  const LoadStudy& study = answer.study;
  const Fabric& fabric = answer.topology.fabric;
  std::cout << fmt::format("maximum load      {:.6g}", study.max_load.mean);
  if (traffic.is_random)
    std::cout << fmt::format(" +- {:.3g} (99 %), mean of {} samples", study.max_load.half_width_99,
                             study.max_load.samples);
  if (study.rounds > 1) std::cout << fmt::format(", mean of {} rounds", study.rounds);
  if (answer.measure == Measure::per_capacity) std::cout << ", per capacity";
  std::cout << fmt::format("\nleast, worst      {:.6g}, {:.6g}\n", study.least, study.worst);
  if (study.has_bound)
    std::cout << fmt::format("bound ML(TM)      {:.6g}\nratio to bound    {:.6g}, at worst {:.6g}\n",
                             study.bound_mean, study.ratio_mean, study.ratio_worst);
  if (answer.rates && answer.worst.asks_for_one_each())
    std::cout << fmt::format("1/contention      {:.6g} of what is asked for, at worst {:.6g}\n",
                             study.mean_rate, study.min_rate);
  if (answer.rates) print_rates(std::cout, *answer.rates);
  if (answer.optimum)
    std::cout << fmt::format("optimum           {:.6g} for the worst round; ratio {:.6g}\n", *answer.optimum,
                             performance_ratio(study.worst, *answer.optimum));
  if (answer.time) print_time(std::cout, *answer.time);
  if (traffic.is_random || study.rounds > 1)
    std::cout << fmt::format("\n{}: sample {}, round {}\n", is_worst(answer) ? "The worst" : "Looked at",
                             answer.looked_at / study.rounds, answer.looked_at % study.rounds);
  print_worst(answer);
  if (answer.permutation) print_worst_permutation(std::cout << '\n', fabric, *answer.permutation);
  if (answer.oblivious) print_oblivious_ratio(std::cout << '\n', fabric, *answer.oblivious);
  if (!answer.files.empty()) std::cout << '\n';
  for (const std::string& file : answer.files) std::cout << fmt::format("wrote {}\n", file);
}

void print_json(const LoadAnswer& answer) {
  const LoadStudy& study = answer.study;
  const Fabric& fabric = answer.topology.fabric;
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", answer.seed);
  json.field("fabric", answer.fabric_text).field("engine", answer.engine_text);
  json.field("traffic", answer.traffic_text).field("hosts", fabric.hosts());
  if (!answer.rails_text.empty()) json.field("rails_policy", answer.rails_text);
  json.field("ranks", answer.job.traffic.ranks).field("per_capacity", answer.measure != Measure::demand);
  write_study(json, study);
  if (answer.rates && answer.worst.asks_for_one_each())
    json.field("mean_rate_orcs", study.mean_rate).field("min_rate_orcs", study.min_rate);
  if (answer.rates) write_rates(json, *answer.rates);
  if (answer.optimum) {
    json.field("worst_optimum", *answer.optimum);
    json.field("worst_ratio_to_optimum", performance_ratio(study.worst, *answer.optimum));
  }
  if (answer.time) write_time(json, *answer.time);
  json.field("flows", study.flows).field("undelivered", study.undelivered);
  json.field("worst_sample", study.worst_sample).field("worst_round", study.worst_round);
  if (!is_worst(answer)) json.field("round", answer.looked_at);
  write_worst(json, fabric, answer.worst);
  if (answer.lists_channels)
    json.field("channel_loads", std::vector<double>(answer.worst.loads.begin(), answer.worst.loads.end()));
  if (!answer.by_round.empty()) json.field("round_max_loads", answer.by_round);
  if (answer.permutation) write_worst_permutation(json, fabric, *answer.permutation);
  if (answer.oblivious) write_oblivious_ratio(json, fabric, *answer.oblivious);
  if (!answer.files.empty())
    json.field("files", answer.files);
  else if (answer.rates && answer.rates->matrix)
    write_matrix(json, *answer.rates->matrix, fabric, answer.job.placement);
  json.end_object();
}

std::vector<std::string> write_files(const LoadAnswer& answer, const std::string& folder) {
  const Fabric& fabric = answer.topology.fabric;
  make_folder(folder);
  std::vector<std::string> out;
  const auto write = [&](const char* name, const std::function<void(std::ostream&)>& content) {
    out.push_back((std::filesystem::path(folder) / name).string());
    write_whole(out.back(), content);
  };
  write("loads.csv", [&](std::ostream& file) {
    file << "channel,from,to,load\n";
    for (const Channel c : fabric.channels())
      if (fabric.cabled(c))
        file << fmt::format("{},{},{},{}\n", index(c), port_name(fabric, c),
                            port_name(fabric, fabric.reverse(c)), answer.worst.loads[c]);
  });
  if (answer.rates && answer.rates->matrix)
    write("mpigraph.csv",
          [&](std::ostream& file) { write_csv(file, *answer.rates->matrix, fabric, answer.job.placement); });
  if (answer.time) write("rounds.csv", [&](std::ostream& file) { write_rounds_csv(file, *answer.time); });
  return out;
}

}  // namespace banyan::cli
