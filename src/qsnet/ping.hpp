// Pings with Elan3lib: puts from one host to another, one way or both ways at once.
//
// Latency: from the command to the notice at the source (steps 2 to 10 of Figure 5), the next put after the
// notice. Bandwidth: a chain of puts, each begun on the card by the source event of the one before it, so
// that only posting and notices overlap with the transfer (Section 4.7). Every put also sets an event at its
// target.
#pragma once
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

struct Ping {
  u32 from = 0, to = 1;
  u64 bytes = 0;
  Memory source = Memory::main, target = Memory::main;
  bool both_ways = false;
};

Time ping_latency(const Routes& routes, const Parameters& parameters, const Ping& ping);
double ping_bandwidth(const Routes& routes, const Parameters& parameters, const Ping& ping);  // MB/s each way

// The five placements of buffers of petrini01.
struct Placed {
  std::string_view name;
  Memory source, target;
  bool same_host;
};
inline constexpr Placed placements[] = {{"Elan to Elan", Memory::card, Memory::card, false},
                                        {"Elan to main", Memory::card, Memory::main, false},
                                        {"main to Elan", Memory::main, Memory::card, false},
                                        {"main to main", Memory::main, Memory::main, false},
                                        {"main to main, one SMP", Memory::main, Memory::main, true}};
Ping ping_of(const Placed& placed, u64 bytes, bool both_ways = false);

// The size that gets half of the peak: between multiples of 64 bytes bandwidth is drawn as a
// line.
double half_size(const Routes& routes, const Parameters& parameters, Ping ping, double peak);

}  // namespace banyan::qsnet
