#include "engines/ranked_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "fabric/attachments.hpp"
#include "fabric/levels.hpp"
#include "routing/tables.hpp"

namespace banyan::engines {
namespace {

u32 find(IdVector<TreeNode, u32>& parent, u32 v) {
  const auto above = [&](u32 x) -> u32& { return parent[TreeNode{x}]; };
  while (above(v) != v) v = above(v) = above(above(v));
  return v;
}

}  // namespace

// A cable by its two nodes and ports; the NIC, if there is one, is `a`.
struct RankedTree::Ends {
  Node a, b;
  u8 port_a, port_b;
  bool live;
};

RankedTree::RankedTree(const Topology& topology)
    : first_node_(nics_have_one_port(topology.fabric) ? topology.fabric.nics() : 0),
      nics_(topology.fabric.nics()) {
  const Fabric& fabric = topology.fabric;
  std::vector<Ends> cables = read_cables(fabric);
  rank_nodes(fabric);
  group_nics(cables);
  make_uplinks(std::move(cables));
  number_.resize(nics_);
  const auto* tree = topology.as<Pgft>();
  if (tree && topology.numbering().all_nics() == nics_)
    for (u32 i = 0; i < nics_; ++i) number_[i] = tree->endpoint_of_nic(Nic{i});
  else
    number_by_place();
  drop_unreachable();
}

std::vector<RankedTree::Ends> RankedTree::read_cables(const Fabric& fabric) const {
  std::vector<Ends> out;
  const auto add = [&](const Link& link, bool live) {
    Ends ends{fabric.from(link.a), fabric.from(link.b), static_cast<u8>(index(fabric.port(link.a))),
              static_cast<u8>(index(fabric.port(link.b))), live};
    if (!fabric.is_switch(ends.b) || ends.a == ends.b) return;  // hosts do not forward
    out.push_back(ends);
  };
  fabric.each_link([&](const Link& link) { add(link, true); });
  for (const Link& link : fabric.taken()) add(link, false);
  return out;
}

void RankedTree::rank_nodes(const Fabric& fabric) {
  const auto level = levels_from_hosts(fabric, CountedCables::also_taken);
  for (u32 v = 0; v + first_node_ < level.size(); ++v) {
    rank_.push_back(level[Node{v + first_node_}]);
    if (rank_[TreeNode{v}] != no_level) by_rank_.push_back(TreeNode{v});
  }
  std::stable_sort(by_rank_.begin(), by_rank_.end(),
                   [&](TreeNode a, TreeNode b) { return rank_[a] < rank_[b]; });
  if (!by_rank_.empty()) top_ = std::max(1u, rank_[by_rank_.back()]);
}

void RankedTree::make_uplinks(std::vector<Ends> cables) {
  std::erase_if(cables, [&](const Ends& c) {
    return index(c.a) < first_node_ || rank_[number(c.a)] == rank_[number(c.b)];
  });
  for (Ends& c : cables)
    if (rank_[number(c.a)] > rank_[number(c.b)]) std::swap(c.a, c.b), std::swap(c.port_a, c.port_b);
  std::sort(cables.begin(), cables.end(), [](const Ends& x, const Ends& y) {
    return std::tie(x.a, x.b, x.port_a) < std::tie(y.a, y.b, y.port_a);
  });
  first_up_.assign(nodes().size() + 1, 0);
  first_down_.assign(nodes().size() + 1, 0);
  w_.assign(top_ + 1, 1);
  p_.assign(top_ + 1, 1);
  for (const Ends& c : cables) {
    const TreeNode child = number(c.a), parent = number(c.b);
    u32 &w = w_[rank_[child]], &p = p_[rank_[child]];
    if (uplinks_.empty() || uplinks_.back().child != child || uplinks_.back().parent != parent) {
      uplinks_.push_back({child, parent, static_cast<u32>(cables_.size()), 0, 0});
      w = std::max(w, ++first_up_[index(child) + 1]);
      ++first_down_[index(parent) + 1];
    }
    cables_.push_back({c.port_a, c.port_b, c.live});
    p = std::max(p, ++uplinks_.back().cables);
    uplinks_.back().live += c.live;
  }
  std::partial_sum(first_up_.begin(), first_up_.end(), first_up_.begin());
  std::partial_sum(first_down_.begin(), first_down_.end(), first_down_.begin());
  down_.resize(uplinks_.size());
  std::vector<u32> next(first_down_.begin(), first_down_.end() - 1);
  for (u32 u = 0; u < uplinks_.size(); ++u) down_[next[index(uplinks_[u].parent)]++] = u;
}

void RankedTree::group_nics(const std::vector<Ends>& cables) {
  host_port_.assign(nics_, Tables::no_port);
  IdVector<TreeNode, std::vector<Nic>> at(nodes().size());
  IdVector<Nic, bool> seen(nics_);
  for (const Ends& c : cables) {
    if (index(c.a) >= nics_) continue;
    const Nic nic{index(c.a)};
    if (!seen[nic]) at[number(first_node_ == 0 ? c.a : c.b)].push_back(nic);
    seen[nic] = true;
    if (c.live) host_port_[index(nic)] = c.port_b;
  }
  for (TreeNode v : nodes()) {
    std::sort(at[v].begin(), at[v].end());
    if (!at[v].empty()) groups_.push_back({v, std::move(at[v])});
  }
}

// NICs without a cable have no entries.
void RankedTree::drop_unreachable() {
  const auto earlier = [&](Nic a, Nic b) { return number(a) < number(b); };
  for (Group& group : groups_) {
    std::erase_if(group.nics, [&](Nic nic) { return host_port(nic) == Tables::no_port; });
    std::sort(group.nics.begin(), group.nics.end(), earlier);
  }
  std::erase_if(groups_, [](const Group& group) { return group.nics.empty(); });
  std::stable_sort(groups_.begin(), groups_.end(),
                   [&](const Group& a, const Group& b) { return earlier(a.nics[0], b.nics[0]); });
}

// By rank: the subtree that each node is in, called by its first node, when only what is below that rank, or
// in it, counts.
std::vector<IdVector<TreeNode, u32>> RankedTree::subtrees() const {
  IdVector<TreeNode, u32> parent(nodes().size());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<IdVector<TreeNode, u32>> out(top_ + 1);
  for (u32 rank = 1; rank <= top_; ++rank) {
    for (const Uplink& u : uplinks_)
      if (rank_[u.parent] == rank) {
        const u32 a = find(parent, index(u.child)), b = find(parent, index(u.parent));
        parent[TreeNode{std::max(a, b)}] = std::min(a, b);
      }
    out[rank] = parent;
    for (u32& v : out[rank]) v = find(parent, v);
  }
  return out;
}

// Groups of a subtree follow each other; each tree counts from 0.
void RankedTree::number_by_place() {
  const auto tree = subtrees();
  std::sort(groups_.begin(), groups_.end(), [&](const Group& a, const Group& b) {
    for (u32 rank = top_; rank >= 1; --rank)
      if (tree[rank][a.start] != tree[rank][b.start]) return tree[rank][a.start] < tree[rank][b.start];
    return a.start < b.start;
  });
  u32 next = 0, last_tree = ~u32{0};
  for (const Group& group : groups_) {
    if (tree[top_][group.start] != last_tree) next = 0;
    last_tree = tree[top_][group.start];
    for (Nic nic : group.nics) number_[index(nic)] = next++;
  }
}

}  // namespace banyan::engines
