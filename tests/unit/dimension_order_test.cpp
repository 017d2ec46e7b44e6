// Dimension order on tori: ties at half a ring are spread, both lanes are used, and nothing waits in a
// circle.
#include <gtest/gtest.h>

#include <map>

#include "engines/engine.hpp"
#include "routing/walk.hpp"
#include "support/routed.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

// Calls f(channel, lane) for every channel between switches on every path.
void each_use(const Topology& t, const Routing& r, auto&& f) {
  const auto& order = std::get<DimensionOrder>(r.forward);
  for (const Node from : t.fabric.nic_nodes())
    for (const Node to : t.fabric.nic_nodes()) {
      if (from == to) continue;
      Header header = r.source.way(t.fabric.nic(from), t.fabric.nic(to), 0, 0);
      for (Node at = from; at != to;) {
        const Hop hop = order.next(at, header);
        const Channel c = t.fabric.channel(at, hop.port);
        ASSERT_TRUE(t.fabric.cabled(c));
        if (t.fabric.is_switch(at) && t.fabric.is_switch(t.fabric.to(c))) f(c, hop.lanes);
        header.state = hop.state;
        at = t.fabric.to(c);
      }
    }
}

// The least and the greatest number of paths over a channel between switches.
std::pair<u32, u32> extremes(std::string_view fabric) {
  const Topology t = make_topology(fabric);
  IdVector<Channel, u32> uses(t.fabric.channels().size(), 0);
  each_use(t, routed(t, "dor"), [&](Channel c, u16) { ++uses[c]; });
  std::pair<u32, u32> out{~0u, 0};
  for (const Channel c : t.fabric.channels())
    if (t.fabric.is_switch(t.fabric.from(c)) && t.fabric.is_switch(t.fabric.to(c)))
      out = {std::min(out.first, uses[c]), std::max(out.second, uses[c])};
  return out;
}

// On a ring of k switches all pairs take k^2 / 8 channels each way, times the k switches that tell the rings
// apart. Where k / 2 is odd, a channel has one tie more or less.
TEST(DimensionOrder, SpreadsTiesEvenly) {
  EXPECT_EQ(extremes("Torus(8x8)"), std::pair(64u, 64u));
  EXPECT_EQ(extremes("Torus(4x4; hosts=3)"), std::pair(9 * 8u, 9 * 8u));
  EXPECT_EQ(extremes("Torus(4x4x4)"), std::pair(32u, 32u));
  EXPECT_EQ(extremes("Torus(6x6)"), std::pair(24u, 30u));
}

TEST(DimensionOrder, UsesBothLanesOfARing) {
  const Topology t = make_topology("Torus(8)");
  std::map<u16, u32> uses;
  each_use(t, routed(t, "dor"), [&](Channel, u16 lanes) { ++uses[lanes]; });
  EXPECT_EQ(uses.size(), 2u);
  EXPECT_LT(std::max(uses[1], uses[2]), 1.5 * std::min(uses[1], uses[2]));
}

TEST(DimensionOrder, IsFreeOfDeadlockAndMinimal) {
  for (const char* fabric : {"Torus(8)", "Torus(5x4; hosts=2)", "Torus(6x3x2; hosts=3)", "Torus(2x2x2)",
                             "Mesh(5x1x3)", "2 x Torus(4x4)", "Torus(7x7)", "HyperX(3x4x2; trunk=1/2/3)"}) {
    const Topology t = make_topology(fabric);
    const Verdict verdict = judge(t.fabric, routed(t, "dor"), {.threads = 1});
    EXPECT_TRUE(verdict.yes()) << fabric << verdict.counterexample;
    EXPECT_TRUE(verdict.minimal) << fabric;
  }
}

}  // namespace
}  // namespace banyan::tests
