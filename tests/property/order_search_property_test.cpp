// Chains of the search for an order as a GPU runs them, in loops, against those of processors: the same
// orders. And what a chain finds is never worse than what it started from.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "engines/engine.hpp"
#include "flow/host_cuts.hpp"
#include "flow/order_search.hpp"
#include "support/host_device.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

struct OrderCase {
  std::vector<Host> hosts;
  std::vector<OrderRound> rounds;
};

OrderCase drawn_case(const Topology& t, Measure measure) {
  OrderCase out;
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
  const OrderCase of = drawn_case(t, measure);
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

}  // namespace
}  // namespace banyan::tests
