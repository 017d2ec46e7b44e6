#include "topology/properties.hpp"

#include <algorithm>
#include <numeric>

#include "topology/bisection.hpp"
#include "topology/distances.hpp"
#include "topology/topology.hpp"

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

std::vector<u32> planned_switches(const Topology& topology) {
  auto counts = of_shape(topology, [](const auto& shape) { return shape.switches_per_level(); });
  for (u32& count : counts) count *= topology.planes;
  return counts;
}

// Whether the fabric is its shape and nothing else, so that formulas hold.
bool is_as_planned(const Topology& topology) {
  const u64 switch_ports = of_shape(topology, [](const auto& shape) { return shape.switch_ports(); });
  const u64 nic_ports = of_shape(topology, [](const auto& shape) { return u64{shape.nic_ports()}; });
  return topology.is_intact() && topology.fabric.switches() > 0 &&
         topology.fabric.channels().size() ==
             switch_ports * topology.planes + nic_ports * topology.fabric.nics();
}

// Switches by their distance from the nearest host; those that no host can reach are left out.
std::vector<u32> switches_by_distance(const Fabric& fabric) {
  std::vector<u32> counts;
  std::vector<bool> seen(fabric.nodes().size(), false);
  std::vector<Node> level(fabric.nic_nodes().begin(), fabric.nic_nodes().end()), next;
  for (; !level.empty(); level.swap(next), next.clear()) {
    for (Node node : level)
      for (Channel c : fabric.channels(node))
        if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && !seen[index(fabric.to(c))]) {
          seen[index(fabric.to(c))] = true;
          next.push_back(fabric.to(c));
        }
    if (!next.empty()) counts.push_back(static_cast<u32>(next.size()));
  }
  return counts;
}

void count(const Topology& topology, const Fabric& fabric, Properties& out) {
  out.rails = fabric.rails(), out.hosts = fabric.hosts(), out.nics = fabric.nics(),
  out.switches = fabric.switches();
  out.links = fabric.links(), out.channels = 2 * fabric.links(),
  out.missing_links = topology.fabric.taken().size();
  out.switches_per_level = planned_switches(topology);
  if (out.switches_per_level.empty()) out.switches_per_level = switches_by_distance(fabric);
  for (Node node : fabric.switch_nodes()) {
    const u32 ports = fabric.ports(node);
    out.switch_ports_min = index(node) == fabric.nics() ? ports : std::min(out.switch_ports_min, ports);
    out.switch_ports_max = std::max(out.switch_ports_max, ports);
  }
}

}  // namespace

Properties properties(const Topology& topology, unsigned threads, const Fabric* found) {
  const Fabric& fabric = found ? *found : topology.fabric;
  Properties out;
  out.notation = canonical_notation(topology);
  out.family = of_shape(topology, [](const auto& shape) { return shape.family(); });
  if (out.family.empty()) out.family = "irregular";
  count(topology, fabric, out);

  std::optional<Distances> distances;
  std::optional<Bisection> bisection;
  if (is_as_planned(topology)) {
    distances = of_shape(topology, [](const auto& shape) { return shape.distances(); });
    bisection = of_shape(topology, [](const auto& shape) { return shape.bisection(); });
    if (bisection) bisection->links *= topology.planes;
  }
  out.distances = distances ? *distances : search_distances(fabric, threads);
  out.bisection = bisection ? *bisection : search_bisection(fabric, {.threads = threads});
  if (out.hosts > 1) out.bisection_ratio = static_cast<double>(out.bisection.links) / (out.hosts / 2.0);

  if (const auto* tree = std::get_if<Pgft>(&topology.shape)) {
    out.constant_bisection = tree->constant_bisection();
    out.rlft_failed = tree->rlft_failed();
    out.rlft = out.rlft_failed.empty();
  }
  return out;
}

namespace {

// One plane of a tree as it is cabled.
class TreePlane {
 public:
  TreePlane(const Topology& topology, const Pgft& tree, u32 rail) : fabric_(topology.fabric), tree_(tree) {
    const auto levels = tree.switches_per_level();
    switches_ = std::reduce(levels.begin(), levels.end());
    first_ = fabric_.nics() + (topology.planes > 1 ? rail * switches_ : 0);
  }

  // Switches one level further up.
  std::vector<Node> above(const std::vector<Node>& nodes, u32 level) const {
    std::vector<Node> out;
    for (Node node : nodes)
      for (Channel c : fabric_.channels(node))
        if (fabric_.cabled(c) && is_at(fabric_.to(c), level + 1)) out.push_back(fabric_.to(c));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  std::vector<Node> nearest_common_ancestors(Node a, Node b) const {
    std::vector<Node> above_a = {a}, above_b = {b}, common;
    for (u32 level = 0; level < tree_.h() && common.empty(); ++level) {
      above_a = above(above_a, level);
      above_b = above(above_b, level);
      std::set_intersection(above_a.begin(), above_a.end(), above_b.begin(), above_b.end(),
                            std::back_inserter(common));
    }
    return common;
  }

 private:
  bool is_at(Node node, u32 level) const {
    return index(node) >= first_ && index(node) - first_ < switches_ &&
           tree_.level(index(node) - first_) == level;
  }

  const Fabric& fabric_;
  const Pgft& tree_;
  u32 first_ = 0, switches_ = 0;
};

}  // namespace

PairProperties pair_properties(const Topology& topology, Host a, Host b, u32 rail) {
  const Fabric& fabric = topology.fabric;
  const PairDistance d = search_distance(fabric, a, b, rail);
  PairProperties out{d.channels, d.paths, std::nullopt, {}};
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (!tree || std::max(index(a), index(b)) >= tree->hosts()) return out;
  const u32 first = topology.planes > 1 ? 0 : rail * tree->hosts();
  const auto endpoint = [&](Host host) { return tree->endpoint_of_nic(Nic{first + index(host)}); };
  out.minimal_different_index = tree->h() - tree->meeting_level(endpoint(a), endpoint(b));
  if (a == b) return out;
  out.nearest_common_ancestors =
      TreePlane(topology, *tree, rail)
          .nearest_common_ancestors(fabric.node(fabric.nic(a, rail)), fabric.node(fabric.nic(b, rail)));
  return out;
}

}  // namespace banyan::topology
