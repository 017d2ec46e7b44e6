// banyan simulate: throughput and latency, flit by flit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "ask/cycles.hpp"
#include "ask/link_speed.hpp"
#include "ask/nic.hpp"
#include "ask/simulate_modes.hpp"
#include "base/file.hpp"
#include "base/units.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "report/curve_report.hpp"
#include "study/ranks.hpp"

namespace banyan::cli {
namespace {

using ask::LoadPoint;
using ask::SimulateAnswer;
using ask::SimulateModes;

void print_deadlock(const SimulateAnswer& m) {
  if (m.deadlock) std::cout << "  DEADLOCK: packets wait for each other in a circle\n" << *m.waiting << '\n';
}

void print(const ask::LatencySeconds& s, bool with_messages) {
  const auto ns = [](double seconds) { return fmt::format("{:.4g}", 1e9 * seconds); };
  std::cout << fmt::format("  in time       packets {} ns, median {}, 99 % within {}; in the network {}\n",
                           ns(s.packet_latency.mean), ns(s.packet_latency_p50), ns(s.packet_latency_p99),
                           ns(s.network_latency));
  if (with_messages)
    std::cout << fmt::format("                messages {} ns, median {}, 99 % within {}\n",
                             ns(s.message_latency), ns(s.message_latency_p50), ns(s.message_latency_p99));
  std::cout << fmt::format("                a cycle is {} ns\n", ns(s.cycle_seconds));
}

// Means over replicas need not be whole.
std::string starved_text(const SimulateAnswer& m) {
  return *m.starved_hosts == 1 ? "1 host" : fmt::format("{:.4g} hosts", *m.starved_hosts);
}

std::string whole_or_mean(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

void print(const SimulateAnswer& m) {
  const auto interval = [](const Interval& e, double scale, const char* unit) {
    return std::isfinite(e.half_width) && e.half_width > 0
               ? fmt::format("{:.2f} ± {:.2f}{}", scale * e.mean, scale * e.half_width, unit)
               : fmt::format("{:.2f}{}", scale * e.mean, unit);
  };
  const auto in_time = [&](double cycles) {
    return m.seconds ? ", " + quantity_text(Duration{cycles * m.seconds->cycle_seconds}) : std::string();
  };
  if (m.completion)
    std::cout << fmt::format("  completed     after {} cycles{}\n", whole_or_mean(*m.completion),
                             in_time(*m.completion));
  if (m.offered && *m.offered > 0)
    std::cout << fmt::format(
        "  accepted      {} of {:.2f} % offered{}\n", interval(*m.accepted, 100, " %"), 100 * *m.offered,
        *m.saturated   ? ": saturated"
        : *m.undecided ? ": undecided, the run is too short to tell whether it is saturated"
                       : "");
  if (m.min_host_throughput)
    std::cout << fmt::format("  a host sends  {:.2f} % to {:.2f} %\n", 100 * *m.min_host_throughput,
                             100 * *m.max_host_throughput);
  if (m.starved_hosts.value_or(0) > 0)
    std::cout << fmt::format(
        "  STARVED       {} that had something to send all the time sent nothing: other packets always went "
        "first\n",
        starved_text(m));
  if (m.packets == 0) {
    std::cout << fmt::format(
        "  packets       none arrived in {} cycles after {} of warm-up: nothing is known\n", m.cycles,
        m.warm_up_cycles);
    return print_deadlock(m);
  }
  std::cout << fmt::format(
      "  packets       {}, latency {}, median {}, 99 % within {} cycles; in the network {:.2f}, {:.4g} at a "
      "time\n",
      m.packets, interval(m.packet_latency, 1, ""), whole_or_mean(m.packet_latency_p50),
      whole_or_mean(m.packet_latency_p99), m.network_latency, m.packets_in_network);
  std::cout << fmt::format("  messages      {}, latency {:.2f}, median {}, 99 % within {} cycles\n",
                           m.messages, m.message_latency, whole_or_mean(m.message_latency_p50),
                           whole_or_mean(m.message_latency_p99));
  if (m.seconds) print(*m.seconds, m.messages != m.packets);
  std::cout << fmt::format("  busiest       channel {:.1f} % of the time\n", 100 * m.max_channel_utilisation);
  std::cout << fmt::format("  measured      {} cycles after {} of warm-up; {} flit hops, by {}\n", m.cycles,
                           m.warm_up_cycles, m.flit_hops, option_text(m.granularity));
  if (m.ends_in_warm_up.value_or(false))
    std::cout
        << "  WARM-UP       did not end within the run: these figures are not those of a steady state\n";
  if (m.replicas > 1)
    std::cout << fmt::format(
        "  replicas      {}: packets, messages, cycles and hops are sums, figures are means\n", m.replicas);
  print_deadlock(m);
}

std::string marks(const SimulateAnswer& m) {
  std::string out = m.deadlock       ? "  deadlock"
                    : m.packets == 0 ? "  nothing arrived"
                    : *m.saturated   ? "  saturated"
                    : *m.undecided   ? "  undecided"
                                     : "";
  if (!m.deadlock && m.packets > 0 && *m.ends_in_warm_up) out += "  in warm-up";
  if (m.starved_hosts.value_or(0) > 0) out += fmt::format("  STARVED {}", starved_text(m));
  return out;
}

void print(const std::vector<LoadPoint>& points) {
  const bool in_time = !points.empty() && points.front().answer.seconds;
  std::cout << (in_time ? "    load  accepted      +-   latency  median    99 %       ns\n"
                        : "    load  accepted      +-   latency  median    99 %\n");
  for (const auto& [load, m] : points)
    std::cout << fmt::format(
        "{:7.1f} %  {:6.2f} %  {:>5}  {:8.1f}  {:>6}  {:>6}{}{}\n", 100 * load, 100 * m.accepted->mean,
        std::isfinite(m.accepted->half_width) ? fmt::format("{:.2f}", 100 * m.accepted->half_width) : "?",
        m.packets ? m.packet_latency.mean : 0, whole_or_mean(m.packet_latency_p50),
        whole_or_mean(m.packet_latency_p99),
        m.seconds ? fmt::format("  {:7.4g}", m.packets ? 1e9 * m.seconds->packet_latency.mean : 0) : "",
        marks(m));
}

Exit exit_of(const std::vector<LoadPoint>& points) {
  const auto deadlocks = [](const LoadPoint& point) { return point.answer.deadlock; };
  return std::any_of(points.begin(), points.end(), deadlocks) ? Exit::verdict_no : Exit::done;
}

void print(const qsnet::BenchTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(column.size());
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format("  {:>{}}", cells[i], widths[i]);
    std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  };
  std::cout << '\n' << table.title << '\n';
  line(table.columns);
  for (const auto& row : table.rows) line(row);
}

// An answer as it is printed, with the options behind what was asked.
template <class A>
struct Simulated {
  ask::SimulatedWith options{};
  A found{};

  static void fields(auto& self, auto&& f) {
    f("options", self.options, "", "options of the simulation, as they were decided");
    A::fields(self.found, f);
  }
};

// The last line of --follow holds the answer that is printed without --follow.
template <class A>
struct LastLine {
  ask::AnswerHead head{};
  Simulated<A> simulated{};

  static void fields(auto& self, auto&& f) {
    ask::AnswerHead::fields(self.head, f);
    Simulated<A>::fields(self.simulated, f);
  }
};

// A line of --follow: a batch or a point, or in the end the answer.
struct FollowLine {
  std::optional<ask::BatchAnswer> batch{};
  std::optional<LoadPoint> point{};
  std::optional<LastLine<SimulateAnswer>> answer{};
  std::optional<LastLine<ask::CurveAnswer>> curve{};

  static void fields(auto& self, auto&& f) {
    ask::part(self.batch, f);
    f("point", self.point, "", "with --curve: a point that was measured");
    f("answer", self.answer, "", "in the last line: the answer, as without --follow");
    f("curve", self.curve, "", "with --curve, in the last line: the answer, as without --follow");
  }
};

void print_line(const FollowLine& line) {
  JsonWriter json(std::cout, JsonWriter::Form::one_line);
  json.begin_object();
  ask::write_fields(json, line);
  json.end_object();
  std::cout.flush();
}

class Simulate {
 public:
  static std::vector<AnswerInfo> answers() {
    AnswerInfo follow = answer<FollowLine>("follow");
    follow.has_head = false;
    return {answer<Simulated<SimulateAnswer>>(), answer<Simulated<ask::CurveAnswer>>("curve"),
            answer<Simulated<ask::SaturationAnswer>>("saturation"), std::move(follow),
            answer<ask::NicAnswer>("nic")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    modes_.declare(arguments);
    options_.declare(arguments);
    device_.declare(arguments);
    arguments.value("--threads", threads_, "N", "number of threads, of each rank under mpirun (default 1)");
    arguments.file("--report", report_, "FILE",
                   "with --curve or --saturation: write a page with latency and accepted throughput by load");
    arguments.json(as_json_);
  }

  // Under mpirun every rank simulates its share of the fabric, and the first one speaks.
  Exit run() {
    const auto ranks = Ranks::start();
    if (!ranks) {
      if (!report_.empty()) check_writable(report_);
      return run_here();
    }
    const Exchange exchange = ranks->exchange();
    exchange_ = &exchange;
    is_first_ = ranks->is_first();
    if (!ranks->is_first()) silence_output();
    try {
      if (!report_.empty()) check_page(*ranks);
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
  // The first rank writes the page; all are told where it cannot.
  void check_page(const Ranks& ranks) const {
    std::string refusal;
    try {
      if (ranks.is_first()) check_writable(report_);
    } catch (const InputError& error) {
      refusal = error.what();
    }
    refusal = ranks.from_first(refusal);
    if (!refusal.empty()) throw InputError(refusal);
  }

  Exit run_here() const {
    const SimulateModes modes = modes_.read();
    ask::RoutingOptions by = routed_.options();
    if (!modes.nic.empty() && !routed_.routing.has("engine") && by.tables.empty()) by.engine = "adaptive";
    const ask::RoutedFabric made = routed_.open(by);
    if (const auto status = refused(made.result)) return *status;
    const Topology& topology = made.loaded.topology;
    const Routing& routing = std::get<Routing>(made.result);
    ask::Situation at = traffic_.situation(topology, &routing, by.seed);
    ask::AnswerHead head = made.router.head();
    head.seed = by.seed;
    head.fabric = routed_.fabric.fabric;
    head.traffic = traffic_.text();
    ask::SimulateOptions options = options_.read();
    options.wire.link = ask::link_speed(made.loaded, options.wire.link, options_.has("link"));
    const ask::WasGiven given = [&](std::string_view key) { return options_.has(key) || traffic_.has(key); };
    refuse_contradictions(modes, options, given);
    if (!report_.empty() && !modes.saturation && modes.curve.empty())
      throw InputError("--report draws curves: it is for --curve and --saturation");
    if (exchange_ && !modes.nic.empty()) throw InputError("under mpirun: --nic is for one process");
    if (exchange_ && modes.follow) throw InputError("under mpirun: --follow is for one process");
    if (!modes.nic.empty()) return benchmark(at, modes, head);
    options.complete = modes.complete;
    options.with_rails = options_.has_any_of<RailOptions>();
    options = ask::resolved(topology, routing, options);
    refuse_unused(options, topology, routing, given);
    if (!options.ends()) tell_repeated(at.job().traffic);
    if (!options.trace.empty()) head.traffic = traffic_text(options);
    at.threads = std::max(1u, threads_);
    at.exchange = exchange_;
    at.device = device_.read().device;
    tell_of_buffers(topology.fabric, options);
    if (options.with_rails && options.rails.bus == Bus::half && !options_.has("bus"))
      std::cerr
          << "banyan: the bus of a NIC goes one way at a time, so hosts that send and receive get half of "
             "their links; --bus full goes both ways\n";
    if (modes.saturation) return search(at, options, head);
    if (!modes.curve.empty()) return draw_curve(at, options, modes, head);
    return simulate(at, options, modes, head, made.router.name);
  }

  // Long cables, and buffers too small for a link to be full.
  static void tell_of_buffers(const Fabric& fabric, const ask::SimulateOptions& options) {
    if (!ask::buffers_limit_links(fabric, options)) return;
    std::cerr << fmt::format(
        "banyan: buffers of {} flits do not cover the way there and back: {}; --buffer-flits {} would do\n",
        options.network.buffer_flits,
        options.network.lanes == 1 ? "links cannot be full" : "a lane alone cannot fill its link",
        ask::busy_link_flits(fabric, options));
  }

  // Traffic that would end, where it is sent again and again.
  void tell_repeated(const Traffic& traffic) const {
    if (traffic.in_bytes)
      std::cerr << fmt::format(
          "banyan: {} would end: its messages are sent again and again at the load, whatever their sizes; "
          "--complete sends them once and says how long that takes\n",
          traffic_.text());
  }

  std::string traffic_text(const ask::SimulateOptions& options) const {
    return options.trace.empty() ? traffic_.text() : "trace:" + options.trace.path;
  }

  Exit benchmark(const ask::Situation& at, const SimulateModes& modes, ask::AnswerHead head) const {
    const ask::NicAnswer found = ask::nic(at, modes.nic);
    head.nic = modes.nic;
    if (as_json_) return print_json(head, found), Exit::done;
    const auto& [name, source, summary, run] = *found.bench;
    std::cout << fmt::format("{}: {} ({})\n", name, summary, source);
    for (const qsnet::BenchTable& table : found.tables) print(table);
    return Exit::done;
  }

  Exit simulate(const ask::Situation& at, const ask::SimulateOptions& options, const SimulateModes& modes,
                const ask::AnswerHead& head, const std::string& router) const {
    const auto tell = [cycle = ask::cycle_of(at.topology.fabric, options)](const Batch& batch) {
      print_line({.batch = ask::batch_answer(batch, cycle)});
    };
    const auto result = ask::simulate(at, options, modes.follow ? Watch(tell) : Watch());
    if (const auto status = refused(result)) return *status;
    const SimulateAnswer& found = std::get<SimulateAnswer>(result);
    say_where(at.device, found.where);
    if (modes.follow) {
      print_line({.answer = {{head, {ask::simulated_with(options), found}}}});
    } else if (as_json_) {
      write(head, options, found);
    } else {
      std::cout << fmt::format("{} under {}\n", router, traffic_text(options));
      if (options.ends() && !found.completion)
        std::cout << fmt::format("  NOT COMPLETED within {} cycles\n", options.measure.max_cycles);
      print(found);
    }
    return found.deadlock ? Exit::verdict_no : Exit::done;
  }

  Exit draw_curve(const ask::Situation& at, const ask::SimulateOptions& options, const SimulateModes& modes,
                  const ask::AnswerHead& head) const {
    const auto tell = [](const LoadPoint& point) { print_line({.point = point}); };
    const auto result = ask::curve(at, options, modes.curve, modes.follow ? ask::TellPoint(tell) : nullptr);
    if (const auto status = refused(result)) return *status;
    const ask::CurveAnswer& found = std::get<ask::CurveAnswer>(result);
    say_where(at.device, found.where);
    if (modes.follow)
      print_line({.curve = {{head, {ask::simulated_with(options), found}}}});
    else
      as_json_ ? write(head, options, found) : print(found.points);
    write_page(head, options, found);
    return exit_of(found.points);
  }

  Exit search(const ask::Situation& at, const ask::SimulateOptions& options,
              const ask::AnswerHead& head) const {
    const auto result = ask::saturation(at, options);
    if (const auto status = refused(result)) return *status;
    const ask::SaturationAnswer& found = std::get<ask::SaturationAnswer>(result);
    say_where(at.device, found.where);
    if (as_json_) {
      write(head, options, found);
    } else {
      print(found.points);
      if (found.saturation_load < 1)
        std::cout << fmt::format("saturates above a load of {:.1f} %; it never accepts more than {:.2f} %\n",
                                 100 * found.saturation_load, 100 * found.accepted);
      else
        std::cout << fmt::format(
            "{}: it accepts up to {:.2f} %\n",
            found.undecided ? "no load was found at which it saturates" : "does not saturate",
            100 * found.accepted);
      if (found.undecided)
        std::cout << "undecided: at some loads the intervals are too wide to tell whether it is saturated, "
                     "and they "
                     "were taken as not saturated; run longer, or with more --replicas\n";
    }
    write_page(head, options, found);
    return exit_of(found.points);
  }

  // Of what was left to the program: which choice it made, unless it is the usual one.
  static void say_where(ask::DeviceChoice choice, const ask::Where& where) {
    if (choice == ask::DeviceChoice::automatic && where.device)
      std::cerr << fmt::format("banyan: {} simulated\n", *where.device);
    if (!where.device_failure.empty())
      std::cerr << fmt::format("banyan: processors simulated, since a GPU failed: {}\n",
                               where.device_failure);
  }

  template <class A>
  void write_page(const ask::AnswerHead& head, const ask::SimulateOptions& options, const A& found) const {
    if (report_.empty() || !is_first_) return;
    write_whole(report_, [&](std::ostream& out) {
      report::write_report(out, head, ask::simulated_with(options), found, command());
    });
    if (!as_json_) std::cout << "The report is " << report_ << '\n';
  }

  // What to type for the same page.
  std::string command() const {
    std::string out = "banyan simulate " + quoted_for_shell(routed_.fabric.fabric);
    for (const std::string& without : routed_.fabric.without)
      out += " --without " + quoted_for_shell(without);
    return out + routed_.routing.typed() + traffic_.typed() + modes_.typed() + options_.typed() +
           device_.typed() + " --report " + quoted_for_shell(report_);
  }

  template <class A>
  static void write(const ask::AnswerHead& head, const ask::SimulateOptions& options, const A& found) {
    print_json(head, Simulated<A>{ask::simulated_with(options), found});
  }

  RoutedArgument routed_;
  OptionsArgument<SimulateModes> modes_;
  OptionsArgument<ask::SimulateOptions> options_;
  OptionsArgument<ask::DeviceOptions> device_;
  TrafficArgument traffic_{"uniform"};
  std::string report_;
  u32 threads_ = 1;
  const Exchange* exchange_ = nullptr;
  bool is_first_ = true;  // of the ranks under mpirun
  bool as_json_ = false;
};

}  // namespace

Verb simulate_verb() {
  return make_verb<Simulate>("simulate", "Throughput and latency, flit by flit",
                             "banyan simulate '4-ary 3-tree' --engine dmodk --traffic uniform --load 0.4");
}

}  // namespace banyan::cli
