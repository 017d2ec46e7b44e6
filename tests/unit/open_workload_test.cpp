// Sources that are on and off in turn, against a source that is looked at cycle by cycle.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "flit/workload.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

// The cycles in which host 0 creates messages, of one flit each.
std::vector<u64> burst_times(const MessageOptions& messages, u64 cycles) {
  const Topology t = make_topology("4-ary 2-tree");
  const Traffic traffic = make_traffic({t, t.fabric.hosts()}, "shift:1");
  Workload workload = Workload::open(t.fabric, traffic, place_linearly(traffic.ranks), messages, 3);
  std::vector<u64> out;
  for (u64 now; (now = workload.when(Seat{0})) < cycles;) {
    EXPECT_EQ(workload.take(Seat{0}, now).created, now);
    out.push_back(now);
  }
  return out;
}

MessageOptions burst_messages(Arrivals arrivals, double load, const char* burst) {
  return {.arrivals = arrivals, .load = load, .burst = burst, .packet_flits = 1};
}

// With a message in every cycle that it is on, the cycles are the periods. Both lengths are geometric: their
// means are those asked for, and half of the periods that last n cycles last longer than n more.
TEST(Bursts, PeriodsHaveTheLengthsAskedFor) {
  const u64 cycles = 4'000'000;
  const std::vector<u64> on = burst_times(burst_messages(Arrivals::bernoulli, 0.2, "20:80"), cycles);
  EXPECT_NEAR(static_cast<double>(on.size()) / static_cast<double>(cycles), 0.2, 0.004);
  u64 periods = 0, gaps = 0, long_gaps = 0;
  for (std::size_t i = 1; i < on.size(); ++i) {
    const u64 gap = on[i] - on[i - 1] - 1;
    if (gap == 0) continue;
    ++periods;
    gaps += gap;
    long_gaps += gap > 80;
  }
  const double count = static_cast<double>(periods);
  EXPECT_NEAR(static_cast<double>(on.size()) / count, 20, 0.4);
  EXPECT_NEAR(static_cast<double>(gaps) / count, 80, 1.6);
  EXPECT_NEAR(static_cast<double>(long_gaps) / count, std::pow(1 - 1.0 / 80, 80), 0.01);
}

TEST(Bursts, KeepTheMeanLoad) {
  for (const Arrivals arrivals : {Arrivals::poisson, Arrivals::bernoulli})
    for (const char* burst : {"100:300", "5000:500", "1:1"}) {
      const double found =
          static_cast<double>(burst_times(burst_messages(arrivals, 0.1, burst), 4'000'000).size()) / 4e6;
      EXPECT_NEAR(found, 0.1, 0.005) << burst;
    }
}

// Variance of the messages in windows, over their mean: 1 for a Poisson process.
TEST(Bursts, AreBursty) {
  const auto dispersion = [](const char* burst) {
    constexpr u64 window = 1000, windows = 2000;
    std::vector<double> count(windows);
    for (const u64 at : burst_times(burst_messages(Arrivals::poisson, 0.1, burst), window * windows))
      ++count[at / window];
    double sum = 0, squares = 0;
    for (const double c : count) sum += c, squares += c * c;
    const double mean = sum / windows;
    return (squares / windows - mean * mean) / mean;
  };
  EXPECT_NEAR(dispersion(""), 1, 0.2);
  EXPECT_GT(dispersion("200:800"),
            20);  // 1 + 2 * load / share * (1 - share)^2 * on, for windows that are long
}

TEST(Bursts, WhatIsNoBurstIsRefused) {
  for (const char* burst : {"5", "0:5", "5:0", "5:6:7", "a:b", ":", "1e10:1"})
    EXPECT_THROW(check_sizes(burst_messages(Arrivals::poisson, 0.1, burst)), InputError) << burst;
  EXPECT_THROW(check_sizes(burst_messages(Arrivals::back_to_back, 0.1, "5:5")), InputError);
  EXPECT_THROW(burst_times(burst_messages(Arrivals::bernoulli, 0.5, "10:90"), 10),
               InputError);  // five messages a cycle
}

}  // namespace
}  // namespace banyan::tests
