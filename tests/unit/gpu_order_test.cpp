// Chains on a GPU, of order and of load --worst-rate: they find the same as those of processors.
#include <gtest/gtest.h>

#include "ask/load.hpp"
#include "ask/order.hpp"
#include "engines/engine.hpp"
#include "support/host_device.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;

class OrderOnGpu : public testing::Test {
 protected:
  ask::Result<ask::OrderAnswer> asked(const std::string& traffic, DeviceChoice device,
                                      const gpu::DeviceCalls& calls, unsigned threads = 1,
                                      u32 choose = 0) const {
    const ask::FabricRouter router{engines::engines().bind("minhop")};
    const Routing routing = std::get<Routing>(router.route(topology));
    ask::Situation at{.topology = topology, .routing = &routing, .traffic = traffic};
    at.threads = threads;
    at.device = device;
    at.device_calls = &calls;
    return ask::order(at, ask::host_list(topology.fabric, "0-11"), router,
                      {.choose = choose, .starts = 6, .swaps = 500});
  }
  ask::Result<ask::LoadAnswer> worst_rate(const std::string& fabric, u32 chains, DeviceChoice device,
                                          const gpu::DeviceCalls& calls, unsigned threads = 1) const {
    const Topology some = make_topology(fabric);
    const Routing routing = std::get<Routing>(route(some, "minhop"));
    ask::Situation at{.topology = some, .routing = &routing, .traffic = "shift:1"};
    at.threads = threads;
    at.device = device;
    at.device_calls = &calls;
    return ask::load(at, {.worst_rate = chains});
  }
  const Topology topology = make_topology("XGFT(2; 4,4; 1,2)");
  const gpu::DeviceCalls& loops = HostDevice<4>::calls();
  const gpu::DeviceCalls& failing = HostDevice<4>::failing_calls();
};

TEST_F(OrderOnGpu, IsTheSameAndNamesTheDevice) {
  for (const char* traffic : {"shift:4", "all-shifts", "shift:5", "neighbours"}) {
    const auto here = std::get<ask::OrderAnswer>(asked(traffic, DeviceChoice::cpu, loops));
    const auto there = std::get<ask::OrderAnswer>(asked(traffic, DeviceChoice::gpu, loops));
    EXPECT_EQ(here.order, there.order) << traffic;
    EXPECT_EQ(here.max_load, there.max_load);
    EXPECT_EQ(here.found_by, there.found_by);
    EXPECT_EQ(here.device, std::nullopt);
    EXPECT_EQ(there.device, there.swaps > 0 ? std::optional<std::string>("loops") : std::nullopt);
  }
}

TEST_F(OrderOnGpu, ChoosesTheSameHosts) {
  for (const char* traffic : {"shift:4", "all-shifts", "alltoall:algorithm=linear", "uniform"}) {
    const auto here = std::get<ask::OrderAnswer>(asked(traffic, DeviceChoice::cpu, loops, 1, 7));
    const auto there = std::get<ask::OrderAnswer>(asked(traffic, DeviceChoice::gpu, loops, 1, 7));
    EXPECT_EQ(here.order, there.order) << traffic;
    EXPECT_EQ(here.order.size(), 7u);
    EXPECT_EQ(here.max_load, there.max_load);
  }
}

// Also where nothing is left to search: who demands a GPU is told that there is none.
TEST_F(OrderOnGpu, IsRefusedWithoutOne) {
  gpu::DeviceCalls none = loops;
  none.find = [](gpu::DeviceFacts*) -> const char* { return "none is here"; };
  for (const char* traffic : {"uniform", "shift:4"})
    EXPECT_EQ(std::get<NotApplicable>(asked(traffic, DeviceChoice::gpu, none)).why,
              "there is no GPU that can be used: none is here");
  EXPECT_TRUE(std::holds_alternative<ask::OrderAnswer>(asked("uniform", DeviceChoice::automatic, none)));
  EXPECT_EQ(std::get<NotApplicable>(worst_rate("4-ary 2-tree", 3, DeviceChoice::gpu, none)).why,
            "there is no GPU that can be used: none is here");
}

TEST_F(OrderOnGpu, FindsTheSameBadPermutations) {
  for (const char* fabric : {"4-ary 2-tree", "HyperX(3x3; hosts=2)", "Dragonfly(2,4,2)"}) {
    const auto here = std::get<ask::LoadAnswer>(worst_rate(fabric, 5, DeviceChoice::cpu, loops));
    const auto there = std::get<ask::LoadAnswer>(worst_rate(fabric, 5, DeviceChoice::gpu, loops));
    EXPECT_EQ(here.worst_rate->permutation, there.worst_rate->permutation) << fabric;
    EXPECT_EQ(here.worst_rate->rate, there.worst_rate->rate);
    EXPECT_LT(here.worst_rate->rate, here.worst_rate->random);
    EXPECT_EQ(here.device, std::nullopt);
    EXPECT_EQ(there.device, "loops");
  }
  const auto many = worst_rate("4-ary 2-tree", 5, DeviceChoice::automatic, loops, 0);  // without processors
  EXPECT_EQ(std::get<ask::LoadAnswer>(many).device, "loops");
  const auto failed = worst_rate("4-ary 2-tree", 5, DeviceChoice::automatic, failing, 0);
  EXPECT_EQ(std::get<ask::LoadAnswer>(failed).device_failure, "loops: it was told to");
  EXPECT_EQ(std::get<ask::LoadAnswer>(failed).worst_rate->permutation,
            std::get<ask::LoadAnswer>(many).worst_rate->permutation);
}

TEST_F(OrderOnGpu, IsChosenForLongSearchesOnly) {
  const auto few = asked("shift:4", DeviceChoice::automatic, loops);
  const auto many = asked("shift:4", DeviceChoice::automatic, loops, 0);  // without processors
  EXPECT_EQ(std::get<ask::OrderAnswer>(few).device, std::nullopt);
  EXPECT_EQ(std::get<ask::OrderAnswer>(many).device, "loops");
}

TEST_F(OrderOnGpu, ThatFailsLeavesItsWorkToProcessorsUnlessItWasDemanded) {
  const auto found = std::get<ask::OrderAnswer>(asked("shift:4", DeviceChoice::automatic, failing, 0));
  EXPECT_EQ(found.device, std::nullopt);
  EXPECT_EQ(found.device_failure, "loops: it was told to");
  EXPECT_EQ(std::get<NotApplicable>(asked("shift:4", DeviceChoice::gpu, failing)).why,
            "loops: it was told to");
}

}  // namespace
}  // namespace banyan::tests
