// Outline: what formulas say about a fabric before it is built. Families propose shapes for a machine
// (proposals.hpp), and an outline costs microseconds, so that a hundred thousand can be compared.
//
// A shape that can be outlined has the following besides what topology.hpp lists.
//
// u64 switch_cables() const: cables between switches.
//
// u32 widest_switch() const: ports of the largest switch.
//
// Bisection best_cut() const: bisection() where that is known, otherwise the best cut that a formula gives.
//
// It may have u64 least_cut() const: no cut into halves has fewer cables. By proof; 0 where none is known.
//
// void each_cut(f) const: f(HostCut) for cuts that bound what the shape can carry. The leanest of them is the
// smallest number of cables that part some hosts from others.
//
// u32 grows_to(u32 ports) const: the hosts that it has once switches and cables are added, up to this number
// of ports of a switch, while no cable is moved; at least hosts().
//
// u64 cables(u32 c) const: how many numbers the cables of link class c have; class 0 is that of hosts.
//
// std::optional<CableEnds> cable(u32 c, u64 i) const: nothing where number i has no cable, or names the same
// cable as another number.
//
// Distances distances() const, or distances_without_paths() where no formula counts paths.
//
// It may have static constexpr bool far_permutation: true where a permutation exists that sends every host as
// far as the diameter.
#pragma once
#include <concepts>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "topology/cables.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

template <class S>
concept Outlined = requires(const S& shape) {
  { shape.switch_cables() } -> std::same_as<u64>;
  { shape.widest_switch() } -> std::same_as<u32>;
  { shape.best_cut() } -> std::same_as<Bisection>;
  { shape.grows_to(1) } -> std::same_as<u32>;
  { shape.cable(0, 0) } -> std::same_as<std::optional<CableEnds>>;
};

struct Outline {
  std::string notation{};
  Shape shape{};  // Irregular where the family has none
  u32 planes = 1;
  u32 rails = 1, hosts = 0, switches = 0, leaves = 0;  // leaves: switches with hosts
  u32 leaves_of_host = 1;                              // in a plane, with numbers in a row
  u64 links = 0;                                       // those of hosts included
  u32 widest_switch = 0, grows_to = 0;
  Distances distances{};  // shortest_paths_max 0: not known
  bool far_permutation = false;
  bool distances_exact = true;  // false: expected of a random fabric
  Bisection bisection{};        // of all planes
  u64 proved_cut = 0;           // cables, of all planes: no cut into halves has fewer
  std::vector<HostCut> cuts{};  // of one plane; not empty where there are several switches
  // Of the switches, those that are parts of their hosts: nobody buys them, nor the cable between the two.
  u32 built_in = 0;
  u64 built_in_ports = 0;  // of these, with a cable to another switch

  u64 nics() const { return u64{hosts} * rails; }
  u64 switch_links() const { return links - nics(); }  // a NIC has one cable
  u32 bought_switches() const { return switches - built_in; }
  u64 bought_links() const { return built_in > 0 ? switch_links() : links; }
  u64 ports_used() const {  // of switches that are bought
    return built_in > 0 ? 2 * switch_links() - built_in_ports : nics() + 2 * switch_links();
  }
};

// The switches of a fabric that are parts of their hosts, on all planes; they are the first ones of each.
u32 built_in_switches(const Topology& topology);

// `ports`: of a switch. A NIC of the shape has one port. `distances`: those of the shape, where they are
// known already.
template <Outlined S>
Outline outline(S shape, u32 planes, u32 ports, const std::optional<Distances>& distances = {}) {
  const auto levels = shape.switches_per_level();
  Outline out;
  out.notation = (planes == 1 ? "" : std::to_string(planes) + " x ") + shape.notation();
  out.planes = planes;
  out.rails = planes * nics_inside(shape);
  if constexpr (requires { shape.nics; }) out.leaves_of_host = shape.nics.leaves();
  out.hosts = shape.hosts();
  out.switches = planes * std::accumulate(levels.begin(), levels.end(), 0U);
  out.leaves = planes * levels[0];
  out.links = out.nics() + planes * shape.switch_cables();
  out.widest_switch = shape.widest_switch();
  out.grows_to = shape.grows_to(ports);
  if (distances)
    out.distances = *distances;
  else if constexpr (requires { shape.distances_without_paths(); })
    out.distances = shape.distances_without_paths();
  else
    out.distances = shape.distances().value_or(Distances{});
  if constexpr (requires { S::far_permutation; }) out.far_permutation = S::far_permutation;
  out.bisection = shape.best_cut();
  out.bisection.links *= planes;
  if (out.bisection.exact)
    out.proved_cut = out.bisection.links;
  else if constexpr (requires { shape.least_cut(); })
    out.proved_cut = planes * shape.least_cut();
  shape.each_cut([&](HostCut cut) { out.cuts.push_back(cut); });
  out.shape = Shape(std::move(shape));
  return out;
}

}  // namespace banyan::topology
