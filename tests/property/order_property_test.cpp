// Orders of ranks on hosts: compared with all orders, and with the loads that 'load' counts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "ask/load.hpp"
#include "ask/order.hpp"
#include "flow/host_cuts.hpp"
#include "flow/load.hpp"
#include "flow/tree_cuts.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct OrderCase {
  Topology topology;
  ask::FabricRouter router;
  Routing routing;
  std::vector<Host> hosts;
  std::string traffic;
};

// Some hosts of a fabric with a few cables missing, in any order; none where they do not reach each other.
std::optional<OrderCase> random_order_case(Random& random, u32 max_hosts) {
  Topology topology = random_topology();
  if (random.below(2)) {
    const u32 cables = static_cast<u32>(random.below(15));
    topology.fabric = broken(topology.fabric, cables, random());
  }
  const std::vector<std::string> engines = {"auto", "minhop", "ecmp", "spray"};
  ask::RoutingOptions options;
  options.engine = engines[random.below(engines.size())];
  ask::FabricRouter router = ask::router(options, topology);
  RouteResult routed = router.route(topology);
  if (!std::holds_alternative<Routing>(routed)) return std::nullopt;
  std::vector<Host> hosts = traffic_hosts(topology.fabric);
  random.shuffle(std::span(hosts));
  hosts.resize(std::min<std::size_t>(hosts.size(), 1 + random.below(max_hosts)));
  const std::vector<std::string> traffics = {"ring",        "shift:2", "all-shifts",
                                             "permutation", "uniform", "allreduce:algorithm=ring,bytes=4096"};
  return OrderCase{std::move(topology), std::move(router), std::get<Routing>(std::move(routed)),
                   std::move(hosts), traffics[random.below(traffics.size())]};
}

ask::Situation situation_of(const OrderCase& c, u64 seed, unsigned threads = 1) {
  return {
      .topology = c.topology, .routing = &c.routing, .traffic = c.traffic, .seed = seed, .threads = threads};
}

// The loads of all channels, round by round; the largest mean first.
struct PlainOrder {
  double mean = 0, worst = 0;
  bool free = true;
};

PlainOrder plain_order(const OrderCase& c, const Traffic& traffic, std::span<const Host> order, u64 seed) {
  PlainOrder out;
  // Free of contention is what every hash leaves free.
  const bool is_hashed = std::holds_alternative<HashedNextHops>(c.routing.forward);
  const Routing any_hash = is_hashed ? std::get<Routing>(engines::route(c.topology, "spray")) : c.routing;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    std::vector<Demand> demands;
    traffic.list(seed, 0, round, demands);
    std::vector<Flow> flows;
    std::vector<u32> users(c.topology.fabric.channels().size());
    for (const Demand& demand : demands) {
      flows.push_back(
          {Nic{index(order[index(demand.from)])}, Nic{index(order[index(demand.to)])}, demand.amount});
      const auto alone = loads(c.topology.fabric, any_hash, std::span(flows).last(1));
      for (const Channel channel : alone.ids()) users[index(channel)] += alone[channel] > 0;
    }
    const auto load = loads(c.topology.fabric, c.routing, flows);
    const double maximum = load.size() == 0 ? 0 : *std::max_element(load.begin(), load.end());
    out.mean += maximum / static_cast<double>(traffic.rounds);
    out.worst = std::max(out.worst, maximum);
    for (const u32 count : users) out.free &= count <= 1;
  }
  return out;
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, a, b}); }

// By trying all orders of the hosts, of which the ranks take the first.
double least_mean(const OrderCase& made, const Traffic& traffic, u64 seed) {
  std::vector<Host> order = made.hosts;
  std::sort(order.begin(), order.end());
  double least = plain_order(made, traffic, order, seed).mean;
  while (std::next_permutation(order.begin(), order.end()))
    least = std::min(least, plain_order(made, traffic, order, seed).mean);
  return least;
}

RC_GTEST_PROP(Order, IsTheBestOfAllOrdersOfFewHosts, (u64 seed)) {
  Random random(seed);
  const auto made = random_order_case(random, 5);
  RC_PRE(made.has_value());
  const auto result = ask::order(situation_of(*made, seed), made->hosts, made->router);
  RC_PRE(std::holds_alternative<ask::OrderAnswer>(result));
  const auto& found = std::get<ask::OrderAnswer>(result);
  const Traffic traffic =
      make_traffic({made->topology, static_cast<u32>(made->hosts.size()), 1}, made->traffic);
  const double least = least_mean(*made, traffic, seed);
  RC_ASSERT(is_near(found.max_load, least));
  RC_ASSERT(found.bound <= least + 1e-9);
  RC_ASSERT(found.optimal);
}

RC_GTEST_PROP(Order, ChoosesTheBestOfAllHosts, (u64 seed)) {
  Random random(seed);
  const auto made = random_order_case(random, 5);
  RC_PRE(made.has_value());
  const u32 choose = 1 + static_cast<u32>(random.below(made->hosts.size()));
  const auto result = ask::order(situation_of(*made, seed), made->hosts, made->router, {.choose = choose});
  RC_PRE(std::holds_alternative<ask::OrderAnswer>(result));
  const auto& found = std::get<ask::OrderAnswer>(result);
  RC_ASSERT(found.order.size() == choose);
  const Traffic traffic = make_traffic({made->topology, choose, 1}, made->traffic);
  const double least = least_mean(*made, traffic, seed);
  RC_ASSERT(is_near(found.max_load, least));
  RC_ASSERT(found.bound <= least + 1e-9);
  const PlainOrder plain = plain_order(*made, traffic, found.order, seed);
  RC_ASSERT(is_near(found.max_load, plain.mean));
  RC_ASSERT(found.contention_free == plain.free);
}

RC_GTEST_PROP(Order, HasTheLoadsThatLoadCounts, (u64 seed)) {
  Random random(seed);
  const auto made = random_order_case(random, 40);
  RC_PRE(made.has_value());
  const ask::OrderOptions options{.starts = 3, .swaps = 200};
  const auto result = ask::order(situation_of(*made, seed), made->hosts, made->router, options);
  RC_PRE(std::holds_alternative<ask::OrderAnswer>(result));
  const auto& found = std::get<ask::OrderAnswer>(result);
  RC_ASSERT(
      std::is_permutation(found.order.begin(), found.order.end(), made->hosts.begin(), made->hosts.end()));
  const Traffic traffic =
      make_traffic({made->topology, static_cast<u32>(made->hosts.size()), 1}, made->traffic);
  const PlainOrder plain = plain_order(*made, traffic, found.order, seed);
  RC_ASSERT(is_near(found.max_load, plain.mean));
  RC_ASSERT(is_near(found.max_load_worst, plain.worst));
  RC_ASSERT(found.contention_free == plain.free);
  const PlainOrder given = plain_order(*made, traffic, made->hosts, seed);
  RC_ASSERT(is_near(found.as_given.max_load, given.mean));
  RC_ASSERT(found.as_given.contention_free == given.free);
  for (const auto& side : {found.as_given, found.by_switch, found.random}) {
    RC_ASSERT(found.max_load <= side.max_load);
    RC_ASSERT(side.bound <= side.max_load + 1e-9);
    RC_ASSERT(found.bound <= side.max_load + 1e-9);
  }
  // Any threads, the same order.
  const auto again = ask::order(situation_of(*made, seed, 3), made->hosts, made->router, options);
  RC_ASSERT(std::get<ask::OrderAnswer>(again).order == found.order);
}

RC_GTEST_PROP(Order, BoundIsThatOfSubtreesOnTrees, (u64 seed)) {
  Random random(seed);
  const Topology t = build(random_pgft());
  const std::vector<Host> hosts = traffic_hosts(t.fabric);
  std::vector<Demand> demands;
  std::vector<Flow> flows;
  for (u64 i = random.below(30); i > 0; --i) {
    const u32 from = static_cast<u32>(random.below(hosts.size())),
              to = static_cast<u32>(random.below(hosts.size()));
    const double amount = static_cast<double>(1 + random.below(5));
    demands.push_back({Rank{from}, Rank{to}, amount});
    flows.push_back({Nic{from}, Nic{to}, amount});
  }
  std::vector<u32> seats(hosts.size());
  std::iota(seats.begin(), seats.end(), 0);
  const HostCuts cuts(t, hosts);
  RC_ASSERT(is_near(cuts.bound(demands, seats), TreeCuts(t).bound(flows)));
  const double least = cuts.least(demands);
  for (u32 i = 0; i < 5; ++i) {
    random.shuffle(std::span(seats));
    RC_ASSERT(least <= cuts.bound(demands, seats) + 1e-9);
  }
}

}  // namespace
}  // namespace banyan::tests
