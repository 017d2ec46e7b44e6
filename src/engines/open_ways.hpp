// The source of adaptive routings, where switches choose among all permitted hops: a message has one way.
#pragma once
#include <optional>
#include <string_view>

#include "engines/engine.hpp"

namespace banyan::engines {

constexpr u32 lanes_in_mask = 16;  // a hop cannot permit others

struct OpenWays {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to)}; }
  Reads reads() const { return Reads::nothing; }
};

// The reason why an adaptive engine cannot route this fabric, if a node has more ports than hops can be
// offered.
std::optional<NotApplicable> refuse_many_hops(const Fabric& fabric, std::string_view engine,
                                              u32 hops_a_port = 1);

// The most channels between switches on a way of these sets between two hosts; at least 1.
u32 longest_way(const Fabric& fabric, const PortSets& sets);

// Any hop of a shortest path on any graph, with a lane for each channel between switches that is to follow.
RouteResult route_shortest(const Topology& topology, std::string_view engine);

}  // namespace banyan::engines
