// Choices by all queues of a way (UGAL-G): what they are worth, and that they do not depend on threads.
#include <gtest/gtest.h>

#include "fabric/faults.hpp"
#include "flit/device_model.hpp"
#include "flit/device_replicas.hpp"
#include "flit/measure.hpp"
#include "support/routed.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

class HopViews : public testing::Test {
 protected:
  Measurement measured(HopView view, double load, std::string_view pattern = "tornado", unsigned threads = 1,
                       std::string_view engine = "ugal") const {
    const Routing routing = routed(topology_, engine);
    const MessageOptions messages{.load = load};
    const NetworkOptions network{.lanes = routing.lanes, .hop_view = view};
    const u32 hosts = topology_.fabric.hosts();
    SimulationSetup setup{topology_.fabric, routing, network, messages};
    setup.threads = threads;
    return measure(setup,
                   Workload::open(topology_.fabric, make_traffic({topology_, hosts}, pattern),
                                  place_linearly(hosts), messages, 1),
                   {.cycles = 8000});
  }

  Topology topology_ = make_topology("Dragonfly(2,4,2)");
};

// Kim et al., ISCA 2008: where every group sends to the next, the switch that owns the global cable is seldom
// the one where a packet decides, and with local queues packets take the direct way until those before that
// cable are full and push back. So latency at intermediate loads is far higher.
TEST_F(HopViews, GlobalHasALowerLatencyUnderAdverseTraffic) {
  for (const double load : {0.2, 0.3}) {
    const Measurement here = measured(HopView::local, load), far = measured(HopView::global, load);
    EXPECT_LT(far.counted.packet_latency.mean(), 0.7 * here.counted.packet_latency.mean()) << load;
    EXPECT_NEAR(far.accepted.mean, load, 0.02);
  }
  const Measurement here = measured(HopView::local, 0.45), far = measured(HopView::global, 0.45);
  EXPECT_GT(far.accepted.mean, 1.2 * here.accepted.mean);
}

TEST_F(HopViews, ThreadsGiveTheSameBits) {
  const Measurement one = measured(HopView::global, 0.4), four = measured(HopView::global, 0.4, "tornado", 4);
  EXPECT_EQ(one.counted, four.counted);
}

// One between two switches.
Fabric without_a_cable(const Fabric& fabric) {
  std::vector<Link> cables;
  fabric.each_link([&](const Link& link) {
    if (fabric.is_switch(fabric.from(link.a)) && fabric.is_switch(fabric.from(link.b)))
      cables.push_back(link);
  });
  cables.resize(1);
  return without(fabric, cables);
}

// Meshes, tori, HyperX, graphs with a lane for each hop and with an escape, intact and with cables missing.
TEST(HopView, GlobalRoutesWhateverLocalDoes) {
  for (const char* notation : {"Torus(5x4)", "Mesh(4x4)", "HyperX(4x3; hosts=2)", "Dragonfly(2,3,1)",
                               "Dragonfly+(2,2,2,2)", "SlimFly(3; hosts=1)", "Torus(24)"})
    for (const bool is_damaged : {false, true}) {
      Topology topology = make_topology(notation);
      if (is_damaged) topology.fabric = without_a_cable(topology.fabric);
      const Routing routing = routed(topology, "ugal");
      const MessageOptions messages{.load = 0.8, .packet_flits = 4};
      const NetworkOptions network{.lanes = routing.lanes, .buffer_flits = 8, .hop_view = HopView::global};
      const u32 hosts = topology.fabric.hosts();
      const SimulationSetup setup{topology.fabric, routing, network, messages};
      Simulation simulation(setup, Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                                  place_linearly(hosts), messages, 1));
      simulation.advance(1500);
      EXPECT_FALSE(simulation.deadlock()) << notation;
      EXPECT_GT(simulation.take_tally().flits, 1500u) << notation;
    }
}

TEST(HopView, GlobalIsForOneProcess) {
  const Topology topology = make_topology("Dragonfly(2,4,2)");
  const Routing routing = routed(topology, "ugal");
  const Exchange exchange{.rank = 0, .ranks = 2, .swap = {}};
  SimulationSetup setup{topology.fabric, routing, {.lanes = routing.lanes, .hop_view = HopView::global}, {}};
  EXPECT_NO_THROW(check_setup(setup));
  setup.exchange = &exchange;
  EXPECT_THROW(check_setup(setup), InputError);
  setup.network.hop_view = HopView::local;
  EXPECT_NO_THROW(check_setup(setup));
}

TEST(HopView, GlobalIsNotForGpusNorAreFlowlets) {
  const Topology topology = make_topology("Dragonfly(2,4,2)");
  const Routing routing = routed(topology, "ugal");
  SimulationSetup setup{topology.fabric, routing, {.lanes = routing.lanes}, {}};
  EXPECT_FALSE(flit::ModelArrays::refusal(setup, 1000));
  setup.network.hop_view = HopView::global;
  ASSERT_TRUE(flit::ModelArrays::refusal(setup, 1000));
  EXPECT_NE(flit::ModelArrays::refusal(setup, 1000)->why.find("hop-view local"), std::string::npos);
  EXPECT_TRUE(flit::device_options_refusal(setup));
  setup.network.hop_view = HopView::local;
  setup.network.path_choice = PathChoice::flowlet;
  EXPECT_TRUE(flit::ModelArrays::refusal(setup, 1000));
  EXPECT_TRUE(flit::device_options_refusal(setup));
}

}  // namespace
}  // namespace banyan::tests
