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
enum class PathChoice : u8 { round_robin, in_message, random, message };
enum class Arrivals : u8 { poisson, bernoulli, back_to_back };
enum class Sizes : u8 { fixed, exponential };

constexpr std::array<std::string_view, 2> option_names(FlowControl) { return {"vct", "wormhole"}; }
constexpr std::array<std::string_view, 2> option_names(Queueing) { return {"fifo", "voq"}; }
constexpr std::array<std::string_view, 2> option_names(Ejection) { return {"finite", "unlimited"}; }
constexpr std::array<std::string_view, 4> option_names(PathChoice) {
  return {"round-robin", "in-message", "random", "message"};
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

  bool operator==(const NetworkOptions&) const = default;
  static void fields(auto& self, auto&& f) {
    f("flow-control", self.flow_control, "vct (packets as a whole) or wormhole (flit by flit)");
    f("lanes", self.lanes, "lanes of every channel, up to 16; 0: as many as the routing needs");
    f("buffer-flits", self.buffer_flits, "buffer at the end of a channel, for each lane");
    f("output-flits", self.output_flits, "queue at a switch's output, for each lane; 0: none");
    f("writers", self.writers, "inputs that may write into one output's queues at once");
    f("switch-cycles", self.switch_cycles, "from arrival in a switch until a flit may leave it");
    f("queueing", self.queueing, "fifo, or voq: packets for different outputs pass each other");
    f("ejection", self.ejection, "finite, or unlimited: no back-pressure from the ports to hosts");
    f("path-choice", self.path_choice,
      "which of several paths a packet takes: round-robin, in-message, random, message");
  }
};

struct MessageOptions {
  Arrivals arrivals = Arrivals::poisson;
  Sizes sizes = Sizes::fixed;
  double load = 0.5;
  std::string burst = "";
  u32 packet_flits = 10;
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
    f("packet-flits", self.packet_flits, "flits of a packet, the largest one where sizes vary");
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
