#include "engines/ranked_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "routing/tables.hpp"

namespace banyan::engines {
namespace {

constexpr u32 unranked = ~u32{0};

u32 first_table_node(const Fabric& fabric) {
  for (Node nic : fabric.nic_nodes())
    if (fabric.ports(nic) > 1) return 0;
  return fabric.nics();
}

u32 find(std::vector<u32>& parent, u32 v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

// A cable by its two nodes and ports; the NIC, if there is one, is `a`.
struct RankedTree::Ends {
  u32 a, b;
  u8 port_a, port_b;
  bool live;
};

RankedTree::RankedTree(const Topology& topology)
    : first_node_(first_table_node(topology.fabric)), nics_(topology.fabric.nics()) {
  const Fabric& fabric = topology.fabric;
  std::vector<Ends> cables = read_cables(fabric);
  rank_.assign(fabric.nodes().size() - first_node_, unranked);
  rank_nodes(cables);
  group_nics(cables);
  make_uplinks(std::move(cables));
  number_.resize(nics_);
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (tree && tree->endpoints() * topology.planes == nics_)
    for (u32 i = 0; i < nics_; ++i) number_[i] = tree->endpoint_of_nic(Nic{i % tree->endpoints()});
  else
    number_by_place();
  drop_unreachable();
}

std::vector<RankedTree::Ends> RankedTree::read_cables(const Fabric& fabric) const {
  std::vector<Ends> out;
  const auto add = [&](const Link& link, bool live) {
    Ends ends{index(fabric.from(link.a)), index(fabric.from(link.b)),
              static_cast<u8>(index(fabric.port(link.a))), static_cast<u8>(index(fabric.port(link.b))), live};
    if (ends.b < nics_ || ends.a == ends.b) return;  // hosts do not forward
    out.push_back(ends);
  };
  fabric.each_link([&](const Link& link) { add(link, true); });
  for (const Link& link : fabric.taken()) add(link, false);
  return out;
}

// Breadth-first from the switches that have, or had, hosts.
void RankedTree::rank_nodes(const std::vector<Ends>& cables) {
  std::vector<std::vector<u32>> beside(rank_.size());
  for (const Ends& c : cables)
    if (c.a < nics_)
      rank_[c.b - first_node_] = 1;
    else {
      beside[c.a - first_node_].push_back(c.b - first_node_);
      beside[c.b - first_node_].push_back(c.a - first_node_);
    }
  for (u32 v = 0; v < rank_.size(); ++v) {
    if (v + first_node_ < nics_) rank_[v] = 0;
    if (rank_[v] != unranked) by_rank_.push_back(v);
  }
  for (std::size_t place = 0; place < by_rank_.size(); ++place)
    for (u32 next : beside[by_rank_[place]])
      if (rank_[next] == unranked) {
        rank_[next] = rank_[by_rank_[place]] + 1;
        by_rank_.push_back(next);
      }
  std::sort(by_rank_.begin(), by_rank_.end(),
            [&](u32 a, u32 b) { return std::tie(rank_[a], a) < std::tie(rank_[b], b); });
  if (!by_rank_.empty()) top_ = std::max(1u, rank_[by_rank_.back()]);
}

void RankedTree::make_uplinks(std::vector<Ends> cables) {
  std::erase_if(cables, [&](const Ends& c) {
    return c.a < first_node_ || rank_[c.a - first_node_] == rank_[c.b - first_node_];
  });
  for (Ends& c : cables) {
    c.a -= first_node_, c.b -= first_node_;
    if (rank_[c.a] > rank_[c.b]) std::swap(c.a, c.b), std::swap(c.port_a, c.port_b);
  }
  std::sort(cables.begin(), cables.end(), [](const Ends& x, const Ends& y) {
    return std::tie(x.a, x.b, x.port_a) < std::tie(y.a, y.b, y.port_a);
  });
  first_up_.assign(nodes() + 1, 0);
  first_down_.assign(nodes() + 1, 0);
  w_.assign(top_ + 1, 1);
  p_.assign(top_ + 1, 1);
  for (const Ends& c : cables) {
    if (uplinks_.empty() || uplinks_.back().child != c.a || uplinks_.back().parent != c.b) {
      uplinks_.push_back({c.a, c.b, static_cast<u32>(cables_.size()), 0, 0});
      w_[rank_[c.a]] = std::max(w_[rank_[c.a]], ++first_up_[c.a + 1]);
      ++first_down_[c.b + 1];
    }
    cables_.push_back({c.port_a, c.port_b, c.live});
    p_[rank_[c.a]] = std::max(p_[rank_[c.a]], ++uplinks_.back().cables);
    uplinks_.back().live += c.live;
  }
  std::partial_sum(first_up_.begin(), first_up_.end(), first_up_.begin());
  std::partial_sum(first_down_.begin(), first_down_.end(), first_down_.begin());
  down_.resize(uplinks_.size());
  std::vector<u32> next(first_down_.begin(), first_down_.end() - 1);
  for (u32 u = 0; u < uplinks_.size(); ++u) down_[next[uplinks_[u].parent]++] = u;
}

void RankedTree::group_nics(const std::vector<Ends>& cables) {
  host_port_.assign(nics_, Tables::no_port);
  std::vector<std::vector<Nic>> at(nodes());
  std::vector<bool> seen(nics_);
  for (const Ends& c : cables) {
    if (c.a >= nics_) continue;
    if (!seen[c.a]) at[first_node_ == 0 ? c.a : c.b - first_node_].push_back(Nic{c.a});
    seen[c.a] = true;
    if (c.live) host_port_[c.a] = c.port_b;
  }
  for (u32 v = 0; v < nodes(); ++v) {
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
std::vector<std::vector<u32>> RankedTree::subtrees() const {
  std::vector<u32> parent(nodes());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<std::vector<u32>> out(top_ + 1);
  for (u32 rank = 1; rank <= top_; ++rank) {
    for (const Uplink& u : uplinks_)
      if (rank_[u.parent] == rank) {
        const u32 a = find(parent, u.child), b = find(parent, u.parent);
        parent[std::max(a, b)] = std::min(a, b);
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
