// banyan simulate: throughput and latency, flit by flit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"
#include "cli/simulate_nic.hpp"
#include "cli/traffic_argument.hpp"
#include "flit/measure.hpp"
#include "study/ranks.hpp"

namespace banyan::cli {
namespace {

constexpr std::array<std::string_view, 3> granularity_names = {"automatic", "flits", "packets"};

void write(JsonWriter& json, const Measurement& m) {
  const Tally& counted = m.counted;
  json.field("offered", m.offered).field("accepted", m.accepted.mean);
  json.field("accepted_half_width", m.accepted.half_width);
  for (const auto& [name, histogram] : {std::pair("packet_latency", &counted.packet_latency),
                                        std::pair("message_latency", &counted.message_latency)}) {
    json.field(fmt::format("{}_mean", name), histogram->mean());
    json.field(fmt::format("{}_p50", name), histogram->percentile(0.5));
    json.field(fmt::format("{}_p99", name), histogram->percentile(0.99));
  }
  json.field("packet_latency_half_width", m.packet_latency.half_width);
  json.field("packets", counted.packets).field("messages", counted.messages).field("flits", counted.flits);
  json.field("flit_hops", counted.flit_hops).field("cycles", counted.cycles);
  json.field("warm_up_cycles", m.warm_up_cycles).field("saturated", m.saturated);
  json.field("max_channel_utilisation", m.max_channel_utilisation);
  json.field("deadlock", m.deadlock.has_value());
  if (m.deadlock) json.field("waiting", *m.deadlock);
  if (m.completion_cycles) json.field("completion_cycles", *m.completion_cycles);
  json.field("granularity", granularity_names[static_cast<std::size_t>(m.granularity)]);
}

void print(const Measurement& m) {
  const auto interval = [](const Interval& e, double scale, const char* unit) {
    return std::isfinite(e.half_width) && e.half_width > 0
               ? fmt::format("{:.2f} ± {:.2f}{}", scale * e.mean, scale * e.half_width, unit)
               : fmt::format("{:.2f}{}", scale * e.mean, unit);
  };
  if (m.completion_cycles)
    std::cout << fmt::format("  completed     after {} cycles\n", *m.completion_cycles);
  if (!m.completion_cycles && m.offered > 0)
    std::cout << fmt::format("  accepted      {} of {:.2f} % offered{}\n", interval(m.accepted, 100, " %"),
                             100 * m.offered, m.saturated ? ": saturated" : "");
  std::cout << fmt::format("  packets       {}, latency {}, median {}, 99 % within {} cycles\n",
                           m.counted.packets, interval(m.packet_latency, 1, ""),
                           m.counted.packet_latency.percentile(0.5),
                           m.counted.packet_latency.percentile(0.99));
  std::cout << fmt::format("  messages      {}, latency {:.2f}, median {}, 99 % within {} cycles\n",
                           m.counted.messages, m.counted.message_latency.mean(),
                           m.counted.message_latency.percentile(0.5),
                           m.counted.message_latency.percentile(0.99));
  std::cout << fmt::format("  busiest       channel {:.1f} % of the time\n", 100 * m.max_channel_utilisation);
  std::cout << fmt::format("  measured      {} cycles after {} of warm-up; {} flit hops, by {}\n",
                           m.counted.cycles, m.warm_up_cycles, m.counted.flit_hops,
                           granularity_names[static_cast<std::size_t>(m.granularity)]);
  if (m.deadlock) std::cout << "  DEADLOCK: packets wait for each other in a circle\n" << *m.deadlock << '\n';
}

class Simulate {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.flag("--complete", complete_, "send the traffic once, round by round, and run to its end");
    arguments.value("--curve", curve_, "LOADS", "one measurement for each load, such as 0.1,0.2,0.3");
    arguments.flag("--saturation", saturation_, "search the load where it saturates");
    messages_.declare(arguments);
    network_.declare(arguments);
    rails_.declare(arguments);
    measure_.declare(arguments);
    arguments.flag(
        "--follow", follow_,
        "JSON for a program that watches: a line for each batch as it comes, then the answer in one "
        "line, its key is \"answer\"");
    arguments.value("--nic", nic_, "NIC",
                    "elan3, or elan3:key=value,...: run a benchmark of QsNET (--traffic bench:NAME)");
    arguments.value("--granularity", granularity_, "G",
                    "automatic (whole packets where that gives the same bits), flits or packets");
    arguments.value("--threads", threads_, "N", "threads, of each rank under mpirun (default 1)");
    arguments.flag("--json", as_json_, "for machines");
  }

  // Under mpirun every rank simulates its share of the fabric, and the first one speaks.
  Exit run() {
    const auto ranks = Ranks::start();
    if (!ranks) return run_here();
    const Exchange exchange = ranks->exchange();
    exchange_ = &exchange;
    if (!ranks->is_first()) silence_output();
    try {
      const Exit status = run_here();
      ranks->finish();
      return ranks->is_first() ? status : Exit::done;
    } catch (const InputError&) {  // all ranks find it, or are told
      ranks->finish();
      if (ranks->is_first()) throw;
      return Exit::done;
    }
  }

 private:
  Exit run_here() const {
    const Topology topology = load(fabric_).topology;
    tell_remark(topology);
    if (!nic_.empty()) refuse_besides_nic();
    if (!nic_.empty())
      return simulate_nic(topology, {fabric_.fabric, engine_, nic_, traffic_.text(), as_json_});
    const RouteResult result = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    const std::optional<RailOptions> rails = rail_options(topology.fabric);
    refuse_contradictions(rails.has_value());
    const Case the_case{
        topology,
        routing,
        traffic_.job(topology, engine_.drawing_seed(), complete_ ? ShorterJobs::end : ShorterJobs::repeat,
                     rails ? rails->processes : 1),
        network(routing),
        messages_.read(),
        measure_.read(),
        rails};
    if (saturation_) return search(the_case);
    if (!curve_.empty()) return draw_curve(the_case);
    return answer(the_case);
  }

  struct Case {
    const Topology& topology;
    const Routing& routing;
    Job job;
    NetworkOptions network;
    MessageOptions messages;
    MeasureOptions measure;
    std::optional<RailOptions> rails;
  };

  // Hosts with several NICs, or one of which something is said.
  std::optional<RailOptions> rail_options(const Fabric& fabric) const {
    if (fabric.rails() > 1 || rails_.has_any()) return rails_.read();
    return std::nullopt;
  }

  void refuse_besides_nic() const {
    if (complete_ || saturation_ || follow_ || exchange_ || !curve_.empty() || messages_.has_any() ||
        network_.has_any() || rails_.has_any() || measure_.has_any())
      throw InputError(
          "--nic runs a benchmark in one process: it takes --engine, --traffic, --without and --json");
  }

  void refuse_contradictions(bool has_rails) const {
    if (complete_ && (saturation_ || !curve_.empty() || measure_.has("cycles") || messages_.has("load")))
      throw InputError("--complete runs to the end: it takes no --load, --saturation, --curve or --cycles");
    if (messages_.read().arrivals == Arrivals::back_to_back &&
        (saturation_ || !curve_.empty() || messages_.has("load")))
      throw InputError(
          "--arrivals back-to-back offers all that hosts can send: it takes no --load, "
          "--saturation or --curve");
    if (saturation_ && !curve_.empty()) throw InputError("--saturation and --curve: expected one of them");
    if (exchange_ && (follow_ || has_rails))
      throw InputError("under mpirun: --follow and several NICs a host are for one process");
    if (follow_ && (saturation_ || !curve_.empty()))
      throw InputError("--follow watches one measurement: it takes no --saturation or --curve");
    if (messages_.has("load") && (saturation_ || !curve_.empty()))
      throw InputError("--load says one load: it takes no --saturation or --curve");
  }

  // As many lanes as the routing needs, unless said otherwise.
  NetworkOptions network(const Routing& routing) const {
    NetworkOptions out = network_.read();
    if (!network_.has("lanes")) out.lanes = routing.lanes;
    return out;
  }

  Granularity granularity() const {
    for (std::size_t i = 0; i < granularity_names.size(); ++i)
      if (granularity_ == granularity_names[i]) return static_cast<Granularity>(i);
    refuse_choice("granularity", granularity_, granularity_names);
  }

  Measurement measured(const Case& c, double load_now) const {
    MessageOptions messages = c.messages;
    messages.load = load_now;
    if (!(load_now > 0 && load_now <= 1))
      throw InputError(fmt::format("load is {}; expected more than 0 and at most 1", load_now));
    const SimulationSetup setup{
        c.topology.fabric,      c.routing,     c.network, messages, engine_.drawing_seed(),
        std::max(1u, threads_), granularity(), c.rails,   exchange_};
    const auto& [traffic, placement] = c.job;
    Progress progress("cycles", c.measure.cycles ? c.measure.cycles : c.measure.max_cycles);
    Watch watch;
    if (follow_) watch = [](const Batch& batch) { tell(batch); };
    if (complete_) return measure_rounds(setup, traffic, placement, c.measure, &progress, watch);
    Workload workload =
        Workload::open(c.topology.fabric, traffic, placement, messages, engine_.drawing_seed(),
                       c.rails ? c.rails->processes : 0, own_nics(setup));
    return flit::measure(setup, std::move(workload), c.measure, &progress, watch);
  }

  static void tell(const Batch& batch) {
    std::vector<u32> busy;  // per mille of the cycles, by channel
    const u64 cycles = std::max<u64>(1, batch.counted.cycles);
    for (const u64 flits : batch.counted.channel_flits)
      busy.push_back(static_cast<u32>((1000 * flits + cycles / 2) / cycles));
    JsonWriter json(std::cout, JsonWriter::Form::one_line);
    json.begin_object().field("now", batch.now).field("cycles", batch.counted.cycles);
    json.field("offered", batch.offered).field("accepted", batch.accepted);
    json.field("packets", batch.counted.packets);
    json.field("packet_latency_mean", batch.counted.packet_latency.mean());
    json.field("packet_latency_p99", batch.counted.packet_latency.percentile(0.99));
    json.field("channel_per_mille", busy).end_object();
    std::cout.flush();
  }

  Exit answer(const Case& c) const {
    const Measurement m = measured(c, c.messages.load);
    if (as_json_ || follow_) {
      JsonWriter json(std::cout, follow_ ? JsonWriter::Form::one_line : JsonWriter::Form::lines);
      if (follow_) json.begin_object().key("answer");
      begin(json, c);
      cli::write(json, m);
      if (complete_) json.field("completed", m.completion_cycles.has_value());
      json.end_object();
      if (follow_) json.end_object();
    } else {
      std::cout << fmt::format("{} under {}\n", engine_.engine, traffic_.text());
      if (complete_ && !m.completion_cycles)
        std::cout << fmt::format("  NOT COMPLETED within {} cycles\n", c.measure.max_cycles);
      print(m);
    }
    return m.deadlock ? Exit::verdict_no : Exit::done;
  }

  Exit draw_curve(const Case& c) const {
    std::vector<std::pair<double, Measurement>> points;
    for (const std::string_view text : split(curve_, ',')) {
      double at = 0;
      read_option_value("curve", text, at);
      points.emplace_back(at, measured(c, at));
    }
    if (as_json_) {
      JsonWriter json(std::cout);
      begin(json, c);
      write_points(json, points);
      json.end_object();
    } else {
      print_points(points);
    }
    return exit_of(points);
  }

  Exit search(const Case& c) const {
    const Saturation found = find_saturation([&](double at) { return measured(c, at); });
    if (as_json_) {
      JsonWriter json(std::cout);
      begin(json, c);
      json.field("saturation_load", found.load).field("max_throughput", found.throughput);
      write_points(json, found.points);
      json.end_object();
    } else {
      print_points(found.points);
      std::cout << fmt::format("saturates above a load of {:.1f} %; it never accepts more than {:.2f} %\n",
                               100 * found.load, 100 * found.throughput);
    }
    return exit_of(found.points);
  }

  static Exit exit_of(const std::vector<std::pair<double, Measurement>>& points) {
    const auto deadlocks = [](const auto& point) { return point.second.deadlock.has_value(); };
    return std::any_of(points.begin(), points.end(), deadlocks) ? Exit::verdict_no : Exit::done;
  }

  void begin(JsonWriter& json, const Case& c) const {
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("fabric", fabric_.fabric).field("engine", engine_.engine).field("traffic", traffic_.text());
    json.key("options").begin_object();
    write_options(json, c.messages);
    write_options(json, c.network);
    write_options(json, c.measure);
    if (c.rails) write_options(json, *c.rails);
    json.end_object();
  }

  static void write_points(JsonWriter& json, const std::vector<std::pair<double, Measurement>>& points) {
    json.key("points").begin_array();
    for (const auto& [at, m] : points) {
      json.begin_object().field("load", at);
      cli::write(json, m);
      json.end_object();
    }
    json.end_array();
  }

  static void print_points(const std::vector<std::pair<double, Measurement>>& points) {
    std::cout << "    load  accepted      +-   latency  median    99 %\n";
    for (const auto& [at, m] : points)
      std::cout << fmt::format(
          "{:7.1f} %  {:6.2f} %  {:>5}  {:8.1f}  {:6}  {:6}{}\n", 100 * at, 100 * m.accepted.mean,
          std::isfinite(m.accepted.half_width) ? fmt::format("{:.2f}", 100 * m.accepted.half_width) : "?",
          m.counted.packet_latency.mean(), m.counted.packet_latency.percentile(0.5),
          m.counted.packet_latency.percentile(0.99),
          m.deadlock    ? "  deadlock"
          : m.saturated ? "  saturated"
                        : "");
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  OptionsArgument<NetworkOptions> network_;
  OptionsArgument<MessageOptions> messages_;
  OptionsArgument<MeasureOptions> measure_;
  OptionsArgument<RailOptions> rails_;
  TrafficArgument traffic_{"uniform"};
  std::string curve_, granularity_ = "automatic", nic_;
  u32 threads_ = 1;
  const Exchange* exchange_ = nullptr;
  bool complete_ = false, saturation_ = false, follow_ = false, as_json_ = false;
};

}  // namespace

Verb simulate_verb() {
  return make_verb<Simulate>("simulate", "Throughput and latency, flit by flit",
                             "banyan simulate '4-ary 3-tree' --engine dmodk --traffic uniform --load 0.4");
}

}  // namespace banyan::cli
