#include "routing/table_form.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <optional>

#include "base/random.hpp"

namespace banyan {
namespace {

// A source that starts as the original does, with an address for each way.
struct AddressWays {
  Source original;
  u32 lmc;

  u32 count(Nic from, Nic to, u64 bytes) const { return original.count(from, to, bytes); }
  Header way(Nic, Nic to, u64, u32 i) const { return {.to = address_of(to, lmc, i)}; }
  Reads reads() const { return std::min(original.reads(), Reads::attachment); }  // how many there are
};

std::optional<NotApplicable> refuse(const Fabric& fabric, u64 paths, const AddressLimits& limits) {
  for (Node node : fabric.switch_nodes())
    if (fabric.ports(node) > Tables::most_ports)
      return NotApplicable{fmt::format("{} has {} ports; tables hold up to {}", fabric.name(node),
                                       fabric.ports(node), Tables::most_ports)};
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

// One row of a PGFT's tables at a time. Switches of one level in one subtree lie together.
class TreeRows {
 public:
  TreeRows(const Pgft& tree, const Source& source) : tree_(tree), source_(source) {
    for (u32 l = 0; l <= tree.h(); ++l) {
      M_.push_back(static_cast<u32>(tree.M(l)));
      W_.push_back(static_cast<u32>(tree.W(l)));
      first_.push_back(l == 0 ? 0 : tree.first_switch(l));
    }
  }

  // The most ways that any source has to this endpoint.
  u64 most_paths(Nic to) const {
    u64 most = 1;
    for (u32 k = 1; k <= tree_.h(); ++k)
      if (tree_.m[k - 1] > 1) most = std::max<u64>(most, source_.count(source_meeting(to, k), to, 0));
    return most;
  }

  // Entries of the plane's switches, from its first on, and of its NICs if they have any.
  void fill(Nic to, u32 way, u8* switches, u8* nics) const {
    const u32 j = endpoint(to);
    std::optional<u64> tag_from_top;
    for (u32 k = tree_.h(); k >= 1; --k) {
      if (tree_.m[k - 1] == 1) continue;  // no pair meets there and not below
      const Nic from = source_meeting(to, k);
      const u64 tag = source_.way(from, to, 0, way % source_.count(from, to, 0)).tag;
      const u32 subtree = j / M_[k];
      for (u32 l = 1; l < k; ++l)
        std::memset(switches + first_[l] + std::size_t{subtree} * (M_[k] / M_[l]) * W_[l],
                    static_cast<int>(tree_.down_ports(l) + TreeForm::up_port(tag, l)),
                    std::size_t{M_[k] / M_[l]} * W_[l]);
      if (nics)
        for (u32 i = subtree * M_[k]; i < (subtree + 1) * M_[k]; ++i)
          nics[index(tree_.nic_of_endpoint(i))] = static_cast<u8>(TreeForm::up_port(tag, 0));
      if (!tag_from_top) tag_from_top = tag;
    }
    if (tag_from_top) fill_down(j, *tag_from_top, switches);
    if (nics) nics[index(tree_.nic_of_endpoint(j))] = Tables::no_port;
  }

 private:
  // Down by the cables that pairs meeting at the top take.
  void fill_down(u32 j, u64 tag, u8* switches) const {
    for (u32 l = 1; l <= tree_.h(); ++l) {
      const u32 cable = TreeForm::up_port(tag, l - 1) / tree_.w[l - 1];
      const u32 port = j / M_[l - 1] % tree_.m[l - 1] + cable * tree_.down_stride(l);
      std::memset(switches + first_[l] + std::size_t{j / M_[l]} * W_[l], static_cast<int>(port), W_[l]);
    }
  }

  u32 endpoint(Nic nic) const { return tree_.endpoint_of_nic(Nic{index(nic) % tree_.endpoints()}); }

  // An endpoint that differs in digit k from this one, and below not at all.
  Nic source_meeting(Nic to, u32 k) const {
    const u32 j = endpoint(to), plane = index(to) / tree_.endpoints() * tree_.endpoints();
    const u32 digit = j / M_[k - 1] % tree_.m[k - 1], other = (digit + 1) % tree_.m[k - 1];
    return Nic{plane + index(tree_.nic_of_endpoint(j + other * M_[k - 1] - digit * M_[k - 1]))};
  }

  const Pgft& tree_;
  const Source& source_;
  std::vector<u32> M_, W_, first_;
};

RouteResult tables_of_form(const Fabric& fabric, const TreeForm& form, const Routing& routing,
                           const AddressLimits& limits) {
  const Pgft& tree = form.tree();
  const u32 plane_switches = fabric.switches() / form.planes();
  u64 paths = 1;
  const TreeRows rows(tree, routing.source);
  for (Nic to : IdRange<Nic>(fabric.nics())) paths = std::max(paths, rows.most_paths(to));
  if (auto refused = refuse(fabric, paths, limits)) return *refused;
  const u32 lmc = static_cast<u32>(std::bit_width(paths - 1));
  Tables tables(fabric, lmc);
  for (Nic to : IdRange<Nic>(fabric.nics()))
    for (u32 i = 0; i < 1u << lmc; ++i) {
      u8* row = tables.towards(address_of(to, lmc, i)).data();
      const u32 plane = index(to) / tree.endpoints();
      const bool nics = tables.first_node() == 0;
      rows.fill(to, i % static_cast<u32>(paths), row + (nics ? fabric.nics() : 0) + plane * plane_switches,
                nics ? row + plane * tree.endpoints() : nullptr);
    }
  return Routing{std::move(tables), Source(AddressWays{routing.source, lmc}), 1, lmc};
}

// The header is the same from every source, so any will do.
RouteResult tables_of_form(const Fabric& fabric, const DimensionOrder& form, const Routing& routing,
                           const AddressLimits& limits) {
  if (routing.lanes > 1) return NotApplicable{"the lane changes on the way; tables cannot say that"};
  if (auto refused = refuse(fabric, 1, limits)) return *refused;
  Tables tables(fabric);
  const u32 plane_nics = fabric.hosts(), plane_switches = fabric.switches() / fabric.rails();
  for (Nic to : IdRange<Nic>(fabric.nics())) {
    const Header header = routing.source.way(to, to, 0, 0);
    const u32 first = fabric.nics() + index(to) / plane_nics * plane_switches;
    for (Node v : IdRange<Node>(first, first + plane_switches))
      tables(v, address_of(to)) = static_cast<u8>(index(form.next(v, header).port));
  }
  return Routing{std::move(tables), Source(AddressWays{routing.source, 0}), 1, 0};
}

RouteResult tables_of_form(const Fabric&, const HashedNextHops&, const Routing&, const AddressLimits&) {
  return NotApplicable{"every switch hashes the flow; tables cannot say that"};
}

template <Adaptive F>
RouteResult tables_of_form(const Fabric&, const F&, const Routing&, const AddressLimits&) {
  return NotApplicable{"switches choose among several ports; tables cannot say that"};
}

RouteResult tables_of_form(const Fabric&, const Tables&, const Routing& routing, const AddressLimits&) {
  return routing;
}

}  // namespace

RouteResult tables_of(const Topology& topology, const Routing& routing, const AddressLimits& limits) {
  return std::visit([&](const auto& form) { return tables_of_form(topology.fabric, form, routing, limits); },
                    routing.forward);
}

namespace {

// Whether two headers take the same channels.
template <class A, class B>
bool same_path(const Fabric& fabric, const A& a, Header of_a, const B& b, Header of_b, Nic from, Nic to) {
  for (Node at = fabric.node(from); at != fabric.node(to);) {
    const Hop x = a.next(at, of_a), y = b.next(at, of_b);
    if (x.port != y.port || index(x.port) >= fabric.ports(at)) return false;
    of_a.state = x.state, of_b.state = y.state;
    at = fabric.to(fabric.channel(at, x.port));
    if (at == none<Node>) return false;
  }
  return true;
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
                   u64 most_pairs, u64 seed) {
  const u64 hosts = fabric.hosts(), pairs = hosts * hosts * fabric.rails();
  OtherPaths out;
  out.sampled = pairs > most_pairs;
  Random random(seed);
  for (u64 i = 0; i < std::min(pairs, most_pairs); ++i) {
    const u64 pair = out.sampled ? random.below(pairs) : i;
    const u32 rail = static_cast<u32>(pair / (hosts * hosts));
    const Host from{static_cast<u32>(pair / hosts % hosts)}, to{static_cast<u32>(pair % hosts)};
    if (from == to) continue;
    compare_pair(fabric, x, a, y, b, fabric.nic(from, rail), fabric.nic(to, rail), out);
  }
  return out;
}

}  // namespace

OtherPaths share_of_other_paths(const Fabric& fabric, const Routing& x, const Routing& y, u64 most_pairs,
                                u64 seed) {
  return std::visit(
      [&]<class A, class B>(const A& a, const B& b) {
        if constexpr (Deterministic<A> && Deterministic<B>)
          return compare(fabric, x, a, y, b, most_pairs, seed);
        assert(!"an adaptive routing has no one path to compare");
        return OtherPaths{};
      },
      x.forward, y.forward);
}

}  // namespace banyan
