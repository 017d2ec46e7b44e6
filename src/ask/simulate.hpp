// Throughput and latency, flit by flit: one run, runs at several loads, or a search for the load where it
// saturates.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "ask/answer_head.hpp"
#include "ask/situation.hpp"
#include "base/units.hpp"
#include "flit/measure.hpp"

namespace banyan::ask {

// How long cycles are. Without a speed of links all times are in cycles.
struct WireOptions {
  Speed link{};
  Length cable{};
  Duration switch_delay{};

  static void fields(auto& self, auto&& f) {
    f("link", self.link,
      "speed of a link of capacity 1, such as 400G: latencies also in seconds; 0: in cycles alone");
    f("cable", self.cable,
      "with link: length of every cable, such as 5m, instead of the latencies of the fabric; a metre takes 5 "
      "ns");
    f("switch-delay", self.switch_delay,
      "with link: time from arrival in a switch until a flit may leave it, instead of switch-cycles");
  }
};

struct SimulateOptions {
  MessageOptions messages{};
  NetworkOptions network{.lanes = 0, .buffer_flits = 0};
  MeasureOptions measure{};
  RailOptions rails{};
  WireOptions wire{};
  Granularity granularity = Granularity::automatic;
  FilePath trace{};
  bool complete = false;    // send the traffic once, round by round, and run to its end
  bool with_rails = false;  // hosts are as `rails` says although they have one NIC and it says nothing new

  static void fields(auto& self, auto&& f) {
    MessageOptions::fields(self.messages, f);
    NetworkOptions::fields(self.network, f);
    MeasureOptions::fields(self.measure, f);
    RailOptions::fields(self.rails, f);
    WireOptions::fields(self.wire, f);
    f("granularity", self.granularity,
      "automatic (whole packets where that gives the same bits), flits or packets");
    f("trace", self.trace,
      "a file of recorded messages, time,from,to,bytes, that are sent once instead of the traffic");
  }
  bool ends() const { return complete || !trace.empty(); }  // the messages are sent once
};

// With all that was left open decided: lanes, buffers and rails. Throws InputError for what cannot be
// simulated.
SimulateOptions resolved(const Topology& topology, const Routing& routing, SimulateOptions options);

void check_load(double load);  // throws InputError unless it is a share

// The times of an answer in seconds, where the speed of links is known.
struct LatencySeconds : RunFigures<double> {
  double cycle_seconds = 0;
  Interval packet_latency{unknown, unknown};

  static void fields(auto& self, auto&& f) {
    f("cycle_seconds", self.cycle_seconds, "seconds",
      "with link: of a cycle, in which a link carries a flit");
    f("packet_latency_seconds", self.packet_latency, "seconds", "packet_latency");
    each_figure([&](std::string_view name, std::string_view unit, auto get) {
      if (unit == "cycles") f(std::string(name) + "_seconds", get(self), "seconds", name);
    });
  }
};

// Who simulated.
struct Where {
  std::optional<std::string> device{};
  std::string device_failure{};  // of a GPU that was chosen and failed: why; processors did its work

  static void fields(auto& self, auto&& f) {
    f("device", self.device, "", "the GPU that simulated; absent where processors did");
  }
};

// Half-widths of the 95 % intervals over replicas, of figures that have none in a single run.
struct ReplicaAnswer : RunFigures<double> {
  static void fields(auto& self, auto&& f) {
    each_figure([&](std::string_view name, std::string_view unit, auto get) {
      f(std::string(name) + "_half_width", get(self), unit,
        "half-width of the confidence interval of " + std::string(name) + " over the replicas");
    });
  }
};

struct SimulateAnswer : RunFigures<double> {
  std::optional<double> offered{};
  std::optional<Interval> accepted{};
  Interval packet_latency{unknown, unknown};  // where no packet arrived, it is not known
  u64 packets = 0, messages = 0, flits = 0, flit_hops = 0;
  u64 cycles = 0, warm_up_cycles = 0;
  std::optional<bool> saturated{}, undecided{}, ends_in_warm_up{};
  bool deadlock = false;
  std::optional<std::string> waiting{};
  std::optional<bool> completed{};
  Granularity granularity = Granularity::automatic;
  u32 replicas = 1;
  std::optional<ReplicaAnswer> over_replicas{};  // of several
  Where where{};                                 // of a single point
  std::optional<LatencySeconds> seconds{};

  static void fields(auto& self, auto&& f) {
    f("offered", self.offered, "of a link", "what the channels of those that send are offered");
    f("accepted", self.accepted, "of a link",
      "what arrives of it: the mean over the hosts that send, 95 % interval");
    f("min_host_throughput", self.min_host_throughput, "of a link",
      "what the sending host that puts the least into the network puts there");
    f("max_host_throughput", self.max_host_throughput, "of a link", "what the one that puts the most does");
    f("starved_hosts", self.starved_hosts, "hosts",
      "hosts that had a message to send all the time and sent nothing; of hosts with one NIC");
    f("packet_latency", self.packet_latency, "cycles",
      "from the creation of its message until a packet's last flit has arrived; mean, 95 % interval");
    f("network_latency", self.network_latency, "cycles",
      "from when a packet's head leaves its NIC until its last flit has arrived; mean. What packet_latency "
      "has more is the wait at the source");
    f("packets_in_network", self.packets_in_network, "packets",
      "mean number of packets between their NICs, counted when a head leaves its NIC and when a last flit "
      "arrives. By Little's law it is packets / cycles times network_latency, but for packets that are "
      "inside as the measuring begins or ends");
    f("packet_latency_p50", self.packet_latency_p50, "cycles", "its median");
    f("packet_latency_p99", self.packet_latency_p99, "cycles", "99 % of packets are within it");
    f("message_latency", self.message_latency, "cycles",
      "from the creation of a message until its last flit has arrived; mean");
    f("message_latency_p50", self.message_latency_p50, "cycles", "its median");
    f("message_latency_p99", self.message_latency_p99, "cycles", "99 % of messages are within it");
    f("packets", self.packets, "packets", "that arrived");
    f("messages", self.messages, "messages", "that arrived");
    f("flits", self.flits, "flits", "that arrived");
    f("flit_hops", self.flit_hops, "flits", "that left a switch, ejection included, injection not");
    f("cycles", self.cycles, "cycles",
      "measured, without the warm-up; of traffic that is sent once, until its completion");
    f("warm_up_cycles", self.warm_up_cycles, "cycles", "left out before");
    f("saturated", self.saturated, "", "it accepts less than it is offered");
    f("undecided", self.undecided, "",
      "it may be saturated: the interval of the backlog's growth is too wide to tell");
    f("ends_in_warm_up", self.ends_in_warm_up, "",
      "the run ended before its warm-up did: its figures are not those of a steady state");
    f("max_channel_utilisation", self.max_channel_utilisation, "",
      "share of the time that the busiest channel is busy; of traffic that is sent once, until its "
      "completion");
    f("deadlock", self.deadlock, "", "packets wait for each other in a circle");
    f("waiting", self.waiting, "", "the packets of the deadlock, by name");
    f("completion", self.completion, "cycles", "of traffic that is sent once: until all of it has arrived");
    f("completed", self.completed, "", "of traffic that is sent once: whether all of it has arrived");
    f("granularity", self.granularity, "", "what was simulated as a whole");
    f("replicas", self.replicas, "runs",
      "with different seeds: packets, messages, flits, flit_hops, cycles and warm_up_cycles are sums over "
      "them, other figures are means");
    part(self.over_replicas, f);
    Where::fields(self.where, f);
    part(self.seconds, f);
  }
};
// What was counted since the last batch, while a simulation goes on.
struct BatchAnswer {
  u64 now = 0, cycles = 0;
  double offered = 0, accepted = 0;
  u64 packets = 0;
  double packet_latency = 0;
  u64 packet_latency_p99 = 0;
  std::optional<double> packet_latency_seconds{};
  std::vector<u32> channel_per_mille{};

  static void fields(auto& self, auto&& f) {
    f("now", self.now, "cycles", "the cycle with which the batch ended");
    f("cycles", self.cycles, "cycles", "length of the batch");
    f("offered", self.offered, "of a link", "what the channels of those that send were offered");
    f("accepted", self.accepted, "of a link", "what arrived of it");
    f("packets", self.packets, "packets", "packets that arrived");
    f("packet_latency", self.packet_latency, "cycles", "mean latency of these packets");
    f("packet_latency_p99", self.packet_latency_p99, "cycles", "99 % of these packets are within it");
    f("packet_latency_seconds", self.packet_latency_seconds, "seconds", "with link: packet_latency");
    f("channel_per_mille", self.channel_per_mille, "", "by channel: how busy it was, in thousandths");
  }
};
BatchAnswer batch_answer(const Batch& batch, const std::optional<double>& cycle_seconds = {});

// Buffers with which a link is busy all the time where nothing else holds it up: cycles.hpp.
u32 busy_link_flits(const Fabric& fabric, const SimulateOptions& options);
// Whether the buffer of one lane is too small to keep some link busy: it holds less than the round trip, and
// with vct room for a packet behind the first flit that is on its way.
bool buffers_limit_links(const Fabric& fabric, const SimulateOptions& options);

// Of a simulation with these options; nothing without a speed of links.
std::optional<double> cycle_of(const Fabric& fabric, const SimulateOptions& options);

// The options of a simulation, as they were decided.
struct SimulatedWith {
  OptionValues<MessageOptions> messages{};
  OptionValues<NetworkOptions> network{};
  OptionValues<MeasureOptions> measure{};
  std::optional<OptionValues<RailOptions>> rails{};
  std::optional<std::string> trace{};
  struct Wire : OptionValues<WireOptions> {  // as numbers, in SI units
    static void fields(auto& self, auto&& f) {
      option_fields(self.options, [&](std::string_view name, const auto& quantity, std::string_view,
                                      std::string_view meaning) {
        f(name, quantity.value, std::remove_cvref_t<decltype(quantity)>::unit, meaning);
      });
    }
  };
  std::optional<Wire> wire{};

  static void fields(auto& self, auto&& f) {
    OptionValues<MessageOptions>::fields(self.messages, f);
    OptionValues<NetworkOptions>::fields(self.network, f);
    OptionValues<MeasureOptions>::fields(self.measure, f);
    part(self.rails, f);
    f("trace", self.trace, "", "the file of recorded messages that were sent");
    part(self.wire, f);
  }
};
SimulatedWith simulated_with(const SimulateOptions& options);

// `watch` is told of every batch as it is over. Throws InputError. Not applicable: at.device demands a GPU,
// and none can do it.
Result<SimulateAnswer> simulate(const Situation& at, const SimulateOptions& options, const Watch& watch = {});

// A run at a load.
struct LoadPoint {
  double load = 0;
  SimulateAnswer answer{};

  static void fields(auto& self, auto&& f) {
    f("load", self.load, "of a link", "what the busiest hosts offer");
    SimulateAnswer::fields(self.answer, f);
  }
};

struct CurveAnswer {
  std::vector<LoadPoint> points{};
  Where where{};

  static void fields(auto& self, auto&& f) {
    Where::fields(self.where, f);
    f("points", self.points, "", "by load: those asked for, or those that were chosen");
  }
};
// `loads` as they are written: 0.1,0.2 or 10%:90%:10%; or auto, or auto:N for N of them (adaptive_curve).
// Each point is told as soon as it is measured; of listed loads a GPU measures so many at once, and tells
// them together, that they are 256 runs.
using TellPoint = std::function<void(const LoadPoint&)>;
Result<CurveAnswer> curve(const Situation& at, const SimulateOptions& options, std::string_view loads,
                          const TellPoint& tell = {});

struct SaturationAnswer {
  double saturation_load = 0, accepted = 0;
  bool undecided = false;
  std::vector<LoadPoint> points{};
  Where where{};

  static void fields(auto& self, auto&& f) {
    Where::fields(self.where, f);
    f("saturation_load", self.saturation_load, "of a link", "the largest load that is not saturated");
    f("accepted", self.accepted, "of a link", "the most that was accepted at any load");
    f("undecided", self.undecided, "",
      "intervals were too wide to tell whether some load saturates; it was taken as one that does not");
    f("points", self.points, "", "what was measured on the way, by load");
  }
};
Result<SaturationAnswer> saturation(const Situation& at, const SimulateOptions& options);

}  // namespace banyan::ask
