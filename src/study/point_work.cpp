#include "study/point_work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace banyan::study {
namespace {

constexpr u32 far_away = ~u32{0};

// Channels from a NIC to all nodes; the nodes that it reaches, nearest first.
struct Search {
  IdVector<Node, u32> distance;
  std::vector<Node> reached;
};

Search search_from(const Fabric& fabric, Node start) {
  Search out{IdVector<Node, u32>(fabric.nodes().size(), far_away), {start}};
  out.distance[start] = 0;
  for (std::size_t q = 0; q < out.reached.size(); ++q) {
    const Node node = out.reached[q];
    if (q > 0 && !fabric.is_switch(node)) continue;
    for (const Channel c : fabric.channels(node))
      if (fabric.cabled(c) && out.distance[fabric.to(c)] == far_away) {
        out.distance[fabric.to(c)] = out.distance[node] + 1;
        out.reached.push_back(fabric.to(c));
      }
  }
  return out;
}

// Channels on any shortest way from where the search began.
u64 channels_towards(const Fabric& fabric, const Search& search, Node goal) {
  u64 out = 0;
  IdVector<Node, char> seen(fabric.nodes().size(), 0);
  std::vector<Node> stack = {goal};
  seen[goal] = 1;
  while (!stack.empty()) {
    const Node node = stack.back();
    stack.pop_back();
    for (const Channel c : fabric.channels(node)) {
      const Node before = fabric.to(c);
      if (!fabric.cabled(c) || search.distance[before] + 1 != search.distance[node]) continue;
      ++out;
      if (!seen[before]) stack.push_back(before);
      seen[before] = 1;
    }
  }
  return out;
}

u32 leaves_of(const Fabric& fabric) {
  u32 out = 0;
  for (const Node node : fabric.switch_nodes()) {
    const auto channels = fabric.channels(node);
    out += std::any_of(channels.begin(), channels.end(),
                       [&](Channel c) { return fabric.cabled(c) && !fabric.is_switch(fabric.to(c)); });
  }
  return out;
}

}  // namespace

EngineEffort effort_of(std::string_view engine) {
  struct Known {
    std::string_view name;
    EngineEffort effort;
  };
  using enum EngineEffort;
  constexpr std::array<Known, 19> known = {{{"dor", formula},
                                            {"disjoint", paths},
                                            {"shift1", paths},
                                            {"smodk", pair},
                                            {"random", pair},
                                            {"ecmp", pair},
                                            {"adaptive", adaptive},
                                            {"minadaptive", adaptive},
                                            {"spray", adaptive},
                                            {"umulti", adaptive},
                                            {"dal", adaptive},
                                            {"omniwar", adaptive},
                                            {"polarized", adaptive},
                                            {"surepath", adaptive},
                                            {"tera", adaptive},
                                            {"par", detours},
                                            {"ugal", detours},
                                            {"valiant", detours},
                                            {"", table}}};
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.name == engine; });
  return found == known.end() ? table : found->effort;
}

FabricWays ways_of(const Fabric& fabric) {
  constexpr u32 sources = 4, goals = 4;
  FabricWays out{.leaves = leaves_of(fabric)};
  u64 distances = 0, reached = 0, channels = 0, pairs = 0;
  for (u32 i = 0; i < std::min(sources, fabric.nics()); ++i) {
    const Node start{static_cast<u32>(u64{fabric.nics()} * i / sources)};
    const Search search = search_from(fabric, start);
    std::vector<Node> others;
    for (const Node node : search.reached)
      if (node != start && !fabric.is_switch(node))
        others.push_back(node), distances += search.distance[node];
    reached += others.size();
    for (u32 k = 0; k < goals && !others.empty(); ++k, ++pairs)
      channels += channels_towards(fabric, search, others[others.size() * (2 * k + 1) / (2 * goals)]);
  }
  if (reached > 0) out.distance = static_cast<double>(distances) / static_cast<double>(reached);
  if (pairs > 0) out.shortest = static_cast<double>(channels) / static_cast<double>(pairs);
  return out;
}

double PointWork::pairs() const {
  return nics() * (effort() == EngineEffort::pair ? nics() : static_cast<double>(ways.leaves));
}

double PointWork::intermediates() const {
  if (const auto* dragonfly = topology.as<Dragonfly>(); dragonfly && topology.is_intact())
    return dragonfly->groups;
  return switches();
}

double PointWork::channels() const {
  if (engine == "dal") return 2 * std::sqrt(switches()) * ways.shortest;  // detours within a dimension
  switch (effort()) {
    case EngineEffort::adaptive:
      return ways.shortest;
    case EngineEffort::detours:
      return 2 * intermediates() * ways.shortest;
    default:
      return ways.distance;
  }
}

PointWork::Messages PointWork::messages() const {
  if (!job) return {hosts(), hosts(), false};
  constexpr u64 looked_at = 8;
  const Job all = job();
  const u64 rounds = std::min(all.traffic.rounds, looked_at);
  std::vector<Demand> demands;
  for (u64 i = 0; i < rounds; ++i) all.traffic.list(1, 0, all.traffic.rounds * i / rounds, demands);
  Messages out{static_cast<double>(demands.size()), 0, all.traffic.in_bytes};
  for (const Demand& demand : demands) out.amount += demand.amount;
  const double share =
      static_cast<double>(all.traffic.rounds) / static_cast<double>(std::max<u64>(1, rounds));
  out.count *= share, out.amount *= share;
  return out;
}

}  // namespace banyan::study
