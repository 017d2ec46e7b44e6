// The engines for any graph, over random fabrics of every family and random faults: all pairs connected that
// can be, minimal and free of deadlock where promised, and the same as slow, obvious versions of themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <queue>
#include <set>

#include "engines/destination_order.hpp"
#include "engines/engine.hpp"
#include "support/random_topology.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

constexpr u32 unreachable = ~u32{0};

// Switches cabled at random, and NICs with up to three ports at any of them.
Fabric random_fabric() {
  const u32 switches = draw(1, 8), ports = draw(2, 6), hosts = draw(1, 8);
  FabricBuilder builder(hosts);
  std::vector<Channel> nic_ports, switch_ports;  // node * 16 + port
  for (u32 h = 0; h < hosts; ++h) {
    const u32 count = draw(1, 3);
    builder.nic_ports(Nic{h}, count);
    for (u32 p = 0; p < count; ++p) nic_ports.push_back(Channel{h * 16 + p});
  }
  for (u32 s = 0; s < switches; ++s)
    for (u32 p = 0, v = index(builder.add_switch(ports)); p < ports; ++p)
      switch_ports.push_back(Channel{v * 16 + p});
  Random(draw(0, 10000)).shuffle(std::span(switch_ports));
  const auto connect = [&](Channel a, Channel b) {
    builder.connect(Node{index(a) / 16}, Port{index(a) % 16}, Node{index(b) / 16}, Port{index(b) % 16}, 0);
  };
  std::size_t used = 0;
  for (Channel c : nic_ports)
    if (used < switch_ports.size() && draw(0, 4) > 0) connect(c, switch_ports[used++]);
  for (; used + 1 < switch_ports.size(); used += 2)
    if (draw(0, 9) > 0) connect(switch_ports[used], switch_ports[used + 1]);
  return std::move(builder).build();
}

Topology random_jellyfish() {
  const u32 switches = 2 * draw(3, 8), degree = draw(2, 4), hosts = draw(1, 3), seed = draw(1, 1000);
  return make_topology(fmt::format("Jellyfish({},{}; hosts={}, seed={})", switches, degree, hosts, seed));
}

Topology random_graph() {
  const u32 kind = draw(0, 8);
  if (kind == 0) return {random_fabric(), Irregular{}, 1, "", ""};
  Topology t = kind == 1 ? random_jellyfish() : random_topology();
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 30);
  return t;
}

// By node: channels to a NIC; NICs do not forward.
std::vector<u32> distances_to(const Fabric& fabric, Node goal) {
  std::vector<u32> out(fabric.nodes().size(), unreachable);
  std::queue<Node> queue({goal});
  out[index(goal)] = 0;
  for (; !queue.empty(); queue.pop())
    for (Channel c : fabric.channels(queue.front()))
      if (fabric.cabled(c) && out[index(fabric.to(c))] == unreachable) {
        out[index(fabric.to(c))] = out[index(queue.front())] + 1;
        if (fabric.is_switch(fabric.to(c))) queue.push(fabric.to(c));
      }
  return out;
}

// The channels that a packet takes; unreachable when there is no entry, when it comes to a wrong place or
// loops.
u32 path_length(const Fabric& fabric, const Tables& tables, Node from, Header header, Node goal) {
  u32 length = 0;
  for (Node v = from; v != goal; ++length) {
    if (length > fabric.nodes().size() || (v != from && !fabric.is_switch(v))) return unreachable;
    const Port port = tables.next(v, header).port;
    if (index(port) >= fabric.ports(v) || !fabric.cabled(fabric.channel(v, port))) return unreachable;
    v = fabric.to(fabric.channel(v, port));
  }
  return length;
}

void holds_its_promises(const Topology& t, std::string_view engine, u32 lmc) {
  const std::string with_lmc = fmt::format("{}:lmc={}", engine, lmc);
  const RouteResult result = route(t, with_lmc);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Routing& routing = std::get<Routing>(result);
  const Promises promises = engines::engines().at(engine).promises;
  const auto& tables = std::get<Tables>(routing.forward);
  for (Node goal : t.fabric.nic_nodes()) {
    const auto distance = distances_to(t.fabric, goal);
    for (Node from : t.fabric.nic_nodes())
      for (u32 i = 0; from != goal && i < 1u << lmc; ++i) {
        const Header header = routing.source.way(t.fabric.nic(from), t.fabric.nic(goal), 0, i);
        const u32 length = path_length(t.fabric, tables, from, header, goal);
        RC_ASSERT((length == unreachable) == (distance[index(from)] == unreachable));
        if (promises.minimal) RC_ASSERT(length == distance[index(from)]);
      }
  }
  const Verdict verdict = judge(t.fabric, routing);
  RC_ASSERT(verdict.loop_free);
  RC_ASSERT(verdict.lanes <= routing.lanes);
  RC_ASSERT(routing.lanes <= 8u);
  if (promises.deadlock_free) RC_ASSERT(verdict.deadlock_free);
  RC_ASSERT(tables == std::get<Tables>(std::get<Routing>(route(t, with_lmc)).forward));
}

void hold_their_promises(const char* engine) {
  const Topology t = random_graph();
  holds_its_promises(t, engine, draw(0, 1));
}

RC_GTEST_PROP(GraphEngines, MinhopHoldsItsPromises, ()) { hold_their_promises("minhop"); }
RC_GTEST_PROP(GraphEngines, UpdnHoldsItsPromises, ()) { hold_their_promises("updn"); }
RC_GTEST_PROP(GraphEngines, SsspHoldsItsPromises, ()) { hold_their_promises("sssp"); }
RC_GTEST_PROP(GraphEngines, DfssspHoldsItsPromises, ()) { hold_their_promises("dfsssp"); }

RC_GTEST_PROP(GraphEngines, DfssspSpreadOverAllLanesStaysFreeOfDeadlock, ()) {
  const Topology t = random_graph();
  const RouteResult result = route(t, "dfsssp:lanes=8,spread=1");
  RC_PRE(std::holds_alternative<Routing>(result));
  const Verdict verdict = judge(t.fabric, std::get<Routing>(result));
  RC_ASSERT(verdict.deadlock_free);
  RC_ASSERT(std::get<Routing>(result).lanes == 8u);
}

RC_GTEST_PROP(GraphEngines, UpdnIsCompleteWhateverTheRoots, ()) {
  Topology t = random_graph();
  const auto a = draw(0, t.fabric.switches() - 1), b = draw(0, t.fabric.switches() - 1);
  const auto name = [&](u32 s) { return t.fabric.name(Node{t.fabric.nics() + s}); };
  const std::string engine = fmt::format("updn:roots={}+{}", name(a), name(b));
  const Routing routing = std::get<Routing>(route(t, engine));
  for (Node goal : t.fabric.nic_nodes()) {
    const auto distance = distances_to(t.fabric, goal);
    for (Node from : t.fabric.nic_nodes()) {
      const Header header = routing.source.way(t.fabric.nic(from), t.fabric.nic(goal), 0, 0);
      const u32 length = path_length(t.fabric, std::get<Tables>(routing.forward), from, header, goal);
      RC_ASSERT(from == goal || (length == unreachable) == (distance[index(from)] == unreachable));
    }
  }
  RC_ASSERT(judge(t.fabric, routing).deadlock_free);
}

// NICs that are cabled to the same switches are routed one after the other, in order of the first of them.
std::vector<Node> in_order(const Fabric& fabric) {
  std::map<std::set<Node>, u32> first;
  std::map<std::pair<u32, u32>, Node> order;
  for (Node nic : fabric.nic_nodes()) {
    std::set<Node> switches;
    for (Channel c : fabric.channels(nic))
      if (fabric.cabled(c)) switches.insert(fabric.to(c));
    order[{first.emplace(switches, index(nic)).first->second, index(nic)}] = nic;
  }
  std::vector<Node> out;
  for (const auto& [_, nic] : order) out.push_back(nic);
  return out;
}

// The same, but in the order of sssp.
std::vector<Node> spread_in_order(const Topology& t) {
  const PortGraph graph = spread_graph(t);
  std::vector<Node> out;
  for (const Turn& turn : destination_order(t, graph))
    for (u32 i = turn.first; i < turn.last; ++i)
      out.push_back(t.fabric.node(graph.groups()[turn.group].nics[i]));
  return out;
}

// Dijkstra over (channels, weight) pair by pair, and every path walked to add its weight.
struct PlainSssp {
  const Topology& topology;
  const Fabric& fabric = topology.fabric;
  const PortGraph graph = spread_graph(topology);
  Tables tables{fabric};
  std::map<Channel, u64> weight = {};

  // The channels of a node as ties are broken: ways in the order of the graph.
  std::vector<Channel> in_turn(Node v) const {
    std::vector<Channel> out;
    if (fabric.is_switch(v))
      for (const Way& way : graph.ways(graph.number(v))) out.push_back(way.channel);
    for (const Channel c : fabric.channels(v))
      if (std::find(out.begin(), out.end(), c) == out.end()) out.push_back(c);
    return out;
  }

  using Cost = std::pair<u32, u64>;
  void add(Node goal) {
    std::map<Node, Cost> cost = {{goal, {0, 0}}};
    std::set<std::pair<Cost, Node>> open = {{{0, 0}, goal}};
    while (!open.empty()) {
      const auto [at, v] = *open.begin();
      open.erase(open.begin());
      if (v != goal && !fabric.is_switch(v)) continue;
      for (Channel back : fabric.channels(v)) {
        if (!fabric.cabled(back)) continue;
        const Channel c = fabric.reverse(back);
        const Cost new_cost = {at.first + 1, at.second + weight[c]};
        const auto known = cost.find(fabric.to(back));
        if (known != cost.end() && known->second <= new_cost) continue;
        if (known != cost.end()) open.erase({known->second, known->first});
        cost[fabric.to(back)] = new_cost;
        open.insert({new_cost, fabric.to(back)});
      }
    }
    std::map<Node, Channel> next;
    for (const auto& [v, total] : cost)
      for (Channel c : in_turn(v)) {
        if (v == goal || next.contains(v) || !fabric.cabled(c)) continue;
        const Node to = fabric.to(c);
        if (to != goal && !fabric.is_switch(to)) continue;
        const auto behind = cost.find(to);
        if (behind != cost.end() &&
            Cost{behind->second.first + 1, behind->second.second + weight[c]} == total)
          next[v] = c;
      }
    for (const auto& [v, c] : next)
      if (tables.has(v)) tables(v, Address{index(goal)}) = static_cast<u8>(index(fabric.port(c)));
    for (Node from : fabric.nic_nodes())
      for (Node v = from; v != goal && next.contains(v); v = fabric.to(next[v])) ++weight[next[v]];
  }
};

RC_GTEST_PROP(GraphEngines, SsspIsDijkstraWithWeights, ()) {
  const Topology t = random_graph();
  PlainSssp plain{t};
  for (Node goal : spread_in_order(t)) plain.add(goal);
  RC_ASSERT(std::get<Tables>(std::get<Routing>(route(t, "sssp")).forward) == plain.tables);
}

// At every switch and for one destination after the other: the least used of the ports that lead nearer.
Tables plain_minhop(const Fabric& fabric) {
  Tables tables(fabric);
  std::map<Channel, u32> used;
  for (Node goal : in_order(fabric)) {
    const auto distance = distances_to(fabric, goal);
    for (Node v : fabric.nodes()) {
      Channel best = none<Channel>;
      for (Channel c : fabric.channels(v)) {
        if (!tables.has(v) || v == goal || !fabric.cabled(c) || distance[index(v)] == unreachable) continue;
        if (distance[index(fabric.to(c))] + 1 != distance[index(v)]) continue;
        if (fabric.to(c) != goal && !fabric.is_switch(fabric.to(c))) continue;
        if (best == none<Channel> || used[c] < used[best]) best = c;
      }
      if (best == none<Channel>) continue;
      ++used[best];
      tables(v, Address{index(goal)}) = static_cast<u8>(index(fabric.port(best)));
    }
  }
  return tables;
}

RC_GTEST_PROP(GraphEngines, MinhopTakesTheLeastUsedPort, ()) {
  const Topology t = random_graph();
  RC_ASSERT(std::get<Tables>(std::get<Routing>(route(t, "minhop")).forward) == plain_minhop(t.fabric));
}

}  // namespace
}  // namespace banyan::tests
