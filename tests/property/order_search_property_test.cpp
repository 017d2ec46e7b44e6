// Chains of the search for an order as a GPU runs them, in loops, against those of processors: the same
// orders. And what a chain finds is never worse than what it started from. The same of chains that look for
// bad permutations.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "engines/engine.hpp"
#include "flow/host_cuts.hpp"
#include "flow/load.hpp"
#include "flow/worst_rate.hpp"
#include "support/host_device.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

struct SearchCase {
  std::vector<Host> hosts;
  std::vector<OrderRound> rounds;
};

SearchCase drawn_case(const Topology& t, Measure measure) {
  SearchCase out;
  for (u32 i = 0; i < t.fabric.hosts() && i < 24; ++i) out.hosts.push_back(Host{i});
  const u32 ranks = static_cast<u32>(out.hosts.size());
  const HostCuts cuts(t, out.hosts, measure);
  out.rounds.resize(draw(1, 3));
  for (OrderRound& round : out.rounds) {
    round.times = draw(1, 4);
    for (u32 i = draw(0, 2 * ranks); i > 0; --i) {
      const u32 from = draw(0, ranks - 1), to = draw(0, ranks - 1);
      if (from != to) round.demands.push_back({Rank{from}, Rank{to}, draw(1, 9) / 3.0});
    }
    round.least = draw(0, 5) == 0 ? 0 : cuts.least(round.demands);
  }
  return out;
}

std::vector<Seats> drawn_starts(u32 ranks) {
  std::vector<Seats> out(draw(1, 4), Seats(ranks));
  for (Seats& seats : out) {
    std::iota(seats.begin(), seats.end(), 0);
    Random(draw(0, 1000)).shuffle(std::span(seats));
  }
  return out;
}

RC_GTEST_PROP(OrderSearch, ChainsOnAGpuAreThoseOfProcessors, ()) {
  const Topology t = draw(0, 1) == 0 ? build(random_pgft(4)) : random_topology();
  RC_PRE(t.fabric.hosts() > 1);
  static constexpr const char* engines[] = {"minhop", "minhop:lmc=1", "dmodk", "disjoint:3", "adaptive"};
  const RouteResult routed = route(t, engines[draw(0, 4)]);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const Measure measure = draw(0, 1) == 0 ? Measure::demand : Measure::per_capacity;
  const SearchCase of = drawn_case(t, measure);
  const WayLister lister(t.fabric, std::get<Routing>(routed));
  const PairPaths paths(lister, of.hosts, measure, 1);
  RC_PRE(!paths.lost());
  const OrderSearch search(paths, of.rounds, draw(1, 300));
  const std::vector<Seats> starts = drawn_starts(static_cast<u32>(of.hosts.size()));
  const u64 seed = draw(0, 1000), stream = ~u64{0} - draw(0, 9);
  const auto device = std::get<gpu::Device>(gpu::Device::find(HostDevice<4>::calls()));
  const std::vector<Seats> found = search.run(device, starts, seed, stream);
  u32 better = 0;
  for (u32 i = 0; i < starts.size(); ++i) {
    RC_ASSERT(found[i] == search.run(starts[i], seed, stream - i));
    const double before = mean_max_load(paths, of.rounds, starts[i]),
                 after = mean_max_load(paths, of.rounds, found[i]);
    better += after < before;
    Seats sorted = found[i];
    std::sort(sorted.begin(), sorted.end());
    for (u32 rank = 0; rank < sorted.size(); ++rank) RC_ASSERT(sorted[rank] == rank);
  }
  RC_TAG(std::string(better > 0 ? "better" : "as before"));
}

// Every flow by itself says which channels it uses, all together what they carry.
double plain_rate(const Topology& t, const Routing& routing, const Destinations& to, Measure measure) {
  std::vector<Flow> flows;
  for (u32 i = 0; i < to.size(); ++i) flows.push_back({t.fabric.nic(Host{i}), t.fabric.nic(Host{to[i]}), 1});
  const auto all = loads(t.fabric, routing, flows);
  double sum = 0;
  for (u32 i = 0; i < to.size(); ++i) {
    const auto alone = loads(t.fabric, routing, std::span(flows).subspan(i, 1));
    double met = 1;
    for (const Channel c : alone.ids())
      if (alone[c] > 0) met = std::max(met, all[c] / capacity(t.fabric, c, measure));
    sum += 1 / met;
  }
  return sum / static_cast<double>(to.size());
}

struct WorstRateCase {
  Topology topology;
  Routing routing;
  Measure measure = Measure::demand;

  std::vector<Host> hosts() const {
    std::vector<Host> out;
    for (u32 i = 0; i < topology.fabric.hosts(); ++i) out.push_back(Host{i});
    return out;
  }
};

std::optional<WorstRateCase> drawn_worst_rate(u32 max_hosts) {
  Topology topology = draw(0, 1) == 0 ? build(random_pgft(4)) : random_topology();
  if (topology.fabric.hosts() < 2 || topology.fabric.hosts() > max_hosts) return std::nullopt;
  static constexpr const char* engines[] = {"minhop", "minhop:lmc=1", "ecmp:2", "disjoint:3", "adaptive"};
  RouteResult routed = route(topology, engines[draw(0, 4)]);
  if (!std::holds_alternative<Routing>(routed)) return std::nullopt;
  const Measure measure = draw(0, 1) == 0 ? Measure::demand : Measure::per_capacity;
  return WorstRateCase{std::move(topology), std::get<Routing>(std::move(routed)), measure};
}

RC_GTEST_PROP(WorstRateSearch, ChainsOnAGpuAreThoseOfProcessors, ()) {
  const auto of = drawn_worst_rate(40);
  RC_PRE(of.has_value());
  const WayLister lister(of->topology.fabric, of->routing);
  const PairPaths paths(lister, of->hosts(), of->measure, 1);
  RC_PRE(!paths.lost());
  const WorstRateSearch search(paths);
  const u64 seed = draw(0, 1000);
  const std::vector<Destinations> starts = search.starts(draw(1, 3), seed);
  const auto device = std::get<gpu::Device>(gpu::Device::find(HostDevice<4>::calls()));
  const std::vector<Destinations> found = search.run(device, starts, seed);
  RC_ASSERT(found == search.run(starts, seed, draw(1, 3)));
  for (u32 i = 0; i < starts.size(); ++i) {
    const double before = plain_rate(of->topology, of->routing, starts[i], of->measure),
                 after = plain_rate(of->topology, of->routing, found[i], of->measure);
    RC_ASSERT(after <= before + 1e-4);  // shares are rounded to 1 / 65536
    RC_ASSERT(std::abs(permutation_rate(paths, found[i]).mean_rate - after) < 1e-9);
    Destinations sorted = found[i];
    std::sort(sorted.begin(), sorted.end());
    for (u32 host = 0; host < sorted.size(); ++host) RC_ASSERT(sorted[host] == host);
  }
}

RC_GTEST_PROP(WorstRateSearch, OfFewHostsNoPermutationHasLess, ()) {
  const auto of = drawn_worst_rate(5);
  RC_PRE(of.has_value());
  const WayLister lister(of->topology.fabric, of->routing);
  const PairPaths paths(lister, of->hosts(), of->measure, 1);
  RC_PRE(!paths.lost());
  const double found = plain_rate(of->topology, of->routing, worst_of_all_permutations(paths), of->measure);
  Destinations to(paths.hosts());
  std::iota(to.begin(), to.end(), 0);
  do RC_ASSERT(found <= plain_rate(of->topology, of->routing, to, of->measure) + 1e-9);
  while (std::next_permutation(to.begin(), to.end()));
}

}  // namespace
}  // namespace banyan::tests
