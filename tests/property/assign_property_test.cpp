// Paths that are assigned: shortest ones, with the loads that are claimed, never below the bound.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ask/assign.hpp"
#include "routing/port_sets.hpp"
#include "routing/walk.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

std::map<std::string, Node> nodes_by_name(const Fabric& fabric) {
  std::map<std::string, Node> out;
  for (const Node node : fabric.nodes()) out.emplace(fabric.name(node), node);
  for (u32 host = 0; host < fabric.hosts(); ++host)
    out.emplace(fabric.host_name(Host{host}), fabric.node(fabric.nic(Host{host})));
  return out;
}

// The channels that a path names.
std::vector<Channel> channels_of(const Fabric& fabric, const std::map<std::string, Node>& nodes,
                                 const ask::AssignAnswer::Path& path) {
  std::vector<Channel> out;
  for (std::size_t i = 0; i < path.ports.size(); ++i) {
    const Channel c = fabric.channel(nodes.at(path.names[i]), Port{path.ports[i]});
    RC_ASSERT(fabric.cabled(c));
    RC_ASSERT(fabric.to(c) == nodes.at(path.names[i + 1]));
    out.push_back(c);
  }
  return out;
}

RC_GTEST_PROP(Assign, PathsAreShortestAndHaveTheLoadsThatAreClaimed, (u64 seed)) {
  Random random(seed);
  Topology t = random_topology();
  if (random.below(2)) t.fabric = broken(t.fabric, static_cast<u32>(random.below(15)), seed);
  const std::vector<std::string> traffics = {"shift:1", "permutation", "all-shifts", "ring", "bisection"};
  const ask::Situation at{.topology = t, .traffic = traffics[random.below(traffics.size())], .seed = seed};
  ask::AssignOptions options{.ways = 1 + static_cast<u32>(random.below(4)), .passes = 10, .hashes = 3};
  options.hash = static_cast<ask::KnownHash>(random.below(4));
  options.seeds = random.below(2) ? HashSeeds::same : HashSeeds::of_switch;
  options.hash_seed = random.below(100);
  options.ports = 64;
  const auto result = ask::assign(at, options);
  RC_PRE(std::holds_alternative<ask::AssignAnswer>(result));
  const auto& found = std::get<ask::AssignAnswer>(result);
  const auto nodes = nodes_by_name(t.fabric);
  const PortSets shortest = shortest_port_sets(t.fabric);
  const HashedNextHops forward{shortest};
  const FlowHash hash{static_cast<HashKind>(options.hash), options.seeds, options.hash_seed};
  std::map<std::pair<Node, Node>, std::vector<std::vector<Channel>>> ways;
  for (const auto& path : found.paths) {
    const Node from = nodes.at(path.from), to = nodes.at(path.to);
    auto channels = channels_of(t.fabric, nodes, path);
    std::size_t length = 0;
    walk(t.fabric, forward, from, FlowHash{}.header(t.fabric.nic(from), t.fabric.nic(to), 0), to,
         [&](Channel) { ++length; });
    RC_ASSERT(channels.size() == length);
    RC_ASSERT(path.source_port.has_value() == (options.hash != ask::KnownHash::none));
    if (path.source_port) {
      std::vector<Channel> hashed;
      walk(t.fabric, forward, from,
           hash.with_port(t.fabric.nic(from), t.fabric.nic(to), static_cast<u16>(*path.source_port)), to,
           [&](Channel c) { hashed.push_back(c); });
      RC_ASSERT(hashed == channels);
    }
    ways[{from, to}].push_back(std::move(channels));
  }
  const Traffic traffic = make_traffic({t, t.fabric.hosts()}, at.traffic);
  double sum = 0;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    std::vector<Demand> demands;
    traffic.list(seed, 0, round, demands);
    IdVector<Channel, double> load(t.fabric.channels().size());
    for (const Demand& demand : demands) {
      if (demand.from == demand.to) continue;
      const auto& paths = ways.at({Node{index(demand.from)}, Node{index(demand.to)}});
      RC_ASSERT(paths.size() == found.ways);
      for (const auto& path : paths)
        for (const Channel c : path) load[c] += demand.amount / found.ways;
    }
    if (load.size() > 0) sum += *std::max_element(load.begin(), load.end());
  }
  const double mean = sum / static_cast<double>(traffic.rounds);
  RC_ASSERT(std::abs(mean - found.max_load) <= 1e-9 * (1 + mean));
  RC_ASSERT(found.bound <= found.max_load + 1e-6);
  RC_ASSERT(!found.optimal || found.within_one);
}

// Complete trees with any permutation: one path each is enough to come within one flow of the best routing.
RC_GTEST_PROP(Assign, PermutationsOnTreesComeWithinOneOfTheOptimum, (u64 seed)) {
  const Topology t = build(random_pgft());
  const ask::Situation at{.topology = t, .traffic = "permutation", .seed = seed};
  const auto found = std::get<ask::AssignAnswer>(ask::assign(at, {.ways = 1, .hashes = 0}));
  RC_ASSERT(found.within_one);
}

}  // namespace
}  // namespace banyan::tests
