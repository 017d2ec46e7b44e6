// The paths of one pair, channel by channel: every way and every choice that a routing permits. `path` prints
// them.
#pragma once
#include <optional>
#include <vector>

#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::routing {

struct RoutedPath {
  u32 way = 0;
  double weight = 1;              // its share of the traffic: ways, and hops offered, are equally likely
  std::vector<Channel> channels;  // up to where it ends
  std::vector<u16> lanes;         // permitted on each channel, as a mask
  std::vector<u16> offers;        // by channel: hops offered where it begins
  bool arrives = false;
};

// The paths in the order of ways. Throws InputError if there are more than `maximum`.
std::vector<RoutedPath> paths(const Fabric& fabric, const Routing& routing, Nic from, Nic to, u64 bytes = 0,
                              std::size_t maximum = 100'000);

// In a fat-tree, the number of the path as mahapatra counts: a digit for each level, the lowest the most
// significant, over all up ports. None for a path that does not go up and then down.
std::optional<u64> path_index(const Topology& topology, const RoutedPath& path);

}  // namespace banyan::routing
