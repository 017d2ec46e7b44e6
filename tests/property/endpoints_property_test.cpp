// Hosts with any number of NICs: their numbers against lists, planes against a search, and the judge against
// the plain one over all pairs of NICs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "engines/engine.hpp"
#include "formats/format.hpp"
#include "routing/visit_forward.hpp"
#include "support/plain_judge.hpp"
#include "support/uneven_fabric.hpp"

namespace banyan::tests {
namespace {

RC_GTEST_PROP(Endpoints, NumberNicsBySlotThenByHost, ()) {
  const std::vector<HostLabel> hosts = random_hosts(8, 4);
  const Endpoints ends(hosts);
  RC_ASSERT(ends.hosts() == hosts.size());
  u32 next = 0;
  for (u32 slot = 0; slot < ends.slots(); ++slot)
    for (const Host host : IdRange<Host>(ends.hosts())) {
      const HostLabel& label = hosts[index(host)];
      RC_ASSERT(ends.nics(host) == label.nics.size());
      RC_ASSERT(ends.role(host) == label.role);
      if (slot >= label.nics.size()) continue;
      const Nic nic{next++};
      RC_ASSERT(ends.nic(host, slot) == nic);
      RC_ASSERT(ends.host(nic) == host);
      RC_ASSERT(ends.slot(nic) == slot);
    }
  RC_ASSERT(ends.nics() == next);
}

RC_GTEST_PROP(Endpoints, GiveEveryNicAColumnOfItsOwnInItsHost, ()) {
  const std::vector<HostLabel> hosts = random_hosts(8, 4);
  const Endpoints ends(hosts);
  for (const Host host : IdRange<Host>(ends.hosts())) {
    std::set<u32> seen;
    for (u32 slot = 0; slot < ends.nics(host); ++slot) {
      const Nic nic = ends.nic(host, slot);
      const auto rail = hosts[index(host)].nics[slot].rail;
      RC_ASSERT(ends.column(nic) < ends.columns());
      RC_ASSERT(seen.insert(ends.column(nic)).second);
      RC_ASSERT(ends.in_column(host, ends.column(nic)) == nic);
      if (ends.slots() > 1 && ends.rails() > 0) RC_ASSERT(ends.rail(nic) == rail);
      if (rail && ends.rails() > 0) RC_ASSERT(ends.column(nic) == *rail);
      if (ends.rails() == 0) RC_ASSERT(ends.column(nic) == slot);
    }
    for (u32 column = 0; column < ends.columns(); ++column)
      if (!seen.contains(column)) RC_ASSERT(ends.in_column(host, column) == none<Nic>);
  }
}

TEST(Endpoints, AreArithmeticWhereAllHostsAreAlike) {
  const std::vector<HostLabel> labels(5, HostLabel{Role::host, {{0, ""}, {1, ""}, {2, ""}}});
  EXPECT_EQ(Endpoints(labels), Endpoints(5, 3));
  EXPECT_NE(Endpoints(labels), Endpoints(5, 3, Endpoints::Slots::plain));
  EXPECT_EQ(Endpoints(5, 3).nic(Host{2}, 1), Nic{7});
  EXPECT_EQ(Endpoints(5, 3).rails(), 3u);
  EXPECT_EQ(Endpoints(5, 3, Endpoints::Slots::plain).rails(), 0u);
}

TEST(Endpoints, KeepTheRailOfANicBesideAGap) {
  const Endpoints ends(
      {{Role::host, {{0, ""}, {1, ""}, {2, ""}, {3, ""}}}, {Role::host, {{0, ""}, {2, ""}, {3, ""}}}});
  EXPECT_EQ(ends.nics(), 7u);
  EXPECT_EQ(ends.rail(ends.nic(Host{1}, 1)), 2u);
  EXPECT_EQ(ends.in_column(Host{1}, 1), none<Nic>);
  EXPECT_EQ(ends.in_column(Host{1}, 3), ends.nic(Host{1}, 2));
}

// The plain way: whoever is connected is of one plane, whoever shares a host with another part is not.
RC_GTEST_PROP(Planes, JoinWhatCablesConnect, ()) {
  const Fabric fabric = random_uneven_fabric(6, 3);
  std::vector<std::set<u32>> part(fabric.nodes().size());
  for (const Node v : fabric.nic_nodes()) {
    std::vector<Node> queue = {v};
    std::set<Node> seen = {v};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Channel c : fabric.channels(queue[i]))
        if (fabric.cabled(c) && seen.insert(fabric.to(c)).second) queue.push_back(fabric.to(c));
    for (const Node w : seen)
      if (!fabric.is_switch(w)) RC_ASSERT(fabric.plane(fabric.nic(w)) == fabric.plane(fabric.nic(v)));
  }
  std::set<u32> planes;
  for (const Nic nic : IdRange<Nic>(fabric.nics())) planes.insert(fabric.plane(nic));
  RC_ASSERT(planes.size() == fabric.planes());
  if (fabric.slots() == 1) RC_ASSERT(fabric.planes() == 1u);
}

TEST(Planes, StayWhenCablesAreTaken) {
  const Topology t = make_topology("2 x XGFT(2; 2,2; 1,2)");
  ASSERT_EQ(t.fabric.planes(), 2u);
  EXPECT_EQ(t.fabric.plane(Nic{0}), 0u);
  EXPECT_EQ(t.fabric.plane(Nic{4}), 1u);
  const Channel c = t.fabric.channel(Node{5}, Port{0});
  const Fabric broken = without(t.fabric, {{c, t.fabric.reverse(c)}});
  EXPECT_EQ(broken.plane(Nic{5}), 1u);
  EXPECT_EQ(make_topology("XGFT(2; 2,4; 1,2; rails=2)").fabric.planes(), 1u);
}

void expect_alike(const Fabric& fabric, const Routing& routing, PairScope scope) {
  const Verdict verdict = judge(fabric, routing, {.threads = draw(1, 2), .pairs = scope});
  RC_ASSERT(figures(verdict) == figures(plain_judge(fabric, routing, scope)));
  RC_ASSERT(verdict.pair_scope == scope);
  if (verdict.certificate) RC_ASSERT(recheck(*verdict.certificate, fabric, routing));
}

RC_GTEST_PROP(Judge, AgreesWithThePlainOneOnUnevenHosts, ()) {
  const Topology t = uneven_topology();
  RC_PRE(t.fabric.nics() >= 2u);
  const PairScope scope = draw(0, 3) == 0 ? PairScope::rail : PairScope::all;
  for (const Engine& engine : engines::engines()) {
    const RouteResult result = engines::route(t, engine.name);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing || !visit_forward([](const auto& f) { return Deterministic<std::decay_t<decltype(f)>>; },
                                   routing->forward))
      continue;
    RC_LOG() << engine.name << std::endl;
    expect_alike(t.fabric, *routing, scope);
  }
}

// What an engine calls good serves every pair that cables connect, whatever rail or role the two have.
RC_GTEST_PROP(GraphEngines, ServeEveryPairOfNicsOfUnevenHosts, ()) {
  const Topology t = uneven_topology(8, 4);
  RC_PRE(t.fabric.nics() >= 2u);
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp", "lash", "nue"}) {
    const RouteResult result = engines::route(t, engine);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing) continue;
    RC_LOG() << engine << std::endl;
    const Verdict verdict = judge(t.fabric, *routing);
    RC_ASSERT(verdict.reachable);
    if (std::string_view(engine) != "minhop" && std::string_view(engine) != "sssp")
      RC_ASSERT(verdict.deadlock_free);
  }
}

RC_GTEST_PROP(Formats, KeepUnevenHosts, ()) {
  const Topology t = uneven_topology();
  for (const char* name : {"json", "csv", "dot", "graphml"}) {
    const formats::Format& format = formats::formats().at(name);
    std::stringstream text;
    format.write({t, {}}, text);
    RC_LOG() << name << '\n' << text.str() << std::endl;
    const Fabric read = format.read(text, "x").topology.fabric;
    RC_ASSERT(read.endpoints() == t.fabric.endpoints());
    RC_ASSERT(read.links() == t.fabric.links());
    RC_ASSERT(read.planes() == t.fabric.planes());
  }
}

}  // namespace
}  // namespace banyan::tests
