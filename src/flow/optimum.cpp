// The least maximum load by a linear program: a flow for each place that traffic goes to, no arc loaded
// beyond a common share of its capacity, that share as small as possible.
#include <fmt/format.h>

#include <algorithm>

#include "flow/bound.hpp"
#include "flow/switch_graph.hpp"

namespace banyan {
namespace {

// Demands between places, by goal and place; what stays within one is left out.
struct PlaceDemands {
  std::vector<std::vector<double>> towards;  // by goal; empty if nothing goes there
  double host_load = 0;                      // the heaviest of hosts that are part of their switch
};

PlaceDemands place_demands(const SwitchGraph& graph, std::span<const Flow> flows) {
  PlaceDemands out{std::vector<std::vector<double>>(graph.places)};
  std::vector<double> sent(graph.place_of.size()), received(graph.place_of.size());
  for (const Flow& flow : flows) {
    if (flow.from == flow.to || flow.demand == 0) continue;
    sent[index(flow.from)] += flow.demand;
    received[index(flow.to)] += flow.demand;
    const u32 from = graph.place_of[index(flow.from)], to = graph.place_of[index(flow.to)];
    if (from == to) continue;
    if (out.towards[to].empty()) out.towards[to].assign(graph.places, 0.0);
    out.towards[to][from] += flow.demand;
  }
  for (std::size_t nic = 0; nic < sent.size(); ++nic)
    if (graph.host_capacity[nic] > 0)
      out.host_load = std::max(out.host_load, std::max(sent[nic], received[nic]) / graph.host_capacity[nic]);
  return out;
}

}  // namespace

std::variant<double, NotApplicable> optimum_by_program(const Fabric& fabric, std::span<const Flow> flows,
                                                       const OptimumOptions& options) {
  const SwitchGraph graph(fabric, options.measure);
  for (const Flow& flow : flows)
    for (Nic nic : {flow.from, flow.to})
      if (flow.from != flow.to && graph.place_of[index(nic)] == SwitchGraph::nowhere)
        return NotApplicable{fmt::format("{} has no cable", fabric.name(fabric.node(nic)))};
  const PlaceDemands demands = place_demands(graph, flows);
  u64 columns = 1;
  for (const auto& towards : demands.towards) columns += towards.empty() ? 0 : graph.arcs.size();
  if (columns > options.most_columns)
    return NotApplicable{
        fmt::format("the optimum takes a linear program with {} columns; at most {} are tried", columns,
                    options.most_columns)};
  if (columns == 1) return demands.host_load;  // nothing leaves its switch
  LinearProgram program;
  const u32 share = program.add_column(1);
  CommodityFlows commodities(graph, program);
  for (u32 goal = 0; goal < graph.places; ++goal)
    if (const auto& towards = demands.towards[goal]; !towards.empty())
      commodities.add(goal, [&](u32 place, auto&) { return towards[place]; });
  commodities.limit_arcs(&share);
  const LinearSolution solution = LinearSolver(program).minimise();
  if (solution.status == LinearSolution::Status::infeasible)
    return NotApplicable{"there are flows between hosts that no cables connect"};
  if (solution.status != LinearSolution::Status::optimal)
    return NotApplicable{"the linear program of the optimum was not solved"};
  return std::max(solution.value, demands.host_load);
}

}  // namespace banyan
