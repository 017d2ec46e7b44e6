// Distances between hosts by breadth-first search: for any fabric, also a broken one.
#pragma once
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "fabric/fabric.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

// Parallel cables to one node.
struct Arc {
  Node to;
  u32 cables;
  auto operator<=>(const Arc&) const = default;
};

// The cables between switches; a NIC has none here, since it does not forward.
class SwitchGraph {
 public:
  explicit SwitchGraph(const Fabric& fabric);
  std::span<const Arc> arcs(Node node) const {
    return std::span(arcs_).subspan(first_[index(node)], first_[index(node) + 1] - first_[index(node)]);
  }

 private:
  std::vector<u32> first_;  // by node, and one past the last
  std::vector<Arc> arcs_;
};

// Two hosts are as far apart as their NICs on the rail where these are nearest.
Distances search_distances(const Fabric& fabric, unsigned threads = default_threads());

struct PairDistance {
  u32 channels = 0;  // 0: the same host, or out of reach
  u64 paths = 0;     // shortest sequences of channels
  bool operator==(const PairDistance&) const = default;
};
PairDistance search_distance(const Fabric& fabric, Host a, Host b, u32 rail);

}  // namespace banyan::topology
