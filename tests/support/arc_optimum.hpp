// The optimum as one would write it first: a column for every place that traffic goes to and every arc.
#pragma once
#include <algorithm>

#include "flow/switch_graph.hpp"
#include "traffic/flow.hpp"

namespace banyan::tests {

inline double arc_optimum(const Fabric& fabric, std::span<const Flow> flows, Measure measure) {
  const CapacityGraph graph(fabric, measure);
  std::vector<std::vector<double>> towards(graph.places, std::vector<double>(graph.places));
  std::vector<double> sent(fabric.nics()), received(fabric.nics());
  for (const Flow& flow : flows) {
    if (flow.from == flow.to) continue;
    sent[index(flow.from)] += flow.demand;
    received[index(flow.to)] += flow.demand;
    towards[graph.place_of[index(flow.to)]][graph.place_of[index(flow.from)]] += flow.demand;
  }
  LinearProgram program;
  const u32 share = program.add_column(1);
  CommodityFlows commodities(graph, program);
  for (u32 goal = 0; goal < graph.places; ++goal)
    commodities.add(goal, [&](u32 place, auto&) { return towards[goal][place]; });
  commodities.limit_arcs(&share);
  double maximum = graph.arcs.empty() ? 0 : LinearSolver(program).minimise().value;
  for (u32 nic = 0; nic < fabric.nics(); ++nic)
    if (graph.host_capacity[nic] > 0)
      maximum = std::max(maximum, std::max(sent[nic], received[nic]) / graph.host_capacity[nic]);
  return maximum;
}

}  // namespace banyan::tests
