// Pings with Tports and MPI-like calls, to set beside those of Elan3lib (ping.hpp).
//
// One way: matching pairs of blocking sends and receives, half of the round trip. Both ways: both hosts send
// and receive at once, again and again. Tports starts its receive before its send; MPI sends first, blocking,
// up to the eager limit, so that messages come unexpected and are copied; beyond it, it cannot block and does
// not.
#pragma once
#include "qsnet/ping.hpp"
#include "qsnet/tports.hpp"

namespace banyan::qsnet {

enum class Level : u8 { elan3lib, tports, mpi };
constexpr std::string_view level_names[] = {"Elan3lib", "Tports", "MPI"};

Time level_latency(const Routes& routes, const Parameters& parameters, Level level, const Ping& ping);
double level_bandwidth(const Routes& routes, const Parameters& parameters, Level level, const Ping& ping);

}  // namespace banyan::qsnet
