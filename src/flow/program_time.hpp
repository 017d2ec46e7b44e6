// How long a program takes (traffic/programs/program.hpp), at two of the three levels: LogGOPS, in which
// messages do not meet (Hoefler, Schneider, Lumsdaine 2010), and fluid, in which they share channels at the
// rates of rates.hpp. docs/programs.md has the terms.
#pragma once
#include "flow/message_time.hpp"
#include "traffic/programs/program.hpp"

namespace banyan::traffic {
struct ProgramLog;
}

namespace banyan::flow {

struct ProgramOptions {
  // Rates, latencies of cables and switches, rails. overhead: o at the sender and at the receiver together.
  // gap: g, between the starts of two messages of one NIC of a rank.
  TimeOptions network = {};
  double latency = 0;        // L, besides that of cables and switches
  double byte_gap = 0;       // G, for each byte but the first; LogGOPS only
  double byte_overhead = 0;  // O, likewise, of sender and receiver each
  double eager_bytes =
      65535;  // S: the send of a longer message ends when it has left and its receive has begun
};

struct ProgramTime {
  double total = 0;          // when the last operation has ended
  double critical_path = 0;  // the longest chain of operations, if nothing had to wait for anything it shares
  u64 flow_events = 0;       // beginnings and ends of flows; LogGOPS has none
};

// `log`, where there is one, gets what happened. Throws InputError for a program that never ends, and for
// messages that cannot arrive.
ProgramTime loggops_time(const Fabric& fabric, const Routing& routing, const Program& program,
                         const Placement& placement, const ProgramOptions& options,
                         ProgramLog* log = nullptr);
ProgramTime fluid_time(const Fabric& fabric, const Routing& routing, const Program& program,
                       const Placement& placement, const ProgramOptions& options, ProgramLog* log = nullptr);

// Of a run at level fluid: how long each channel held these messages up, which are named by their sends. That
// is the time in which the channel was the bottleneck of a message, times the share of its rate alone that it
// did not get. The longest come first.
struct HeldUp {
  Channel channel;
  double seconds;
};
std::vector<HeldUp> held_up(const Fabric& fabric, const Routing& routing, const Program& program,
                            const Placement& placement, const ProgramOptions& options,
                            std::span<const Op> sends);

// What channels carry at a moment of a run at level fluid. Events that come up to 10^-9 of the time later
// have happened.
struct Moment {
  double time = 0;
  u64 flows = 0;                  // that are under way
  std::vector<Channel> channels;  // that carry something, in order; not what limits NICs or is inside hosts
  std::vector<double> rates;      // of these, in bytes a second
};
// `times` are in order.
std::vector<Moment> moments(const Fabric& fabric, const Routing& routing, const Program& program,
                            const Placement& placement, const ProgramOptions& options,
                            std::span<const double> times);

// The critical path alone, of a network that does not know when receives begin, such as that of packets: the
// send of a long message ends when it has left.
double critical_path(const Fabric& fabric, const Routing& routing, const Program& program,
                     const Placement& placement, const ProgramOptions& options);

}  // namespace banyan::flow
