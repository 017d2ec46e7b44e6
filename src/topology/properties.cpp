#include "topology/properties.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "fabric/levels.hpp"
#include "topology/bisection.hpp"
#include "topology/distances.hpp"
#include "topology/place.hpp"

namespace banyan::topology {
namespace {

// f(shape), or nothing for an irregular fabric.
template <class F>
auto of_shape(const Topology& topology, F&& f) {
  using Result = decltype(f(std::declval<Pgft>()));
  return std::visit(
      [&](const auto& shape) -> Result {
        if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Irregular>)
          return Result();
        else
          return f(shape);
      },
      topology.shape);
}

std::string family_name(const auto& shape) {
  if constexpr (requires { shape.family(); }) return shape.family();
  const std::string notation = shape.notation();
  return notation.substr(0, notation.find('('));
}

std::optional<Distances> distances_of(const auto& shape) {
  if constexpr (requires { shape.distances(); }) return shape.distances();
  return std::nullopt;
}

std::optional<Bisection> bisection_of(const auto& shape) {
  if constexpr (requires { shape.bisection(); }) return shape.bisection();
  return std::nullopt;
}

std::vector<u32> planned_switches(const Topology& topology) {
  auto counts = of_shape(topology, [](const auto& shape) { return shape.switches_per_level(); });
  for (u32& count : counts) count *= topology.planes;
  return counts;
}

// Whether the fabric is its shape and nothing else, with a host wherever the shape has one, so that formulas
// hold.
bool is_as_planned(const Topology& topology) {
  for (const Host host : IdRange<Host>(topology.fabric.hosts()))
    if (!topology.fabric.sends(host)) return false;
  const u64 switch_ports = of_shape(topology, [](const auto& shape) { return shape.switch_ports(); });
  const u64 nic_ports = of_shape(topology, [](const auto& shape) { return u64{nic_ports_of(shape)}; });
  return topology.is_intact() && topology.fabric.switches() > 0 &&
         topology.fabric.channels().size() ==
             switch_ports * topology.planes + nic_ports * topology.fabric.nics();
}

// By level from the hosts; switches that no host can reach are left out.
std::vector<u32> count_switches_by_level(const Fabric& fabric) {
  const auto level = levels_from_hosts(fabric);
  std::vector<u32> counts;
  for (const Node node : fabric.switch_nodes()) {
    if (level[node] == no_level) continue;
    if (counts.size() < level[node]) counts.resize(level[node]);
    ++counts[level[node] - 1];
  }
  return counts;
}

// Hosts and their NICs; of the other machines only how many there are of each role.
void count_endpoints(const Fabric& fabric, Properties& out) {
  std::map<u32, u64> hosts_with;
  const Endpoints& ends = fabric.endpoints();
  for (const Host host : IdRange<Host>(fabric.hosts())) {
    if (fabric.vacant(host)) continue;
    ++out.roles.of[index(ends.role(host))];
    if (ends.role(host) != Role::host) continue;
    u32 nics = 0;
    for (u32 slot = 0; slot < fabric.nics(host); ++slot) nics += !fabric.vacant(fabric.nic(host, slot));
    ++out.hosts, out.nics += nics, ++hosts_with[nics];
  }
  for (const auto& [nics, hosts] : hosts_with) out.nics_per_host.push_back({nics, hosts});
  out.rails = std::max(1u, ends.rails());
  out.planes = fabric.planes();
}

void count(const Topology& topology, const Fabric& fabric, Properties& out) {
  count_endpoints(fabric, out);
  out.switches = fabric.switches();
  out.links = fabric.links(), out.channels = 2 * fabric.links(),
  out.missing_links = topology.fabric.taken().size();
  out.switches_per_level = planned_switches(topology);
  const auto& planned = out.switches_per_level;
  if (std::accumulate(planned.begin(), planned.end(), u64{0}) != fabric.switches())  // some are not there
    out.switches_per_level = count_switches_by_level(fabric);
  for (Node node : fabric.switch_nodes()) {
    const u32 ports = fabric.ports(node);
    out.switch_ports_min = index(node) == fabric.nics() ? ports : std::min(out.switch_ports_min, ports);
    out.switch_ports_max = std::max(out.switch_ports_max, ports);
  }
}

// As many as NICs would have if none of their cables were missing.
u32 host_cables(const Fabric& fabric, u32 nics) {
  u32 most = 0;
  for (u32 nic = 0; nic < fabric.nics(); ++nic) {
    u32 cables = 0;
    for (const Channel c : fabric.channels(fabric.node(Nic{nic}))) cables += fabric.cabled(c);
    most = std::max(most, cables);
  }
  return most * nics;
}

}  // namespace

Properties properties(const Topology& topology, unsigned threads, const Fabric* found) {
  const Fabric& fabric = found ? *found : topology.fabric;
  Properties out;
  out.notation = canonical_notation(topology);
  out.family = of_shape(topology, [](const auto& shape) { return family_name(shape); });
  if (out.family.empty()) out.family = "irregular";
  count(topology, fabric, out);

  std::optional<Distances> distances;
  std::optional<Bisection> bisection;
  if (is_as_planned(topology)) {
    distances = of_shape(topology, [](const auto& shape) { return distances_of(shape); });
    bisection = of_shape(topology, [](const auto& shape) { return bisection_of(shape); });
    if (bisection) bisection->links *= topology.planes;
  }
  out.distances = distances ? *distances : search_distances(fabric, threads);
  out.bisection = bisection ? *bisection : search_bisection(fabric, {.threads = threads});
  if (const u32 cables = host_cables(fabric, out.nics); out.hosts > 1 && cables > 0)
    out.bisection_ratio = std::min(1.0, static_cast<double>(out.bisection.links) / (cables / 2.0));

  if (const auto* tree = topology.as<Pgft>()) {
    out.constant_bisection = tree->constant_bisection();
    out.rlft_failed = tree->rlft_failed();
    out.rlft = out.rlft_failed.empty();
  }
  return out;
}

namespace {

// A tree as it is cabled.
class CabledTree {
 public:
  explicit CabledTree(const Topology& topology) : fabric_(topology.fabric), places_(topology) {}

  // Switches of the same plane one level further up.
  std::vector<Node> above(const std::vector<Node>& nodes, u32 level) const {
    std::vector<Node> out;
    for (Node node : nodes)
      for (Channel c : fabric_.channels(node))
        if (fabric_.cabled(c) && is_above(fabric_.to(c), node, level + 1)) out.push_back(fabric_.to(c));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  std::vector<Node> nearest_common_ancestors(Node a, Node b) const {
    std::vector<Node> above_a = {a}, above_b = {b}, common;
    for (u32 level = 0; level < places_.top() && common.empty(); ++level) {
      above_a = above(above_a, level);
      above_b = above(above_b, level);
      std::set_intersection(above_a.begin(), above_a.end(), above_b.begin(), above_b.end(),
                            std::back_inserter(common));
    }
    return common;
  }

 private:
  bool is_above(Node node, Node below, u32 level) const {
    return places_.has(node) && places_.level(node) == level && places_.plane(node) == places_.plane(below);
  }

  const Fabric& fabric_;
  const Places places_;
};

}  // namespace

PairProperties pair_properties(const Topology& topology, Host a, Host b, u32 rail) {
  const Fabric& fabric = topology.fabric;
  const Nic from = fabric.in_column(a, rail), to = fabric.in_column(b, rail);
  if (from == none<Nic> || to == none<Nic>) return {};
  const PairDistance d = search_distance(fabric, from, to);
  PairProperties out{d.channels, d.paths, std::nullopt, {}};
  const auto* tree = topology.as<Pgft>();
  if (!tree || std::max(index(a), index(b)) >= tree->hosts()) return out;
  out.minimal_different_index =
      tree->h() - tree->meeting_level(tree->endpoint_of_nic(from), tree->endpoint_of_nic(to));
  if (a == b) return out;
  out.nearest_common_ancestors =
      CabledTree(topology).nearest_common_ancestors(fabric.node(from), fabric.node(to));
  return out;
}

}  // namespace banyan::topology
