// Trees that follow demands, and PARX, against slow, obvious versions of themselves over random fabrics,
// faults and demands.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "engines/demand_trees.hpp"
#include "engines/engine.hpp"
#include "engines/halves.hpp"
#include "engines/weighted_trees.hpp"
#include "support/random_topology.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

// Small, of even widths, some with parallel cables or two planes, some cables gone.
Topology random_even_hyperx() {
  HyperX shape = random_hyperx(3, 2);
  u32 switches = 1;
  for (u32& width : shape.grid.widths) {
    width = switches * width <= 4 ? 2 * width : 2;
    switches *= width;
  }
  shape.hosts_per_switch = draw(1, 2);
  Topology t = build(shape, draw(0, 4) == 0 ? 2 : 1);
  const u32 percent = draw_product(1, 30);
  t.fabric = broken(t.fabric, percent, draw(0, 1000));
  return t;
}

NodeDemands random_demands(u32 hosts) {
  std::vector<HostDemand> demands;
  const bool has_some = draw(0, 1) == 1;
  const u32 max_count = draw(1, 20);
  for (u32 i = 0, count = has_some ? max_count : 0; i < count; ++i)
    demands.push_back({Host{draw(0, hosts - 1)}, Host{draw(0, hosts - 1)}, draw(0, 255)});
  return {hosts, demands};
}

// What a way costs: links that the rule removes, then channels, then weight. A path at a time.
struct Slow {
  struct Cost {
    u64 removed = ~u64{0}, channels = 0, weight = 0;
    auto operator<=>(const Cost&) const = default;
  };
  const Fabric& fabric;
  const NodeDemands& demands;
  u32 lmc;
  std::map<u32, u64> weight = {};  // by channel

  using Removes = std::function<bool(u32 address, u32 s, u32 t)>;

  // By switch node: the channel that it takes.
  std::map<u32, Channel> tree(Nic nic, u32 number, const Removes& removes) {
    std::map<u32, Cost> cost;
    std::map<u32, Channel> out;
    for (bool changed = true; changed;) {
      changed = false;
      for (Node v : fabric.switch_nodes()) {
        Cost best;
        Channel chosen = none<Channel>;
        for (Channel c : fabric.channels(v)) {
          if (!fabric.cabled(c)) continue;
          const Node w = fabric.to(c);
          Cost via;
          if (w == fabric.node(nic)) {
            via = {0, 1, weight[index(c)]};
          } else if (fabric.is_switch(w) && cost.contains(index(w))) {
            via = cost[index(w)];
            via.removed += removes(number, index(v) - fabric.nics(), index(w) - fabric.nics());
            via.channels += 1;
            via.weight += weight[index(c)];
          } else {
            continue;
          }
          if (via < best) best = via, chosen = c;
        }
        if (chosen == none<Channel>) continue;
        if (!cost.contains(index(v)) || cost[index(v)] != best || out[index(v)] != chosen) {
          cost[index(v)] = best;
          out[index(v)] = chosen;
          changed = true;
        }
      }
    }
    return out;
  }

  void add_paths(Nic nic, const std::map<u32, Channel>& tree) {
    const auto senders = demands.to(fabric.host(nic));
    for (Node from : fabric.nic_nodes()) {
      u64 amount = senders.empty() ? 1 : 0;
      for (const auto& sender : senders)
        if (fabric.nic(sender.from, fabric.column(nic)) == fabric.nic(from)) amount = sender.weight;
      const Channel entry = fabric.channel(from, Port{0});
      if (from == fabric.node(nic) || !fabric.cabled(entry)) continue;
      for (Node v = fabric.to(entry); v != fabric.node(nic);) {
        const auto at = tree.find(index(v));
        if (at == tree.end()) break;
        weight[index(at->second)] += amount;
        v = fabric.to(at->second);
      }
    }
  }

  void expect(const PortGraph& graph, const Tables& tables, const Removes& removes) {
    each_destination(graph, demands, [&](const NicGroup&, Nic nic) {
      for (u32 i = 0; i < 1u << lmc; ++i) {
        const auto chosen = tree(nic, i, removes);
        for (Node v : fabric.switch_nodes()) {
          const u8 port = tables(v, address_of(nic, lmc, i));
          const auto at = chosen.find(index(v));
          RC_ASSERT((port == Tables::no_port) == (at == chosen.end()));
          if (at != chosen.end()) RC_ASSERT(port == index(fabric.port(at->second)));
        }
        add_paths(nic, chosen);
      }
    });
  }
};

RC_GTEST_PROP(DemandTrees, AreTheTreesOfSsspWithoutDemands, ()) {
  Topology t = random_topology();
  const u32 percent = draw_product(1, 30);
  t.fabric = broken(t.fabric, percent, draw(0, 1000));
  const PortGraph graph(t.fabric);
  const u32 lmc = draw(0, 2);
  std::vector<Turn> ascending;
  for (u32 group = 0; group < graph.groups().size(); ++group)
    ascending.push_back({group, 0, static_cast<u32>(graph.groups()[group].nics.size())});
  RC_ASSERT(demand_trees(graph, lmc, {}) == weighted_trees(graph, lmc, ascending));
}

RC_GTEST_PROP(DemandTrees, FollowDemandsAsAPathAtATimeDoes, ()) {
  const Topology t = random_even_hyperx();
  const NodeDemands demands = random_demands(t.fabric.hosts());
  const PortGraph graph(t.fabric);
  const u32 lmc = draw(0, 1);
  Slow{t.fabric, demands, lmc}.expect(graph, demand_trees(graph, lmc, demands),
                                      [](u32, u32, u32) { return false; });
}

RC_GTEST_PROP(Parx, IsDijkstraWithoutTheLinksOfAHalf, ()) {
  const Topology t = random_even_hyperx();
  const RouteResult result = route(t, "parx:lanes=16,choice=all");
  RC_PRE(std::holds_alternative<Routing>(result));
  const Routing& routing = std::get<Routing>(result);
  const Halves halves(t);
  const NodeDemands none;
  Slow{t.fabric, none, routing.lmc}.expect(
      PortGraph(t.fabric), std::get<Tables>(routing.forward),
      [&](u32 i, u32 s, u32 w) { return i < halves.rules() && halves.removes(i, Switch{s}, Switch{w}); });
  const Verdict verdict = judge(t.fabric, routing);
  RC_ASSERT(verdict.yes());
  RC_ASSERT(judge(t.fabric, std::get<Routing>(route(t, "parx:lanes=16"))).yes());
}

}  // namespace
}  // namespace banyan::tests
