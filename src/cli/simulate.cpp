// banyan simulate: throughput and latency, flit by flit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "ask/simulate.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"
#include "cli/simulate_nic.hpp"
#include "cli/traffic_argument.hpp"
#include "study/ranks.hpp"

namespace banyan::cli {
namespace {

using ask::LoadPoint;
using ask::SimulateAnswer;

void print(const SimulateAnswer& m) {
  const auto interval = [](const Interval& e, double scale, const char* unit) {
    return std::isfinite(e.half_width) && e.half_width > 0
               ? fmt::format("{:.2f} ± {:.2f}{}", scale * e.mean, scale * e.half_width, unit)
               : fmt::format("{:.2f}{}", scale * e.mean, unit);
  };
  if (m.completion) std::cout << fmt::format("  completed     after {} cycles\n", *m.completion);
  if (m.offered && *m.offered > 0)
    std::cout << fmt::format("  accepted      {} of {:.2f} % offered{}\n", interval(*m.accepted, 100, " %"),
                             100 * *m.offered, *m.saturated ? ": saturated" : "");
  if (m.min_host_throughput)
    std::cout << fmt::format("  a host sends  {:.2f} % to {:.2f} %\n", 100 * *m.min_host_throughput,
                             100 * *m.max_host_throughput);
  std::cout << fmt::format(
      "  packets       {}, latency {}, median {}, 99 % within {} cycles; in the network {:.2f}\n", m.packets,
      interval(m.packet_latency, 1, ""), m.packet_latency_p50, m.packet_latency_p99, m.network_latency);
  std::cout << fmt::format("  messages      {}, latency {:.2f}, median {}, 99 % within {} cycles\n",
                           m.messages, m.message_latency, m.message_latency_p50, m.message_latency_p99);
  std::cout << fmt::format("  busiest       channel {:.1f} % of the time\n", 100 * m.max_channel_utilisation);
  std::cout << fmt::format("  measured      {} cycles after {} of warm-up; {} flit hops, by {}\n", m.cycles,
                           m.warm_up_cycles, m.flit_hops, option_text(m.granularity));
  if (m.deadlock) std::cout << "  DEADLOCK: packets wait for each other in a circle\n" << *m.waiting << '\n';
}

void print(const std::vector<LoadPoint>& points) {
  std::cout << "    load  accepted      +-   latency  median    99 %\n";
  for (const auto& [load, m] : points)
    std::cout << fmt::format(
        "{:7.1f} %  {:6.2f} %  {:>5}  {:8.1f}  {:6}  {:6}{}\n", 100 * load, 100 * m.accepted->mean,
        std::isfinite(m.accepted->half_width) ? fmt::format("{:.2f}", 100 * m.accepted->half_width) : "?",
        m.packet_latency.mean, m.packet_latency_p50, m.packet_latency_p99,
        m.deadlock     ? "  deadlock"
        : *m.saturated ? "  saturated"
                       : "");
}

Exit exit_of(const std::vector<LoadPoint>& points) {
  const auto deadlocks = [](const LoadPoint& point) { return point.answer.deadlock; };
  return std::any_of(points.begin(), points.end(), deadlocks) ? Exit::verdict_no : Exit::done;
}

void tell(const Batch& batch) {
  std::vector<u32> busy;  // per mille of the cycles, by channel
  const u64 cycles = std::max<u64>(1, batch.counted.cycles);
  for (const u64 flits : batch.counted.channel_flits)
    busy.push_back(static_cast<u32>((1000 * flits + cycles / 2) / cycles));
  JsonWriter json(std::cout, JsonWriter::Form::one_line);
  json.begin_object().field("now", batch.now).field("cycles", batch.counted.cycles);
  json.field("offered", batch.offered).field("accepted", batch.accepted);
  json.field("packets", batch.counted.packets);
  json.field("packet_latency", batch.counted.packet_latency.mean());
  json.field("packet_latency_p99", batch.counted.packet_latency.percentile(0.99));
  json.field("channel_per_mille", busy).end_object();
  std::cout.flush();
}

class Simulate {
 public:
  using Answers = std::tuple<SimulateAnswer, ask::CurveAnswer, ask::SaturationAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.flag("--complete", complete_, "send the traffic once, round by round, and run to its end");
    arguments.value("--curve", curve_, "LOADS", "one measurement for each load, such as 0.1,0.2,0.3");
    arguments.flag("--saturation", saturation_, "search the load where it saturates");
    options_.declare(arguments);
    arguments.flag(
        "--follow", follow_,
        "JSON for a program that watches: a line for each batch as it comes, then the answer in one "
        "line, its key is \"answer\"");
    arguments.value("--nic", nic_, "NIC",
                    "elan3, or elan3:key=value,...: run a benchmark of QsNET (--traffic bench:NAME)");
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
    const RouteResult routed = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&routed)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(routed);
    ask::SimulateOptions options = options_.read();
    options.complete = complete_;
    options.with_rails = options_.has_any_of<RailOptions>();
    refuse_contradictions(options);
    options = ask::resolved(topology, routing, options);
    ask::Situation at = traffic_.situation(topology, &routing, engine_.drawing_seed());
    at.threads = std::max(1u, threads_);
    at.exchange = exchange_;
    if (saturation_) return search(at, options);
    if (!curve_.empty()) return draw_curve(at, options);
    return answer(at, options);
  }

  void refuse_besides_nic() const {
    if (complete_ || saturation_ || follow_ || exchange_ || !curve_.empty() || options_.has_any())
      throw InputError(
          "--nic runs a benchmark in one process: it takes --engine, --traffic, --without and --json");
  }

  void refuse_contradictions(const ask::SimulateOptions& options) const {
    const bool several = saturation_ || !curve_.empty();
    if (complete_ && (several || options_.has("cycles") || options_.has("load")))
      throw InputError("--complete runs to the end: it takes no --load, --saturation, --curve or --cycles");
    if (options.messages.arrivals == Arrivals::back_to_back && (several || options_.has("load")))
      throw InputError(
          "--arrivals back-to-back offers all that hosts can send: it takes no --load, "
          "--saturation or --curve");
    if (saturation_ && !curve_.empty()) throw InputError("--saturation and --curve: expected one of them");
    if (exchange_ && follow_) throw InputError("under mpirun: --follow is for one process");
    if (follow_ && several)
      throw InputError("--follow watches one measurement: it takes no --saturation or --curve");
    if (options_.has("load") && several)
      throw InputError("--load says one load: it takes no --saturation or --curve");
  }

  Exit answer(const ask::Situation& at, const ask::SimulateOptions& options) const {
    const SimulateAnswer found = ask::simulate(at, options, follow_ ? Watch(tell) : Watch());
    if (as_json_ || follow_) {
      print_json(options, found);
    } else {
      std::cout << fmt::format("{} under {}\n", engine_.engine, traffic_.text());
      if (complete_ && !found.completion)
        std::cout << fmt::format("  NOT COMPLETED within {} cycles\n", options.measure.max_cycles);
      print(found);
    }
    return found.deadlock ? Exit::verdict_no : Exit::done;
  }

  Exit draw_curve(const ask::Situation& at, const ask::SimulateOptions& options) const {
    std::vector<double> loads;
    for (const std::string_view text : split(curve_, ','))
      read_option_value("curve", text, loads.emplace_back());
    const ask::CurveAnswer found = ask::curve(at, options, loads);
    as_json_ ? print_json(options, found) : print(found.points);
    return exit_of(found.points);
  }

  Exit search(const ask::Situation& at, const ask::SimulateOptions& options) const {
    const ask::SaturationAnswer found = ask::saturation(at, options);
    if (as_json_) {
      print_json(options, found);
    } else {
      print(found.points);
      std::cout << fmt::format("saturates above a load of {:.1f} %; it never accepts more than {:.2f} %\n",
                               100 * found.saturation_load, 100 * found.accepted);
    }
    return exit_of(found.points);
  }

  template <ask::Answer A>
  void print_json(const ask::SimulateOptions& options, const A& answer) const {
    JsonWriter json(std::cout, follow_ ? JsonWriter::Form::one_line : JsonWriter::Form::lines);
    if (follow_) json.begin_object().key("answer");
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("fabric", fabric_.fabric).field("engine", engine_.engine).field("traffic", traffic_.text());
    json.key("options").begin_object();
    write_options(json, options.messages);
    write_options(json, options.network);
    write_options(json, options.measure);
    if (options.with_rails) write_options(json, options.rails);
    json.end_object();
    ask::write_fields(json, answer);
    json.end_object();
    if (follow_) json.end_object();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  OptionsArgument<ask::SimulateOptions> options_;
  TrafficArgument traffic_{"uniform"};
  std::string curve_, nic_;
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
