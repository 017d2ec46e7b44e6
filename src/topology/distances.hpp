// Distances between hosts by breadth-first search, for any fabric, including broken ones.
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

// The cables between switches. A NIC has none here, since it does not forward.
class SwitchGraph {
 public:
  explicit SwitchGraph(const Fabric& fabric);
  std::span<const Arc> arcs(Node node) const {
    return std::span(arcs_).subspan(first_[index(node)], first_[index(node) + 1] - first_[index(node)]);
  }

 private:
  std::vector<u32> first_;  // by node, with one entry more at the end
  std::vector<Arc> arcs_;
};

// The distances of all pairs of hosts. The distance of two hosts is the minimum over the rails.
Distances search_distances(const Fabric& fabric, unsigned threads = default_threads());

// Channels of a shortest path between every two NICs, a row for each; -1: they cannot reach each other. NICs
// of different rails too, where switches connect them. `out` has nics * nics entries.
void search_nic_distances(const Fabric& fabric, std::span<int> out, unsigned threads = default_threads());

struct PairDistance {
  u32 channels = 0;  // 0: the same host, or unreachable
  u64 paths = 0;     // shortest sequences of channels
  bool operator==(const PairDistance&) const = default;
};
PairDistance search_distance(const Fabric& fabric, Nic a, Nic b);

}  // namespace banyan::topology
