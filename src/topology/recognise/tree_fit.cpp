#include "topology/recognise/tree_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "topology/recognise/blocks.hpp"

namespace banyan::topology {
namespace {

struct Cable {
  Node child, parent;
};

// The cables between neighbouring levels: [l] leads from level l to l + 1.
std::vector<std::vector<Cable>> cables_by_level(const Fabric& raw, const TreeLevels& levels) {
  std::vector<std::vector<Cable>> out(levels.top);
  raw.each_link([&](const Link& link) {
    Node child = raw.from(link.a), parent = raw.from(link.b);
    if (levels.of[child] > levels.of[parent]) std::swap(child, parent);
    const u32 level = levels.of[child];
    if (level < levels.top && levels.of[parent] == level + 1) out[level].push_back({child, parent});
  });
  return out;
}

// Members of a level, numbered in order.
struct Members {
  std::vector<Node> nodes;
  IdVector<Node, u32> number;

  Members(const Fabric& raw, const TreeLevels& levels, u32 level) : number(raw.nodes().size(), 0) {
    for (Node v : raw.switch_nodes())
      if (levels.of[v] == level) number[v] = static_cast<u32>(nodes.size()), nodes.push_back(v);
  }
  u32 size() const { return static_cast<u32>(nodes.size()); }
};

Bipartite weigh(u32 lefts, u32 rights, std::vector<std::pair<u32, u32>> pairs) {
  Bipartite graph{lefts, rights, {}};
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [left, right] : pairs) {
    auto& edges = graph.edges;
    if (!edges.empty() && edges.back().left == left && edges.back().right == right)
      ++edges.back().weight;
    else
      edges.push_back({left, right, 1});
  }
  return graph;
}

// How many parallel cables leave the least to explain: missing ones, and surplus ones, which are rarer.
u32 usual_weight(const Bipartite& graph) {
  u32 best = 1, maximum = 1;
  for (const auto& e : graph.edges) maximum = std::max(maximum, e.weight);
  u64 least = ~u64{0};
  for (u32 p = 1; p <= maximum; ++p) {
    u64 cost = 0;
    for (const auto& e : graph.edges) cost += e.weight < p ? 2 * (p - e.weight) : 3 * (e.weight - p);
    if (cost <= least) least = cost, best = p;
  }
  return best;
}

// With one block only, everything is in it, however loosely it hangs there.
void take_all(Blocks& blocks) {
  std::fill(blocks.of_left.begin(), blocks.of_left.end(), 0u);
  std::fill(blocks.of_right.begin(), blocks.of_right.end(), 0u);
  blocks.a = static_cast<u32>(blocks.of_left.size());
  blocks.b = static_cast<u32>(blocks.of_right.size());
}

TreeLevels with_top(TreeLevels levels) {
  levels.top = 0;
  for (u32 level : levels.of)
    if (level != TreeLevels::unknown) levels.top = std::max(levels.top, level);
  return levels;
}

class Fitter {
 public:
  Fitter(const Fabric& raw, TreeLevels levels) : raw_(raw), cables_(cables_by_level(raw, levels)) {
    const u32 h = levels.top;
    fit_.levels = std::move(levels);
    fit_.planes = raw.columns();
    fit_.subtree = fit_.column = IdVector<Node, u32>(raw.nodes().size(), TreeFit::none);
    fit_.above_subtree.resize(h + 1);
    fit_.below_column.resize(h + 1);
    fit_.shape.m.resize(h), fit_.shape.w.resize(h), fit_.shape.p.resize(h);
    fit_.shape.links.resize(h);
  }

  TreeFit fit() && {
    for (Node v : raw_.nic_nodes()) fit_.subtree[v] = index(raw_.host(raw_.nic(v)));
    u32 subtrees = raw_.hosts();
    for (u32 l = 1; l <= fit_.top(); ++l) {
      if (l >= 3 && sink_strangers(l)) return fit_tree(raw_, with_top(std::move(fit_.levels)));
      subtrees = nest_subtrees(l, subtrees);
    }
    u32 columns = 0;
    for (u32 l = fit_.top(); l >= 1; --l) columns = nest_columns(l, columns);
    find_planes(columns);
    check();
    return std::move(fit_);
  }

 private:
  // A switch above several switches of the same subtrees is no parent of theirs but a child that lost what is
  // below it. One above a single subtree, where others are above several, may be either. Whether there was
  // any.
  bool sink_strangers(u32 level) {
    std::map<Node, std::set<Node>> children;
    std::map<Node, std::set<u32>> subtrees;
    std::size_t maximum = 0;
    for (const auto& [child, parent] : cables_[level - 1]) {
      children[parent].insert(child);
      subtrees[parent].insert(fit_.subtree[child]);
      maximum = std::max(maximum, subtrees[parent].size());
    }
    std::set<Node> has_parents;
    if (level < fit_.top())
      for (const auto& [child, parent] : cables_[level]) has_parents.insert(child);
    bool found = false;
    for (const auto& [parent, below] : subtrees) {
      const bool child = children[parent].size() >= 2 * below.size();
      const bool either = below.size() == 1 && maximum > 1 && !has_parents.contains(parent);
      if (child || either) fit_.levels.of[parent] = child ? level - 2 : TreeLevels::unknown;
      found = found || child || either;
    }
    return found;
  }

  u32 nest_subtrees(u32 level, u32 subtrees) {
    const Members members(raw_, fit_.levels, level);
    std::vector<std::pair<u32, u32>> pairs;
    for (const auto& [child, parent] : cables_[level - 1])
      if (fit_.subtree[child] != TreeFit::none)
        pairs.push_back({fit_.subtree[child], members.number[parent]});
    const Bipartite graph = weigh(subtrees, members.size(), std::move(pairs));
    Blocks blocks = find_blocks(graph, level == 1 ? Vary::lefts : Vary::none);
    if (level == fit_.top() && blocks.count != 1)
      throw NotATree(fmt::format("its {} highest switches and the nodes below them form {} parts",
                                 members.size(), blocks.count));
    if (blocks.count == 1) take_all(blocks);
    fit_.above_subtree[level - 1] = blocks.of_left;
    for (u32 i = 0; i < members.size(); ++i) fit_.subtree[members.nodes[i]] = blocks.of_right[i];
    fit_.shape.m[level - 1] = blocks.a;
    fit_.shape.p[level - 1] = usual_weight(graph);
    roots_.push_back(blocks.b);
    return blocks.count;
  }

  // Every root is a column; further down a column is what hangs below the columns of a block.
  u32 nest_columns(u32 level, u32 columns) {
    const Members members(raw_, fit_.levels, level);
    if (level == fit_.top()) {
      for (u32 i = 0; i < members.size(); ++i) fit_.column[members.nodes[i]] = i;
      return members.size();
    }
    std::vector<std::pair<u32, u32>> pairs;
    for (const auto& [child, parent] : cables_[level])
      if (same_subtree(child, parent) && fit_.column[parent] != TreeFit::none)
        pairs.push_back({fit_.column[parent], members.number[child]});
    Blocks blocks = find_blocks(weigh(columns, members.size(), std::move(pairs)));
    if (blocks.count == 1) take_all(blocks);
    fit_.below_column[level + 1] = blocks.of_left;
    for (u32 i = 0; i < members.size(); ++i) fit_.column[members.nodes[i]] = blocks.of_right[i];
    fit_.shape.w[level] = blocks.a;
    return blocks.count;
  }

  bool same_subtree(Node child, Node parent) const {
    const u32 below = fit_.subtree[child], above = fit_.subtree[parent];
    return below != TreeFit::none && above != TreeFit::none &&
           fit_.above_subtree[fit_.levels.of[child]][below] == above;
  }

  // The leaves of a plane hang on the same NICs. A plane is numbered like the rail that most of its NICs are
  // on.
  void find_planes(u32 columns) {
    std::vector<std::pair<u32, u32>> pairs;
    for (const auto& [nic, leaf] : cables_[0])
      if (same_subtree(nic, leaf) && fit_.column[leaf] != TreeFit::none)
        pairs.push_back({fit_.column[leaf], index(nic)});
    const Bipartite graph = weigh(columns, raw_.nics(), std::move(pairs));
    Blocks blocks = find_blocks(graph, Vary::rights);
    if (fit_.planes == 1) take_all(blocks), blocks.count = 1;
    if (blocks.count != fit_.planes) throw NotATree(many_planes(blocks.count));
    const std::vector<u32> rail = rails_of_planes(blocks);
    const auto numbered = [&](u32 plane) { return plane == Blocks::none ? TreeFit::none : rail[plane]; };
    for (u32 plane : blocks.of_left) fit_.below_column[1].push_back(numbered(plane));
    for (Node nic : raw_.nic_nodes()) fit_.column[nic] = numbered(blocks.of_right[index(nic)]);
    set_hosts();
  }

  // Only what is labelled is called a rail.
  std::string many_planes(u32 planes) const {
    const u32 rails = raw_.endpoints().rails();
    const std::string form = fmt::format("form {} plane{}", planes, planes == 1 ? "" : "s");
    if (rails == fit_.planes) return fmt::format("its {} rails {}", rails, form);
    return fmt::format("its hosts have up to {} NICs, which {}", raw_.slots(), form);
  }

  std::vector<u32> rails_of_planes(const Blocks& blocks) const {
    std::vector<std::vector<u32>> votes(fit_.planes, std::vector<u32>(fit_.planes, 0));
    for (Node nic : raw_.nic_nodes())
      if (const u32 plane = blocks.of_right[index(nic)]; plane != Blocks::none)
        ++votes[plane][raw_.column(raw_.nic(nic))];
    std::vector<u32> rail(fit_.planes, TreeFit::none);
    std::vector<bool> taken(fit_.planes, false);
    for (u32 plane = 0; plane < fit_.planes; ++plane) {
      u32 best = TreeFit::none;
      for (u32 r = 0; r < fit_.planes; ++r)
        if (!taken[r] && (best == TreeFit::none || votes[plane][r] > votes[plane][best])) best = r;
      rail[plane] = best, taken[best] = true;
    }
    return rail;
  }

  // As many hosts as any leaf surely has, and enough for all: a host with half its cables elsewhere is not
  // sure.
  void set_hosts() {
    Pgft& shape = fit_.shape;
    shape.w[0] = std::max(1u, roots_[0] / fit_.planes);
    std::vector<u32> cables(raw_.hosts(), 0), hosts(1, 0);
    for (const auto& [nic, leaf] : cables_[0]) cables[fit_.subtree[nic]] += same_subtree(nic, leaf);
    for (u32 host = 0; host < raw_.hosts(); ++host) {
      const u32 leaf = fit_.above_subtree[0][host];
      if (leaf == TreeFit::none || 2 * cables[host] <= fit_.planes * shape.nic_ports()) continue;
      hosts.resize(std::max<std::size_t>(hosts.size(), leaf + 1), 0);
      ++hosts[leaf];
    }
    const u32 leaves =
        static_cast<u32>(shape.M(shape.h()) / shape.m[0]);  // each with w_1 switches on each plane
    shape.m[0] =
        std::max(*std::max_element(hosts.begin(), hosts.end()), (raw_.hosts() + leaves - 1) / leaves);
    shape.host_slots = shape.m[0];
  }

  // Both nestings must tell of the same tree.
  void check() {
    Pgft& shape = fit_.shape;
    for (u32 l = 1; l <= shape.h(); ++l)
      if (const u64 roots = shape.W(l) * fit_.planes;
          l < shape.h() ? roots != roots_[l - 1] : roots < roots_[l - 1])
        throw NotATree(
            fmt::format("its subtrees of level {} have {} roots each, but {} parents at each level "
                        "below give {}",
                        l, roots_[l - 1], join(l), roots));
    if (fit_.switches() < raw_.switches())
      throw NotATree(fmt::format("its levels form a tree of {} switches, but there are {}", fit_.switches(),
                                 raw_.switches()));
  }

  std::string join(u32 levels) const {
    std::string out;
    for (u32 l = 0; l < levels; ++l) out += fmt::format("{}{}", l == 0 ? "" : ", ", fit_.shape.w[l]);
    return out;
  }

  const Fabric& raw_;
  std::vector<std::vector<Cable>> cables_;
  std::vector<u32> roots_;  // by level, of a subtree, on all planes
  TreeFit fit_;
};

}  // namespace

u64 TreeFit::switches() const {
  const std::vector<u32> of_level = shape.switches_per_level();
  return planes * std::accumulate(of_level.begin(), of_level.end(), u64{0});
}

bool TreeFit::agrees(Node child, Node parent) const {
  const u32 level = levels.of[child];
  if (level >= top() || levels.of[parent] != level + 1) return false;
  const u32 t = subtree[child], x = column[parent];
  if (t == none || x == none || subtree[parent] == none || above_subtree[level][t] != subtree[parent])
    return false;
  return below_column[level + 1][x] == column[child];
}

TreeFit fit_tree(const Fabric& raw, TreeLevels levels) { return Fitter(raw, std::move(levels)).fit(); }

}  // namespace banyan::topology
