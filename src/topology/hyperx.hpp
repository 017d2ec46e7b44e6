// HyperX (Ahn et al., SC 2009): switches on a grid, where all switches on a line are connected to each other.
// It includes hypercube, flattened butterfly and full mesh. Torus and mesh use the same grid with cables
// between neighbours only.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/cables.hpp"
#include "topology/plane.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

// Switch number <-> coordinates; the first dimension written varies fastest.
struct Grid {
  std::vector<u32> widths;

  u32 dimensions() const { return static_cast<u32>(widths.size()); }
  u64 size() const;
  u32 coordinate(u32 number, u32 dimension) const { return number / stride(dimension) % widths[dimension]; }
  u32 moved(u32 number, u32 dimension, u32 coordinate) const;  // the switch with one coordinate replaced
  u32 stride(u32 dimension) const;
  // The switch with coordinate 0 on line number `line` of a dimension.
  u32 first_on_line(u32 dimension, u32 line) const {
    return line % stride(dimension) + line / stride(dimension) * stride(dimension) * widths[dimension];
  }
  u32 lines(u32 dimension) const { return static_cast<u32>(size()) / widths[dimension]; }
  bool operator==(const Grid&) const = default;
};

struct HyperX {
  Grid grid;
  std::vector<u32> trunk;  // cables between two neighbours, by dimension
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
  // The first port towards the neighbour with that coordinate; `trunk` consecutive ports lead there.
  Port port_towards(u32 number, u32 dimension, u32 coordinate) const;

  // Outlined (outline.hpp).
  static constexpr bool far_permutation = true;
  u64 switch_cables() const;
  u32 widest_switch() const { return static_cast<u32>(switch_ports() / grid.size()); }
  Bisection best_cut() const;
  u64 least_cut() const;
  void each_cut(
      auto&& f) const {  // a switch, then more and more whole dimensions of it; halves of dimensions
    std::vector<HostCut> found;
    list_cuts(found);
    for (const HostCut& cut : found) f(cut);
  }
  u32 grows_to(u32 ports) const;  // in one dimension
  u64 cables(u32 link_class) const;
  std::optional<CableEnds> cable(u32 link_class, u64 i) const;

  bool operator==(const HyperX&) const = default;

 private:
  std::vector<u32> cut_order() const;  // dimensions that have a width, the cheapest to cut first
  u64 nested_cut(const std::vector<u32>& order) const;
  void list_cuts(std::vector<HostCut>& out) const;
};

}  // namespace banyan::topology
