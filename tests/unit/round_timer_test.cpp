// Times of rounds from their pattern and size, against the plain computation of every message.
#include "study/round_timer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "engines/parx.hpp"

namespace banyan::tests {
namespace {

std::vector<Demand> random_round(u64 seed, u32 ranks, double bytes) {
  Random draw(seed, 0);
  std::vector<Demand> out;
  for (u32 i = 0; i < 2 * ranks; ++i)
    out.push_back({Rank{static_cast<u32>(draw.below(ranks))}, Rank{static_cast<u32>(draw.below(ranks))},
                   bytes * static_cast<double>(1 + draw.below(3))});
  return out;
}

double plain(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& round,
             const Placement& placement, TimeOptions options) {
  std::vector<Flow> flows;
  append_flows(round, placement, flows);
  std::vector<double> sent(fabric.nics()), received(fabric.nics());
  for (const Flow& f : flows) sent[index(f.from)] += f.demand, received[index(f.to)] += f.demand;
  options.resolution = 0.05 *
                       std::max(*std::max_element(sent.begin(), sent.end()),
                                *std::max_element(received.begin(), received.end())) /
                       options.rates.link;
  const auto ends = finish_times(fabric, routing, flows, options);
  return *std::max_element(ends.begin(), ends.end());
}

TEST(RoundTimer, AreThoseOfTheirMessages) {
  const Topology t = make_topology("HyperX(4x4; hosts=3)");
  const Placement placement = place(t.fabric, 40, 7, "random");
  const TimeOptions options{.rates = {.link = 4e9}, .overhead = 1.5e-6, .latency = 1e-7};
  for (const char* engine : {"dfsssp", "parx"}) {
    const Routing routing = std::get<Routing>(route(t, engine));
    RoundTimer times(t.fabric, routing, placement, options, engine == std::string_view("parx") ? 512 : 0);
    for (const u64 seed : {1, 2, 3})
      for (const double bytes : {0., 1., 64., 1000., 1e6}) {
        const auto round = random_round(seed, 40, bytes);
        const double expected = plain(t.fabric, routing, round, placement, options);
        EXPECT_NEAR(times(round), expected, 1e-3 * expected) << engine << ' ' << bytes;
      }
    EXPECT_LE(times.computed(), 9u) << "patterns are computed once; without bytes, small and large differ";
    EXPECT_EQ(times({}), 0);
  }
}

// What loads and rates see of PARX does not depend on its lanes.
TEST(RoundTimer, ParxWithoutLanesHasTheSamePaths) {
  const Topology t = make_topology("HyperX(4x4; hosts=2)");
  const NodeDemands demands(t.fabric.hosts(), {{Host{0}, Host{9}, 255}, {Host{3}, Host{30}, 7}});
  const Routing with = std::get<Routing>(route_parx(t, demands)),
                without = std::get<Routing>(parx_paths(t, demands));
  std::vector<Flow> flows;
  for (u32 a = 0; a < 32; ++a)
    for (u32 b = 0; b < 32; ++b) flows.push_back({Nic{a}, Nic{b}, a % 2 ? 100.0 : 1000.0});
  const Incidence x = incidence(t.fabric, with, flows, Demands::bytes),
                  y = incidence(t.fabric, without, flows, Demands::bytes);
  EXPECT_EQ(x.channels, y.channels);
  EXPECT_EQ(x.shares, y.shares);
}

}  // namespace
}  // namespace banyan::tests
