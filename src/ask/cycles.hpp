// Cycles of a simulation as seconds: a cycle is the time in which the fastest link carries a flit. What a
// cable and a switch take is rounded to whole cycles, at least one.
#pragma once
#include <optional>

#include "base/units.hpp"
#include "topology/topology.hpp"

namespace banyan::ask {

inline constexpr double seconds_per_metre = 5e-9;  // light in glass, at two thirds of its speed

double cycle_seconds(const Fabric& fabric, Speed link, u32 flit_bytes);
u32 whole_cycles(Duration time, double cycle);

u32 cable_cycles(Length cable, double cycle);

// What a channel sends at most until a credit is back. `latency`: of all cables, in cycles; none: as the
// fabric says.
double round_trip_flits(const Fabric& fabric, std::optional<u32> latency, u64 switch_cycles);
// Buffers with which a link is busy all the time where nothing else holds it up: a packet, and the flits of a
// round trip; whole packets.
u32 busy_link_flits(double round_trip, u32 packet_flits);

// The fabric with cables of this length; as it is where no length is given.
Topology with_cables(const Topology& topology, Length cable, double cycle);

}  // namespace banyan::ask
