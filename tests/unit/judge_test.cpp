// Planted faults: each is found, and the judge names it.
#include "verify/judge.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "fabric/levels.hpp"
#include "support/routed.hpp"
#include "topology/place.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

// d-mod-k as tables, to plant faults in.
Tables dmodk_tables(const Topology& t) {
  const Routing closed = routed(t, "dmodk");
  Tables tables(t.fabric);
  for (u32 to = 0; to < t.fabric.nics(); ++to)
    for (Node v : t.fabric.switch_nodes())
      tables(v, Address{to}) = static_cast<u8>(
          index(std::get<TreeForm>(closed.forward).next(v, closed.source.way(Nic{0}, Nic{to}, 0, 0)).port));
  return tables;
}

Verdict judge_tables(const Fabric& fabric, const Tables& tables) {
  return judge(fabric, Routing{tables, Source(TableWays{})});
}

bool says(const Verdict& verdict, std::string_view text) {
  return verdict.counterexample.find(text) != std::string::npos;
}

class PlantedFaults : public testing::Test {
 protected:
  Topology t = make_topology("4-ary 2-tree");  // hosts 0-15, leaves 16-19 (s1-), spines 20-23 (s2-)
  Tables tables = dmodk_tables(t);
};

TEST_F(PlantedFaults, NoneIsAYesWithACertificate) {
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_TRUE(v.yes() && v.minimal) << v.counterexample;
  EXPECT_EQ(v.pairs, 240u);
  EXPECT_EQ(v.longest_path, 4u);
  EXPECT_EQ(v.idle_channels, 0u);
  EXPECT_EQ(v.max_destinations_per_channel, 3u);
  EXPECT_EQ(v.max_destinations_per_down_channel, 1u);
  EXPECT_TRUE(recheck(*v.certificate, t.fabric, Routing{tables, Source(TableWays{})}));
}

TEST_F(PlantedFaults, AMissingEntry) {
  tables(Node{20}, Address{4}) = Tables::no_port;
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_FALSE(v.reachable);
  EXPECT_TRUE(v.loop_free && v.deadlock_free);
  EXPECT_EQ(v.failing_pairs, 12u);
  EXPECT_EQ(v.counterexample, "from h0 to h4: h0:1 -> s1-0:5 -> s2-0, where no cabled port is given for it");
}

TEST_F(PlantedFaults, AWrongPortToAHost) {
  tables(Node{17}, Address{4}) = 1;
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_FALSE(v.reachable);
  EXPECT_EQ(v.failing_pairs, 15u);
  EXPECT_TRUE(says(v, "-> h5, which is not its destination")) << v.counterexample;
}

TEST_F(PlantedFaults, AnEmptyPort) {
  const Fabric fabric = without(t.fabric, std::vector<std::string>{"link=s2-0:2"});
  const Verdict v = judge_tables(fabric, tables);
  EXPECT_FALSE(v.reachable);
  EXPECT_EQ(v.disconnected_pairs, 0u);
}

TEST_F(PlantedFaults, ALoop) {
  tables(Node{20}, Address{4}) = 0;  // back down to leaf 0, which sends it up again
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_FALSE(v.loop_free);
  EXPECT_FALSE(v.reachable) << "it does not arrive";
  EXPECT_GT(v.failing_pairs, 0u);
  EXPECT_EQ(v.evidence.at(0).kind, Evidence::Kind::loop) << "it is not lost";
  EXPECT_FALSE(v.deadlock_free) << "a packet that goes in circles can wait for itself";
  EXPECT_TRUE(says(v, "s1-0:5 -> s2-0:1 -> s1-0, where it has been before")) << v.counterexample;
}

TEST_F(PlantedFaults, ADetour) {  // leaf 2 sends host 4's packets up a spine that sends them down to leaf 3
  tables(Node{18}, Address{4}) = 5;
  tables(Node{21}, Address{4}) = 3;
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.minimal);
  EXPECT_EQ(v.longer_pairs, 4u);
  EXPECT_EQ(v.longest_excess, 2u);
  EXPECT_EQ(v.detour, "from h8 to h4: 2 channels more than needed");
}

TEST(Judge, DoesNotBlameARoutingForPairsThatNoCableConnects) {
  const Topology t = make_topology("4-ary 2-tree");
  const Fabric fabric = without(t.fabric, std::vector<std::string>{"host=h3"});
  const Verdict v = judge_tables(fabric, dmodk_tables(t));
  EXPECT_TRUE(v.yes()) << v.counterexample;
  EXPECT_EQ(v.pairs, 210u);
  EXPECT_EQ(v.disconnected_pairs, 30u);
}

// A ring of four switches, everything clockwise: one lane deadlocks, two need not.
class RingOfFour : public testing::Test {
 protected:
  RingOfFour() : tables(t.fabric) {
    for (Node v : t.fabric.switch_nodes())
      for (u32 to = 0; to < 4; ++to) {
        const u32 s = index(v) - 4;
        tables(v, Address{to}) =
            static_cast<u8>(s == to ? 0 : index(std::get<Torus>(t.shape).port_towards(s, 0, (s + 1) % 4)));
      }
  }
  // The lane of a whole path, by source and destination: 1 if it passes through switch 0.
  TableWays lanes() const {
    TableWays ways{0, 4, {0, 1, 2, 3}, std::vector<u8>(16)};
    for (u32 from = 0; from < 4; ++from)
      for (u32 to = 1; to < from; ++to) ways.lanes[from * 4 + to] = 1;
    return ways;
  }
  Topology t = make_topology("Torus(4)");
  Tables tables;
};

TEST_F(RingOfFour, DeadlocksOnOneLane) {
  const Verdict v = judge_tables(t.fabric, tables);
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free || v.certificate.has_value());
  EXPECT_TRUE(says(v, "s0:2 lane 0 waits for s1:3 lane 0 (from h0 to h2)")) << v.counterexample;
}

TEST_F(RingOfFour, DoesNotWithTwoAndASwappedLaneIsFound) {
  TableWays ways = lanes();
  const Verdict v = judge(t.fabric, Routing{tables, Source(ways), 2});
  EXPECT_TRUE(v.yes()) << v.counterexample;
  EXPECT_EQ(v.lanes, 2u);
  std::swap(ways.lanes[3 * 4 + 1], ways.lanes[0 * 4 + 2]);  // now lane 0 passes through, too
  const Routing swapped{tables, Source(ways), 2};
  EXPECT_FALSE(judge(t.fabric, swapped).deadlock_free);
  EXPECT_FALSE(recheck(*v.certificate, t.fabric, swapped)) << "nor does the old certificate hold";
}

TEST(Judge, ACycleMayRunThroughSeveralLanes) {
  // Lanes alternate with every hop around the ring: each lane alone looks acyclic, together they are not.
  const Topology t = make_topology("Torus(4)");
  struct Alternating {
    const Torus& ring;
    Hop next(Node node, const Header& header) const {
      if (index(node) < 4) return {Port{0}, 1, 0, 0};
      const u32 s = index(node) - 4;
      if (s == index(header.to)) return {Port{0}, 1, 0, 0};
      return {ring.port_towards(s, 0, (s + 1) % 4), static_cast<u16>(1u << s % 2), 0, 0};
    }
  };
  const Routing r = routed(t, "dor");
  const Verdict v = judge(t.fabric, Alternating{std::get<Torus>(t.shape)}, r.source);
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_TRUE(says(v, "lane 1 waits for")) << v.counterexample;
}

TEST(Judge, FindsEveryBrokenDatelineOfATorus) {
  const Topology t = make_topology("Torus(8x8x3)");
  const Routing r = routed(t, "dor");
  EXPECT_TRUE(judge(t.fabric, r).yes());
  struct Forgets {  // crossing the dateline of one dimension does not change the lane
    const DimensionOrder& order;
    u32 dimension;
    Hop next(Node node, const Header& header) const {
      Hop hop = order.next(node, header);
      hop.state &= static_cast<u8>(~(1u << dimension));
      return hop;
    }
  };
  for (u32 d = 0; d < 2; ++d)
    EXPECT_FALSE(judge(t.fabric, Forgets{std::get<DimensionOrder>(r.forward), d}, r.source).deadlock_free)
        << d;
  // In a ring of three a shortest path has one hop in that dimension: nothing waits, nothing is lost.
  EXPECT_TRUE(judge(t.fabric, Forgets{std::get<DimensionOrder>(r.forward), 2}, r.source).deadlock_free);
}

TEST(Judge, GivesTheSameVerdictWithAnyNumberOfThreads) {
  const Topology t = make_topology("PGFT(3; 4,3,4; 1,2,2; 1,1,2)");
  const Routing r = routed(t, "random:paths=3");
  const Verdict one = judge(t.fabric, r, {.threads = 1}), four = judge(t.fabric, r, {.threads = 4});
  EXPECT_EQ(one.average_path, four.average_path);
  EXPECT_EQ(*one.certificate, *four.certificate);
  EXPECT_EQ(one.max_destinations_per_channel, four.max_destinations_per_channel);
}

TEST(Certificate, IsReadBackAsItWasWritten) {
  const Topology t = make_topology("Torus(5x4; hosts=2)");
  const Routing r = routed(t, "dor");
  const Certificate certificate = *judge(t.fabric, r).certificate;
  std::stringstream file;
  write_certificate(file, certificate, t.fabric);
  EXPECT_EQ(read_certificate(file, "x", t.fabric), certificate);

  for (std::size_t i = 0; i < certificate.number.size();
       ++i) {  // without any one of its numbers it is worthless
    Certificate forged = certificate;
    if (forged.number[i] == 0) continue;
    forged.number[i] = 0;
    EXPECT_FALSE(recheck(forged, t.fabric, r)) << i;
  }
  std::istringstream bad("banyan certificate, lanes 2\n1 2 3\n");
  EXPECT_THROW(read_certificate(bad, "x", t.fabric), InputError);
}

TEST(Levels, AreThoseOfTheTreeWhateverIsMissing) {
  Topology t = make_topology("4-ary 3-tree");
  EXPECT_EQ(levels(t), levels_from_hosts(t.fabric));
  t.fabric = without(t.fabric, std::vector<std::string>{"host=h0", "host=h1", "host=h2", "host=h3"});
  EXPECT_NE(levels(t), levels_from_hosts(t.fabric));
}

}  // namespace
}  // namespace banyan::tests
