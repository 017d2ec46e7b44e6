// Random fat-trees with cables missing, and the slow, obvious account of what is possible in them.
#pragma once
#include <algorithm>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {

inline Topology random_tree(Random& random) {
  Pgft tree;
  const u32 h = 1 + static_cast<u32>(random.below(3));
  for (u32 l = 1; l <= h; ++l) {
    tree.m.push_back(1 + static_cast<u32>(random.below(4)));
    tree.w.push_back(l == 1 && random.below(4) != 0 ? 1 : 1 + static_cast<u32>(random.below(3)));
    tree.p.push_back(l == 1 && random.below(4) != 0 ? 1 : 1 + static_cast<u32>(random.below(3)));
  }
  tree.host_slots = tree.m[0] + static_cast<u32>(random.below(2));
  tree.links.assign(h, {});
  if (tree.w[0] == 1 && tree.endpoints() / tree.m[0] % 2 == 0 && random.below(4) == 0)
    tree.nics = random.below(2) == 0 ? HostNics::on_rails(2) : HostNics::plain(4, 2);
  else if (random.below(6) == 0)
    tree.nics = HostNics::plain(2);
  tree.m[0] *= tree.nics.on_leaf(), tree.host_slots *= tree.nics.on_leaf();
  const bool two_planes = tree.nics_are_endpoints() && random.below(4) == 0;
  return build(tree, two_planes ? 2 : 1);
}

// Each cable is missing with this probability.
inline Topology degraded(const Topology& whole, double share, Random& random, bool hosts = false) {
  std::vector<Link> missing;
  whole.fabric.each_link([&](const Link& link) {
    const bool at_host = !whole.fabric.is_switch(whole.fabric.from(link.a));
    if ((hosts || !at_host) && random.unit() < share) missing.push_back(link);
  });
  Topology out = whole;
  out.fabric = without(whole.fabric, missing);
  return out;
}

enum class TreeFaults : u8 { between_switches, at_hosts_too };

// A tree whose cables between switches are missing with a probability drawn up to max_share; with
// at_hosts_too those of hosts as well, in half of the trees.
inline Topology degraded_tree(Random& random, double max_share,
                              TreeFaults where = TreeFaults::between_switches) {
  const Topology whole = random_tree(random);
  const double share = random.unit() * max_share;
  return degraded(whole, share, random, where == TreeFaults::at_hosts_too && random.below(2) == 0);
}

// All that can be done at every node for one destination, when a way goes up by the shortest and, where the
// destination is below, only down. By node: the ports, empty where there is none.
class UpDownWays {
 public:
  static constexpr u32 far = 1000;

  UpDownWays(const Topology& t, Nic to) : fabric_(t.fabric), level_(levels(t)), cost_(level_.size(), far) {
    ports.resize(level_.size());
    cost_[index(to)] = 0;
    const u32 top = *std::max_element(level_.begin(), level_.end());
    for (u32 l = 1; l <= top; ++l) look(l, l - 1, std::vector<bool>(level_.size(), true));
    std::vector<bool> not_above(level_.size());
    for (u32 v = 0; v < level_.size(); ++v) not_above[v] = cost_[v] == far;
    for (u32 l = top; l-- > 0;) look(l, l + 1, not_above);
  }

  bool reaches(Nic from) const { return cost_[index(from)] != far; }
  std::vector<std::set<u32>> ports;

 private:
  static std::vector<u32> levels(const Topology& t) {
    const Pgft& tree = std::get<Pgft>(t.shape);
    std::vector<u32> out(t.fabric.nodes().size(), 0);
    const u32 plane = t.fabric.switches() / t.planes;
    for (Node v : t.fabric.switch_nodes()) out[index(v)] = tree.level((index(v) - t.fabric.nics()) % plane);
    return out;
  }

  // The cheapest ways of some nodes of a level to another level.
  void look(u32 level, u32 other, const std::vector<bool>& some) {
    for (Node v : fabric_.nodes()) {
      if (level_[index(v)] != level || !some[index(v)]) continue;
      for (Channel c : fabric_.channels(v)) {
        if (!fabric_.cabled(c) || level_[index(fabric_.to(c))] != other) continue;
        const u32 cost = cost_[index(fabric_.to(c))] + 1;
        if (cost > far || cost > cost_[index(v)]) continue;
        if (cost < cost_[index(v)]) ports[index(v)].clear();
        cost_[index(v)] = cost;
        ports[index(v)].insert(index(fabric_.port(c)));
      }
    }
  }

  const Fabric& fabric_;
  std::vector<u32> level_, cost_;
};

// Whether two NICs are connected by switches, in whatever way.
inline bool connected(const Fabric& fabric, Nic a, Nic b) {
  std::vector<Node> queue = {fabric.node(a)};
  std::set<Node> seen(queue.begin(), queue.end());
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == fabric.node(b)) return true;
    if (i > 0 && !fabric.is_switch(queue[i])) continue;
    for (Channel c : fabric.channels(queue[i]))
      if (fabric.cabled(c) && seen.insert(fabric.to(c)).second) queue.push_back(fabric.to(c));
  }
  return false;
}

}  // namespace banyan::tests
