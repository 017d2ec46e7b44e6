// Asks a forward where packets go whose heads have become visible: once per cycle for all of them, so that
// the engine is compiled once for all forwards.
#pragma once
#include <span>

#include "flit/state.hpp"
#include "routing/routing.hpp"

namespace banyan {

struct RouteJob {
  u32 lane;  // buffer it stands in; for a NIC its first lane
  u32 entry;
};

struct RouteSetting {
  const Fabric& fabric;
  State& state;
  u32 lmc;
  u64 seed;
  std::vector<u16> permitted;  // by a hop's lanes: the lanes that they stand for

  u16 permits(const Hop& hop) const { return permitted[hop.lanes & (permitted.size() - 1)]; }
};

// Gives each entry its port and lanes. An adaptive forward wants the jobs in order of their lanes.
using RouteFunction = void (*)(const void* forward, const RouteSetting&, std::span<const RouteJob>,
                               Entry* entries, u64 now);

template <class F>
struct Router {
  static void route(const void* forward, const RouteSetting& setting, std::span<const RouteJob> jobs,
                    Entry* entries, u64 now);
};

// Class c of a routing that needs `classes` lanes may use lanes c, c + classes, ... of `lanes`.
std::vector<u16> permitted_lanes(u32 classes, u32 lanes);

}  // namespace banyan
