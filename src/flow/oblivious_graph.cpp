// The oblivious ratio in any graph: demands and the flows that carry them in one linear program. From channel
// to channel only the objective changes, so that each solution starts from the last.
#include <fmt/format.h>

#include <algorithm>

#include "flow/group_traffic.hpp"
#include "flow/heaviest_channel.hpp"
#include "flow/linear_program.hpp"
#include "flow/oblivious.hpp"
#include "flow/switch_graph.hpp"

namespace banyan::flow {
namespace {

// The sources whose demands are columns: a group of hosts with one port and equal cables at one switch, else
// each NIC of it.
class DemandColumns {
 public:
  DemandColumns(const Fabric& fabric, const ChannelUses& uses, const CapacityGraph& graph)
      : uses_(uses), columns_of_(uses.sources()) {
    for (u32 g = 0; g < uses.groups(); ++g) {
      const auto alike = uses.members(g);
      const double host = graph.host_capacity[index(alike[0])];
      const bool together =
          host > 0 && std::all_of(alike.begin(), alike.end(), [&](Nic nic) {
            return fabric.ports(fabric.node(nic)) == 1 && graph.host_capacity[index(nic)] == host;
          });
      if (together) {
        add(alike, g, host);
      } else {
        for (const Nic& nic : alike) {
          const u32 own = uses.groups() + index(nic) - index(uses.nics()[0]);
          columns_of_[own].push_back(static_cast<u32>(sources_.size()));
          add(std::span(&nic, 1), g, graph.host_capacity[index(nic)]);
        }
      }
    }
  }

  struct Source {
    std::span<const Nic> members;
    double host;  // capacity of the cable of each; 0: a place of its own
  };
  std::span<const Source> sources() const { return sources_; }
  u32 column(std::size_t source, std::size_t nic) const {
    return static_cast<u32>(source * uses_.nics().size() + nic);
  }
  bool may_send(const Source& source, Nic to) const {
    return source.members.size() > 1 || source.members[0] != to;
  }

  // Adds the weights of a channel's uses to the objective.
  void weigh(std::span<const ChannelUse> on_channel, std::vector<double>& objective) const {
    for (const ChannelUse& use : on_channel)
      for (u32 source : columns_of_[use.source])
        if (may_send(sources_[source], use.to))
          objective[column(source, index(use.to) - index(uses_.nics()[0]))] = use.weight;
  }

 private:
  void add(std::span<const Nic> members, u32 group, double host) {
    columns_of_[group].push_back(static_cast<u32>(sources_.size()));
    sources_.push_back({members, host});
  }

  const ChannelUses& uses_;
  std::vector<Source> sources_;
  std::vector<std::vector<u32>> columns_of_;  // by source of the uses: those here that it stands for
};

// Demands first, by source and NIC, then flows on arcs.
LinearProgram routable_traffic(const ChannelUses& uses, const CapacityGraph& graph,
                               const DemandColumns& demands) {
  using Entry = LinearProgram::Entry;
  LinearProgram program;
  const auto sources = demands.sources();
  const auto nics = uses.nics();
  for (std::size_t i = 0; i < sources.size() * nics.size(); ++i) program.add_column();
  std::vector<std::vector<Entry>> received(nics.size());
  for (std::size_t s = 0; s < sources.size(); ++s) {
    std::vector<Entry> sent, none_at_all;
    for (std::size_t t = 0; t < nics.size(); ++t) {
      const Entry entry{demands.column(s, t), 1};
      const bool cabled = graph.place_of[index(nics[t])] != CapacityGraph::nowhere &&
                          graph.place_of[index(sources[s].members[0])] != CapacityGraph::nowhere;
      (cabled && demands.may_send(sources[s], nics[t]) ? sent : none_at_all).push_back(entry);
      received[t].push_back(entry);
    }
    if (sources[s].host > 0)
      program.add_row(0, sources[s].host * static_cast<double>(sources[s].members.size()), sent);
    if (!none_at_all.empty()) program.add_row(0, 0, none_at_all);
  }
  for (std::size_t t = 0; t < nics.size(); ++t)
    if (const double host = graph.host_capacity[index(nics[t])]; host > 0)
      program.add_row(0, host, received[t]);
  CommodityFlows flows(graph, program);
  for (u32 goal = 0; goal < graph.places; ++goal) {
    std::vector<std::size_t> at_goal;
    for (std::size_t t = 0; t < nics.size(); ++t)
      if (graph.place_of[index(nics[t])] == goal) at_goal.push_back(t);
    if (at_goal.empty()) continue;
    flows.add(goal, [&](u32 place, std::vector<Entry>& row) {
      for (std::size_t s = 0; s < sources.size(); ++s)
        if (graph.place_of[index(sources[s].members[0])] == place)
          for (std::size_t t : at_goal) row.push_back({demands.column(s, t), -1});
      return 0.0;
    });
  }
  flows.limit_arcs();
  return program;
}

// No NIC of this source can send more, whatever the way.
double capacity_of(const Fabric& fabric, std::span<const Nic> members, Measure measure) {
  double sum = 0;
  for (Nic nic : members)
    for (Channel c : fabric.channels(fabric.node(nic)))
      if (fabric.cabled(c)) sum += capacity(fabric, c, measure);
  return sum;
}

std::vector<Flow> matrix_of(const ChannelUses& uses, const DemandColumns& demands,
                            std::span<const double> at) {
  std::vector<Flow> out;
  const auto sources = demands.sources();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    std::vector<HostShare> shares;
    for (std::size_t t = 0; t < uses.nics().size(); ++t)
      if (const double amount = at[demands.column(s, t)]; amount > solver_tolerance)
        shares.push_back({uses.nics()[t], amount});
    if (sources[s].host > 0)
      share_among(sources[s].members, sources[s].host, shares, out);
    else
      for (const HostShare& share : shares) out.push_back({sources[s].members[0], share.to, share.amount});
  }
  return out;
}

u64 columns_needed(const ChannelUses& uses, const CapacityGraph& graph, const DemandColumns& demands) {
  std::vector<bool> is_goal(graph.places);
  for (Nic nic : uses.nics())
    if (graph.place_of[index(nic)] != CapacityGraph::nowhere) is_goal[graph.place_of[index(nic)]] = true;
  return demands.sources().size() * uses.nics().size() +
         static_cast<u64>(std::count(is_goal.begin(), is_goal.end(), true)) * graph.arcs.size();
}

}  // namespace

std::variant<ObliviousRatio, NotApplicable> oblivious_ratio_by_program(const Fabric& fabric,
                                                                       const Routing& routing,
                                                                       const ObliviousOptions& options) {
  if (!has_linear_programs()) return NotApplicable{no_linear_programs};
  const CapacityGraph graph(fabric, options.measure);
  const ChannelUses uses(fabric, routing, options.rail, options.threads);
  const DemandColumns demands(fabric, uses, graph);
  if (const u64 columns = columns_needed(uses, graph, demands); columns > options.max_columns)
    return NotApplicable{
        fmt::format("the oblivious ratio takes a linear program with {} columns; at most {} are tried",
                    columns, options.max_columns)};
  std::vector<double> sent, received;
  for (u32 s = 0; s < uses.sources(); ++s)
    sent.push_back(capacity_of(fabric, uses.members(s), options.measure));
  for (const Nic& nic : uses.nics())
    received.push_back(capacity_of(fabric, std::span(&nic, 1), options.measure));
  const auto load = [&](Channel c, double parts) {
    return parts / uses.whole() / capacity(fabric, c, options.measure);
  };
  ChannelUses::Bounds bounds = uses.bounds(sent, received);
  for (Channel c : bounds.parts.ids()) bounds.parts[c] = load(c, bounds.parts[c]);

  const LinearProgram program = routable_traffic(uses, graph, demands);
  LinearSolver solver(program);
  std::vector<double> objective(program.columns());
  ObliviousRatio out;
  out.is_exact = uses.is_exact();
  bool failed = false;
  std::vector<double> best_at;
  const auto value = [&](Channel c, std::span<const ChannelUse> on_channel, double) {
    std::fill(objective.begin(), objective.end(), 0.0);
    demands.weigh(on_channel, objective);
    solver.set_objective(objective);
    LinearSolution solution = solver.maximise();
    ++out.channels_solved;
    failed |= solution.status != LinearSolution::Status::optimal;
    const double reached = load(c, solution.value);
    if (best_at.empty() || reached > out.ratio * (1 + solver_tolerance)) {
      out.ratio = reached;
      best_at = std::move(solution.at);
      for (std::size_t i = 0; i < best_at.size(); ++i)
        if (objective[i] == 0) best_at[i] = 0;  // what does not load the channel is not needed
    }
    return reached;
  };
  const HeaviestChannel found =
      heaviest_channel(uses, bounds.uses, bounds.parts, {}, 1, value, solver_tolerance);
  if (failed) return NotApplicable{"a linear program of the oblivious ratio was not solved"};
  out.channel = found.channel;
  out.ratio = std::max(1.0, found.load);
  if (found.channel != none<Channel>) out.matrix = matrix_of(uses, demands, best_at);
  return out;
}

}  // namespace banyan::flow
