// Messages for ever: sources that are on and off in turn, against a source that is looked at cycle by cycle;
// packets of several lengths; requests and replies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

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

// Who creates a message when, and for whom.
std::vector<std::tuple<u64, u32, u32>> created(const Topology& t, const Traffic& traffic,
                                               const Placement& placement) {
  Workload workload = Workload::open(t.fabric, traffic, placement, {.load = 0.5, .packet_flits = 2}, 7);
  std::vector<std::tuple<u64, u32, u32>> out;
  for (u32 seat = 0; seat < t.fabric.hosts(); ++seat)
    for (u64 now; (now = workload.when(Seat{seat})) < 200;)
      out.emplace_back(now, seat, index(workload.take(Seat{seat}, now).to));
  return out;
}

// Ranks that send alike share a list of targets. Messages are those of a list for each.
TEST(SharedTargets, GiveTheSameMessages) {
  for (const char* notation : {"Dragonfly(2,4,2)", "Dragonfly+(2,2,2,1)"}) {
    const Topology t = make_topology(notation);
    const Traffic traffic = make_traffic({t, t.fabric.hosts()}, "bad-dragonfly");
    std::vector<Demand> all, firsts;
    traffic.list(1, 0, 0, all);
    traffic.list_firsts(1, 0, 0, firsts);
    EXPECT_EQ(firsts.size() * traffic.alike, all.size());
    std::vector<Demand> of_firsts;
    for (const Demand& demand : all)
      if (index(demand.from) % traffic.alike == 0) of_firsts.push_back(demand);
    EXPECT_EQ(firsts, of_firsts);
    Traffic listed = traffic;
    listed.alike = 1;
    Placement backwards = place_linearly(traffic.ranks);
    std::reverse(backwards.begin(), backwards.end());
    for (const Placement& placement : {place_linearly(traffic.ranks), backwards}) {
      const auto messages = created(t, traffic, placement);
      EXPECT_GT(messages.size(), 500U);
      EXPECT_EQ(messages, created(t, listed, placement));
    }
  }
}

Workload ring_workload(const MessageOptions& messages) {
  static const Topology t = make_topology("4-ary 2-tree");
  const Traffic traffic = make_traffic({t, t.fabric.hosts()}, "shift:1");
  return Workload::open(t.fabric, traffic, place_linearly(traffic.ranks), messages, 3);
}

TEST(PacketLengths, AreDrawnByTheirWeightsAndKeepTheMeanLoad) {
  Workload workload =
      ring_workload({.load = 0.2, .packet_flits = 9, .packet_lengths = "1:3,9:1,4"});  // mean 3.2 flits
  std::vector<u64> count(10);
  u64 now = 0, flits = 0, messages = 0;
  for (; (now = workload.when(Seat{0})) < 2'000'000; ++messages) {
    const u32 length = workload.take(Seat{0}, now).flits;
    ++count.at(length);
    flits += length;
  }
  const double all = static_cast<double>(messages);
  EXPECT_NEAR(static_cast<double>(count[1]) / all, 0.6, 0.01);
  EXPECT_NEAR(static_cast<double>(count[9]) / all, 0.2, 0.01);
  EXPECT_NEAR(static_cast<double>(count[4]) / all, 0.2, 0.01);
  EXPECT_NEAR(static_cast<double>(flits) / 2e6, 0.2, 0.004);
  EXPECT_FALSE(workload.has_only_multiples_of(9));
}

// Lengths in whole flits are geometric from 1 on; their mean is the one asked for, and so is the load.
TEST(ExponentialSizes, HaveTheMeanAskedForAndKeepTheLoad) {
  for (const u32 mean : {1, 2, 5, 40}) {
    Workload workload = ring_workload({.sizes = Sizes::exponential, .load = 0.3, .packet_flits = mean});
    const double cycles = 200'000.0 * mean;
    u64 flits = 0, messages = 0, of_one = 0;
    for (u64 now; static_cast<double>(now = workload.when(Seat{0})) < cycles; ++messages) {
      const u32 length = workload.take(Seat{0}, now).flits;
      flits += length;
      of_one += length == 1;
    }
    const double all = static_cast<double>(messages);
    EXPECT_NEAR(static_cast<double>(flits) / all, mean, 0.02 * mean);
    EXPECT_NEAR(static_cast<double>(of_one) / all, 1.0 / mean, 0.01);
    EXPECT_NEAR(static_cast<double>(flits) / cycles, 0.3, 0.006);
  }
}

TEST(ExponentialSizes, ThatCannotBeDrawnAreRefused) {
  EXPECT_THROW(check_sizes({.sizes = Sizes::exponential, .packet_flits = 1 << 20, .message_packets = 65}),
               InputError);
  check_sizes({.sizes = Sizes::exponential, .packet_flits = 1 << 20, .message_packets = 64});
}

// A host with two links at a load of 0.8 would have to create 1.6 messages a cycle.
TEST(BernoulliArrivals, AreAtMostOneMessageACycle) {
  const Topology t = make_topology("XGFT(2; 2,2; 2,2)");
  const Traffic traffic = make_traffic({t, t.fabric.hosts()}, "shift:1");
  const auto open = [&](double load) {
    return Workload::open(t.fabric, traffic, place_linearly(traffic.ranks),
                          {.arrivals = Arrivals::bernoulli, .load = load, .packet_flits = 1}, 3);
  };
  EXPECT_THROW(open(0.8), InputError);
  EXPECT_DOUBLE_EQ(open(0.5).offered(), t.fabric.hosts());
}

TEST(PacketLengths, ThatCannotBeAreRefused) {
  for (const char* text : {"0:1", "5:0", "5:-1", "five:1", "5:1:1", "1:1,", "8:1"})
    EXPECT_THROW(ring_workload({.packet_flits = 5, .packet_lengths = text}), InputError) << text;
  EXPECT_THROW(ring_workload({.packet_flits = 5, .packet_lengths = "5:1", .message_packets = 2}), InputError);
}

// A reply is one packet, as a request is, so that the largest packet may be a reply.
TEST(PacketLengths, LeaveAReplyInOnePiece) {
  EXPECT_EQ(largest_packet({.packet_flits = 3, .reply_flits = 5}), 3u);
  EXPECT_EQ(largest_packet({.packet_lengths = "1,2", .reply_flits = 5}), 5u);
  EXPECT_EQ(largest_packet({.packet_lengths = "1,9", .reply_flits = 5}), 9u);
  EXPECT_THROW(ring_workload({.packet_flits = 1, .packet_lengths = "1", .reply_flits = 5}), InputError);
  const Workload workload = ring_workload({.packet_flits = 5, .packet_lengths = "1", .reply_flits = 5});
  EXPECT_FALSE(workload.has_only_multiples_of(5));
}

TEST(Requests, AreAnsweredAndWaitWhileTooManyAreNot) {
  Workload workload = ring_workload({.arrivals = Arrivals::back_to_back,
                                     .packet_flits = 2,
                                     .reply_flits = 8,
                                     .reply_cycles = 5,
                                     .max_requests = 2});
  const Seat here{3}, there{4};
  const Workload::Post first = workload.take(here, 10);
  EXPECT_EQ(first.to, there);
  EXPECT_EQ(first.flits, 2u);
  EXPECT_LE(workload.when(here), 10u);
  workload.take(here, 12);
  EXPECT_EQ(workload.when(here), Workload::never);  // two are not answered

  for (int i = 0; i < 2; ++i) workload.take(there, 13);
  EXPECT_EQ(workload.when(there), Workload::never);
  workload.arrived(there, first.round, 20);
  EXPECT_EQ(workload.when(there), 25u);
  const Workload::Post reply = workload.take(there, 25);
  EXPECT_EQ(reply.created, 25u);
  EXPECT_EQ(reply.to, here);
  EXPECT_EQ(reply.flits, 8u);
  EXPECT_EQ(workload.when(there), Workload::never);

  workload.arrived(here, reply.round, 40);
  EXPECT_LE(workload.when(here), 40u);
}

// A NIC with several ports: whoever simulates it may hear of the requests of one cycle in any order.
TEST(Requests, OfOneCycleAreAnsweredInTheOrderOfTheHosts) {
  Workload workload = ring_workload({.load = 1e-9, .packet_flits = 2, .reply_flits = 8, .reply_cycles = 5});
  const Seat at{4};
  workload.arrived(at, 1 + 7, 19);
  for (const u32 from : {3u, 6u, 2u}) workload.arrived(at, 1 + from, 20);
  workload.arrived(at, 1 + 0, 21);
  std::vector<u32> answered;
  for (int i = 0; i < 5; ++i) answered.push_back(index(workload.take(at, 30).to));
  EXPECT_EQ(answered, (std::vector<u32>{7, 2, 3, 6, 0}));
}

// One host asks another: its links carry replies, and count.
TEST(Requests, ShareTheLinksOfThoseThatOnlyAnswer) {
  const Topology t = make_topology("4-ary 2-tree");
  const Traffic traffic{t.fabric.hosts(), [](u64, u64, u64, std::vector<Demand>& out) {
                          out.push_back({Rank{2}, Rank{3}});
                        }};
  const MessageOptions messages{.load = 1, .packet_flits = 10, .reply_flits = 10};
  const Workload workload = Workload::open(t.fabric, traffic, place_linearly(traffic.ranks), messages, 3);
  EXPECT_DOUBLE_EQ(workload.capacity(), 2);
  EXPECT_DOUBLE_EQ(workload.offered(), 1);
}

// Requests and replies together are the load.
TEST(Requests, HaveTheRateThatLeavesRoomForReplies) {
  Workload workload = ring_workload({.load = 0.5, .packet_flits = 2, .reply_flits = 8});
  u64 count = 0;
  for (u64 now; (now = workload.when(Seat{0})) < 1'000'000; ++count) workload.take(Seat{0}, now);
  EXPECT_NEAR(static_cast<double>(count) * 10 / 1e6, 0.5, 0.01);
  EXPECT_DOUBLE_EQ(workload.offered(), 0.5 * 16);
}

}  // namespace
}  // namespace banyan::tests
