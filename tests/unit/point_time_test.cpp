// Estimates of what points take, beside figures that were measured once; no test measures a time.
#include "study/point_time.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/options.hpp"

namespace banyan::tests {
namespace {

struct Recorded {
  const char *fabric, *measure, *engine, *traffic;
  double seconds;  // CPU seconds of one thread, on the machine of the formulas
  double load = 0.5;
};

constexpr const char* fat_tree_b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
constexpr const char* hyperx_of_2000 = "HyperX(10x10; hosts=20)";
constexpr Recorded recorded[] = {
    {fat_tree_b, "simulate", "dmodk", "uniform", 1.01},
    {fat_tree_b, "simulate", "dmodk", "permutation", 0.82},
    {fat_tree_b, "simulate", "adaptive", "uniform", 2.21},
    {fat_tree_b, "simulate", "adaptive", "permutation", 2.11},
    {hyperx_of_2000, "simulate", "ugal", "uniform", 1.23},
    {hyperx_of_2000, "simulate", "ugal", "permutation", 1.11},
    {hyperx_of_2000, "simulate", "minhop", "permutation", 0.43},
    {"HyperX(12x9; hosts=18)", "simulate", "dal", "uniform", 2.29},
    {"Dragonfly(4,8,4)", "simulate", "ugal", "uniform", 0.82},
    {"Dragonfly(4,8,4)", "simulate", "minhop", "permutation", 0.27},
    {"HyperX(8x8; hosts=8)", "simulate", "ugal", "permutation", 0.26, 0.9},
    {"HyperX(8x8; hosts=8)", "simulate", "minhop", "permutation", 0.06, 0.3},
    {"HyperX(8x8; hosts=8)", "simulate", "minhop", "permutation", 3.3, 0.2},  // where it saturates
    {hyperx_of_2000, "verdict", "ugal", "", 4.98},
    {fat_tree_b, "verdict", "adaptive", "", 0.08},
    {fat_tree_b, "verdict", "smodk", "", 0.09},
    {fat_tree_b, "verdict", "random", "", 0.25},
    {fat_tree_b, "load", "adaptive", "permutation", 2.11},
    {fat_tree_b, "load", "adaptive", "uniform", 5.00},
    {fat_tree_b, "load", "smodk", "uniform", 0.39},
    {hyperx_of_2000, "load", "ugal", "permutation", 7.79},
    {hyperx_of_2000, "load", "ugal", "uniform", 23},
    {hyperx_of_2000, "load", "minhop", "uniform", 0.04},
};

TEST(PointTime, IsWithinAFactorOfThreeOfWhatWasMeasured) {
  for (const Recorded& point : recorded) {
    const Topology t = make_topology(point.fabric);
    PluginText options{point.measure, {}};
    if (std::string_view(point.measure) == "load") options.set("samples", "100");
    if (std::string_view(point.measure) == "simulate") options.set("load", fmt::format("{}", point.load));
    const FabricWays ways = ways_of(t.fabric);
    const double estimate =
        study_measures().at(point.measure).seconds({t, ways, point.engine, point.traffic}, options);
    EXPECT_LT(std::abs(std::log(estimate / point.seconds)), std::log(3))
        << point.fabric << " " << point.measure << " " << point.engine << " " << point.traffic << ": "
        << estimate << " s, measured " << point.seconds;
  }
}

TEST(PointTime, LearnsFromWhatIsFinished) {
  LearnedTimes learned;
  EXPECT_EQ(learned.factor("load", "minhop"), 1);
  learned.add("load", "minhop", 1, 2);
  learned.add("load", "minhop", 1, 8);
  learned.add("load", "ugal", 1, 256);
  learned.add("load", "dal", 1, 1e-9);  // too short to say anything
  EXPECT_NEAR(learned.factor("load", "minhop"), 4, 1e-12);
  EXPECT_NEAR(learned.factor("load", "dal"), 16, 1e-12);  // that of the measure
  EXPECT_EQ(learned.factor("simulate", "minhop"), 1);
}

TEST(PointTime, KnowsHowManyWaysThereAre) {
  const Topology tree = make_topology("XGFT(2; 4,4; 1,4)");
  const FabricWays of_tree = ways_of(tree.fabric);
  EXPECT_EQ(of_tree.leaves, 4);
  EXPECT_NEAR(of_tree.distance, (3 * 2 + 12 * 4) / 15.0, 1e-12);
  EXPECT_EQ(of_tree.shortest, (2 + 3 * 10) / 4.0);  // one of the four goals is on the same leaf
  EXPECT_EQ(ways_of(make_topology("Mesh(2)").fabric).shortest, 3);
  const Topology dragonfly = make_topology("Dragonfly(2,4,2)"),
                 hyperx = make_topology("HyperX(4x4; hosts=2)");
  const FabricWays ways{};
  EXPECT_EQ((PointWork{dragonfly, ways, "ugal"}.intermediates()), 9);
  EXPECT_EQ((PointWork{hyperx, ways, "ugal"}.intermediates()), 16);
}

TEST(PointTime, KnowsHowMuchTheTrafficSends) {
  const Topology tree = make_topology("XGFT(2; 4,4; 1,4)");
  const FabricWays ways = ways_of(tree.fabric);
  PointWork work{tree, ways, "minhop", "alltoall"};
  EXPECT_EQ(work.messages().count, 16);
  work.job = [&] { return ask::Situation{.topology = tree, .traffic = "alltoall:1000"}.job(); };
  const PointWork::Messages sent = work.messages();
  EXPECT_NEAR(sent.count, 16 * 15, 1e-9);
  EXPECT_NEAR(sent.amount, 16 * 15 * 1000, 1e-6);
  EXPECT_TRUE(sent.in_bytes);
}

TEST(PointTime, OfEveryEngineIsKnownOrThatOfTables) {
  EXPECT_EQ(effort_of("ugal"), EngineEffort::detours);
  EXPECT_EQ(effort_of("adaptive"), EngineEffort::adaptive);
  EXPECT_EQ(effort_of("smodk"), EngineEffort::pair);
  EXPECT_EQ(effort_of("minhop"), EngineEffort::table);
}

}  // namespace
}  // namespace banyan::tests
