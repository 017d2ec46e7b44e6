#include "engines/roots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "fabric/names.hpp"

namespace banyan::engines {
namespace {

using Numbers = std::vector<u32>;

// By switch: how far the nearest switch with NICs is.
Numbers levels(const PortGraph& graph) {
  NicGroup leaves;
  for (u32 s = 0; s < graph.switches(); ++s)
    if (graph.nics_at(s) > 0) leaves.roots.push_back(s);
  Dag dag;
  find_shortest(graph, leaves, dag);
  return dag.distance;
}

// By component: whether every cable joins two different levels.
std::vector<bool> trees(const PortGraph& graph, const Numbers& component, const Numbers& level) {
  std::vector<bool> out(graph.switches(), true);
  for (u32 v = 0; v < graph.switches(); ++v)
    for (const Way& way : graph.ways(v))
      if (level[v] == level[way.to]) out[component[v]] = false;
  return out;
}

// By component; of equals the lowest.
Numbers centres(const PortGraph& graph, const Numbers& component) {
  std::vector<u64> sum(graph.switches());
  Dag dag;
  for (const NicGroup& group : graph.groups()) {
    find_shortest(graph, group, dag);
    for (u32 v : dag.order) sum[v] += u64{dag.distance[v]} * group.nics.size();
  }
  Numbers out(graph.switches(), Dag::unreached);
  for (u32 s = 0; s < graph.switches(); ++s) {
    u32& best = out[component[s]];
    if (best == Dag::unreached || sum[s] < sum[best]) best = s;
  }
  return out;
}

Numbers automatic_roots(const PortGraph& graph, const Numbers& component) {
  const Numbers level = levels(graph);
  const std::vector<bool> tree = trees(graph, component, level);
  Numbers top(graph.switches()), centre;  // by component
  for (u32 s = 0; s < graph.switches(); ++s) {
    top[component[s]] = std::max(top[component[s]], level[s]);
    if (!tree[component[s]] && centre.empty()) centre = centres(graph, component);
  }
  Numbers out;
  for (u32 s = 0; s < graph.switches(); ++s)
    if (tree[component[s]] ? level[s] == top[component[s]] : centre[component[s]] == s) out.push_back(s);
  return out;
}

Numbers named_roots(const PortGraph& graph, const std::string& names) {
  Numbers out;
  const NameIndex nodes(graph.fabric());
  for (std::string_view name : split(names, '+')) {
    const auto node = nodes.find(name);
    if (!node || !graph.fabric().is_switch(*node))
      throw InputError(fmt::format("roots: there is no switch called '{}'", name));
    out.push_back(graph.number(*node));
  }
  return out;
}

}  // namespace

Numbers components(const PortGraph& graph) {
  Numbers out(graph.switches(), Dag::unreached), reached;
  for (u32 s = 0, count = 0; s < graph.switches(); ++s) {
    if (out[s] != Dag::unreached) continue;
    out[s] = count++;
    reached.assign(1, s);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Way& way : graph.ways(reached[i]))
        if (out[way.to] == Dag::unreached) out[way.to] = out[s], reached.push_back(way.to);
  }
  return out;
}

Numbers choose_roots(const PortGraph& graph, const std::string& names) {
  const Numbers component = components(graph);
  Numbers out = names == "auto" ? automatic_roots(graph, component) : named_roots(graph, names);
  std::vector<bool> rooted(graph.switches());
  for (u32 root : out) rooted[component[root]] = true;
  for (u32 s = 0; s < graph.switches(); ++s)
    if (!rooted[component[s]]) rooted[component[s]] = true, out.push_back(s);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace banyan::engines
