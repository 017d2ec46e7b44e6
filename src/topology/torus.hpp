// Torus and mesh: the grid of a HyperX with cables between neighbours only; a torus closes the rings.
#pragma once
#include "topology/hyperx.hpp"

namespace banyan::topology {

struct Torus {
  Grid grid;
  bool wraps = true;  // false: a mesh. A ring of two switches has one cable, not two.
  u32 hosts_per_switch = 1;
  std::vector<LinkClass> links;  // host links, then by dimension

  u32 hosts() const { return static_cast<u32>(grid.size()) * hosts_per_switch; }
  std::string notation() const;
  std::vector<u32> switches_per_level() const { return {static_cast<u32>(grid.size())}; }
  u64 switch_ports() const;
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;
  std::optional<Distances> distances() const;
  std::optional<Bisection> bisection() const;

  u32 leaf(u32 nic) const { return nic / hosts_per_switch; }
  // The coordinates of the neighbours in a dimension, ascending, which is the order of the ports.
  std::vector<u32> neighbours(u32 number, u32 dimension) const;
  Port port_towards(u32 number, u32 dimension, u32 coordinate) const;

  bool operator==(const Torus&) const = default;

 private:
  bool closes(u32 dimension) const { return wraps && grid.widths[dimension] > 2; }
};

}  // namespace banyan::topology
