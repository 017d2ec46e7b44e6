// TERA: on a full mesh directly or by way of any other switch, on one lane; some of the cables are a network
// by themselves that is the escape (Cano et al., Deadlock-free routing for Full-mesh networks without using
// Virtual Channels, 2025). Here that network is a grid of rows and columns, each a full mesh, routed by
// Up*/Down*. Free of deadlock by Duato's condition.
#include <cmath>

#include "engines/incremental.hpp"

namespace banyan::engines {
namespace {

bool is_full_mesh(const Topology& topology, const SwitchCables& graph) {
  const auto* hyperx = topology.as<HyperX>();
  if (hyperx) {
    u32 wide = 0;
    for (u32 d = 0; d < hyperx->grid.dimensions(); ++d) wide += hyperx->grid.widths[d] > 1;
    return wide == 1;
  }
  for (u32 v = 0; v < graph.switches(); ++v) {
    std::vector<bool> near(graph.switches());
    graph.each_cable(v, [&](u32, u32 next) { near[next] = true; });
    for (u32 w = 0; w < graph.switches(); ++w)
      if (w != v && !near[w]) return false;
  }
  return graph.switches() > 1;
}

// The cables of rows and columns, and where cables are missing those of a spanning tree, so that the escape
// connects whatever is connected. A cable is taken at both ends.
class ServiceCables {
 public:
  explicit ServiceCables(const SwitchCables& graph)
      : graph_(graph),
        width_(static_cast<u32>(std::ceil(std::sqrt(graph.switches())))),
        taken_(graph.to.size()),
        component_(graph.switches()) {
    for (u32 v = 0; v < graph.switches(); ++v) component_[v] = v;
    take([&](u32 v, u32 w) { return v / width_ == w / width_ || v % width_ == w % width_; });
    take([&](u32 v, u32 w) { return root(v) != root(w); });
  }
  const std::vector<bool>& taken() const { return taken_; }

 private:
  template <class Wants>
  void take(Wants&& wants) {
    for (u32 v = 0; v < graph_.switches(); ++v)
      graph_.each_cable(v, [&](u32, u32 w) {
        if (v > w || !wants(v, w)) return;
        mark(v, w);
        mark(w, v);
        component_[root(v)] = root(w);
      });
  }
  void mark(u32 v, u32 w) {
    graph_.each_cable(v, [&](u32 cable, u32 next) {
      if (next == w) taken_[cable] = true;
    });
  }
  u32 root(u32 v) const {
    while (component_[v] != v) v = component_[v];
    return v;
  }

  const SwitchCables& graph_;
  u32 width_;
  std::vector<bool> taken_;     // by port of a switch
  std::vector<u32> component_;  // by switch: another of those that are connected, or itself
};

RouteResult route_tera(const Topology& topology, const NoOptions&) {
  if (auto refused = refuse_incremental(topology, "tera")) return *refused;
  SwitchCables graph(topology.fabric);
  if (!is_full_mesh(topology, graph)) return NotApplicable{"tera needs a full mesh of switches"};
  UpDownEscape escape(graph, ServiceCables(graph).taken(), true);
  IncrementalHops forward(std::move(graph), {.max_hops = 2, .adaptive_lanes = 1}, std::move(escape), true);
  return Routing{std::move(forward), Source(SwitchTags{}), 1};
}

}  // namespace

Engine tera_engine() {
  return make_engine<route_tera>("tera", "Cano et al., 2025",
                                 "full meshes, complete or not: directly or by any other switch, and an "
                                 "escape by its own cables; one lane");
}

}  // namespace banyan::engines
