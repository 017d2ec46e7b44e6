// What the quick ways of flow/ must give: maximum load, bound and 1/contention rates, the obvious way.
#pragma once
#include <algorithm>
#include <map>

#include "flow/load.hpp"
#include "flow/round_loads.hpp"
#include "routing/paths.hpp"

namespace banyan {

// ML(TM) of a complete tree, subtree by subtree.
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
    const double links = static_cast<double>(tree->W(l)) * tree->w[l] * tree->p[l];
    for (const auto& [which, traffic] : out) bound = std::max(bound, traffic / links);
    for (const auto& [which, traffic] : in) bound = std::max(bound, traffic / links);
  }
  return bound;
}

inline RoundLoads plain_loads(const Topology& t, const Routing& r, const std::vector<Flow>& flows,
                              bool rates) {
  const auto load = loads(t.fabric, r, flows);
  RoundLoads out{.max_load = *std::max_element(load.begin(), load.end()), .bound = plain_bound(t, flows)};
  if (!rates) return out;
  double sum = 0, least = 1, count = 0;
  for (const Flow& flow : flows) {
    if (flow.from == flow.to) continue;
    double rate = 0;
    for (const RoutedPath& path : paths(t.fabric, r, flow.from, flow.to)) {
      double contention = 1;
      for (const Channel c : path.channels) contention = std::max(contention, load[c]);
      rate += path.weight / contention;
    }
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

}  // namespace banyan
