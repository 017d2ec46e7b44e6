#include "engines/roots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "engines/components.hpp"
#include "fabric/levels.hpp"
#include "fabric/names.hpp"

namespace banyan::engines {
namespace {

using BySwitch = IdVector<Switch, Switch>;

// By component: whether every cable joins two different levels.
IdVector<Switch, bool> trees(const PortGraph& graph, const BySwitch& component,
                             const IdVector<Node, u32>& level) {
  IdVector<Switch, bool> out(graph.switches().size(), true);
  for (Switch v : graph.switches())
    for (const Way& way : graph.ways(v))
      if (level[graph.node(v)] == level[graph.node(way.to)]) out[component[v]] = false;
  return out;
}

// By component; of equals the lowest.
BySwitch centres(const PortGraph& graph, const BySwitch& component) {
  IdVector<Switch, u64> sum(graph.switches().size());
  Dag dag;
  for (const NicGroup& group : graph.groups()) {
    find_shortest(graph, group, dag);
    for (Switch v : dag.order) sum[v] += u64{dag.distance[v]} * group.nics.size();
  }
  BySwitch out(graph.switches().size(), none<Switch>);
  for (Switch s : graph.switches()) {
    Switch& best = out[component[s]];
    if (best == none<Switch> || sum[s] < sum[best]) best = s;
  }
  return out;
}

std::vector<Switch> automatic_roots(const PortGraph& graph, const BySwitch& component) {
  const IdVector<Node, u32> level = levels_from_hosts(graph.fabric());
  const IdVector<Switch, bool> tree = trees(graph, component, level);
  IdVector<Switch, u32> top(graph.switches().size());  // by component
  BySwitch centre;                                     // by component
  for (Switch s : graph.switches()) {
    top[component[s]] = std::max(top[component[s]], level[graph.node(s)]);
    if (!tree[component[s]] && centre.empty()) centre = centres(graph, component);
  }
  std::vector<Switch> out;
  for (Switch s : graph.switches())
    if (tree[component[s]] ? level[graph.node(s)] == top[component[s]] : centre[component[s]] == s)
      out.push_back(s);
  return out;
}

std::vector<Switch> named_roots(const PortGraph& graph, const std::string& names) {
  std::vector<Switch> out;
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

std::vector<Switch> choose_roots(const PortGraph& graph, const std::string& names) {
  const BySwitch component = components(graph.fabric());
  std::vector<Switch> out = names == "auto" ? automatic_roots(graph, component) : named_roots(graph, names);
  IdVector<Switch, bool> rooted(graph.switches().size());
  for (Switch root : out) rooted[component[root]] = true;
  for (Switch s : graph.switches())
    if (!rooted[component[s]]) rooted[component[s]] = true, out.push_back(s);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace banyan::engines
