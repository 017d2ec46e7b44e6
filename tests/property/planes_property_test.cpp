// Planes of different shapes: each is the fabric that it is alone, and is routed as it is alone, whole and
// without some cables.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "support/random_topology.hpp"
#include "topology/plane_sum.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

using topology::is_plane_sum;
using topology::plane_groups;
using topology::PlaneGroup;
using topology::split_sum;

// Of sixteen hosts.
std::string random_plane() {
  static const std::vector<std::string> all = {"HyperX(4x4)",
                                               "HyperX(2x4; hosts=2)",
                                               "Torus(4x4)",
                                               "Mesh(4x2; hosts=2)",
                                               "4-ary 2-tree",
                                               "XGFT(2; 8,2; 1,2)",
                                               "2 x FullMesh(4; hosts=4)",
                                               "Dragonfly(2,4,1; groups=2)",
                                               "Dragonfly+(4,2,2,1; groups=2)",
                                               "TwistedTorus(4x2; hosts=2)",
                                               "XGFT(2; 4,4; 2,2)"};
  return all[draw(0, static_cast<u32>(all.size()) - 1)];
}

std::string random_sum() {
  std::string out = random_plane();
  for (u32 more = draw(1, 2); more > 0; --more) out += " + " + random_plane();
  return out;
}

Node in_sum(const PlaneGroup& group, Node v) {
  const u32 nics = group.topology.fabric.nics();
  return Node{index(v) < nics ? index(v) + group.first_nic : index(v) - nics + group.first_switch};
}

RC_GTEST_PROP(PlaneSum, HasTheCablesOfItsPlanes, ()) {
  const std::string notation = random_sum();
  RC_LOG() << notation << '\n';
  Topology sum = make_topology(notation);
  if (!is_plane_sum(sum)) return;  // planes of one shape
  RC_ASSERT(canonical_notation(make_topology(sum.notation)) == sum.notation);
  RC_ASSERT(make_topology(sum.notation).fabric == sum.fabric);
  sum.fabric = broken_somewhere(sum.fabric, 20);
  std::set<std::pair<u32, u32>> expected, found;
  const auto list = [](const Fabric& fabric, const Link& link, auto&& node, auto& out) {
    const auto end = [&](Channel c) { return index(node(fabric.from(c))) << 8 | index(fabric.port(c)); };
    out.emplace(std::min(end(link.a), end(link.b)), std::max(end(link.a), end(link.b)));
  };
  for (const PlaneGroup& group : plane_groups(sum))
    group.topology.fabric.each_link([&](const Link& link) {
      list(
          group.topology.fabric, link, [&](Node v) { return in_sum(group, v); }, expected);
    });
  sum.fabric.each_link([&](const Link& link) {
    list(
        sum.fabric, link, [](Node v) { return v; }, found);
  });
  RC_ASSERT(found == expected);
  RC_ASSERT(plane_groups(sum).back().end_switch() == sum.fabric.nodes().size());
}

std::set<std::pair<u32, u32>> exits(const Routing& routing, Node node, const Header& header) {
  Hops out;
  std::visit([&](const auto& forward) { offered(forward, node, header, out); }, routing.forward);
  std::set<std::pair<u32, u32>> ports;
  for (const Hop& hop : out) ports.emplace(index(hop.port), hop.lanes);
  return ports;
}

// Follows a header on a plane alone and in the sum, at each step by one of the hops that are offered.
void follow_both(const Routing& all, const Topology& sum, const Routing& own, const PlaneGroup& group,
                 Nic from, Nic to, u32 way) {
  const Fabric& fabric = group.topology.fabric;
  const Nic from_all{index(from) + group.first_nic}, to_all{index(to) + group.first_nic};
  Header header = own.source.way(from, to, 0, way), whole = all.source.way(from_all, to_all, 0, way);
  RC_ASSERT(header.lane == whole.lane);
  Node node = fabric.node(from);
  for (u32 steps = 0; node != fabric.node(to) && steps < 100; ++steps) {
    RC_ASSERT(exits(own, node, header) == exits(all, in_sum(group, node), whole));
    Hops mine, its;
    std::visit([&](const auto& forward) { offered(forward, node, header, mine); }, own.forward);
    std::visit([&](const auto& forward) { offered(forward, in_sum(group, node), whole, its); }, all.forward);
    if (mine.size() == 0) return;
    const u32 which = draw(0, static_cast<u32>(mine.size()) - 1);
    if (index(mine[which].port) >= fabric.ports(node)) return;
    const Channel c = fabric.channel(node, mine[which].port);
    if (!fabric.cabled(c)) return;
    RC_ASSERT(in_sum(group, fabric.to(c)) ==
              sum.fabric.to(sum.fabric.channel(in_sum(group, node), its[which].port)));
    header.state = mine[which].state, whole.state = its[which].state;
    node = fabric.to(c);
  }
}

RC_GTEST_PROP(PlaneSum, IsRoutedPlaneByPlane, ()) {
  const std::string notation = random_sum();
  Topology sum = make_topology(notation);
  if (!is_plane_sum(sum)) return;
  if (draw(0, 1) == 0) sum.fabric = broken_somewhere(sum.fabric, 10);
  const std::vector<std::string> known = {"auto",        "updn",         "nue",     "minhop",
                                          "dfsssp",      "ugal",         "valiant", "surepath",
                                          "minadaptive", "ecmp:paths=4", "random"};
  const std::string engine = known[draw(0, static_cast<u32>(known.size()) - 1)];
  RC_LOG() << sum.notation << " without " << sum.fabric.taken().size() << ", " << engine << '\n';
  const RouteResult result = engine == "auto" ? route(sum, engines::best_static(sum)) : route(sum, engine);
  const auto* all = std::get_if<Routing>(&result);
  if (!all) return;
  const Verdict verdict = judge(sum.fabric, *all, {.threads = 1});
  bool reachable = true, deadlock_free = true;
  u32 lanes = 1;
  for (const PlaneGroup& group : plane_groups(sum)) {
    const Topology& plane = group.topology;
    const Routing own =
        std::get<Routing>(route(plane, engine == "auto" ? std::string(engines::best_static(plane)) : engine));
    const Verdict alone = judge(plane.fabric, own, {.threads = 1});
    reachable &= alone.reachable, deadlock_free &= alone.deadlock_free;
    lanes = std::max(lanes, own.lanes);
    const u32 hosts = plane.fabric.hosts(), first = draw(0, plane.fabric.columns() - 1) * hosts;
    const Nic from{first + draw(0, hosts - 1)}, to{first + draw(0, hosts - 1)};
    const u32 ways = own.source.count(from, to, 0);
    RC_ASSERT(all->source.count(Nic{index(from) + group.first_nic}, Nic{index(to) + group.first_nic}, 0) ==
              ways);
    if (from != to && ways > 0) follow_both(*all, sum, own, group, from, to, draw(0, ways - 1));
  }
  RC_ASSERT(verdict.reachable == reachable);
  RC_ASSERT(verdict.deadlock_free == deadlock_free);
  RC_ASSERT(all->lanes == lanes);
}

TEST(PlaneSum, TakesAnEngineForEachSummand) {
  const Topology sum = make_topology("Torus(4x4) + 4-ary 2-tree");
  for (const char* engines : {"dor + dmodk", "dor + adaptive", "ugal + nue", "auto + random:paths=2",
                              "surepath + updn", "planes:engines=dor + dmodk"}) {
    const RouteResult result = route(sum, engines);
    ASSERT_TRUE(std::holds_alternative<Routing>(result)) << engines;
    const Verdict verdict = judge(sum.fabric, std::get<Routing>(result), {.threads = 1});
    EXPECT_TRUE(verdict.reachable && verdict.deadlock_free) << engines;
  }
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(route(sum, "dmodk + dor")));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(route(sum, "dor + dmodk + dmodk")));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(route(sum, "surepath + adaptive")));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(route(make_topology("Torus(4x4)"), "dor + dmodk")));
  EXPECT_THROW(route(sum, "dor + nonsense"), InputError);
}

TEST(PlaneSum, OfOneShapeIsSeveralPlanesOfIt) {
  EXPECT_EQ(canonical_notation(make_topology("HyperX(4x4) + HyperX(4x4)")), "2 x HyperX(4x4)");
  EXPECT_EQ(canonical_notation(make_topology("2 x Torus(4x4)+Torus(4x4) + 4-ary 2-tree")),
            "3 x Torus(4x4) + XGFT(2; 4,4; 1,4)");
  EXPECT_EQ(split_sum("Dragonfly+(4,2,2,1; groups=2)+Dragonfly+ (4,2,2,1)").size(), 2u);
}

TEST(PlaneSum, RefusesWhatDoesNotFit) {
  for (const char* wrong :
       {"HyperX(4x4) + Torus(4x5)", "HyperX(4x4) +", "+ HyperX(4x4)", "HyperX(4x4) + Jellyfish(16,3)",
        "HyperX(4x4) + nothing(3)", "256 x HyperX(2x2) + Torus(2x2; hosts=1)",
        "HyperX(4x4) + XGFT(2; 8,4; 1,2; rails=2)", "HyperX(4x4) + XGFT(2; 8,4; 1,2; nics=2)"})
    EXPECT_THROW(make_topology(wrong), InputError) << wrong;
}

}  // namespace
}  // namespace banyan::tests
