// Every listed engine keeps its promises over random fabrics and faults; adaptive ones offer what their
// definition permits, told from the graph alone, and say rightly how far it then is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "support/plain_judge.hpp"
#include "support/random_topology.hpp"
#include "support/slow_routing_check.hpp"
#include "support/tree_faults.hpp"

namespace banyan::tests {
namespace {

std::vector<Hop> offered_at(const Routing& routing, Node node, const Header& header) {
  Hops out;
  std::visit([&](const auto& forward) { offered(forward, node, header, out); }, routing.forward);
  return {out.begin(), out.end()};
}

std::set<u32> ports(const std::vector<Hop>& hops) {
  std::set<u32> out;
  for (const Hop& hop : hops) out.insert(index(hop.port));
  return out;
}

Topology random_faulty() {
  Topology t = random_topology();
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 25);
  return t;
}

RC_GTEST_PROP(EveryEngine, KeepsItsPromises, ()) {
  const Topology t = random_faulty();
  RC_PRE(t.fabric.nics() <= 60u);
  for (const Engine& engine : engines::engines()) {
    const RouteResult result = route(t, engine.name);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing) continue;
    RC_LOG() << canonical_notation(t) << " without " << t.fabric.taken().size() << " " << engine.name
             << std::endl;
    const Verdict verdict = judge(t.fabric, *routing, {.threads = 1});
    RC_ASSERT(verdict.reachable);
    RC_ASSERT(verdict.loop_free);
    RC_ASSERT(verdict.lanes <= routing->lanes);
    RC_ASSERT(verdict.deadlock_free || !engine.promises.deadlock_free);
    RC_ASSERT(verdict.minimal || !engine.promises.minimal);
    const Verdict again = judge(t.fabric, std::get<Routing>(route(t, engine.name)), {.threads = 3});
    RC_ASSERT(figures(again) == figures(verdict));
  }
}

// Everything that may happen to a header, every node and state once: f(node, header, hops).
template <class F>
void each_place(const Fabric& fabric, const Routing& routing, Nic from, Header header, F&& f) {
  std::set<std::pair<Node, u8>> seen;
  const auto visit = [&](auto&& self, Node node, u8 state) -> void {
    if (node == fabric.node(Nic{index(header.to)}) || !seen.emplace(node, state).second) return;
    header.state = state;
    const auto hops = offered_at(routing, node, header);
    f(node, header, hops);
    for (const Hop& hop : hops) self(self, fabric.to(fabric.channel(node, hop.port)), hop.state);
  };
  visit(visit, fabric.node(from), header.state);
}

bool is_escape(const Routing& routing, const Hop& hop) {
  return std::visit(
      [&](const auto& forward) {
        if constexpr (requires { forward.is_escape(hop); })
          return forward.has_escape() && forward.is_escape(hop);
        else
          return false;
      },
      routing.forward);
}

// Whether every hop of a header says what is left behind it: one channel more than behind the shortest hop
// that is offered next. Who goes by way of a middle could escape from there and be nearer; that is not
// counted.
bool says_how_far_it_is(const Fabric& fabric, const Routing& routing, Nic from, Nic to, const Header& first) {
  bool out = true;
  const bool by_middle = std::holds_alternative<GraphDetours>(routing.forward);
  each_place(fabric, routing, from, first, [&](Node node, Header header, const std::vector<Hop>& hops) {
    out = out && !hops.empty();
    for (const Hop& hop : hops) {
      const Node next = fabric.to(fabric.channel(node, hop.port));
      header.state = hop.state;
      u32 left = 0;
      if (next != fabric.node(to)) {
        left = ~u32{0};
        for (const Hop& behind : offered_at(routing, next, header))
          if (!by_middle || is_escape(routing, hop) || !is_escape(routing, behind))
            left = std::min(left, behind.left + 1u);
      }
      out = out && hop.left == left;
    }
  });
  return out;
}

RC_GTEST_PROP(AdaptiveEngines, SayHowFarItIsToGo, ()) {
  const Topology t = random_faulty();
  RC_PRE(t.fabric.nics() >= 2u && t.fabric.nics() <= 60u);
  for (const char* engine :
       {"spray", "adaptive", "minadaptive", "valiant", "ugal", "dal", "omniwar", "polarized", "surepath",
        "surepath:candidates=omniwar", "tera", "par", "minadaptive:escape=always"}) {
    const RouteResult result = route(t, engine);
    const auto* routing = std::get_if<Routing>(&result);
    const Nic from{draw(0, t.fabric.nics() - 1)}, to{draw(0, t.fabric.nics() - 1)};
    if (!routing || from == to || t.fabric.plane(from) != t.fabric.plane(to)) continue;
    if (!connected(t.fabric, from, to)) continue;
    RC_LOG() << canonical_notation(t) << " " << engine << std::endl;
    const u32 ways = routing->source.count(from, to, 0);
    const Header header = routing->source.way(from, to, 0, draw(0, ways - 1));
    RC_ASSERT(says_how_far_it_is(t.fabric, *routing, from, to, header));
  }
}

// Where a lane for each hop would be too many, an escape takes their place.
TEST(AdaptiveEngines, NeedThreeLanesHoweverFarItIs) {
  for (const char* notation : {"Mesh(20x2)", "Kautz(2,3)"})
    for (const char* engine : {"minadaptive", "valiant", "ugal"}) {
      Topology t = make_topology(notation);
      t.fabric = without(t.fabric, choose_cables(t.fabric, "links=2,seed=3"));
      const Routing routing = std::get<Routing>(route(t, engine));
      const bool is_far = std::string_view(notation) != "Kautz(2,3)";
      EXPECT_EQ(has_escape(routing), is_far) << notation << " " << engine;
      EXPECT_TRUE(routing.lanes == 3u || !is_far) << notation << " " << engine;
      const Verdict verdict = judge(t.fabric, routing, {.threads = 1});
      EXPECT_TRUE(verdict.reachable && verdict.loop_free && verdict.deadlock_free)
          << notation << " " << engine;
    }
}

// On complete meshes and tori they need few, and each of them: with one less, two channels that wait for
// each other share it.
TEST(AdaptiveEngines, NeedFewLanesOnMeshAndTorus) {
  struct Case {
    const char *notation, *engine;
    u32 lanes;
  };
  for (const auto& [notation, engine, lanes] :
       {Case{"Mesh(6x6)", "valiant", 2}, Case{"Mesh(6x6)", "ugal", 2},
        Case{"Mesh(6x6)", "minadaptive:escape=always", 2}, Case{"Torus(5x4)", "valiant", 4},
        Case{"Torus(5x4)", "ugal", 4}, Case{"Torus(5x4)", "minadaptive:escape=always", 3}}) {
    const Topology t = make_topology(notation);
    const Routing routing = std::get<Routing>(route(t, engine));
    EXPECT_EQ(routing.lanes, lanes) << notation << " " << engine;
    const Verdict verdict = judge(t.fabric, routing, {.threads = 1});
    EXPECT_TRUE(verdict.reachable && verdict.loop_free && verdict.deadlock_free) << notation << " " << engine;
    EXPECT_EQ(verdict.lanes, lanes) << notation << " " << engine;
  }
}

// By coordinates: every shortest hop on lane 0, and one of them on a lane of the escape.
RC_GTEST_PROP(MinimalAdaptive, OffersEveryShortestHopOnMeshAndTorus, ()) {
  const Torus shape = random_torus();
  const Topology t = build(shape);
  const Routing r = std::get<Routing>(route(t, "minadaptive:escape=always"));
  RC_ASSERT(judge(t.fabric, r, {.threads = 1}).deadlock_free);
  for (Node to : t.fabric.nic_nodes()) {
    const auto distance = slow_distances(t.fabric, to);
    const Header header = r.source.way(Nic{0}, t.fabric.nic(to), 0, 0);
    for (Node v : t.fabric.switch_nodes()) {
      std::set<u32> shortest, adaptive, escape;
      for (Channel c : t.fabric.channels(v))
        if (t.fabric.cabled(c) && distance[index(t.fabric.to(c))] + 1 == distance[index(v)])
          shortest.insert(index(t.fabric.port(c)));
      for (const Hop& hop : offered_at(r, v, header))
        (is_escape(r, hop) ? escape : adaptive).insert(index(hop.port));
      RC_ASSERT(adaptive == shortest);
      RC_ASSERT(escape.empty() || (escape.size() == 1 && shortest.contains(*escape.begin())));
    }
  }
}

// All pairs and ways of one that gave hops with a channel too many.
TEST(AdaptiveEngines, SayHowFarItIsToGoOnADragonflyInAbsoluteOrder) {
  const Topology t = make_topology("Dragonfly(1,3,2; groups=7, order=absolute)");
  for (const char* engine : {"minadaptive", "valiant", "ugal", "par", "polarized"}) {
    const Routing routing = std::get<Routing>(route(t, engine));
    for (const Nic from : IdRange<Nic>(t.fabric.nics()))
      for (const Nic to : IdRange<Nic>(t.fabric.nics()))
        for (u32 way = 0; from != to && way < routing.source.count(from, to, 0); ++way)
          EXPECT_TRUE(says_how_far_it_is(t.fabric, routing, from, to, routing.source.way(from, to, 0, way)))
              << engine << " from " << index(from) << " to " << index(to) << " way " << way;
  }
}

RC_GTEST_PROP(Spray, OffersEveryShortestHop, ()) {
  const Topology t = random_faulty();
  const Routing r = std::get<Routing>(route(t, "spray"));
  for (Node to : t.fabric.nic_nodes()) {
    const auto distance = slow_distances(t.fabric, to);
    const Header header = r.source.way(Nic{0}, t.fabric.nic(to), 0, 0);
    for (Node v : t.fabric.nodes()) {
      if (v == to) continue;
      std::set<u32> shortest;
      for (Channel c : t.fabric.channels(v))
        if (t.fabric.cabled(c) && distance[index(v)] != ~u32{0} &&
            (t.fabric.to(c) == to || t.fabric.is_switch(t.fabric.to(c))) &&
            distance[index(t.fabric.to(c))] + 1 == distance[index(v)])
          shortest.insert(index(t.fabric.port(c)));
      RC_ASSERT(ports(offered_at(r, v, header)) == shortest);
    }
  }
}

RC_GTEST_PROP(AdaptiveTree, OffersEveryWayUpAndThenDown, (u64 seed)) {
  Random random(seed);
  const Topology t = degraded_tree(random, 0.5, TreeFaults::at_hosts_too);
  const RouteResult result = route(t, "adaptive");
  const auto* r = std::get_if<Routing>(&result);
  RC_ASSERT(std::holds_alternative<Routing>(route(t, "dmodc")) == (r != nullptr));
  for (u32 b = 0; r && b < t.fabric.nics(); ++b) {
    const UpDownWays ways(t, Nic{b});
    for (Node v : t.fabric.nodes())
      if (v != Node{b}) RC_ASSERT(ports(offered_at(*r, v, {.to = Address{b}})) == ways.ports[index(v)]);
  }
}

// By coordinates and cables: a hop changes one coordinate that is not right yet, and unless it makes it right
// that dimension was not derouted before.
RC_GTEST_PROP(Dal, OffersEveryHopOfItsDefinition, ()) {
  const HyperX shape = random_hyperx();
  const Topology t = build(shape);
  const Routing dal = std::get<Routing>(route(t, "dal")),
                minimal = std::get<Routing>(route(t, "minadaptive"));
  const u32 nics = t.fabric.nics();
  for (u32 to = 0; to < nics; ++to) {
    const u32 goal = to / shape.hosts_per_switch;
    const u8 state = static_cast<u8>(draw(0, (1u << shape.grid.dimensions()) - 1));
    for (u32 v = 0; v < shape.grid.size(); ++v) {
      std::map<u32, u8> permitted;  // port to state
      std::set<u32> straight;
      for (Channel c : t.fabric.channels(Node{nics + v})) {
        const u32 port = index(t.fabric.port(c));
        if (!t.fabric.is_switch(t.fabric.to(c))) {
          if (t.fabric.to(c) == Node{to}) permitted[port] = state, straight.insert(port);
          continue;
        }
        const u32 w = index(t.fabric.to(c)) - nics;
        u32 d = 0;
        while (shape.grid.coordinate(v, d) == shape.grid.coordinate(w, d)) ++d;
        const u32 wanted = shape.grid.coordinate(goal, d);
        if (shape.grid.coordinate(v, d) == wanted) continue;
        if (shape.grid.coordinate(w, d) == wanted)
          permitted[port] = state, straight.insert(port);
        else if (!(state >> d & 1))
          permitted[port] = static_cast<u8>(state | 1u << d);
      }
      std::map<u32, u8> found;
      for (const Hop& hop : offered_at(dal, Node{nics + v}, {.to = Address{to}, .state = state}))
        found[index(hop.port)] = hop.state;
      RC_ASSERT(found == permitted);
      RC_ASSERT(ports(offered_at(minimal, Node{nics + v}, {.to = Address{to}})) == straight);
    }
  }
}

// The hops that its definition permits at a switch, by port and state behind; from coordinates and cables.
std::vector<std::pair<u32, u8>> defined_hops(const HyperX& shape, const Fabric& fabric, u32 v, u32 goal,
                                             u8 state) {
  std::vector<std::pair<u32, u8>> out;
  for (Channel c : fabric.channels(Node{fabric.nics() + v})) {
    if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
    const u32 w = index(fabric.to(c)) - fabric.nics();
    u32 d = 0;
    while (shape.grid.coordinate(v, d) == shape.grid.coordinate(w, d)) ++d;
    const u32 wanted = shape.grid.coordinate(goal, d);
    if (shape.grid.coordinate(v, d) == wanted) continue;
    if (shape.grid.coordinate(w, d) == wanted)
      out.emplace_back(index(fabric.port(c)), state);
    else if (!(state >> d & 1))
      out.emplace_back(index(fabric.port(c)), static_cast<u8>(state | 1u << d));
  }
  return out;
}

bool arrives(const HyperX& shape, const Fabric& fabric, u32 v, u32 goal, u8 state) {
  if (v == goal) return true;
  for (const auto& [port, after] : defined_hops(shape, fabric, v, goal, state)) {
    const Node next = fabric.to(fabric.channel(Node{fabric.nics() + v}, Port{port}));
    if (arrives(shape, fabric, index(next) - fabric.nics(), goal, after)) return true;
  }
  return false;
}

// Where cables are missing: of these hops those behind which the packet can still arrive, and a refusal only
// where some pair of switches has no way at all.
RC_GTEST_PROP(Dal, OffersWhatArrivesWhereCablesAreMissing, ()) {
  const HyperX shape = random_hyperx();
  RC_PRE(shape.grid.size() > 1u && shape.grid.size() <= 16u);
  Topology t = build(shape);
  t.fabric = without(t.fabric, choose_cables(t.fabric, "share=0.15,seed=" + std::to_string(draw(0, 1000))));
  const RouteResult result = route(t, "dal");
  const auto* dal = std::get_if<Routing>(&result);
  const u32 switches = static_cast<u32>(shape.grid.size());
  bool whole = true;
  for (u32 goal = 0; goal < switches; ++goal)
    for (u32 v = 0; v < switches; ++v) {
      whole &= arrives(shape, t.fabric, v, goal, 0);
      const u8 state = static_cast<u8>(draw(0, (1u << shape.grid.dimensions()) - 1));
      if (!dal || v == goal) continue;
      std::map<u32, u8> permitted, found;
      for (const auto& [port, after] : defined_hops(shape, t.fabric, v, goal, state)) {
        const Node next = t.fabric.to(t.fabric.channel(Node{t.fabric.nics() + v}, Port{port}));
        if (arrives(shape, t.fabric, index(next) - t.fabric.nics(), goal, after)) permitted[port] = after;
      }
      const Address to{goal * shape.hosts_per_switch};
      for (const Hop& hop : offered_at(*dal, Node{t.fabric.nics() + v}, {.to = to, .state = state}))
        found[index(hop.port)] = hop.state;
      RC_ASSERT(found == permitted);
    }
  RC_ASSERT(whole == (dal != nullptr));
}

}  // namespace
}  // namespace banyan::tests
