// Levels, attachments and places against their plain definitions, over random graphs and random topologies.
#include "topology/place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "fabric/attachments.hpp"
#include "fabric/levels.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

// Anything that can be cabled: NICs of several ports, NICs cabled to each other, parallel cables, loops,
// parts without hosts, empty ports.
Fabric random_graph() {
  const u32 hosts = draw(0, 6), rails = draw(1, 3), nodes = hosts * rails + draw(0, 7);
  FabricBuilder builder(hosts, rails);
  builder.nic_ports(draw(1, 3));
  for (u32 v = hosts * rails; v < nodes; ++v) builder.add_switch(draw(0, 5));
  std::vector<std::pair<Node, Port>> ends;
  for (u32 v = 0; v < nodes; ++v)
    for (u32 p = 0; p < builder.ports(Node{v}); ++p) ends.emplace_back(Node{v}, Port{p});
  Random(draw(0, 1u << 30)).shuffle(std::span(ends));
  for (u32 cables = draw(0, static_cast<u32>(ends.size() / 2)); cables > 0; --cables) {
    const auto [a, pa] = ends[2 * cables - 2];
    const auto [b, pb] = ends[2 * cables - 1];
    builder.connect(a, pa, b, pb, 0);
  }
  return std::move(builder).build();
}

Fabric placeable_fabric() {
  const Fabric fabric = draw(0, 1) == 0 ? random_graph() : random_topology().fabric;
  const u32 percent = draw_product(1, 60);
  return broken(fabric, percent, draw(0, 1u << 30));
}

// The fewest cables to a NIC: what every cable says, until nothing changes.
IdVector<Node, u32> plain_levels(const Fabric& fabric, bool with_taken) {
  std::vector<Link> cables;
  fabric.each_link([&](const Link& link) { cables.push_back(link); });
  if (with_taken) cables.insert(cables.end(), fabric.taken().begin(), fabric.taken().end());
  IdVector<Node, u32> out(fabric.nodes().size(), no_level);
  for (Node nic : fabric.nic_nodes()) out[nic] = 0;
  for (bool again = true; again;) {
    again = false;
    for (const Link& link : cables)
      for (const auto& [near, far] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
        u32 &here = out[fabric.from(near)], there = out[fabric.from(far)];
        if (there != no_level && there + 1 < here) here = there + 1, again = true;
      }
  }
  return out;
}

RC_GTEST_PROP(Levels, AreTheFewestCablesToANic, ()) {
  const Fabric fabric = placeable_fabric();
  RC_ASSERT(levels_from_hosts(fabric) == plain_levels(fabric, false));
  RC_ASSERT(levels_from_hosts(fabric, CountedCables::also_taken) == plain_levels(fabric, true));
}

std::vector<Node> cabled_to(const Fabric& fabric, Nic nic) {
  std::vector<Node> out;
  for (Channel c : fabric.channels(fabric.node(nic))) out.push_back(fabric.to(c));
  return out;
}

RC_GTEST_PROP(Attachments, PutNicsTogetherThatAreCabledAlikeInOneDomain, ()) {
  const Fabric fabric = placeable_fabric();
  const PairScope scope = draw(0, 1) ? PairScope::all : PairScope::rail;
  const auto all = attachments(fabric, scope);
  std::vector<u32> number(fabric.nics(), ~u32{0});
  for (u32 a = 0; a < all.size(); ++a) {
    RC_ASSERT(!all[a].nics.empty());
    RC_ASSERT(std::is_sorted(all[a].nics.begin(), all[a].nics.end()));
    RC_ASSERT((a == 0 || all[a - 1].nics.front() < all[a].nics.front()));
    for (Nic nic : all[a].nics) {
      RC_ASSERT(number[index(nic)] == ~u32{0});
      number[index(nic)] = a;
      RC_ASSERT(cabled_to(fabric, nic) == all[a].at && domain_of(fabric, nic, scope) == all[a].domain);
    }
  }
  for (Nic a : IdRange<Nic>(fabric.nics()))
    for (Nic b : IdRange<Nic>(fabric.nics())) {
      const bool alike = fabric.plane(a) == fabric.plane(b) && cabled_to(fabric, a) == cabled_to(fabric, b) &&
                         (scope == PairScope::all || fabric.column(a) == fabric.column(b));
      RC_ASSERT((number[index(a)] == number[index(b)]) == alike);
      RC_ASSERT(cabled_alike(fabric, a, b, scope) == alike);
    }
}

RC_GTEST_PROP(Attachments, FindTheFirstSwitchOfANic, ()) {
  const Fabric fabric = placeable_fabric();
  bool have_one_port = true;
  for (Nic nic : IdRange<Nic>(fabric.nics())) {
    Node first = none<Node>;
    for (Node node : cabled_to(fabric, nic))
      if (first == none<Node> && node != none<Node> && fabric.is_switch(node)) first = node;
    RC_ASSERT(switch_of(fabric, nic) == first);
    have_one_port = have_one_port && fabric.ports(fabric.node(nic)) <= 1;
  }
  RC_ASSERT(nics_have_one_port(fabric) == have_one_port);
}

RC_GTEST_PROP(Place, OfNodesAgreesWithTheCables, ()) {
  const Topology t = random_topology();
  const Places places(t);
  const auto level = levels_from_hosts(t.fabric);
  const u32 dimensions = places.grid() ? places.grid()->dimensions() : 0;
  for (Node v : t.fabric.nodes()) {
    RC_ASSERT(places.has(v));
    RC_ASSERT(places.level(v) == level[v]);
    RC_ASSERT(places.plane(v) < t.planes);
  }
  for (Channel c : t.fabric.channels()) {
    if (!t.fabric.cabled(c)) continue;
    const Node from = t.fabric.from(c), to = t.fabric.to(c);
    RC_ASSERT(places.plane(from) == places.plane(to));
    if (t.fabric.is_switch(from)) continue;
    if (c == t.fabric.channel(from, Port{0})) RC_ASSERT(switch_of(t.fabric, t.fabric.nic(from)) == to);
    if (places.has_groups()) RC_ASSERT(places.group(from) == places.group(to));
    for (u32 d = 0; d < dimensions; ++d) RC_ASSERT(places.coordinate(from, d) == places.coordinate(to, d));
  }
}

RC_GTEST_PROP(Place, OfSwitchesIsTakenOnceInAPlane, ()) {
  const Topology t = random_topology();
  const Places places(t);
  const Planes& planes = places.planes();
  std::set<std::vector<u32>> taken;
  for (Node v : t.fabric.switch_nodes()) {
    const Plane plane = planes[places.plane(v)];
    RC_ASSERT(plane.switch_(planes.switch_number(v)) == v);
    if (!places.grid()) continue;
    std::vector<u32> at = {places.plane(v)};
    for (u32 d = 0; d < places.grid()->dimensions(); ++d) at.push_back(places.coordinate(v, d));
    RC_ASSERT(taken.insert(at).second);
  }
  for (Node v : t.fabric.nic_nodes())
    RC_ASSERT(planes[places.plane(v)].nic(planes.number(t.fabric.nic(v))) == v);
}

ChannelRole opposite(ChannelRole role, u32 far_level) {
  using enum ChannelRole::Is;
  if (role.is == up || role.is == down) return {role.is == up ? down : up, far_level};
  if (role.is == from_host || role.is == to_host) return {role.is == from_host ? to_host : from_host};
  return role;
}

RC_GTEST_PROP(Place, OfACableIsTheSameFromBothEnds, ()) {
  using enum ChannelRole::Is;
  const Topology t = random_topology();
  const Places places(t);
  for (Channel c : t.fabric.channels()) {
    if (!t.fabric.cabled(c)) continue;
    const ChannelRole role = places.role(c);
    const Node from = t.fabric.from(c), to = t.fabric.to(c);
    RC_ASSERT(role.is != other);
    RC_ASSERT(places.role(t.fabric.reverse(c)) == opposite(role, places.level(to)));
    if (role.is == up) RC_ASSERT(role.which == places.level(from) && places.level(to) == role.which + 1);
    if (role.is == from_host) RC_ASSERT(!t.fabric.is_switch(from));
    if (role.is == local) RC_ASSERT(places.group(from) == places.group(to));
    if (role.is == global) RC_ASSERT(places.group(from) != places.group(to));
    if (role.is != dimension) continue;
    for (u32 d = 0; d < places.grid()->dimensions(); ++d)
      RC_ASSERT((places.coordinate(from, d) != places.coordinate(to, d)) == (d == role.which));
  }
}

}  // namespace
}  // namespace banyan::tests
