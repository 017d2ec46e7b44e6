// HyperX, mesh and torus as their grid: the first dimension to the right, the second downwards, the third to
// the right again with whole planes, and so on. One dimension alone is a ring. The hosts of a switch stand
// around it where no cable between switches passes: those are drawn along rows and columns, or bent upwards
// and to the left by at most 6 (`bulge` in web/src/map/fabric.ts).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topology/map/sheet.hpp"

namespace banyan::topology {
namespace {

constexpr double cell = 10;
constexpr double nearest_host = 2.3, farthest_host = 3.7;  // from the middle of their switch

struct GridLayout {
  Sheet& sheet;
  const Grid& grid;
  u32 hosts_per_switch;
  const PlanePlace& plane;

  // The hosts stand on arcs around the direction `towards`; no two of them in the same direction.
  void place_switch(u32 s, MapPoint at, double towards, u32 parent) const {
    const Node node = plane.switch_(s);
    const double step = 0.4 * pi / (std::max(4u, hosts_per_switch) - 1);
    const u32 arcs = hosts_per_switch > 12 ? 3 : hosts_per_switch > 5 ? 2 : 1;
    const u32 group =
        sheet.add_group(sheet.topology.fabric.name(node), parent, std::min(1.0, arcs * step * nearest_host));
    sheet.place(node, at, 1, group);
    for (u32 i = 0; i < hosts_per_switch; ++i) {
      const double angle = towards + (i - (hosts_per_switch - 1) / 2.0) * step;
      const double away =
          arcs == 1 ? nearest_host : nearest_host + i % arcs * (farthest_host - nearest_host) / (arcs - 1);
      sheet.place(plane.nic(s * hosts_per_switch + i),
                  {at.x + away * std::cos(angle), at.y + away * std::sin(angle)}, 0, group);
    }
  }

  // Hosts outside, cables inside.
  void ring() const {
    const u32 n = grid.widths[0];
    const double radius = std::max(cell, n * cell / (2 * pi));
    for (u32 s = 0; s < n; ++s) {
      const double angle = 2 * pi * s / n - pi / 2;
      place_switch(s, {radius * std::cos(angle), radius * std::sin(angle)}, angle, plane.group);
    }
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
  void lines() const {
    const std::vector<double> step = steps();
    u32 slab = plane.group, row = plane.group;
    for (u32 s = 0; s < grid.size(); ++s) {
      MapPoint at;
      for (u32 d = 0; d < grid.dimensions(); ++d) (d % 2 ? at.y : at.x) += grid.coordinate(s, d) * step[d];
      if (grid.dimensions() > 2 && s % (grid.widths[0] * grid.widths[1]) == 0)
        slab = sheet.add_group(fmt::format("plane {}", s / (grid.widths[0] * grid.widths[1])), plane.group,
                               cell * 0.8);
      if (s % grid.widths[0] == 0)
        row = sheet.add_group(fmt::format("row {}", s / grid.widths[0]),
                              grid.dimensions() > 2 ? slab : plane.group, cell * 0.6);
      place_switch(s, at, pi / 4, row);
    }
  }
};

}  // namespace

void draw_grid(Sheet& sheet, const Grid& grid, u32 hosts_per_switch, const PlanePlace& plane) {
  const GridLayout layout{sheet, grid, hosts_per_switch, plane};
  grid.dimensions() == 1 ? layout.ring() : layout.lines();
}

}  // namespace banyan::topology
