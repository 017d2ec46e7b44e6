#include "engines/middles.hpp"

#include "engines/hyperx_engine.hpp"

namespace banyan::engines {
namespace {

// Where cables of a HyperX are missing: only middles with both halves whole.
struct WholeMiddles {
  u32 hosts_per_switch;
  u8 state;
  u64 seed;
  HyperXOrder order;

  u32 at(Nic nic) const { return index(nic) / hosts_per_switch; }
  u32 count(Nic from, Nic to, u64) const { return at(from) == at(to) ? 1 : order.middles(at(from), at(to)); }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const u32 a = at(from), b = at(to);
    const u64 pair = u64{a} << 32 | index(to);
    const u32 middle =
        a == b ? b
               : order.middle(a, b, static_cast<u32>((Random(seed, pair).at(0) + i) % order.middles(a, b)));
    return {.to = address_of(to), .state = state, .tag = middle};
  }
  Reads reads() const { return Reads::attachment; }
};

RouteResult route_incomplete(const Topology& topology, const HyperX& hyperx, std::string_view engine,
                             u8 state, u64 seed) {
  if (auto refused = refuse_incomplete(topology, engine)) return *refused;
  // a switch by a switch, and for each pair all middles, 64 at a time
  if (auto refused = refuse_large(hyperx.grid.size() * hyperx.grid.size() * 4, engine)) return *refused;
  HyperXDetours forward(hyperx, topology.fabric);
  const HyperXOrder order = *forward.order();
  const auto parted = [&](u32 a, u32 b) { return order.middles(a, b) == 0; };
  if (auto refused = refuse_parted(topology, engine, parted)) return *refused;
  return Routing{std::move(forward), Source(WholeMiddles{hyperx.hosts_per_switch, state, seed, order}),
                 HyperXDetours::lanes};
}

}  // namespace

RouteResult route_by_middles(const Topology& topology, std::string_view engine, u8 state, u64 seed) {
  if (topology.is<Pgft>())
    return NotApplicable{fmt::format(
        "{} needs a HyperX or a Dragonfly; in a fat-tree 'random' already goes by a random top switch",
        engine)};
  const auto* hyperx = topology.as<HyperX>();
  const auto* dragonfly = topology.as<Dragonfly>();
  if (!hyperx && !dragonfly) return NotApplicable{fmt::format("{} needs a HyperX or a Dragonfly", engine)};
  if (!topology.is_intact() && !hyperx)
    return NotApplicable{fmt::format("{} needs a complete fabric; cables are missing", engine)};
  if (auto refused = refuse_many_hops(topology.fabric, engine, 3)) return *refused;
  if (!topology.is_intact()) return route_incomplete(topology, *hyperx, engine, state, seed);
  if (hyperx) {
    const Middles ways{hyperx->hosts(), hyperx->hosts_per_switch, static_cast<u32>(hyperx->grid.size()),
                       state, seed};
    return Routing{HyperXDetours(*hyperx, topology.planes), Source(ways), HyperXDetours::lanes};
  }
  const u32 lanes = DragonflyDetours::lanes_around;
  const Middles ways{dragonfly->hosts(), dragonfly->hosts_per_switch * dragonfly->group_switches,
                     dragonfly->groups, state, seed};
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes), Source(ways), lanes};
}

}  // namespace banyan::engines
