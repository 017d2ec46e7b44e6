// The logarithm that decides results: near the exact one, and the same bits everywhere.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/logarithm.hpp"
#include "base/random.hpp"

namespace banyan::tests {
namespace {

// In units of the last place.
double error(double found, long double exact) {
  const double rounded = static_cast<double>(exact);
  const double unit = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / unit);
}

// In (0, 1], near 0, near 1 and between.
double random_share(Random& random) {
  const double share = random.unit();
  const u64 halvings = random.below(random.below(2) * 50 + 1);
  const double u = std::ldexp(share, -static_cast<int>(halvings));
  return random.below(2) == 0 ? 1 - u : u + 0x1.0p-53;
}

TEST(Logarithm, IsNearTheExactOne) {
  Random random(1);
  for (u32 i = 0; i < 100'000; ++i) {
    const double x = random_share(random);
    ASSERT_LT(error(minus_log(x), -std::log(static_cast<long double>(x))), 3) << x;
    if (x == 1) continue;
    ASSERT_LT(error(minus_log1p(x), -std::log1p(-static_cast<long double>(x))), 4) << x;
  }
}

TEST(Logarithm, IsExactAtItsEnds) {
  EXPECT_EQ(minus_log(1), 0);
  EXPECT_EQ(minus_log1p(0), 0);
  EXPECT_EQ(minus_log1p(0x1.0p-60), 0x1.0p-60);
  EXPECT_EQ(minus_log(0.5), 0x1.62e42fefa39efp-1);
  EXPECT_NEAR(minus_log(0x1.0p-53), 53 * std::log(2.0), 1e-14);
}

// A compiler that fuses multiplications and additions, or a table that differs, gives other bits.
TEST(Logarithm, HasTheSameBitsEverywhere) {
  Random random(2);
  u64 hash = 0;
  for (u32 i = 0; i < 100'000; ++i) {
    const double x = random_share(random);
    hash = hash * 0x9E3779B97F4A7C15 + std::bit_cast<u64>(minus_log(x));
    if (x < 1) hash = hash * 0x9E3779B97F4A7C15 + std::bit_cast<u64>(minus_log1p(x));
  }
  EXPECT_EQ(hash, 0xAB6CB33B0C1D090A);
}

}  // namespace
}  // namespace banyan::tests
