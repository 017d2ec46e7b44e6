// Throughput and latency, flit by flit: one run, runs at several loads, or a search for the load where it
// saturates.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/answer_head.hpp"
#include "ask/situation.hpp"
#include "flit/measure.hpp"

namespace banyan::ask {

struct SimulateOptions {
  MessageOptions messages{};
  NetworkOptions network{.lanes = 0};
  MeasureOptions measure{};
  RailOptions rails{};
  Granularity granularity = Granularity::automatic;
  bool complete = false;    // send the traffic once, round by round, and run to its end
  bool with_rails = false;  // hosts are as `rails` says although they have one NIC and it says nothing new

  static void fields(auto& self, auto&& f) {
    MessageOptions::fields(self.messages, f);
    NetworkOptions::fields(self.network, f);
    MeasureOptions::fields(self.measure, f);
    RailOptions::fields(self.rails, f);
    f("granularity", self.granularity,
      "automatic (whole packets where that gives the same bits), flits or packets");
  }
};

// With all that was left open decided: lanes and rails. Throws InputError for what cannot be simulated.
SimulateOptions resolved(const Topology& topology, const Routing& routing, SimulateOptions options);

void check_load(double load);  // throws InputError unless it is a share

struct SimulateAnswer {
  std::optional<double> offered{};
  std::optional<Interval> accepted{};
  std::optional<double> min_host_throughput{}, max_host_throughput{};
  std::optional<u64> starved_hosts{};
  Interval packet_latency{unknown, unknown};  // where no packet arrived, it is not known
  double network_latency = unknown;
  u64 packet_latency_p50 = 0, packet_latency_p99 = 0;
  double message_latency = unknown;
  u64 message_latency_p50 = 0, message_latency_p99 = 0;
  u64 packets = 0, messages = 0, flits = 0, flit_hops = 0;
  u64 cycles = 0, warm_up_cycles = 0;
  std::optional<bool> saturated{};
  double max_channel_utilisation = 0;
  bool deadlock = false;
  std::optional<std::string> waiting{};
  std::optional<u64> completion{};
  std::optional<bool> completed{};
  Granularity granularity = Granularity::automatic;

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
    f("cycles", self.cycles, "cycles", "measured, without the warm-up");
    f("warm_up_cycles", self.warm_up_cycles, "cycles", "left out before");
    f("saturated", self.saturated, "", "it accepts less than it is offered");
    f("max_channel_utilisation", self.max_channel_utilisation, "",
      "share of the time that the busiest channel is busy");
    f("deadlock", self.deadlock, "", "packets wait for each other in a circle");
    f("waiting", self.waiting, "", "the packets of the deadlock, by name");
    f("completion", self.completion, "cycles", "of traffic that is sent once: until all of it has arrived");
    f("completed", self.completed, "", "of traffic that is sent once: whether all of it has arrived");
    f("granularity", self.granularity, "", "what was simulated as a whole");
  }
};
// What was counted since the last batch, while a simulation goes on.
struct BatchAnswer {
  u64 now = 0, cycles = 0;
  double offered = 0, accepted = 0;
  u64 packets = 0;
  double packet_latency = 0;
  u64 packet_latency_p99 = 0;
  std::vector<u32> channel_per_mille{};

  static void fields(auto& self, auto&& f) {
    f("now", self.now, "cycles", "the cycle with which the batch ended");
    f("cycles", self.cycles, "cycles", "length of the batch");
    f("offered", self.offered, "of a link", "what the channels of those that send were offered");
    f("accepted", self.accepted, "of a link", "what arrived of it");
    f("packets", self.packets, "packets", "packets that arrived");
    f("packet_latency", self.packet_latency, "cycles", "mean latency of these packets");
    f("packet_latency_p99", self.packet_latency_p99, "cycles", "99 % of these packets are within it");
    f("channel_per_mille", self.channel_per_mille, "", "by channel: how busy it was, in thousandths");
  }
};
BatchAnswer batch_answer(const Batch& batch);

// The options of a simulation, as they were decided.
struct SimulatedWith {
  OptionValues<MessageOptions> messages{};
  OptionValues<NetworkOptions> network{};
  OptionValues<MeasureOptions> measure{};
  std::optional<OptionValues<RailOptions>> rails{};

  static void fields(auto& self, auto&& f) {
    OptionValues<MessageOptions>::fields(self.messages, f);
    OptionValues<NetworkOptions>::fields(self.network, f);
    OptionValues<MeasureOptions>::fields(self.measure, f);
    part(self.rails, f);
  }
};
SimulatedWith simulated_with(const SimulateOptions& options);

// `watch` is told of every batch as it is over. Throws InputError.
SimulateAnswer simulate(const Situation& at, const SimulateOptions& options, const Watch& watch = {});

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

  static void fields(auto& self, auto&& f) {
    f("points", self.points, "", "by load, as they were asked for");
  }
};
CurveAnswer curve(const Situation& at, const SimulateOptions& options, std::span<const double> loads);

struct SaturationAnswer {
  double saturation_load = 0, accepted = 0;
  std::vector<LoadPoint> points{};

  static void fields(auto& self, auto&& f) {
    f("saturation_load", self.saturation_load, "of a link", "the largest load that is not saturated");
    f("accepted", self.accepted, "of a link", "the most that was accepted at any load");
    f("points", self.points, "", "what was measured on the way, by load");
  }
};
SaturationAnswer saturation(const Situation& at, const SimulateOptions& options);

}  // namespace banyan::ask
