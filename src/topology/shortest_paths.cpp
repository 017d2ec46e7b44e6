#include "topology/shortest_paths.hpp"

namespace banyan::topology {
namespace {

// Channels from each node to the goal; only switches forward.
IdVector<Node, u32> distances_to(const Fabric& fabric, Node goal) {
  IdVector<Node, u32> out(fabric.nodes().size(), ~u32{0});
  std::vector<Node> front = {goal};
  out[goal] = 0;
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (front[i] != goal && !fabric.is_switch(front[i])) continue;
    for (const Channel c : fabric.channels(front[i]))
      if (fabric.cabled(c) && out[fabric.to(c)] == ~u32{0}) {
        out[fabric.to(c)] = out[front[i]] + 1;
        front.push_back(fabric.to(c));
      }
  }
  return out;
}

struct Lister {
  const Fabric& fabric;
  const IdVector<Node, u32> left;
  std::size_t maximum;
  std::vector<Channel> path{};
  std::vector<std::vector<Channel>> out{};

  void list(Node at) {
    if (left[at] == 0) return out.push_back(path);
    for (const Channel c : fabric.channels(at)) {
      if (out.size() == maximum) return;
      if (!fabric.cabled(c) || left[fabric.to(c)] + 1 != left[at]) continue;
      path.push_back(c);
      list(fabric.to(c));
      path.pop_back();
    }
  }
};

}  // namespace

std::vector<std::vector<Channel>> shortest_paths(const Fabric& fabric, Nic from, Nic to,
                                                 std::size_t maximum) {
  Lister lister{fabric, distances_to(fabric, fabric.node(to)), maximum};
  if (from != to && lister.left[fabric.node(from)] != ~u32{0}) lister.list(fabric.node(from));
  return std::move(lister.out);
}

}  // namespace banyan::topology
