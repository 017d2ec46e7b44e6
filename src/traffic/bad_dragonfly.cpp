// Every host of a Dragonfly sends to all hosts of the next group alike, where all minimal paths share the
// cables between the two groups (Kim et al., ISCA 2008). Each rank sends 1 in all. Ranks are hosts in order
// (placement linear).
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

// Hosts of a group; 0: there is no next group.
u32 group_hosts(const Topology& topology) {
  return std::visit(
      []<class S>(const S& shape) -> u32 {
        if constexpr (requires { shape.group_hosts(); }) return shape.groups > 1 ? shape.group_hosts() : 0;
        return 0;
      },
      topology.shape);
}

Traffic bad_dragonfly(const PatternSetting& setting, const NoOptions&) {
  const u32 hosts = group_hosts(setting.topology), n = setting.ranks;
  if (hosts == 0)
    throw InputError("bad-dragonfly: expected a Dragonfly or Dragonfly+ of at least two groups");
  const u64 all = u64{setting.topology.fabric.hosts()} * setting.processes;
  const u32 group = hosts * setting.processes;  // ranks
  if (n != all)
    throw InputError(fmt::format("bad-dragonfly: expected a rank on every host, {} in all, not {}", all, n));
  const auto every = [n, group](u32 step) {
    return [n, group, step](u64, u64, u64, std::vector<Demand>& out) {
      for (u32 i = 0; i < n; i += step) {
        const u32 next = (i / group + 1) * group % n;
        for (u32 j = 0; j < group; ++j) out.push_back({Rank{i}, Rank{next + j}, 1.0 / group});
      }
    };
  };
  return {.ranks = n, .list = every(1), .alike = group, .list_firsts = every(group)};
}

}  // namespace

Pattern bad_dragonfly_pattern() {
  return make_pattern<bad_dragonfly>("bad-dragonfly", "Kim et al., ISCA 2008",
                                     "Dragonfly: to all hosts of the next group alike");
}

}  // namespace banyan::traffic
