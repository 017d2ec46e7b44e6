#include "topology/recognise/tree_doubts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "topology/recognise/pair_counts.hpp"

namespace banyan::topology {
namespace {

struct Pair {
  Node low, high;
  auto operator<=>(const Pair&) const = default;
};

Pair by_level(const TreeFit& fit, Node u, Node v) {
  return fit.levels.of[u] <= fit.levels.of[v] ? Pair{u, v} : Pair{v, u};
}

bool is_known(const TreeFit& fit, Node node) {
  if (fit.levels.of[node] > fit.top() || fit.subtree[node] == TreeFit::none ||
      fit.column[node] == TreeFit::none)
    return false;
  return fit.levels.of[node] > 0 || fit.above_subtree[0][fit.subtree[node]] != TreeFit::none;
}

// Cables of the raw fabric by the pair they join, those that agree and those that do not.
struct Evidence {
  PairCounts right;
  std::vector<Pair> wrong;

  Evidence(const Fabric& raw, const TreeFit& fit) : right(raw.links()) {
    raw.each_link([&](const Link& link) {
      const Pair pair = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (!fit.agrees(pair.low, pair.high) ||
          ++right(pair.low, pair.high) > fit.shape.p[fit.levels.of[pair.low]])
        wrong.push_back(pair);
    });
  }

  // Whether a cable is missing between two nodes; for all that is known, one is between a lost host and any
  // leaf.
  bool lacks(const TreeFit& fit, Node u, Node v) const {
    const auto [low, high] = by_level(fit, u, v);
    const u32 level = fit.levels.of[low];
    if (level == 0 && !is_known(fit, low)) return fit.levels.of[high] == 1;
    if (!fit.agrees(low, high)) return false;
    return right.find(low, high) < fit.shape.p[level];
  }

  // Whether another wrong cable makes this one half of a swap.
  bool has_partner(const TreeFit& fit, const Pair& one) const {
    return std::any_of(wrong.begin(), wrong.end(), [&](const Pair& other) {
      return (lacks(fit, one.low, other.high) && lacks(fit, one.high, other.low)) ||
             (lacks(fit, one.low, other.low) && lacks(fit, one.high, other.high));
    });
  }
};

struct Grip {
  u32 agree = 0, differ = 0;  // cables
  bool contested = false;     // where a cable agrees, another one at its far end does not

  bool weak(u64 ideal, u32 proof) const {
    return agree == 0 || (agree < proof && (agree < ideal || differ > 0 || contested || proof > 2));
  }
};

// The blocks of a step of a nesting that have a member which hangs on one cable of several.
class WeakBlocks {
 public:
  void add(u32 block) {
    if (!first_) first_ = block;
    several_ |= *first_ != block;
  }
  bool are_several() const { return several_; }

 private:
  std::optional<u32> first_;
  bool several_ = false;
};

// What a place must stand up to.
struct Suspicion {
  u32 proof = 2;          // so many cables that agree prove a place
  bool traceless = true;  // every switch has a place and no cable is wrong, so a swap can only be unseen
};

// What holds every subtree, column and switch where it is. Step l of a nesting is the one between the levels
// l and l + 1.
class Hold {
 public:
  Hold(const Fabric& raw, const TreeFit& fit, const IdVector<Node, Node>& place, Suspicion suspicion)
      : fit_(fit),
        suspicion_(suspicion),
        subtree_(fit.top() + 1),
        column_(fit.top() + 1),
        down_(raw.nodes().size()),
        up_(raw.nodes().size()),
        stray_(raw.nodes().size(), 0),
        weak_of_subtrees_(fit.top() + 1),
        weak_of_columns_(fit.top() + 1) {
    for (u32 l = 0; l <= fit.top(); ++l) {
      subtree_[l].resize(fit.above_subtree[l].size());
      column_[l].resize(fit.below_column[l].size());
    }
    count_cables(raw, place);
    mark_contested(raw);
    if (suspicion.traceless) find_weak_blocks(raw);
  }

  // Whether some subtree that holds the node hangs loose, where it could hang elsewhere.
  bool loose_subtree(Node node) const {
    u32 id = fit_.subtree[node];
    for (u32 l = fit_.levels.of[node]; l + 1 < fit_.top(); id = fit_.above_subtree[l++][id]) {
      if (shape().M(shape().h()) / shape().M(l + 1) == 1) return false;
      if (weak_subtree(l, id) && has_rivals(weak_of_subtrees_, l)) return true;
    }
    return false;
  }

  bool loose_column(Node node) const {
    u32 id = fit_.column[node];
    for (u32 l = fit_.levels.of[node]; l >= 1; id = fit_.below_column[l--][id]) {
      if (fit_.planes * shape().W(l - 1) == 1) return false;
      if (weak_column(l, id) && has_rivals(weak_of_columns_, l - 1)) return true;
    }
    return false;
  }

  bool loose_node(Node node) const {
    const u32 l = fit_.levels.of[node];
    if (l == 0) return fit_.planes > 1 && up_[node].weak(shape().nic_ports(), 2);
    if (stray_[node] > 0 && down_[node].agree + up_[node].agree < 5) return true;  // perhaps of another level
    const u64 ideal = u64{shape().m[l - 1]} * shape().p[l - 1] + (l < fit_.top() ? shape().up_ports(l) : 0);
    if (down_[node].differ + up_[node].differ > 0 && 2 * (down_[node].agree + up_[node].agree) < ideal)
      return true;  // likewise: a leaf that lost its host and got a second way up looks like a top
    if (fit_.planes * shape().W(l) == 1) return false;  // the only one of its subtree
    if (shape().M(shape().h()) != shape().M(l) && weak_down(node) && has_rivals(weak_of_subtrees_, l - 1))
      return true;
    return l < fit_.top() && weak_up(node) && has_rivals(weak_of_columns_, l);
  }

 private:
  const Pgft& shape() const { return fit_.shape; }

  bool weak_subtree(u32 l, u32 id) const {
    return subtree_[l][id].weak(fit_.planes * shape().W(l + 1) * shape().p[l], l == 0 ? 2 : suspicion_.proof);
  }
  bool weak_column(u32 l, u32 id) const {
    return column_[l][id].weak(shape().M(shape().h()) / shape().M(l - 1) * shape().p[l - 1],
                               suspicion_.proof);
  }
  bool weak_down(Node v) const {
    const u32 l = fit_.levels.of[v];
    return down_[v].weak(u64{shape().m[l - 1]} * shape().p[l - 1], suspicion_.proof);
  }
  bool weak_up(Node v) const { return up_[v].weak(shape().up_ports(fit_.levels.of[v]), suspicion_.proof); }

  // Where every switch has a place and no cable is wrong, only a swap between two blocks can deceive: then
  // parts of both hang on one cable each. Hosts need no rival, as a place of theirs may be vacant anywhere.
  bool has_rivals(const std::vector<WeakBlocks>& weak, u32 step) const {
    return !suspicion_.traceless || step == 0 || weak[step].are_several();
  }

  void find_weak_blocks(const Fabric& raw) {
    for (u32 l = 1; l < fit_.top(); ++l) {
      for (u32 id = 0; id < subtree_[l].size(); ++id)
        if (weak_subtree(l, id)) weak_of_subtrees_[l].add(fit_.above_subtree[l][id]);
      for (u32 id = 0; id < column_[l + 1].size(); ++id)
        if (weak_column(l + 1, id)) weak_of_columns_[l].add(fit_.below_column[l + 1][id]);
    }
    for (const Node v : raw.switch_nodes()) {
      const u32 l = fit_.levels.of[v];
      if (l > 1 && weak_down(v)) weak_of_subtrees_[l - 1].add(fit_.subtree[v]);
      if (l < fit_.top() && weak_up(v)) weak_of_columns_[l].add(fit_.column[v]);
    }
  }

  void count_cables(const Fabric& raw, const IdVector<Node, Node>& place) {
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit_, raw.from(link.a), raw.from(link.b));
      if (!are_neighbours(child, parent))
        ++stray_[child], ++stray_[parent];
      else if (!fit_.agrees(child, parent))
        each_grip(child, parent, [](Grip& grip) { ++grip.differ; });
      else if (place[child] != none<Node> && place[parent] != none<Node>)
        each_grip(child, parent, [](Grip& grip) { ++grip.agree; });
    });
  }

  void mark_contested(const Fabric& raw) {
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit_, raw.from(link.a), raw.from(link.b));
      if (!are_neighbours(child, parent) || !fit_.agrees(child, parent)) return;
      if (down_[parent].differ + up_[child].differ > 0)
        each_grip(child, parent, [](Grip& grip) { grip.contested = true; });
    });
  }

  bool are_neighbours(Node child, Node parent) const {
    return fit_.levels.of[child] < fit_.top() && fit_.levels.of[parent] == fit_.levels.of[child] + 1;
  }

  // Everything that a cable between a child and a parent says something about.
  template <class F>
  void each_grip(Node child, Node parent, const F& f) {
    const u32 level = fit_.levels.of[child];
    if (fit_.subtree[child] != TreeFit::none) f(subtree_[level][fit_.subtree[child]]);
    if (fit_.column[parent] != TreeFit::none) f(column_[level + 1][fit_.column[parent]]);
    f(down_[parent]), f(up_[child]);
  }

  const TreeFit& fit_;
  const Suspicion suspicion_;
  std::vector<std::vector<Grip>> subtree_, column_;  // [l][id]
  IdVector<Node, Grip> down_, up_;
  IdVector<Node, u32> stray_;                                   // cables past a level
  std::vector<WeakBlocks> weak_of_subtrees_, weak_of_columns_;  // by step
};

// Whether there is a switch at every place of the tree.
bool is_complete(const Fabric& raw, const TreeFit& fit, const IdVector<Node, Node>& place) {
  return fit.switches() == raw.switches() &&
         std::ranges::none_of(raw.switch_nodes(), [&](Node v) { return place[v] == none<Node>; });
}

}  // namespace

void doubt_moved_hosts(const Fabric& raw, TreeFit& fit) {
  Pgft& shape = fit.shape;
  if (fit.top() == 1 || fit.planes * shape.nic_ports() != 1) return;
  const Evidence evidence(raw, fit);
  std::set<u32> doubtful;  // leaves
  const auto doubt_leaves_without = [&](Node parent, Node but) {
    for (Node leaf : raw.switch_nodes())
      if (fit.levels.of[leaf] == 1 && leaf != but && evidence.lacks(fit, leaf, parent))
        doubtful.insert(fit.subtree[leaf]);
  };
  for (const Pair& wrong : evidence.wrong) {
    const bool unclear = fit.levels.of[wrong.high] == TreeLevels::unknown;  // may be a leaf, too
    if (unclear)
      doubt_leaves_without(wrong.low, wrong.high);
    else if (fit.levels.of[wrong.low] == 1 && !evidence.has_partner(fit, wrong))
      doubt_leaves_without(wrong.high, wrong.low);
  }
  std::vector<u32>& leaf_of = fit.above_subtree[0];
  std::map<u32, u32> hosts;
  for (u32 leaf : leaf_of)
    if (leaf != TreeFit::none) ++hosts[leaf];
  const auto full =
      std::count_if(hosts.begin(), hosts.end(), [&](auto& at) { return at.second == shape.m[0]; });
  const u64 spare = shape.hosts() - raw.hosts(), leaves = shape.M(shape.h()) / shape.m[0];
  for (const auto& [leaf, count] : hosts)
    if (full == 1 && count == shape.m[0] && spare >= leaves && doubtful.contains(leaf)) {
      shape.host_slots = --shape.m[0];
      break;
    }
  for (u32& leaf : leaf_of)
    if (doubtful.contains(leaf)) leaf = TreeFit::none;
}

void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place) {
  const Evidence evidence(raw, fit);
  const bool explained = std::all_of(evidence.wrong.begin(), evidence.wrong.end(),
                                     [&](const Pair& wrong) { return evidence.has_partner(fit, wrong); });
  const Suspicion suspicion{explained ? 2u : 3u, evidence.wrong.empty() && is_complete(raw, fit, place)};
  for (bool again = true; again;) {
    again = false;
    const Hold hold(raw, fit, place, suspicion);
    for (Node v : raw.nodes())
      if (place[v] != none<Node> &&
          (hold.loose_subtree(v) || (fit.levels.of[v] > 0 && hold.loose_column(v)) || hold.loose_node(v))) {
        place[v] = none<Node>;
        again = true;
      }
  }
}

}  // namespace banyan::topology
