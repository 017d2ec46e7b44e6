#include "engines/middles.hpp"

#include <memory>
#include <set>

#include "engines/hyperx_engine.hpp"
#include "engines/incremental.hpp"
#include "engines/open_ways.hpp"
#include "fabric/attachments.hpp"

namespace banyan::engines {
namespace {

constexpr u32 max_way = 250;  // channels between switches: a hop says in a byte how many are left

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

// On any graph: all switches with NICs of the plane of the pair are middles, each named by one of its NICs.
struct SwitchMiddles {
  using Nics = std::vector<std::vector<Nic>>;  // by plane
  std::shared_ptr<const Nics> middles;
  std::shared_ptr<const std::vector<Node>> leaf;  // by NIC
  std::shared_ptr<const std::vector<u32>> plane;  // by NIC
  u8 state;
  u64 seed;

  Node at(Nic nic) const { return (*leaf)[index(nic)]; }
  const std::vector<Nic>& on_plane(Nic nic) const { return (*middles)[(*plane)[index(nic)]]; }
  u32 count(Nic from, Nic to, u64) const {
    return at(from) == at(to) ? 1 : static_cast<u32>(on_plane(from).size());
  }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const u64 pair = u64{index(at(from))} << 32 | index(to);
    const auto& all = on_plane(from);
    const Nic middle = at(from) == at(to) ? to : all[(Random(seed, pair).at(0) + i) % all.size()];
    return {.to = address_of(to), .state = state, .tag = index(middle)};
  }
  Reads reads() const { return Reads::attachment; }
};

SwitchMiddles switch_middles(const Fabric& fabric, u8 state, u64 seed) {
  auto leaf = std::make_shared<std::vector<Node>>();
  auto plane = std::make_shared<std::vector<u32>>();
  auto middles = std::make_shared<SwitchMiddles::Nics>(fabric.planes());
  std::set<Node> known;
  for (const Nic nic : IdRange<Nic>(fabric.nics())) {
    leaf->push_back(switch_of(fabric, nic));
    plane->push_back(fabric.plane(nic));
    if (leaf->back() != none<Node> && known.insert(leaf->back()).second)
      (*middles)[plane->back()].push_back(nic);
  }
  return {std::move(middles), std::move(leaf), std::move(plane), state, seed};
}

u32 longest_from_all(const PortSets& sets) {
  u32 out = 1;
  for (u32 group = 0; group < sets.groups(); ++group)
    for (u32 v = 0; v < sets.nodes(); ++v)
      if (const u8 distance = sets.distance(group, v); distance != PortSets::far)
        out = std::max<u32>(out, distance);
  return out;
}

// Why there can be no escape, or nothing: then the options have it.
std::optional<NotApplicable> add_escape(const Topology& topology, std::string_view engine, u32 longest,
                                        GraphDetourOptions& options) {
  if (auto refused = refuse_incremental(topology, engine)) return refused;
  if (auto refused = refuse_many_hops(topology.fabric, engine, 4)) return refused;
  const SwitchCables graph(topology.fabric);
  options.escape =
      std::make_shared<const UpDownEscape>(graph, std::vector<bool>(graph.to.size(), true), false);
  if (std::max(longest, options.escape->longest()) <= max_way) return std::nullopt;
  return NotApplicable{fmt::format("{} handles ways of up to {} channels between switches", engine, max_way)};
}

// By way of straight ways alone, with an escape.
struct StraightWays {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const {
    return {.to = address_of(to), .state = Detour::to_goal(1), .tag = index(to)};
  }
  Reads reads() const { return Reads::nothing; }
};

RouteResult route_on_grid(const Topology& topology, const Torus& torus, u8 state, u64 seed) {
  GridDetours forward(torus, topology.planes, GridDetours::Kind::by_middle);
  const Middles ways{torus.hosts(), torus.hosts_per_switch, static_cast<u32>(torus.grid.size()), state, seed};
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(ways.drawn_at_once()), lanes};
}

}  // namespace

Middles Middles::drawn_at_once() const {
  constexpr u64 max_pairs = u64{1} << 16;
  Middles out = *this;
  if (u64{parts} * hosts > max_pairs) return out;
  auto all = std::make_shared<std::vector<u32>>();
  for (u32 a = 0; a < parts; ++a)
    for (u32 to = 0; to < hosts; ++to) {
      const u64 number = drawn(a, Nic{to});
      if (number > ~u64{0} - parts) return out;  // adding to it would begin again at 0
      all->push_back(static_cast<u32>(number % parts));
    }
  out.first = std::move(all);
  return out;
}

RouteResult route_on_graph(const Topology& topology, std::string_view engine, u8 state, u64 seed,
                           std::vector<u32> groups) {
  const Fabric& fabric = topology.fabric;
  if (!nics_have_one_port(fabric)) return NotApplicable{fmt::format("{} needs NICs with one port", engine)};
  for (const Node nic : fabric.nic_nodes())
    for (const Channel c : fabric.channels(nic))
      if (fabric.cabled(c) && !fabric.is_switch(fabric.to(c)))
        return NotApplicable{fmt::format("{} goes by way of switches: {} is cabled to {}", engine,
                                         fabric.name(nic), fabric.name(fabric.to(c)))};
  PortSets sets = shortest_port_sets(fabric);
  GraphDetourOptions options;
  options.reach = groups.empty() ? longest_way(fabric, sets) : longest_from_all(sets);
  options.groups = std::move(groups);
  if (2 * options.reach + !options.groups.empty() > lanes_in_mask)
    if (auto refused = add_escape(topology, engine, 2 * options.reach, options)) return *refused;
  GraphDetours forward(fabric, std::move(sets), std::move(options));
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(switch_middles(fabric, state, seed)), lanes};
}

RouteResult route_shortest_with_escape(const Topology& topology, std::string_view engine) {
  PortSets sets = shortest_port_sets(topology.fabric);
  GraphDetourOptions options;
  if (auto refused = add_escape(topology, engine, longest_way(topology.fabric, sets), options))
    return *refused;
  GraphDetours forward(topology.fabric, std::move(sets), std::move(options));
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(StraightWays{}), lanes};
}

bool has_grid_detours(const Topology& topology) {
  const auto* torus = topology.as<Torus>();
  if (!torus || !topology.is_intact() || torus->grid.dimensions() > GridDetours::max_dimensions) return false;
  u64 farthest = 0;
  for (const u32 width : torus->grid.widths) farthest += torus->wraps ? width / 2 : width - 1;
  return 2 * farthest <= max_way;
}

RouteResult route_by_middles(const Topology& topology, std::string_view engine, u8 state, u64 seed) {
  if (topology.is<Pgft>())
    return NotApplicable{
        fmt::format("{} is not for fat-trees; there 'random' already goes by a random top switch", engine)};
  if (auto refused = refuse_many_hops(topology.fabric, engine, 3)) return *refused;
  const auto* hyperx = topology.as<HyperX>();
  if (hyperx && !topology.is_intact()) {
    RouteResult grid = route_incomplete(topology, *hyperx, engine, state, seed);
    if (std::holds_alternative<Routing>(grid)) return grid;
    return route_on_graph(topology, engine, state, seed);
  }
  if (hyperx) {
    const Middles ways{hyperx->hosts(), hyperx->hosts_per_switch, static_cast<u32>(hyperx->grid.size()),
                       state, seed};
    return Routing{HyperXDetours(*hyperx, topology.planes), Source(ways.drawn_at_once()),
                   HyperXDetours::lanes};
  }
  if (has_grid_detours(topology)) return route_on_grid(topology, *topology.as<Torus>(), state, seed);
  const auto* dragonfly = topology.as<Dragonfly>();
  if (!dragonfly || !topology.is_intact()) return route_on_graph(topology, engine, state, seed);
  const u32 lanes = DragonflyDetours::lanes_around;
  const Middles ways{dragonfly->hosts(), dragonfly->hosts_per_switch * dragonfly->group_switches,
                     dragonfly->groups, state, seed};
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes), Source(ways.drawn_at_once()), lanes};
}

}  // namespace banyan::engines
