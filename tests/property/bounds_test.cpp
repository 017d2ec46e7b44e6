// Bounds, optima and worst traffic, held against routings that meet them and against trying everything.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "engines/engine.hpp"
#include "flow/bound.hpp"
#include "flow/group_matching.hpp"
#include "flow/load.hpp"
#include "flow/oblivious.hpp"
#include "flow/tree_cuts.hpp"
#include "flow/worst_permutation.hpp"
#include "routing/paths.hpp"
#include "support/arc_optimum.hpp"
#include "support/random_topology.hpp"
#include "support/tree_faults.hpp"

namespace banyan::tests {
namespace {

// Any demands between NICs of one plane, some to themselves.
std::vector<Flow> random_flows(Random& random, u32 nics, u32 planes, u64 count) {
  const u32 plane_nics = nics / planes;
  std::vector<Flow> flows;
  for (u64 i = 0; i < count; ++i) {
    const u32 first = static_cast<u32>(random.below(planes)) * plane_nics;
    flows.push_back({Nic{first + static_cast<u32>(random.below(plane_nics))},
                     Nic{first + static_cast<u32>(random.below(plane_nics))},
                     static_cast<double>(1 + random.below(5)) / 2});
  }
  return flows;
}

double heaviest(const Fabric& fabric, const IdVector<Channel, double>& load, Measure measure) {
  double maximum = 0;
  for (Channel c : load.ids()) maximum = std::max(maximum, load[c] / capacity(fabric, c, measure));
  return maximum;
}

bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-7 * std::max({1.0, a, b}); }

Topology with_capacities(const Topology& t, Random& random) {
  Pgft tree = std::get<Pgft>(t.shape);
  for (LinkClass& link : tree.links) link.capacity = static_cast<double>(1 + random.below(8)) / 4;
  return build(tree, t.planes);
}

RC_GTEST_PROP(Bound, IsMetByUmultiOnEveryCompleteTree, (u64 seed)) {
  Random random(seed);
  const Topology t = with_capacities(random_tree(random), random);
  const auto flows = random_flows(random, t.fabric.nics(), t.planes, random.below(40));
  const auto load = loads(t.fabric, std::get<Routing>(route(t, "umulti")), flows);
  for (Measure measure : {Measure::demand, Measure::per_capacity})
    RC_ASSERT(nearly_equal(TreeCuts(t, measure).bound(flows), heaviest(t.fabric, load, measure)));
}

RC_GTEST_PROP(Bound, IsTheOptimumOfTheLinearProgramOnTrees, (u64 seed)) {
  Random random(seed);
  const Topology t = with_capacities(random_tree(random), random);
  RC_PRE(t.fabric.switches() <= 30u);
  const auto flows = random_flows(random, t.fabric.nics(), t.planes, 1 + random.below(20));
  for (Measure measure : {Measure::demand, Measure::per_capacity}) {
    const auto least = optimum_by_program(t.fabric, flows, {measure});
    RC_ASSERT(std::holds_alternative<double>(least));
    RC_ASSERT(nearly_equal(std::get<double>(least), TreeCuts(t, measure).bound(flows)));
  }
}

RC_GTEST_PROP(Bound, OverPathsIsThatOverArcs, (u64 seed)) {
  Random random(seed);
  const Topology t = random_topology();
  RC_PRE(t.fabric.switches() <= 30u);
  const auto flows = random_flows(random, t.fabric.nics(), t.fabric.columns(), 1 + random.below(40));
  const auto least = optimum_by_program(t.fabric, flows);
  RC_ASSERT(std::holds_alternative<double>(least));
  RC_ASSERT(nearly_equal(std::get<double>(least), arc_optimum(t.fabric, flows, Measure::demand)));
}

RC_GTEST_PROP(Bound, IsNeverAboveTheLoadOfARouting, (u64 seed)) {
  Random random(seed);
  const Topology t = random_topology();
  RC_PRE(t.fabric.switches() <= 30u && t.fabric.hosts() > 1u);
  const Engine& engine = engines::engines()[random.below(engines::engines().size())];
  const RouteResult routed = route(t, engine.name);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const auto flows = random_flows(random, t.fabric.nics(), t.fabric.columns(), 1 + random.below(20));
  const auto least = optimum(t, flows);
  RC_PRE(std::holds_alternative<double>(least));
  const auto load = loads(t.fabric, std::get<Routing>(routed), flows);
  RC_ASSERT(std::get<double>(least) <= heaviest(t.fabric, load, Measure::demand) + 1e-7);
}

// --- matchings and permutations
// ------------------------------------------------------------------------------

u64 try_all_matchings(std::vector<u32> members, u32 to, const std::vector<std::vector<u32>>& weight) {
  if (to == weight.size()) return 0;
  u64 best = try_all_matchings(members, to + 1, weight);
  for (u32 g = 0; g < members.size(); ++g)
    if (members[g] > 0 && weight[to][g] > 0) {
      --members[g];
      best = std::max(best, weight[to][g] + try_all_matchings(members, to + 1, weight));
      ++members[g];
    }
  return best;
}

RC_GTEST_PROP(GroupMatching, IsTheHeaviest, (u64 seed)) {
  Random random(seed);
  const u32 groups = 1 + static_cast<u32>(random.below(4)),
            destinations = 1 + static_cast<u32>(random.below(6));
  const u64 max_weight = random.below(2) == 0 ? 1 : 1 + random.below(9);
  std::vector<u32> members(groups);
  for (u32& n : members) n = 1 + static_cast<u32>(random.below(3));
  std::vector<std::vector<u32>> weight(destinations, std::vector<u32>(groups));
  std::vector<MatchEdge> edges;
  for (u32 t = 0; t < destinations; ++t)
    for (u32 g = 0; g < groups; ++g)
      if (random.below(3) > 0) {
        weight[t][g] = 1 + static_cast<u32>(random.below(max_weight));
        edges.push_back({g, t, weight[t][g]});
      }
  const GroupMatching found = heaviest_matching(members, destinations, edges);
  RC_ASSERT(found.weight == try_all_matchings(members, 0, weight));
  u64 sum = 0;
  for (u32 t = 0; t < destinations; ++t)
    if (const u32 g = found.group_of[t]; g != GroupMatching::unmatched) {
      RC_ASSERT(members[g] > 0u);
      --members[g];
      sum += weight[t][g];
    }
  RC_ASSERT(sum == found.weight);
}

// The heaviest load of any channel under any of the N! permutations.
class AllPermutations {
 public:
  AllPermutations(const Fabric& fabric, const Routing& routing, u32 rail)
      : n_(fabric.hosts()), parts_(std::size_t{n_} * n_), load_(fabric.channels().size()), taken_(n_) {
    for (u32 a = 0; a < n_; ++a)
      for (u32 b = 0; b < n_; ++b)
        if (a != b)
          for (const RoutedPath& path :
               paths(fabric, routing, fabric.nic(Host{a}, rail), fabric.nic(Host{b}, rail)))
            if (path.arrives)
              for (Channel c : path.channels) parts_[a * n_ + b].push_back({c, path.weight});
  }
  double worst(u32 a = 0, double maximum = 0) {
    if (a == n_) return maximum;
    double best = 0;
    for (u32 b = 0; b < n_; ++b) {
      if (taken_[b]) continue;
      taken_[b] = true;
      double here = maximum;
      for (const auto& [c, weight] : parts_[a * n_ + b]) here = std::max(here, load_[c] += weight);
      best = std::max(best, worst(a + 1, here));
      for (const auto& [c, weight] : parts_[a * n_ + b]) load_[c] -= weight;
      taken_[b] = false;
    }
    return best;
  }

 private:
  u32 n_;
  std::vector<std::vector<std::pair<Channel, double>>> parts_;
  IdVector<Channel, double> load_;
  std::vector<bool> taken_;
};

// Of 2 to 8 hosts; some without some of their cables.
Topology topology_of_few_hosts(Random& random) {
  for (;;) {
    Topology t = random.below(2) == 0 ? random_tree(random) : random_topology();
    if (t.fabric.hosts() < 2 || t.fabric.hosts() > 8) continue;
    if (random.below(3) == 0) {
      const u32 cables = 10 + static_cast<u32>(random.below(30));
      t.fabric = broken(t.fabric, cables, random());
    }
    return t;
  }
}

// An engine with its number of paths, if it routes this.
RouteResult random_routing(const Topology& t, Random& random) {
  const Engine& engine = engines::engines()[random.below(engines::engines().size())];
  PluginText text{std::string(engine.name), {}};
  for (const OptionInfo& option : engine.options)
    if (option.key == "paths" || option.key == "lmc")
      text.set(option.key, std::to_string(1 + random.below(option.key == "lmc" ? 2 : 5)));
  return route(t, text);
}

RC_GTEST_PROP(WorstPermutation, IsTheWorstOfAllPermutations, (u64 seed)) {
  Random random(seed);
  const Topology t = topology_of_few_hosts(random);
  const RouteResult routed = random_routing(t, random);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const Routing& r = std::get<Routing>(routed);
  const u32 rail = static_cast<u32>(random.below(t.fabric.columns()));
  const WorstPermutation found = worst_permutation(t.fabric, r, {.rail = rail, .threads = 1});
  RC_ASSERT(nearly_equal(found.load, AllPermutations(t.fabric, r, rail).worst()));

  std::vector<bool> reached(t.fabric.hosts());  // it is a permutation, and loads the channel as said
  for (Host to : found.to) reached[index(to)] = true;
  RC_ASSERT(std::count(reached.begin(), reached.end(), true) == t.fabric.hosts());
  double sum = 0;
  for (const Flow& flow : found.flows(t.fabric, rail))
    for (const RoutedPath& path : paths(t.fabric, r, flow.from, flow.to))
      if (path.arrives)
        sum += path.weight *
               static_cast<double>(std::count(path.channels.begin(), path.channels.end(), found.channel));
  RC_ASSERT(nearly_equal(sum, found.load));
  const WorstPermutation again = worst_permutation(t.fabric, r, {.rail = rail, .threads = 3});
  RC_ASSERT(again.channel == found.channel && again.to == found.to);
}

// --- all traffic at once
// -------------------------------------------------------------------------------------

// The matrix can be routed with load 1, and has the load that is said on the channel.
void check_matrix(const Topology& t, const Routing& r, const ObliviousRatio& found, Measure measure) {
  if (found.channel == none<Channel>) return;
  const auto least = optimum(t, found.matrix, {measure});
  RC_ASSERT(std::get<double>(least) <= 1 + 1e-5);
  const double load = loads(t.fabric, r, found.matrix)[found.channel];
  RC_ASSERT(nearly_equal(load / capacity(t.fabric, found.channel, measure), found.ratio));
}

RC_GTEST_PROP(Oblivious, IsOneForUmulti, (u64 seed)) {
  Random random(seed);
  const Topology t = with_capacities(random_tree(random), random);
  const Routing r = std::get<Routing>(route(t, "umulti"));
  for (Measure measure : {Measure::demand, Measure::per_capacity}) {
    const auto found = std::get<ObliviousRatio>(oblivious_ratio(t, r, {.measure = measure, .threads = 1}));
    RC_ASSERT(nearly_equal(found.ratio, 1));
    check_matrix(t, r, found, measure);
  }
}

RC_GTEST_PROP(Oblivious, OnTreesIsWhatTheProgramOfTheWholeGraphSays, (u64 seed)) {
  Random random(seed);
  const Topology t = with_capacities(random_tree(random), random);
  RC_PRE(t.fabric.hosts() <= 16u && t.fabric.switches() <= 30u);
  const RouteResult routed = random_routing(t, random);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const Routing& r = std::get<Routing>(routed);
  const Measure measure = random.below(2) == 0 ? Measure::demand : Measure::per_capacity;
  const u32 rail = static_cast<u32>(random.below(t.fabric.columns()));
  const ObliviousOptions options{rail, measure, 1};
  const auto by_tree = std::get<ObliviousRatio>(oblivious_ratio(t, r, options));
  const auto by_graph = oblivious_ratio_by_program(t.fabric, r, options);
  RC_PRE(std::holds_alternative<ObliviousRatio>(by_graph));
  RC_ASSERT(nearly_equal(by_tree.ratio, std::get<ObliviousRatio>(by_graph).ratio));
  check_matrix(t, r, by_tree, measure);
  const auto again = std::get<ObliviousRatio>(oblivious_ratio(t, r, {rail, measure, 3}));
  RC_ASSERT(again.channel == by_tree.channel && again.ratio == by_tree.ratio);
}

RC_GTEST_PROP(Oblivious, IsAttainedAndNeverExceeded, (u64 seed)) {
  Random random(seed);
  const Topology t = topology_of_few_hosts(random);
  const RouteResult routed = random_routing(t, random);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const Routing& r = std::get<Routing>(routed);
  const auto result = oblivious_ratio(t, r, {.threads = 1});
  RC_PRE(std::holds_alternative<ObliviousRatio>(result));
  const auto& found = std::get<ObliviousRatio>(result);
  check_matrix(t, r, found, Measure::demand);
  RC_PRE(t.is_intact());  // all pairs arrive
  for (int i = 0; i < 5; ++i) {
    const auto flows = random_flows(random, t.fabric.hosts(), 1, 1 + random.below(10));
    const double least = std::get<double>(optimum(t, flows));
    const double maximum = heaviest(t.fabric, loads(t.fabric, r, flows), Measure::demand);
    RC_ASSERT(performance_ratio(maximum, least) <= found.ratio + 1e-6);
  }
}

}  // namespace
}  // namespace banyan::tests
