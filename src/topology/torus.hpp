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
  u32 degree(u32 number, u32 dimension) const;  // cables of a switch in a dimension
  Port port_towards(u32 number, u32 dimension, u32 coordinate) const;

  // Outlined (outline.hpp).
  static constexpr bool far_permutation = true;
  u64 switch_cables() const { return (switch_ports() - hosts()) / 2; }
  u32 widest_switch() const;
  Bisection best_cut() const;
  void each_cut(auto&& f) const {  // a switch; halves of dimensions
    if (grid.size() > 1) f(HostCut{hosts_per_switch, least_degree()});
    for (u32 d = 0; d < grid.dimensions(); ++d)
      if (const u64 half = grid.widths[d] / 2 * u64{grid.lines(d)}; half > 0)
        f(HostCut{half * hosts_per_switch, u64{closes(d) ? 2U : 1U} * grid.lines(d)});
  }
  u32 grows_to(u32) const { return hosts(); }  // a ring must be opened
  u64 cables(u32 link_class) const;
  std::optional<CableEnds> cable(u32 link_class, u64 i) const;

  bool operator==(const Torus&) const = default;

 private:
  u32 least_degree() const;
  bool closes(u32 dimension) const { return wraps && grid.widths[dimension] > 2; }
};

}  // namespace banyan::topology
