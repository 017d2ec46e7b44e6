// What decides a simulation's result besides fabric, routing and traffic: docs/simulator.md says what each
// does.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "traffic/rounds.hpp"

namespace banyan::flit {

enum class FlowControl : u8 { vct, wormhole };
enum class Queueing : u8 { fifo, voq };
enum class Ejection : u8 { finite, unlimited };
enum class SwitchHold : u8 { flit, packet };
enum class Speculation : u8 { off, on };
enum class Priority : u8 { none, age, replies };
enum class HopCredits : u8 { all, late };
enum class HopView : u8 { local, global };
enum class PathChoice : u8 { round_robin, in_message, random, message, recycled, flowlet };
enum class Arrivals : u8 { poisson, bernoulli, back_to_back };
enum class Sizes : u8 { fixed, exponential };

constexpr std::array<std::string_view, 2> option_names(FlowControl) { return {"vct", "wormhole"}; }
constexpr std::array<std::string_view, 2> option_names(Queueing) { return {"fifo", "voq"}; }
constexpr std::array<std::string_view, 2> option_names(Ejection) { return {"finite", "unlimited"}; }
constexpr std::array<std::string_view, 2> option_names(SwitchHold) { return {"flit", "packet"}; }
constexpr std::array<std::string_view, 2> option_names(Speculation) { return {"off", "on"}; }
constexpr std::array<std::string_view, 3> option_names(Priority) { return {"none", "age", "class"}; }
constexpr std::array<std::string_view, 2> option_names(HopCredits) { return {"all", "late"}; }
constexpr std::array<std::string_view, 2> option_names(HopView) { return {"local", "global"}; }
constexpr std::array<std::string_view, 6> option_names(PathChoice) {
  return {"round-robin", "in-message", "random", "message", "recycled", "flowlet"};
}
constexpr std::array<std::string_view, 3> option_names(Arrivals) {
  return {"poisson", "bernoulli", "back-to-back"};
}
constexpr std::array<std::string_view, 2> option_names(Sizes) { return {"fixed", "exponential"}; }

struct NetworkOptions {
  static constexpr u32 max_lanes = 16;

  FlowControl flow_control = FlowControl::vct;
  u32 lanes = 1;
  u32 buffer_flits = 40;
  u32 output_flits = 0;
  u32 writers = 1;
  u32 switch_cycles = 1;
  Queueing queueing = Queueing::fifo;
  Ejection ejection = Ejection::finite;
  PathChoice path_choice = PathChoice::round_robin;
  // Of recycled paths:
  u32 mark_flits = 20;
  u32 path_memory = 8;
  u32 path_timeout = 0;
  u32 flowlet_gap = 100;
  HopView hop_view = HopView::local;
  HopCredits hop_credits = HopCredits::all;
  u32 hop_bias = 0;
  std::string allocator = "joint";
  u32 crossing_cycles = 0;
  // Of switches that allocate in stages:
  u32 input_speedup = 1;
  u32 switch_speedup = 1;
  u32 head_cycles = 0;
  u32 lane_cycles = 0;
  Speculation speculation = Speculation::off;
  SwitchHold switch_hold = SwitchHold::flit;
  Priority priority = Priority::none;

  bool operator==(const NetworkOptions&) const = default;
  static void fields(auto& self, auto&& f) {
    f("flow-control", self.flow_control, "vct (packets as a whole) or wormhole (flit by flit)");
    f("lanes", self.lanes, "lanes of every channel, up to 16; 0: as many as the routing needs");
    f("buffer-flits", self.buffer_flits,
      "buffer at the end of a channel, for each lane; 0: 40, with link at least what a busy link needs");
    f("output-flits", self.output_flits, "queue at a switch's output, for each lane; 0: none");
    f("writers", self.writers, "inputs that may write into one output's queues at once");
    f("switch-cycles", self.switch_cycles, "from arrival in a switch until a flit may leave it");
    f("queueing", self.queueing, "fifo, or voq: packets for different outputs pass each other");
    f("ejection", self.ejection, "finite, or unlimited: no back-pressure from the ports to hosts");
    f("path-choice", self.path_choice,
      "which of several paths a packet takes: round-robin, in-message, random, message, recycled (those that "
      "were acknowledged without a mark), flowlet (drawn anew after a pause)");
    f("mark-flits", self.mark_flits,
      "recycled: a packet is marked by a switch where more flits than these are queued before it");
    f("path-memory", self.path_memory, "recycled: paths that a NIC remembers for each other NIC");
    f("path-timeout", self.path_timeout,
      "recycled: cycles without an acknowledgement after which a NIC tries no new paths for as long; 0: it "
      "always does");
    f("flowlet-gap", self.flowlet_gap,
      "flowlet: a packet that its NIC takes up at most so many cycles after the one before it, to the same "
      "NIC, takes the same path");
    f("hop-view", self.hop_view,
      "which queues count when a packet chooses among hops: local (of the switch where it is), or global (of "
      "the whole way; GPUs do not simulate it)");
    f("hop-credits", self.hop_credits,
      "which missing credits count when a packet chooses among hops: all, or late: those beyond a round trip "
      "of the channel");
    f("hop-bias", self.hop_bias,
      "when a packet chooses among hops: what a way that is not the shortest costs besides its queues");
    f("allocator", self.allocator,
      "how a switch gives outputs to inputs: joint (a lane and the output at once), or in stages, first "
      "lanes "
      "and then the switch: input-first, output-first, islip:iterations=N or wavefront");
    f("crossing-cycles", self.crossing_cycles, "from an input buffer through a switch into the channel");
    f("input-speedup", self.input_speedup, "in stages: lanes of an input port that may send in one cycle");
    f("switch-speedup", self.switch_speedup,
      "in stages, with output queues: times that the switch is allocated in one cycle");
    f("head-cycles", self.head_cycles,
      "in stages: from when a packet is the first of its input lane until it may be given a lane");
    f("lane-cycles", self.lane_cycles, "in stages: from being given a lane until it may ask for the switch");
    f("speculation", self.speculation,
      "in stages: off, or on: during lane-cycles it may ask for what the others leave");
    f("switch-hold", self.switch_hold,
      "in stages, wormhole: flit (asks for each), or packet (keeps the switch while its flits follow)");
    f("priority", self.priority,
      "in stages: none; age: who entered the network first goes first; class: replies go before requests");
  }
};

struct MessageOptions {
  Arrivals arrivals = Arrivals::poisson;
  Sizes sizes = Sizes::fixed;
  double load = 0.5;
  std::string burst = "";
  u32 packet_flits = 10;
  std::string packet_lengths = "";
  u32 reply_flits = 0;
  u32 reply_cycles = 1;
  u32 max_requests = 0;
  u32 message_packets = 1;
  u32 flit_bytes = 16;
  u32 reaction_cycles = 1;
  Rounds rounds = Rounds::exchange;

  bool operator==(const MessageOptions&) const = default;
  static void fields(auto& self, auto&& f) {
    f("arrivals", self.arrivals, "of messages: poisson, bernoulli or back-to-back");
    f("sizes", self.sizes, "of messages: fixed or exponential");
    f("load", self.load, "what the busiest hosts offer, as a share of their link's capacity");
    f("burst", self.burst,
      "ON:OFF, mean cycles of periods in which a host creates messages and in which it creates none; the "
      "load is the mean over both");
    f("packet-flits", self.packet_flits,
      "flits of a packet, up to 1048576; the largest one where sizes vary");
    f("packet-lengths", self.packet_lengths,
      "FLITS:WEIGHT,...: a message is one packet, whose length is drawn by these weights; instead of "
      "packet-flits");
    f("reply-flits", self.reply_flits,
      "a message is a request, which is answered by a message of so many flits, one packet where "
      "packet-lengths are given; 0: there are no replies");
    f("reply-cycles", self.reply_cycles, "from the arrival of a request until its reply is created");
    f("max-requests", self.max_requests,
      "requests of a host that are not answered yet, at most; others wait in the host; 0: any number");
    f("message-packets", self.message_packets, "packets of a message, in the mean where sizes vary");
    f("flit-bytes", self.flit_bytes, "bytes of a flit, for traffic in bytes");
    f("reaction-cycles", self.reaction_cycles,
      "in a collective: from the last arrival that a rank awaits to its next message");
    f("rounds", self.rounds,
      "in a collective: what a rank awaits before its next round: barrier (every message of the round), "
      "exchange (those to itself) or independent (nothing)");
  }
};

}  // namespace banyan::flit
