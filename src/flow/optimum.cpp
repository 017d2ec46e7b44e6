// The least maximum load by a linear program over paths: everything is sent, no arc is loaded beyond a common
// share of its capacity, that share is least. Paths come in as they are needed (column generation): the
// prices of the arcs show whether a cheaper one exists, and bound what more of them could gain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "base/progress.hpp"
#include "flow/bound.hpp"
#include "flow/shortest_arcs.hpp"

namespace banyan::flow {
namespace {

struct PlaceDemand {
  u32 from, to;
  double amount;
};

struct PlaceDemands {
  std::vector<PlaceDemand> between;  // different places, by from and to
  double host_load = 0;              // the heaviest of hosts that are part of their switch
};

PlaceDemands place_demands(const CapacityGraph& graph, std::span<const Flow> flows) {
  PlaceDemands out;
  std::map<std::pair<u32, u32>, double> between;
  std::vector<double> sent(graph.place_of.size()), received(graph.place_of.size());
  for (const Flow& flow : flows) {
    if (flow.from == flow.to || flow.demand == 0) continue;
    sent[index(flow.from)] += flow.demand;
    received[index(flow.to)] += flow.demand;
    const u32 from = graph.place_of[index(flow.from)], to = graph.place_of[index(flow.to)];
    if (from != to) between[{from, to}] += flow.demand;
  }
  for (const auto& [ends, amount] : between) out.between.push_back({ends.first, ends.second, amount});
  for (std::size_t nic = 0; nic < sent.size(); ++nic)
    if (graph.host_capacity[nic] > 0)
      out.host_load = std::max(out.host_load, std::max(sent[nic], received[nic]) / graph.host_capacity[nic]);
  return out;
}

// Rows: the demands in order, the arcs in order, and last that the share is no less than the load of hosts.
// Column 0 is the share, then a column for each path: its part of a demand.
class PathProgram {
 public:
  PathProgram(const CapacityGraph& graph, const PlaceDemands& demands)
      : graph_(graph), demands_(demands), ways_(graph) {}

  std::variant<double, NotApplicable> solve() {
    if (graph_.arcs.empty() || !find_first_paths())
      return NotApplicable{"there are flows between hosts that no cables connect"};
    LinearSolver solver(master());
    solver.add_columns(paths_);
    for (u32 round = 0; round < max_rounds; ++round) {
      if (interrupted()) throw Interrupted();
      const LinearSolution solution = solver.minimise();
      if (solution.status != LinearSolution::Status::optimal) break;
      if (solution.value - best_bound_ <= accuracy * solution.value) return solution.value;
      add_paths(solution);
      if (paths_.empty()) return solution.value;
      solver.add_columns(paths_);
    }
    return NotApplicable{"the linear program of the optimum was not solved"};
  }

 private:
  static constexpr double accuracy = 1e-8;  // relative, of the result
  static constexpr u32 max_rounds = 2'000;

  u32 arc_row(std::size_t arc) const { return static_cast<u32>(demands_.between.size() + arc); }

  LinearProgram master() const {
    LinearProgram program;
    const u32 share = program.add_column(1);
    for (std::size_t k = 0; k < demands_.between.size(); ++k) program.add_row(1, 1, {});
    for (const CapacityGraph::Arc& arc : graph_.arcs)
      program.add_row(-unlimited, 0, std::vector<LinearProgram::Entry>{{share, -arc.capacity}});
    program.add_row(demands_.host_load, unlimited, std::vector<LinearProgram::Entry>{{share, 1}});
    return program;
  }

  // The shortest path of every demand; false if one has none.
  bool find_paths(std::span<const double> length) {
    paths_.clear();
    lengths_ = 0;
    u32 from = CapacityGraph::nowhere;
    for (std::size_t k = 0; k < demands_.between.size(); ++k) {
      const PlaceDemand& demand = demands_.between[k];
      if (demand.from != from) ways_.search(from = demand.from, length);
      if (!ways_.reaches(demand.to)) return false;
      lengths_ += demand.amount * ways_.distance(demand.to);
      LinearSolver::NewColumn path{0, {{static_cast<u32>(k), 1.0}}};
      ways_.each_arc(demand.to, [&](u32 arc) { path.entries.emplace_back(arc_row(arc), demand.amount); });
      paths_.push_back(std::move(path));
    }
    return true;
  }

  // A few for each demand, to begin with: every time the shortest, where arcs get longer that were taken
  // often.
  bool find_first_paths() {
    std::vector<LinearSolver::NewColumn> all;
    std::vector<double> length(graph_.arcs.size()), load(graph_.arcs.size());
    const std::size_t times = std::clamp<std::size_t>(10'000 / demands_.between.size(), 1, 12);
    for (std::size_t time = 0; time < times; ++time) {
      const double maximum = std::max(1e-300, *std::max_element(load.begin(), load.end()));
      for (std::size_t a = 0; a < load.size(); ++a)
        length[a] = std::exp(8 * load[a] / maximum) / graph_.arcs[a].capacity;
      if (!find_paths(length)) return false;
      for (const auto& path : paths_)
        for (std::size_t i = 1; i < path.entries.size(); ++i) {
          const u32 arc = path.entries[i].first - arc_row(0);
          load[arc] += path.entries[i].second / graph_.arcs[arc].capacity;
        }
      std::move(paths_.begin(), paths_.end(), std::back_inserter(all));
    }
    paths_ = std::move(all);
    return true;
  }

  // Paths that the prices call too dear to be left out. Prices swing from round to round: halfway between
  // them and those of the best bound there usually are better paths (Wentges 1997).
  void add_paths(const LinearSolution& solution) {
    const std::size_t arcs = graph_.arcs.size();
    std::vector<double> price(arcs + 1);
    for (std::size_t a = 0; a < arcs; ++a) price[a] = std::max(0.0, -solution.prices[arc_row(a)]);
    price[arcs] = std::max(0.0, solution.prices[arc_row(arcs)]);
    if (!best_price_.empty()) {
      std::vector<double> between(arcs + 1);
      for (std::size_t a = 0; a <= arcs; ++a) between[a] = (price[a] + best_price_[a]) / 2;
      look(solution, between, price);
      if (!paths_.empty()) return;
    }
    look(solution, price, price);
  }

  void look(const LinearSolution& solution, const std::vector<double>& along,
            const std::vector<double>& price) {
    find_paths(along);
    keep_bound(along);
    std::erase_if(paths_, [&](const LinearSolver::NewColumn& path) {
      double cost = 0;
      for (std::size_t i = 1; i < path.entries.size(); ++i)
        cost += path.entries[i].second * price[path.entries[i].first - arc_row(0)];
      const double worth = solution.prices[path.entries[0].first];
      return cost >= worth - 4 * LinearSolver::tolerance;  // less would not come in
    });
  }

  // With prices that add up to 1 over a whole share, no routing has less than the demands' shortest ways.
  void keep_bound(const std::vector<double>& price) {
    double whole = price.back();
    for (std::size_t a = 0; a < graph_.arcs.size(); ++a) whole += price[a] * graph_.arcs[a].capacity;
    if (whole <= 0) return;
    const double bound = (lengths_ + price.back() * demands_.host_load) / whole;
    if (bound > best_bound_) best_bound_ = bound, best_price_ = price;
  }

  const CapacityGraph& graph_;
  const PlaceDemands& demands_;
  ShortestArcs ways_;
  std::vector<LinearSolver::NewColumn> paths_;
  double lengths_ = 0;  // of the shortest ways, times the demands
  double best_bound_ = 0;
  std::vector<double> best_price_;  // by arc, and of the load of hosts
};

}  // namespace

std::variant<double, NotApplicable> optimum_by_program(const Fabric& fabric, std::span<const Flow> flows,
                                                       const OptimumOptions& options) {
  const CapacityGraph graph(fabric, options.measure);
  for (const Flow& flow : flows)
    for (Nic nic : {flow.from, flow.to})
      if (flow.from != flow.to && graph.place_of[index(nic)] == CapacityGraph::nowhere)
        return NotApplicable{fmt::format("{} has no cable", fabric.name(fabric.node(nic)))};
  const PlaceDemands demands = place_demands(graph, flows);
  if (demands.between.empty()) return demands.host_load;
  if (!has_linear_programs()) return NotApplicable{no_linear_programs};
  const u64 rows = demands.between.size() + graph.arcs.size();
  if (rows > options.max_rows)
    return NotApplicable{fmt::format("the optimum takes a linear program with {} rows; at most {} are tried",
                                     rows, options.max_rows)};
  return PathProgram(graph, demands).solve();
}

}  // namespace banyan::flow
