// Asks a forward where packets go whose heads have become visible: once per cycle for all of them, so that
// the engine is compiled once for all forwards.
#pragma once
#include <span>

#include "flit/state.hpp"
#include "routing/routing.hpp"

namespace banyan::flit {

// A packet to be routed, and the answer.
struct RouteJob {
  LaneId lane;  // buffer it stands in; for a NIC its first lane
  PacketId packet;
  Channel exit;  // the answer: it leaves through,
  u32 flits;     // has so many,
  u16 lanes;     // and these lanes are permitted
  bool again;    // it was routed before, to `exit`; set and read only where packets choose again
};

struct RouteSetting {
  const Fabric& fabric;
  State& state;
  u32 lmc;
  u64 seed;
  std::vector<u16> permitted;  // by a hop's lanes: the lanes that they stand for

  u16 permits(u32 classes) const { return permitted[classes & (permitted.size() - 1)]; }
};

// Answers all jobs. An adaptive forward wants them in order of their lanes; one that knows the whole way is
// asked at NICs only. `hops` is space for those that a forward offers.
using RouteFunction = void (*)(const void* forward, const RouteSetting&, std::span<RouteJob>, u64 now,
                               Hops& hops);

RouteFunction route_function(const Forward& forward);  // compiled for each forward; wants its alternative

// An exit that a packet that waits may choose, and the lanes that are permitted there.
struct PermittedExit {
  Channel exit;
  u16 lanes;
};
// All choices of a packet that has been routed at this node, where packets choose again; for find_deadlock().
std::vector<PermittedExit> choices_of(const Forward& forward, const RouteSetting& setting, Node node,
                                      const Packet& packet);

[[noreturn]] void no_way(const RouteSetting& setting, Node node, const Packet& packet);
[[noreturn]] void no_way(const RouteSetting& setting, Nic from, Nic to);

// Class c of a routing that needs `classes` lanes may use lanes c, c + classes, ... of `lanes`.
std::vector<u16> permitted_lanes(u32 classes, u32 lanes);

}  // namespace banyan::flit
