#include "topology/recognise/damaged_member.hpp"

#include <algorithm>

#include "topology/recognise/embedding.hpp"

namespace banyan::topology {
namespace {

bool is_leaf(const RawSwitches& all, u32 sw) { return all.hosts_on[sw] > 0; }

u32 cables_of(const RawSwitches& all, u32 sw) {
  u32 out = 0;
  for (const SwitchNeighbour& n : all.graph[sw]) out += n.cables;
  return out;
}

// Numbers of cables of the switches of a kind, the largest first.
std::vector<u32> cable_counts(const RawSwitches& all, bool leaves) {
  std::vector<u32> out;
  for (u32 sw = 0; sw < all.graph.size(); ++sw)
    if (is_leaf(all, sw) == leaves) out.push_back(cables_of(all, sw));
  std::sort(out.rbegin(), out.rend());
  return out;
}

KindsOfSwitches by_hosts(const RawSwitches& all) {
  KindsOfSwitches out{all.graph, {}};
  for (const u32 hosts : all.hosts_on) out.kinds.push_back(hosts > 0);
  return out;
}

// Groups of leaves and the spines that are not leaves: a vertex for each group, joined to its spines, then
// one for each spine.
struct LeafGroups {
  std::vector<std::vector<u32>> leaves;  // by group
  std::vector<u32> spines;
  SwitchNeighbours near;

  explicit LeafGroups(const RawSwitches& all) {
    std::vector<u32> group(all.graph.size(), nowhere);
    for (u32 sw = 0; sw < all.graph.size(); ++sw)
      if (is_leaf(all, sw) && group[sw] == nowhere) add_group(all, sw, group);
    for (u32 sw = 0; sw < all.graph.size(); ++sw)
      if (!is_leaf(all, sw)) spines.push_back(sw);
    join(all, group);
  }

  KindsOfSwitches kinds() const {
    KindsOfSwitches out{near, std::vector<u32>(near.size(), 0)};
    std::fill_n(out.kinds.begin(), leaves.size(), 1);
    return out;
  }

 private:
  // What cables between leaves and others join to this leaf.
  void add_group(const RawSwitches& all, u32 leaf, std::vector<u32>& group) {
    const u32 number = static_cast<u32>(leaves.size());
    std::vector<u32> members = {leaf};
    group[leaf] = number;
    leaves.emplace_back();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const u32 at = members[i];
      if (is_leaf(all, at)) leaves[number].push_back(at);
      for (const SwitchNeighbour& n : all.graph[at])
        if (is_leaf(all, at) != is_leaf(all, n.to) && group[n.to] == nowhere) {
          group[n.to] = number;
          members.push_back(n.to);
        }
    }
  }

  void join(const RawSwitches& all, const std::vector<u32>& group) {
    const u32 groups = static_cast<u32>(leaves.size());
    std::vector<u32> vertex(all.graph.size(), nowhere);
    for (u32 i = 0; i < spines.size(); ++i) vertex[spines[i]] = groups + i;
    near.resize(groups + spines.size());
    for (const u32 sw : spines) {
      auto& own = near[vertex[sw]];
      if (group[sw] != nowhere) {
        own.push_back({group[sw], 1});
        near[group[sw]].push_back({vertex[sw], 1});
      }
      for (const SwitchNeighbour& n : all.graph[sw])
        if (!is_leaf(all, n.to)) own.push_back({vertex[n.to], n.cables});
    }
  }
};

std::optional<std::vector<u32>> place_groups(const RawSwitches& part, const RawSwitches& whole, u64& steps) {
  const LeafGroups own(part), ideal(whole);
  if (own.leaves.size() != ideal.leaves.size()) return std::nullopt;
  const auto map = embed(own.kinds(), ideal.kinds(), steps);
  if (!map) return std::nullopt;
  const u32 groups = static_cast<u32>(own.leaves.size());
  std::vector<u32> out(part.graph.size(), nowhere);
  for (u32 g = 0; g < groups; ++g) {
    const auto &here = own.leaves[g], &there = ideal.leaves[(*map)[g]];
    if (here.size() != there.size()) return std::nullopt;
    for (std::size_t i = 0; i < here.size(); ++i) out[here[i]] = there[i];
  }
  for (u32 i = 0; i < own.spines.size(); ++i) out[own.spines[i]] = ideal.spines[(*map)[groups + i] - groups];
  return out;
}

bool has_wrong_cables(const RawSwitches& part, const RawSwitches& whole, const std::vector<u32>& place) {
  for (u32 sw = 0; sw < part.graph.size(); ++sw)
    for (const SwitchNeighbour& n : part.graph[sw]) {
      const auto& near = whole.graph[place[sw]];
      const auto found = std::ranges::find(near, place[n.to], &SwitchNeighbour::to);
      if (found == near.end() || found->cables < n.cables) return true;
    }
  return false;
}

}  // namespace

bool may_lack_cables(const RawSwitches& part, const RawSwitches& whole) {
  for (const bool leaves : {false, true}) {
    const auto own = cable_counts(part, leaves), ideal = cable_counts(whole, leaves);
    if (own.size() != ideal.size()) return false;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] > ideal[i]) return false;
  }
  return true;
}

std::optional<std::vector<u32>> place_damaged(const RawSwitches& part, const RawSwitches& whole,
                                              const Shape& shape, u64& steps) {
  auto out = std::holds_alternative<DragonflyPlus>(shape) ? place_groups(part, whole, steps)
                                                          : embed(by_hosts(part), by_hosts(whole), steps);
  if (out && has_wrong_cables(part, whole, *out)) return std::nullopt;
  return out;
}

}  // namespace banyan::topology
