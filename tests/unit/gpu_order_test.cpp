// order on a GPU: the same order as processors find.
#include <gtest/gtest.h>

#include "ask/order.hpp"
#include "engines/engine.hpp"
#include "support/host_device.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;

class OrderOnGpu : public testing::Test {
 protected:
  ask::Result<ask::OrderAnswer> asked(const std::string& traffic, DeviceChoice device,
                                      const gpu::DeviceCalls& calls, unsigned threads = 1) const {
    const ask::FabricRouter router{engines::engines().bind("minhop")};
    const Routing routing = std::get<Routing>(router.route(topology));
    ask::Situation at{.topology = topology, .routing = &routing, .traffic = traffic};
    at.threads = threads;
    at.device = device;
    at.device_calls = &calls;
    return ask::order(at, ask::host_list(topology.fabric, "0-11"), router, {.starts = 6, .swaps = 500});
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
