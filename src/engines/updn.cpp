// Up*/Down*: no channel down is followed by one up, so one lane is free of deadlock (Schroeder et al. 1991).
//
// Ranks are distances from the roots; a channel goes up when it ends at a lower rank, or at the same rank at
// a lower number. Towards each destination the switches are reached in order of distance. One that is reached
// by ways down only goes down from then on, all others go up: so one entry a switch is enough.
#include "engines/components.hpp"
#include "engines/engine.hpp"
#include "engines/port_balance.hpp"
#include "engines/roots.hpp"

namespace banyan::engines {
namespace {

struct UpdnOptions {
  std::string roots = "auto";
  u32 lmc = 0;
  static void fields(auto& self, auto&& f) {
    f("roots", self.roots, "switches by name, joined with +; auto: the top of a tree, else the centre");
    f("lmc", self.lmc, "2^lmc addresses a NIC, each routed for itself");
  }
};

class UpDown {
 public:
  UpDown(const PortGraph& graph, const std::vector<Switch>& roots) : graph_(graph) {
    Dag dag;
    find_shortest(graph, {roots, {}}, dag);
    rank_ = dag.distance;
  }

  // The shortest legal ways, among those that leave each switch one direction.
  void find(const NicGroup& group, Dag& out) {
    out.start(graph_, group);
    descends_.assign(graph_.switches().size(), false);
    for (Switch root : group.roots) descends_[root] = true;
    for (std::size_t place = 0; place < out.order.size(); ++place) {
      if (place >= group.roots.size()) list_ways(out.order[place], out);
      reach(out.order[place], out);
    }
  }

 private:
  bool goes_up(Switch from, Switch to) const {
    return rank_[to] != rank_[from] ? rank_[to] < rank_[from] : to < from;
  }

  // Neighbours that may go on through v; all at one distance are known before the first of them is asked.
  void reach(Switch v, Dag& out) {
    const u32 next = out.distance[v] + 1;
    for (const Way& way : graph_.ways(v)) {
      const bool down = goes_up(v, way.to);  // from there to here
      if (out.distance[way.to] < next || (down && !descends_[v])) continue;
      if (out.distance[way.to] != next) out.order.push_back(way.to);
      out.distance[way.to] = next;
      if (down) descends_[way.to] = true;
    }
  }

  void list_ways(Switch v, Dag& out) const {
    u32 end = out.first.back();
    for (const Way& way : graph_.ways(v))
      if (out.distance[way.to] + 1 == out.distance[v] &&
          (descends_[v] ? descends_[way.to] && !goes_up(v, way.to) : goes_up(v, way.to)))
        out.ways[end++] = way;
    out.first.push_back(end);
  }

  const PortGraph& graph_;
  IdVector<Switch, u32> rank_;
  IdVector<Switch, u8> descends_;
};

// With one root a connected graph is always complete: from every switch there is a way up to the root, and
// the highest of the switches that go down to a destination is the root, since any above would too. Several
// roots may leave pairs without a legal path; the components where they do keep their first root only.
class Attempt {
 public:
  explicit Attempt(const PortGraph& graph)
      : graph_(graph), component_(components(graph.fabric())), lacks_(graph.switches().size()) {}

  Tables route(const std::vector<Switch>& roots, u32 lmc) {
    UpDown legal(graph_, roots);
    return balanced_tables(graph_, lmc, [&](const NicGroup& group, Dag& dag) {
      legal.find(group, dag);
      note_gaps(group, dag);
    });
  }

  bool complete() const { return std::find(lacks_.begin(), lacks_.end(), true) == lacks_.end(); }

  std::vector<Switch> fewer(const std::vector<Switch>& roots) const {
    std::vector<Switch> out;
    IdVector<Switch, bool> seen(graph_.switches().size());
    for (Switch root : roots) {
      if (!lacks_[component_[root]] || !seen[component_[root]]) out.push_back(root);
      seen[component_[root]] = true;
    }
    return out;
  }

 private:
  void note_gaps(const NicGroup& group, const Dag& dag) {
    for (Switch s : graph_.switches()) {
      if (dag.distance[s] != Dag::unreached || graph_.nics_at(s) == 0) continue;
      for (Switch root : group.roots)
        if (component_[root] == component_[s]) lacks_[component_[s]] = true;
    }
  }

  const PortGraph& graph_;
  IdVector<Switch, Switch> component_;
  IdVector<Switch, bool> lacks_;  // by component: some pair has no path
};

RouteResult route_updn(const Topology& topology, const UpdnOptions& options) {
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "updn")) return *refused;
  const PortGraph graph(topology.fabric);
  const std::vector<Switch> roots = choose_roots(graph, options.roots);
  Attempt attempt(graph);
  Tables tables = attempt.route(roots, options.lmc);
  if (!attempt.complete()) tables = attempt.route(attempt.fewer(roots), options.lmc);
  return one_lane(std::move(tables), options.lmc);
}

}  // namespace

Engine updn_engine() {
  return make_engine<route_updn>(
      "updn", "Schroeder et al., IEEE J. Selected Areas in Communications 1991",
      "any graph: no way up after a way down, balanced; deadlock-free with one lane", {.any_graph = true});
}

}  // namespace banyan::engines
