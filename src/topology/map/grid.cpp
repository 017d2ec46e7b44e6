// HyperX, mesh and torus as their grid: the first dimension to the right, the second downwards, the third to
// the right again with whole planes, and so on. One dimension alone is a ring.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "topology/map/sheet.hpp"

namespace banyan::topology {
namespace {

constexpr double cell = 10, host_row = 2.5;

struct GridLayout {
  Sheet& sheet;
  const Grid& grid;
  u32 hosts_per_switch;
  const PlanePlace& plane;

  void place_switch(u32 s, MapPoint at, u32 parent) const {
    const Node node = plane.switch_(s);
    const u32 group = sheet.add_group(sheet.topology.fabric.name(node), parent, 1);
    sheet.place(node, at, 1, group);
    std::vector<Node> nics;
    for (u32 i = 0; i < hosts_per_switch; ++i) nics.push_back(plane.nic(s * hosts_per_switch + i));
    sheet.place_hosts(nics, {at.x, at.y + host_row}, 0.75 * cell, group);
  }

  double ring() const {
    const u32 n = grid.widths[0];
    const double radius = std::max(cell, n * cell / (2 * std::numbers::pi));
    for (u32 s = 0; s < n; ++s) {
      const double angle = 2 * std::numbers::pi * s / n - std::numbers::pi / 2;
      place_switch(s, {radius * std::cos(angle), plane.top + radius * (1 + std::sin(angle))}, plane.group);
    }
    return 2 * radius;
  }

  // How far apart neighbours in a dimension are drawn.
  std::vector<double> steps() const {
    std::vector<double> out;
    std::array<double, 2> extent{cell, cell};
    for (u32 d = 0; d < grid.dimensions(); ++d) {
      out.push_back(extent[d % 2] * (d < 2 ? 1 : 1.2));
      extent[d % 2] = out.back() * grid.widths[d];
    }
    return out;
  }

  // Switches go by rows, the rows of three dimensions and more by planes.
  double lines() const {
    const std::vector<double> step = steps();
    u32 slab = plane.group, row = plane.group;
    double height = 0;
    for (u32 s = 0; s < grid.size(); ++s) {
      MapPoint at{0, plane.top};
      for (u32 d = 0; d < grid.dimensions(); ++d) (d % 2 ? at.y : at.x) += grid.coordinate(s, d) * step[d];
      if (grid.dimensions() > 2 && s % (grid.widths[0] * grid.widths[1]) == 0)
        slab = sheet.add_group(fmt::format("plane {}", s / (grid.widths[0] * grid.widths[1])), plane.group,
                               cell * 0.8);
      if (s % grid.widths[0] == 0)
        row = sheet.add_group(fmt::format("row {}", s / grid.widths[0]),
                              grid.dimensions() > 2 ? slab : plane.group, cell * 0.6);
      place_switch(s, at, row);
      height = std::max(height, at.y + cell - plane.top);
    }
    return height;
  }
};

}  // namespace

double draw_grid(Sheet& sheet, const Grid& grid, u32 hosts_per_switch, const PlanePlace& plane) {
  const GridLayout layout{sheet, grid, hosts_per_switch, plane};
  return grid.dimensions() == 1 ? layout.ring() : layout.lines();
}

}  // namespace banyan::topology
