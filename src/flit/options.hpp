// What decides a simulation's result besides fabric, routing and traffic: docs/simulator.md says what each
// does.
#pragma once
#include "base/types.hpp"

namespace banyan {

enum class FlowControl : u8 { vct, wormhole };
enum class Queueing : u8 { fifo, voq };
enum class Ejection : u8 { finite, unlimited };
enum class PathChoice : u8 { round_robin, in_message, random, message };

struct NetworkOptions {
  static constexpr u32 most_lanes = 16;

  FlowControl flow_control = FlowControl::vct;
  u32 lanes = 1;          // of every channel
  u32 buffer_flits = 40;  // at the end of a channel, for each lane
  u32 output_flits = 0;   // queue at a switch's output, for each lane; 0: none
  u32 writers = 1;        // inputs that may write into one output's queues at once
  u32 switch_cycles = 1;  // from arrival in a switch until a flit may leave it
  Queueing queueing = Queueing::fifo;
  Ejection ejection = Ejection::finite;
  PathChoice path_choice = PathChoice::round_robin;
};

enum class Arrivals : u8 { poisson, bernoulli, back_to_back };
enum class Sizes : u8 { fixed, exponential };

struct MessageOptions {
  Arrivals arrivals = Arrivals::poisson;
  Sizes sizes = Sizes::fixed;
  double load = 0.5;        // flits a cycle from the busiest NIC, as a share of its channel
  u32 packet_flits = 10;    // largest packet
  u32 message_packets = 1;  // mean, where sizes vary
  u32 flit_bytes = 16;      // for traffic in bytes
  u32 reaction_cycles = 1;  // from the last arrival a rank waits for to its next message
};

}  // namespace banyan
