#include "topology/shortest_paths.hpp"

#include <algorithm>

#include "base/saturating.hpp"

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

class ShortestPaths {
 public:
  ShortestPaths(const Fabric& fabric, Node from, Node to)
      : fabric_(fabric), left_(distances_to(fabric, to)), paths_(fabric.nodes().size(), 0), from_(from) {
    if (left_[from] != ~u32{0}) count(from);
  }

  u64 size() const { return paths_[from_]; }  // stops at 2^64 - 1

  // The path with this number in the order of channels.
  std::vector<Channel> at(u64 number) const {
    std::vector<Channel> out;
    for (Node node = from_; left_[node] > 0;)
      for (const Channel c : fabric_.channels(node)) {
        if (!is_closer(node, c)) continue;
        const u64 beyond = paths_[fabric_.to(c)];
        if (number < beyond) {
          out.push_back(c);
          node = fabric_.to(c);
          break;
        }
        number -= beyond;
      }
    return out;
  }

 private:
  bool is_closer(Node node, Channel c) const {
    return fabric_.cabled(c) && left_[fabric_.to(c)] + 1 == left_[node];
  }
  u64 count(Node node) {
    u64& out = paths_[node];
    if (out == 0 && left_[node] == 0) out = 1;
    if (out == 0)
      for (const Channel c : fabric_.channels(node))
        if (is_closer(node, c)) out = saturating_add(out, count(fabric_.to(c)));
    return out;
  }

  const Fabric& fabric_;
  const IdVector<Node, u32> left_;  // channels to the goal
  IdVector<Node, u64> paths_;       // to the goal, by node; counted from those on the way
  Node from_;
};

// floor(i size / parts), without overflow.
u64 spread(u64 i, u64 size, u64 parts) { return size / parts * i + size % parts * i / parts; }

}  // namespace

std::vector<std::vector<Channel>> shortest_paths(const Fabric& fabric, Nic from, Nic to,
                                                 std::size_t maximum) {
  if (from == to) return {};
  const ShortestPaths paths(fabric, fabric.node(from), fabric.node(to));
  const u64 shown = std::min<u64>(maximum, paths.size());
  std::vector<std::vector<Channel>> out;
  for (u64 i = 0; i < shown; ++i) out.push_back(paths.at(spread(i, paths.size(), shown)));
  return out;
}

}  // namespace banyan::topology
