// What the quick ways of flow/ must give: maximum load, bound and 1/contention rates, the obvious way.
#pragma once
#include <algorithm>
#include <map>
#include <set>

#include "flow/round_loads.hpp"
#include "routing/paths.hpp"

namespace banyan::tests {

// By plane and subtree of a height: the cables that connect it with the rest.
inline std::map<std::pair<u32, u64>, double> cables_up(const Topology& t, const Pgft& tree, u32 height) {
  const Fabric& fabric = t.fabric;
  std::map<std::pair<u32, u64>, double> out;
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const u32 from = index(fabric.from(c)), nics = fabric.nics(), in_plane = fabric.switches() / t.planes;
    if (from < nics && height == 0)
      ++out[{from / tree.endpoints(), tree.endpoint_of_nic(Nic{from % tree.endpoints()})}];
    if (from < nics || height == 0 || !fabric.is_switch(fabric.to(c))) continue;
    const u32 number = (from - nics) % in_plane, other = (index(fabric.to(c)) - nics) % in_plane;
    if (tree.level(number) == height && tree.level(other) == height + 1)
      ++out[{(from - nics) / in_plane, (number - tree.first_switch(height)) / tree.W(height)}];
  }
  return out;
}

// ML(TM) of a tree, subtree by subtree, over the cables that there are.
inline double plain_bound(const Topology& t, const std::vector<Flow>& flows) {
  const auto* tree = std::get_if<Pgft>(&t.shape);
  if (!tree) return 0;
  double bound = 0;
  for (u32 l = 0; l < tree->h(); ++l) {
    const auto subtree = [&](Nic nic) {
      const u32 plane = tree->endpoints();
      return std::pair(index(nic) / plane, tree->endpoint_of_nic(Nic{index(nic) % plane}) / tree->M(l));
    };
    std::map<std::pair<u32, u64>, double> out, in;
    for (const Flow& flow : flows)
      if (subtree(flow.from) != subtree(flow.to)) {
        out[subtree(flow.from)] += flow.demand;
        in[subtree(flow.to)] += flow.demand;
      }
    auto links = cables_up(t, *tree, l);
    for (const auto& [which, traffic] : out) bound = std::max(bound, traffic / links[which]);
    for (const auto& [which, traffic] : in) bound = std::max(bound, traffic / links[which]);
  }
  return bound;
}

// A path that is lost takes its way with it: such a way loads nothing.
struct PlainPaths {
  std::vector<RoutedPath> loading;
  bool arrives = true;

  PlainPaths(const Topology& t, const Routing& r, const Flow& flow) {
    if (flow.from == flow.to) return;
    loading = paths(t.fabric, r, flow.from, flow.to);
    std::set<u32> lost;
    for (const RoutedPath& path : loading)
      if (!path.arrives) lost.insert(path.way);
    arrives = !loading.empty() && lost.empty();
    std::erase_if(loading, [&](const RoutedPath& path) { return lost.contains(path.way); });
  }
};

inline std::vector<PlainPaths> plain_paths(const Topology& t, const Routing& r,
                                           const std::vector<Flow>& flows) {
  std::vector<PlainPaths> out;
  for (const Flow& flow : flows) out.emplace_back(t, r, flow);
  return out;
}

// Path by path.
inline IdVector<Channel, double> plain_channel_loads(const Topology& t, const std::vector<Flow>& flows,
                                                     const std::vector<PlainPaths>& all) {
  IdVector<Channel, double> load(t.fabric.channels().size());
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const RoutedPath& path : all[f].loading)
      for (const Channel c : path.channels) load[c] += flows[f].demand * path.weight;
  return load;
}

// Of what a way may take, the worst channel counts; ways are averaged.
inline double plain_rate(const Routing& r, const IdVector<Channel, double>& load, const Flow& flow,
                         const PlainPaths& all) {
  std::map<u32, double> contention;
  for (const RoutedPath& path : all.loading)
    for (const Channel c : path.channels)
      contention[path.way] = std::max({contention[path.way], 1.0, load[c]});
  double rate = 0;
  for (const auto& [way, maximum] : contention) rate += 1 / maximum;
  const u32 ways = r.source.count(flow.from, flow.to, 0);
  return ways == 0 ? 0 : rate / ways;
}

inline RoundLoads plain_loads(const Topology& t, const Routing& r, const std::vector<Flow>& flows,
                              bool rates) {
  const std::vector<PlainPaths> all = plain_paths(t, r, flows);
  const auto load = plain_channel_loads(t, flows, all);
  RoundLoads out{.max_load = *std::max_element(load.begin(), load.end()), .flows = flows.size()};
  for (const PlainPaths& paths : all) out.undelivered += !paths.arrives;
  if (out.undelivered == 0) out.bound = plain_bound(t, flows);
  if (!rates) return out;
  double sum = 0, least = 1, count = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (flows[f].from == flows[f].to) continue;
    const double rate = plain_rate(r, load, flows[f], all[f]);
    sum += rate;
    least = std::min(least, rate);
    ++count;
  }
  if (count > 0) {
    out.mean_rate = sum / count;
    out.min_rate = least;
  }
  return out;
}

}  // namespace banyan::tests
