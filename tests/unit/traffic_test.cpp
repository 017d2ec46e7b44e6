#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/pattern.hpp"

namespace banyan {
namespace {

std::vector<Demand> demands(std::string_view pattern, u32 ranks, u64 seed = 1, u64 sample = 0) {
  const Topology tree = make_topology("4-ary 2-tree");
  std::vector<Demand> out;
  make_traffic({tree, ranks}, pattern).list(seed, sample, 0, out);
  return out;
}

TEST(Traffic, APermutationReachesEveryRankOnce) {
  std::vector<u32> to;
  for (const Demand& demand : demands("permutation", 16)) to.push_back(index(demand.to));
  std::sort(to.begin(), to.end());
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(to[i], i);
  EXPECT_NE(demands("permutation", 16, 1, 0), demands("permutation", 16, 1, 1));
}

TEST(Traffic, AShiftGoesAroundTheEnd) {
  EXPECT_EQ(demands("shift:3", 5), (std::vector<Demand>{{Rank{0}, Rank{3}},
                                                        {Rank{1}, Rank{4}},
                                                        {Rank{2}, Rank{0}},
                                                        {Rank{3}, Rank{1}},
                                                        {Rank{4}, Rank{2}}}));
}

TEST(Traffic, ABisectionUsesEveryRankOnce) {
  std::vector<u32> seen;
  for (const Demand& demand : demands("bisection", 16)) {
    seen.push_back(index(demand.from));
    seen.push_back(index(demand.to));
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 16u);
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(seen[i], i);
}

}  // namespace
}  // namespace banyan
