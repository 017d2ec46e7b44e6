#include "routing/table_form.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/assert.hpp"
#include "base/random.hpp"
#include "routing/tree_rows.hpp"
#include "routing/walk.hpp"

namespace banyan::routing {
namespace {

// A source that starts as the original does, with an address for each way.
struct AddressWays {
  Source original;
  u32 lmc;

  u32 count(Nic from, Nic to, u64 bytes) const { return original.count(from, to, bytes); }
  Header way(Nic, Nic to, u64, u32 i) const { return {.to = address_of(to, lmc, i)}; }
  Reads reads() const { return std::min(original.reads(), Reads::attachment); }  // how many there are
};

// The same where ways have other numbers than their addresses.
struct SharedAddressWays {
  Source original;
  u32 lmc;
  Pgft tree;
  std::vector<AddressesByLevel> address;  // by destination

  u32 count(Nic from, Nic to, u64 bytes) const { return original.count(from, to, bytes); }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const u32 level = tree.meeting_level(tree.endpoint_of_nic(from), tree.endpoint_of_nic(to));
    return {.to = address_of(to, lmc, level == 0 ? i : address[index(to)][level][i])};
  }
  Reads reads() const { return Reads::attachment; }
};

std::optional<NotApplicable> refuse(const Fabric& fabric, u64 paths, const AddressLimits& limits) {
  for (Node node : fabric.switch_nodes())
    if (fabric.ports(node) > Tables::max_ports)
      return NotApplicable{fmt::format("{} has {} ports; tables hold up to {}", fabric.name(node),
                                       fabric.ports(node), Tables::max_ports)};
  const u64 nics = fabric.nics();
  u64 fits = u64{1} << limits.lmc;
  while (fits > 0 && fits * nics > limits.addresses) fits /= 2;
  if (paths <= fits) return std::nullopt;
  if (fits == 0) return NotApplicable{fmt::format("{} NICs, but only {} addresses", nics, limits.addresses)};
  return NotApplicable{fmt::format(
      "{} paths a pair are {} addresses for each of {} NICs; there are {} addresses, and at most {} for one "
      "NIC: up to {} paths fit",
      paths, std::bit_ceil(paths), nics, limits.addresses, 1u << limits.lmc, fits)};
}

// Tables of a tree form, an address after the other.
class TreeTables {
 public:
  TreeTables(const Fabric& fabric, const TreeForm& form, const Source& source)
      : fabric_(fabric), form_(form), rows_(form.tree(), source) {}

  u64 max_paths() const {
    u64 paths = 1;
    for (Nic to : IdRange<Nic>(fabric_.nics())) paths = std::max(paths, rows_.max_paths(to));
    return paths;
  }

  // Way i by address i, and further addresses around again.
  Tables by_number(u32 lmc, u32 paths) const {
    Tables tables(fabric_, lmc);
    for (Nic to : IdRange<Nic>(fabric_.nics()))
      for (u32 i = 0; i < 1u << lmc; ++i) {
        const Row row = row_of(tables, to, i, lmc);
        rows_.fill(to, rows_.tags_of_way(to, i % paths), row.switches, row.nics);
      }
    return tables;
  }

  // For each destination, the addresses of its ways; empty if so many do not suffice everywhere.
  std::vector<AddressesByLevel> share(u32 lmc) const {
    std::vector<AddressesByLevel> out;
    for (Nic to : IdRange<Nic>(fabric_.nics())) {
      out.push_back(share_addresses(form_.tree(), rows_.ways(to), 1u << lmc));
      if (out.back().empty()) return {};
    }
    return out;
  }

  Tables shared(u32 lmc, u32 paths, const std::vector<AddressesByLevel>& address) const {
    Tables tables(fabric_, lmc);
    for (Nic to : IdRange<Nic>(fabric_.nics())) fill_shared(to, lmc, paths, address[index(to)], tables);
    return tables;
  }

 private:
  struct Row {
    u8 *switches, *nics;
  };
  Row row_of(Tables& tables, Nic to, u32 i, u32 lmc) const {
    u8* row = tables.towards(address_of(to, lmc, i)).data();
    const Plane plane = form_.planes()[form_.planes().plane(to)];
    return {row + plane.first_switch - tables.first_node(),
            tables.first_node() == 0 ? row + plane.first_nic : nullptr};
  }

  void fill_shared(Nic to, u32 lmc, u32 paths, const AddressesByLevel& address, Tables& tables) const {
    const WaysByLevel ways = rows_.ways(to);
    for (u32 i = 0; i < 1u << lmc; ++i) {
      TreeRows::Tags tags = rows_.tags_of_way(to, i % paths);
      const Row row = row_of(tables, to, i, lmc);
      std::vector<u32> levels;
      for (u32 k = 1; k < ways.size(); ++k)
        for (u32 way = 0; way < ways[k].size(); ++way)
          if (address[k][way] == i) {
            tags[k] = ways[k][way];
            levels.push_back(k);
          }
      rows_.fill(to, tags, row.switches, row.nics);
      for (u32 k : levels) rows_.fill_way_down(to, k, tags[k], row.switches);
    }
  }

  const Fabric& fabric_;
  const TreeForm& form_;
  TreeRows rows_;
};

RouteResult tables_of_form(const Topology& topology, const TreeForm& form, const Routing& routing,
                           const AddressLimits& limits) {
  const Fabric& fabric = topology.fabric;
  const TreeTables tree(fabric, form, routing.source);
  const u64 maximum = tree.max_paths();
  if (auto refused = refuse(fabric, maximum, limits)) return *refused;
  const u32 paths = static_cast<u32>(maximum), lmc = static_cast<u32>(std::bit_width(maximum - 1));
  if (routing.source.reads() == Reads::attachment && !ways_share_freely(form.tree()))
    for (u32 more = lmc; !refuse(fabric, u64{1} << more, limits); ++more)
      if (auto address = tree.share(more); !address.empty()) {
        Tables tables = tree.shared(more, paths, address);
        SharedAddressWays ways{routing.source, more, form.tree(), std::move(address)};
        return Routing{std::move(tables), Source(std::move(ways)), 1, more};
      }
  return Routing{tree.by_number(lmc, paths), Source(AddressWays{routing.source, lmc}), 1, lmc};
}

// Any other forward: asks it at every node of the destination's plane. No header depends on the source, so
// any source will do.
template <class F>
RouteResult tables_of_form(const Topology& topology, const F& form, const Routing& routing,
                           const AddressLimits& limits) {
  if constexpr (requires { F::no_tables; }) return NotApplicable{std::string(F::no_tables)};
  if constexpr (Adaptive<F>) {
    return NotApplicable{"switches choose among several ports; tables cannot say that"};
  } else {
    const Fabric& fabric = topology.fabric;
    const Source& source = routing.source;
    if (routing.lanes > 1) return NotApplicable{"the lane changes on the way; tables cannot say that"};
    if (source.reads() != Reads::nothing)
      return NotApplicable{"the way depends on the source; tables cannot say that"};
    u32 paths = 1;
    for (Nic to : IdRange<Nic>(fabric.nics())) paths = std::max(paths, source.count(to, to, 0));
    if (auto refused = refuse(fabric, paths, limits)) return *refused;
    const u32 lmc = static_cast<u32>(std::bit_width(paths - 1));
    const Planes planes = topology.numbering();
    Tables tables(fabric, lmc);
    for (Address to : IdRange<Address>(tables.addresses())) {
      const Nic nic = nic_of(to, lmc);
      const u32 way = index(to) % (1u << lmc);
      const Header header = source.way(nic, nic, 0, way % source.count(nic, nic, 0));
      for (Node v : IdRange<Node>(tables.first_node(), fabric.nodes().size())) {
        if (v == fabric.node(nic) || !planes.has(v) || planes.plane(v) != planes.plane(nic)) continue;
        const Hop hop = form.next(v, header);
        if (hop.state != header.state)
          return NotApplicable{"the header changes on the way; tables cannot say that"};
        tables(v, to) = static_cast<u8>(index(hop.port));
      }
    }
    return Routing{std::move(tables), Source(AddressWays{routing.source, lmc}), 1, lmc};
  }
}

RouteResult tables_of_form(const Topology&, const Tables&, const Routing& routing, const AddressLimits&) {
  return routing;
}

}  // namespace

RouteResult tables_of(const Topology& topology, const Routing& routing, const AddressLimits& limits) {
  return std::visit([&](const auto& form) { return tables_of_form(topology, form, routing, limits); },
                    routing.forward);
}

namespace {

// Whether two headers take the same channels and end alike.
template <Deterministic A, Deterministic B>
bool same_path(const Fabric& fabric, const A& a, const Header& of_a, const B& b, const Header& of_b, Nic from,
               Nic to) {
  std::vector<Channel> x, y;
  x.reserve(16);
  y.reserve(16);
  const Node start = fabric.node(from), goal = fabric.node(to);
  const Step end_x = walk(fabric, a, start, of_a, goal, [&](Channel c) { x.push_back(c); });
  const Step end_y = walk(fabric, b, start, of_b, goal, [&](Channel c) { y.push_back(c); });
  return end_x.why == end_y.why && x == y;
}

template <Deterministic A, Deterministic B>
void compare_pair(const Fabric& fabric, const Routing& x, const A& a, const Routing& y, const B& b, Nic from,
                  Nic to, OtherPaths& out) {
  const u32 ways = x.source.count(from, to, 0);
  for (u32 i = 0; i < ways; ++i) {
    ++out.compared;
    out.different +=
        i >= y.source.count(from, to, 0) ||
        !same_path(fabric, a, x.source.way(from, to, 0, i), b, y.source.way(from, to, 0, i), from, to);
  }
}

template <Deterministic A, Deterministic B>
OtherPaths compare(const Fabric& fabric, const Routing& x, const A& a, const Routing& y, const B& b,
                   u64 max_pairs, u64 seed) {
  const u64 nics = fabric.nics(), pairs = nics * nics;
  OtherPaths out;
  out.sampled = pairs > max_pairs;
  Random random(seed);
  for (u64 i = 0; i < std::min(pairs, max_pairs); ++i) {
    const u64 pair = out.sampled ? random.below(pairs) : i;
    const Nic from{static_cast<u32>(pair / nics)}, to{static_cast<u32>(pair % nics)};
    if (from == to || fabric.plane(from) != fabric.plane(to)) continue;
    compare_pair(fabric, x, a, y, b, from, to, out);
  }
  return out;
}

}  // namespace

OtherPaths share_of_other_paths(const Fabric& fabric, const Routing& x, const Routing& y, u64 max_pairs,
                                u64 seed) {
  return std::visit(
      [&]<class A, class B>(const A& a, const B& b) {
        if constexpr (Deterministic<A> && Deterministic<B>)
          return compare(fabric, x, a, y, b, max_pairs, seed);
        BANYAN_ASSERT(Deterministic<A> && Deterministic<B>,
                      "an adaptive routing has no one path to compare");  // an adaptive routing has no one
                                                                          // path to compare
        return OtherPaths{};
      },
      x.forward, y.forward);
}

}  // namespace banyan::routing
