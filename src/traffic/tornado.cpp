// Tornado: on a grid almost half a ring further in every dimension, where dimension order uses one direction
// only; on a Dragonfly every host sends to the same host of the next group, where all minimal paths share the
// cables between the two groups (Kim et al., ISCA 2008). Ranks are hosts in order (placement linear).
#include "topology/place.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

// The switch of a plane that those at switch s send to.
u32 target_on(const Grid& grid, u32 s) {
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const u32 width = grid.widths[d], far = (width + 1) / 2 - 1;
    s = grid.moved(s, d, (grid.coordinate(s, d) + far) % width);
  }
  return s;
}

Traffic tornado(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  std::vector<u32> to(n);
  std::visit(
      [&]<class S>(const S& shape) {
        if constexpr (requires { shape.grid, shape.hosts_per_switch; }) {
          const u32 hosts = shape.hosts_per_switch;
          for (u32 i = 0; i < n; ++i) to[i] = target_on(shape.grid, i / hosts) * hosts + i % hosts;
        } else if constexpr (requires { shape.group_hosts(); }) {
          for (u32 i = 0; i < n; ++i) to[i] = (i + shape.group_hosts()) % shape.hosts();
        } else {
          throw InputError("tornado: expected a torus, a mesh, a HyperX or a Dragonfly");
        }
      },
      setting.topology.shape);
  for (const u32 target : to)
    if (target >= n) throw InputError(fmt::format("tornado: expected a rank on every host, not {}", n));
  const auto list = [to = std::move(to)](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < to.size(); ++i) out.push_back({Rank{i}, Rank{to[i]}});
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern tornado_pattern() {
  return make_pattern<tornado>("tornado", "Dally and Towles 2004, section 3.2; Kim et al., ISCA 2008",
                               "grids: half a ring further; Dragonfly: to the same host of the next group");
}

}  // namespace banyan::traffic
