#include "qsnet/routes.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "routing/walk.hpp"

namespace banyan::qsnet {

Routes::Routes(const Topology& topology, const Routing& routing) : topology_(topology), routing_(routing) {
  const Fabric& fabric = topology.fabric;
  if (fabric.columns() != 1) throw InputError(fmt::format("{} rails; elan3 expects one", fabric.columns()));
  for (Node node : fabric.nodes()) {
    if (!fabric.is_switch(node) && fabric.ports(node) != 1)
      throw InputError(fmt::format("a NIC with {} ports; an Elan has one", fabric.ports(node)));
    if (fabric.ports(node) > 64)
      throw InputError(fmt::format("a switch of {} ports; source tags name 64 at most", fabric.ports(node)));
  }
}

void Routes::walk(u32 from, u32 to, bool last_choice, Route& route) const {
  const Fabric& fabric = topology_.fabric;
  const auto no_way = [&] { return InputError(fmt::format("no way from host {} to host {}", from, to)); };
  Hops hops;
  route.switches = 0;
  const auto step = [&](Node node, const Header& header) {
    if (!fabric.is_switch(node))
      return take(fabric, node, {.port = Port{0}, .state = header.state}, Node{to});
    if (route.switches == Route::maximum) throw InputError("a path of more than 20 switches");
    std::visit([&](const auto& forward) { offered(forward, node, header, hops); }, routing_.forward);
    Tag tag = 0;
    for (const Hop& hop : hops) tag |= Tag{1} << index(hop.port);
    if (tag == 0) throw no_way();
    route.tags[route.switches++] = tag;
    return take(fabric, node, last_choice ? hops[hops.size() - 1] : hops[0], Node{to});
  };
  const Header header = routing_.source.way(Nic{from}, Nic{to}, 0, 0);
  if (!walk_by(step, Node{from}, header, Node{to}, [](Channel) {}).arrived()) throw no_way();
}

Route Routes::unicast(u32 from, u32 to) const {
  const Fabric& fabric = topology_.fabric;
  Route route, other;
  if (from == to) {  // turns round at the first switch
    route.switches = 1;
    route.tags[0] = Tag{1} << index(fabric.port(fabric.reverse(fabric.channel(Node{from}, Port{0}))));
    return route;
  }
  walk(from, to, false, route);
  walk(from, to, true, other);
  if (route.tags != other.tags)
    throw InputError(
        fmt::format("tags from host {} to host {} depend on the way taken; Elites need a routing "
                    "whose choices all go on alike",
                    from, to));
  return route;
}

Route Routes::broadcast(u32 from, u32 first, u32 last) const {
  const auto* tree = topology_.as<Pgft>();
  if (!tree || !topology_.is_intact()) throw InputError("broadcast expects a fat-tree that lacks no cable");
  if (first > last || last >= topology_.fabric.hosts())
    throw InputError(fmt::format("broadcast to hosts {}..{} of {}", first, last, topology_.fabric.hosts()));
  Route route;
  route.first = first;
  route.last = last;
  route.broadcast = true;
  route.switches = 1;
  while (tree->M(route.switches) * (from / tree->M(route.switches)) > first ||
         tree->M(route.switches) * (from / tree->M(route.switches) + 1) <= last)
    ++route.switches;
  for (u32 level = 1; level < route.switches; ++level)
    route.tags[level - 1] = Tag{1} << tree->down_ports(level);
  return route;
}

Tag Routes::branches(const Route& route, u32 node, bool descending) const {
  const auto& tree = std::get<Pgft>(topology_.shape);
  const u32 number = node - topology_.fabric.nics(), level = tree.level(number);
  if (!descending && level < route.switches) return route.tags[level - 1];
  const u64 subtree = (number - tree.first_switch(level)) / tree.W(level);
  Tag tag = 0;
  for (u32 a = 0; a < tree.m[level - 1]; ++a) {
    const u64 low = (subtree * tree.m[level - 1] + a) * tree.M(level - 1);
    if (low <= route.last && low + tree.M(level - 1) > route.first) tag |= Tag{1} << a;
  }
  return tag;
}

}  // namespace banyan::qsnet
