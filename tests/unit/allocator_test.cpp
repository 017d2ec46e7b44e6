// Allocators of switches in stages: matchings by hand, time through the stages, and nobody starves.
#include "flit/allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "flit/measure.hpp"
#include "flit/replicas.hpp"
#include "support/routed.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

using flit::Allocator;
using flit::allocator_of;
using flit::Crossbar;
using flit::CrossingRequest;
using Pairs = std::vector<std::pair<u32, u32>>;  // group and place

// One lane, one group for each input port and one place for each output.
CrossingRequest wish(u32 input, u32 output) {
  return {.slot = input,
          .output = output,
          .lane = 0,
          .group = input,
          .place = output,
          .rank = 0,
          .diagonal = input + output};
}

Pairs matched(Crossbar& crossbar, const char* allocator, const std::vector<CrossingRequest>& requests,
              u64 now = 0) {
  std::vector<u32> granted;
  crossbar.unblock_all();
  crossbar.allocate(allocator_of(allocator), now, requests, granted);
  Pairs out;
  for (const u32 i : granted) out.emplace_back(requests[i].group, requests[i].place);
  std::sort(out.begin(), out.end());
  return out;
}
Pairs matched(const char* allocator, const std::vector<CrossingRequest>& requests, u64 now = 0) {
  Crossbar crossbar(4, 4, 4, 4, 4);
  return matched(crossbar, allocator, requests, now);
}

TEST(Allocator, NamesAreRead) {
  EXPECT_TRUE(allocator_of("joint").is_joint());
  EXPECT_EQ(allocator_of("islip").iterations, 1u);
  EXPECT_EQ(allocator_of("islip:iterations=3").iterations, 3u);
  EXPECT_EQ(allocator_of("islip:3").iterations, 3u);
  for (const char* wrong : {"", "best", "islip:0", "islip:iterations=300", "islip:rounds=2", "wavefront:2"})
    EXPECT_THROW(allocator_of(wrong), InputError) << wrong;
}

// Inputs 0 and 1 both want outputs 0 and 1. All pointers are 0: both choose the same.
TEST(Allocator, SeparableAllocatorsMatchWhatOneRoundOfChoicesGives) {
  const std::vector<CrossingRequest> both = {wish(0, 0), wish(0, 1), wish(1, 0), wish(1, 1)};
  EXPECT_EQ(matched("input-first", both), (Pairs{{0, 0}}));
  EXPECT_EQ(matched("output-first", both), (Pairs{{0, 0}}));
  EXPECT_EQ(matched("islip", both), (Pairs{{0, 0}}));
  EXPECT_EQ(matched("islip:iterations=2", both), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(matched("wavefront", both), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(matched("wavefront", both, 1), (Pairs{{0, 1}, {1, 0}}));  // the other diagonal comes first
}

// After the first cycle the pointers differ, and from then on all that can be matched is.
TEST(Allocator, PointersOfIslipDrawApart) {
  const std::vector<CrossingRequest> both = {wish(0, 0), wish(0, 1), wish(1, 0), wish(1, 1)};
  Crossbar crossbar(4, 4, 4, 4, 4);
  EXPECT_EQ(matched(crossbar, "islip", both), (Pairs{{0, 0}}));
  for (u32 cycle = 1; cycle < 6; ++cycle) EXPECT_EQ(matched(crossbar, "islip", both, cycle).size(), 2u);
}

// Two lanes of input 0 and one of input 1 want output 0: inputs take turns, and so do the lanes of an input.
TEST(Allocator, OutputsGoRoundInputsAndInputsTheirLanes) {
  std::vector<CrossingRequest> requests = {wish(0, 0), wish(0, 0), wish(1, 0)};
  requests[1].slot = requests[1].lane = 1;
  for (const char* name : {"input-first", "output-first", "islip"}) {
    Crossbar crossbar(4, 4, 4, 4, 4);
    std::vector<u32> winners;
    for (u64 cycle = 0; cycle < 4; ++cycle) {
      crossbar.unblock_all();
      crossbar.allocate(allocator_of(name), cycle, requests, winners);
    }
    EXPECT_EQ(winners, (std::vector<u32>{0, 2, 1, 2})) << name;
  }
}

TEST(Allocator, TheOldestGoesFirst) {
  std::vector<CrossingRequest> requests = {wish(0, 2), wish(1, 2), wish(3, 2)};
  requests[0].rank = 5, requests[1].rank = 3, requests[2].rank = 4;
  for (const char* name : {"input-first", "output-first", "islip:iterations=4", "wavefront"})
    EXPECT_EQ(matched(name, requests), (Pairs{{1, 2}})) << name;
}

// Output 0 has four places, of which two groups reach two: diagonals are made of all of them, and of the
// place of output 1. In cycle 3 the first diagonal with a request is that of group 0 and output 1.
TEST(Allocator, PlacesThatNoGroupReachesCountForDiagonals) {
  const auto at = [](u32 group, u32 output, u32 place, u64 diagonal) {
    return CrossingRequest{.slot = group,
                           .output = output,
                           .lane = 0,
                           .group = group,
                           .place = place,
                           .rank = 0,
                           .diagonal = diagonal};
  };
  const std::vector<CrossingRequest> all = {at(0, 0, 0, 0), at(0, 1, 2, 4), at(1, 1, 2, 5)};
  const auto first_of = [&](u64 cycle) {
    Crossbar crossbar(2, 2, 2, 3, 5);
    return matched(crossbar, "wavefront", all, cycle);
  };
  EXPECT_EQ(first_of(0), (Pairs{{0, 0}, {1, 2}}));
  EXPECT_EQ(first_of(3), (Pairs{{0, 2}}));
}

struct Ring {
  Topology topology = make_topology("Torus(8)");
  Routing routing = routed(topology, "dor");
  Traffic traffic = make_traffic({topology, 8}, "tornado");

  Measurement at(double load, const NetworkOptions& network) const {
    const MessageOptions messages{.load = load};
    return measure({topology.fabric, routing, network, messages},
                   Workload::open(topology.fabric, traffic, place_linearly(8), messages, 1),
                   {.cycles = 20000});
  }
};

TEST(Allocator, HostsThatNeverSendAreCounted) {
  const Ring ring;
  const Measurement joint = ring.at(0.9, {.lanes = 2});
  EXPECT_EQ(*joint.min_host_throughput, 0);
  EXPECT_GT(*joint.starved_hosts, 0);
  EXPECT_EQ(combined_replicas({joint, joint}).starved_hosts, joint.starved_hosts);
  EXPECT_EQ(*ring.at(0.1, {.lanes = 2}).starved_hosts, 0);
}

TEST(Allocator, InStagesEveryHostSends) {
  const Ring ring;
  for (const FlowControl control : {FlowControl::vct, FlowControl::wormhole})
    for (const char* name : {"input-first", "output-first", "islip:iterations=2", "wavefront"}) {
      const Measurement m = ring.at(0.9, {.flow_control = control, .lanes = 2, .allocator = name});
      EXPECT_EQ(*m.starved_hosts, 0) << name;
      EXPECT_GT(*m.min_host_throughput, 0.1) << name;
    }
}

// docs/simulator.md: H·L + (H−1)·(S + X + head-cycles + lane-cycles) + P−1.
TEST(Allocator, StagesTakeTheirTime) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Routing routing = routed(topology, "dmodk");
  const MessageOptions messages{.packet_flits = 5};
  const auto latency = [&](const NetworkOptions& network) {
    const Traffic traffic{.ranks = 16, .list = [](u64, u64, u64, std::vector<Demand>& out) {
                            out.push_back({Rank{0}, Rank{15}});
                          }};
    Simulation simulation({topology.fabric, routing, network, messages},
                          Workload::closed(topology.fabric, traffic, place_linearly(16), messages, 1));
    simulation.advance(500);
    return simulation.take_tally().packet_latency.sum();
  };
  for (const FlowControl control : {FlowControl::vct, FlowControl::wormhole})
    for (const char* name : {"input-first", "islip", "wavefront"}) {
      NetworkOptions network{.flow_control = control, .allocator = name};
      EXPECT_EQ(latency(network), 4 + 3 * 1 + 4u);
      network.crossing_cycles = 2;
      EXPECT_EQ(latency(network), 4 + 3 * 3 + 4u);
      network.head_cycles = 3;
      network.lane_cycles = 4;
      EXPECT_EQ(latency(network), 4 + 3 * 10 + 4u);
      network.speculation = Speculation::on;
      EXPECT_EQ(latency(network), 4 + 3 * 6 + 4u);
    }
  EXPECT_EQ(latency({.crossing_cycles = 2}), 4 + 3 * 3 + 4u);
}

// On long cables flits on their way are no queue: at a low load UGAL goes as far as minimal routing.
TEST(HopChoice, LongCablesAreNotTakenForQueues) {
  const Topology topology = make_topology("Dragonfly(2,4,2; latency=100)");
  const MessageOptions messages{.load = 0.2};
  const auto hops = [&](const char* engine, NetworkOptions network) {
    const Routing routing = routed(topology, engine);
    network.lanes = routing.lanes;
    network.buffer_flits = 400;
    const u32 hosts = topology.fabric.hosts();
    const Traffic uniform = make_traffic({topology, hosts}, "uniform");
    const Measurement m = measure(
        {topology.fabric, routing, network, messages},
        Workload::open(topology.fabric, uniform, place_linearly(hosts), messages, 1), {.cycles = 8000});
    return static_cast<double>(m.counted.flit_hops) / static_cast<double>(m.counted.flits);
  };
  const double minimal = hops("minadaptive", {});
  EXPECT_GT(hops("ugal", {}), 1.05 * minimal);
  EXPECT_LT(hops("ugal", {.hop_credits = HopCredits::late, .hop_bias = 30}), 1.02 * minimal);
}

TEST(Allocator, OptionsOfStagesAreRefusedWithoutThem) {
  const Ring ring;
  EXPECT_THROW(ring.at(0.1, {.lanes = 2, .input_speedup = 2}), InputError);
  EXPECT_THROW(ring.at(0.1, {.lanes = 2, .lane_cycles = 1}), InputError);
  EXPECT_THROW(ring.at(0.1, {.lanes = 2, .priority = Priority::age}), InputError);
  EXPECT_THROW(ring.at(0.1, {.lanes = 2, .allocator = "islip", .input_speedup = 0}), InputError);
  EXPECT_THROW(ring.at(0.1, {.lanes = 2, .allocator = "islip", .switch_speedup = 2}),
               InputError);  // no queues
}

// Long requests fill the switches; short replies pass them, and messages as a whole arrive earlier.
TEST(Allocator, RepliesMayGoBeforeRequests) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const Traffic traffic = make_traffic({topology, 16}, "uniform");
  const MessageOptions messages{.load = 0.6, .packet_flits = 16, .reply_flits = 1};
  const auto median = [&](Priority priority) {
    const NetworkOptions network{
        .flow_control = FlowControl::wormhole, .lanes = 4, .allocator = "islip", .priority = priority};
    const SimulationSetup setup{topology.fabric, routing, network, messages};
    const Measurement m = measure(
        setup, Workload::open(topology.fabric, traffic, place_linearly(16), messages, 1), {.cycles = 20000});
    return m.counted.message_latency.percentile(0.25);  // of the faster half of the replies
  };
  EXPECT_LT(median(Priority::replies), median(Priority::none));
  const SimulationSetup without{
      topology.fabric, routing, {.allocator = "islip", .priority = Priority::replies}, {}};
  EXPECT_THROW(check_setup(without), InputError);
}

}  // namespace
}  // namespace banyan::tests
