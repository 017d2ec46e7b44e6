// Source routes of Elite networks: a tag for each switch that names one link or a group of links, any of
// which will do; and the links that a broadcast to a range of hosts takes at a switch.
#pragma once
#include <array>

#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::qsnet {

using Tag = u64;  // ports of a switch, as a mask

struct Route {
  static constexpr u32 maximum = 20;
  std::array<Tag, maximum> tags{};
  u32 switches = 0;
  u32 first = 0, last = 0;  // the hosts of a broadcast
  bool broadcast = false;
};

class Routes {
 public:
  // Throws InputError for fabrics that Elites cannot be: several rails or ports at a NIC, 65 ports and more.
  Routes(const Topology& topology, const Routing& routing);

  // To a NIC, itself included. Throws InputError where tags cannot say what the routing wants.
  Route unicast(u32 from, u32 to) const;

  // To hosts first..last, in a fat-tree that lacks no cable. All broadcasts climb and descend one spanning
  // tree, that of the first root: docs/qsnet.md says why they then cannot deadlock.
  Route broadcast(u32 from, u32 first, u32 last) const;
  Tag branches(const Route& route, u32 node, bool descending) const;

  const Topology& topology() const { return topology_; }

 private:
  void walk(u32 from, u32 to, bool last_choice, Route& route) const;

  const Topology& topology_;
  const Routing& routing_;
};

}  // namespace banyan::qsnet
