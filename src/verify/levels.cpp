#include "verify/levels.hpp"

namespace banyan::verify {

IdVector<Node, u32> ranks(const Fabric& fabric) {
  constexpr u32 none_near = ~u32{0};
  IdVector<Node, u32> rank(fabric.nodes().size(), none_near);
  std::vector<Node> queue;
  for (Node nic : fabric.nic_nodes()) {
    rank[nic] = 0;
    queue.push_back(nic);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Channel c : fabric.channels(queue[i]))
      if (fabric.cabled(c) && rank[fabric.to(c)] == none_near) {
        rank[fabric.to(c)] = rank[queue[i]] + 1;
        queue.push_back(fabric.to(c));
      }
  return rank;
}

IdVector<Node, u32> levels(const Topology& topology) {
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (!tree) return ranks(topology.fabric);
  const u32 nics = topology.fabric.nics(), plane = topology.fabric.switches() / topology.planes;
  IdVector<Node, u32> out(topology.fabric.nodes().size(), 0);
  for (Node v : topology.fabric.switch_nodes()) out[v] = tree->level((index(v) - nics) % plane);
  return out;
}

}  // namespace banyan::verify
