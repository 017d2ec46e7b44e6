// The reference simulator against what can be computed by hand.
#include "support/reference_simulator.hpp"

#include <gtest/gtest.h>

#include "engines/engine.hpp"
#include "flit/layout.hpp"
#include "routing/paths.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

Traffic one_message(u32 ranks, u32 from, u32 to) {
  const auto list = [=](u64, u64, u64, std::vector<Demand>& out) { out.push_back({Rank{from}, Rank{to}}); };
  return {.ranks = ranks, .list = list};
}

u64 latency_alone(const Topology& t, const Routing& r, u32 from, u32 to, const NetworkOptions& network) {
  const MessageOptions messages{.packet_flits = 5};
  const SimulationSetup setup{t.fabric, r, network, messages};
  const u32 hosts = t.fabric.hosts();
  ReferenceSimulator simulator(setup, ReferenceWorkload::closed(t.fabric, one_message(hosts, from, to),
                                                                place_linearly(hosts), messages, 1));
  simulator.advance(300);
  const Tally tally = simulator.take_tally();
  EXPECT_EQ(tally.messages, 1u);
  EXPECT_EQ(simulator.flits_inside(), 0u);
  return tally.packet_latency.sum();
}

TEST(ReferenceSimulator, AnIdlePathTakesWhatTheFormulaSays) {
  const Topology t = make_topology("2-ary 3-tree");
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  for (const FlowControl flow_control : {FlowControl::vct, FlowControl::wormhole})
    for (const u32 output_flits : {0u, 10u})
      for (u32 to = 1; to < t.fabric.hosts(); ++to) {
        const NetworkOptions network{
            .flow_control = flow_control, .output_flits = output_flits, .switch_cycles = 3};
        const u64 channels = to < 2 ? 2 : to < 4 ? 4 : 6;
        const u64 queues = output_flits > 0 ? channels - 1 : 0;
        EXPECT_EQ(latency_alone(t, r, 0, to, network), channels + (channels - 1) * 3 + 5 - 1 + queues);
      }
}

TEST(ReferenceSimulator, TwoSendersShareAChannel) {
  const Topology t = make_topology("2-ary 2-tree");
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  const auto list = [](u64, u64, u64, std::vector<Demand>& out) {
    out.push_back({Rank{0}, Rank{3}});
    out.push_back({Rank{1}, Rank{3}});
  };
  const Traffic traffic{.ranks = 4, .list = list};
  const MessageOptions messages{.load = 1, .packet_flits = 10};
  const SimulationSetup setup{t.fabric, r, {}, messages};
  ReferenceSimulator simulator(setup,
                               ReferenceWorkload::open(t.fabric, traffic, place_linearly(4), messages, 1));
  simulator.advance(500);
  simulator.take_tally();
  simulator.advance(1000);
  EXPECT_EQ(simulator.take_tally().flits, 1000u);
}

// The engine prepares for the delays that most links have; here are more kinds than that.
TEST(ReferenceSimulator, AndTheEngineAgreeWhereLinksHaveManyLatencies) {
  HyperX shape = std::get<HyperX>(make_topology("HyperX(2x2x2x2x2x2; hosts=1)").shape);
  for (std::size_t i = 0; i < shape.links.size(); ++i) shape.links[i].latency = static_cast<double>(1 + i);
  ASSERT_GT(shape.links.size(), std::size_t{Layout::max_usual});
  const Topology t = build(shape);
  const Routing r = std::get<Routing>(route(t, "dor"));
  const u32 hosts = t.fabric.hosts();
  const MessageOptions messages{.load = 0.3, .packet_flits = 3};
  for (const FlowControl flow_control : {FlowControl::vct, FlowControl::wormhole}) {
    const NetworkOptions network{.flow_control = flow_control, .lanes = 2, .buffer_flits = 12};
    SimulationSetup setup{t.fabric, r, network, messages};
    const Traffic traffic = make_traffic({t, hosts}, "uniform");
    ReferenceSimulator reference(
        setup, ReferenceWorkload::open(t.fabric, traffic, place_linearly(hosts), messages, 1));
    reference.advance(200);
    const Tally expected = reference.take_tally();
    EXPECT_GT(expected.packets, 100u);
    for (const unsigned threads : {1u, 3u}) {
      setup.threads = threads;
      Simulation simulation(setup, Workload::open(t.fabric, traffic, place_linearly(hosts), messages, 1));
      simulation.advance(200);
      EXPECT_EQ(simulation.take_tally(), expected);
    }
  }
}

// More writers than a switch has inputs: wavefront's diagonals count their places all the same.
TEST(ReferenceSimulator, AndTheEngineAgreeWhereWritersAreMoreThanInputs) {
  const Topology t = make_topology("Torus(4)");
  const Routing r = std::get<Routing>(route(t, "dor"));
  const MessageOptions messages{.load = 0.7, .packet_flits = 1};
  const NetworkOptions network{.flow_control = FlowControl::wormhole,
                               .lanes = 4,
                               .buffer_flits = 3,
                               .output_flits = 1,
                               .writers = 5,
                               .queueing = Queueing::voq,
                               .allocator = "wavefront"};
  const SimulationSetup setup{t.fabric, r, network, messages};
  const Traffic traffic = make_traffic({t, 4}, "uniform");
  ReferenceSimulator reference(setup,
                               ReferenceWorkload::open(t.fabric, traffic, place_linearly(4), messages, 1));
  reference.advance(400);
  Simulation simulation(setup, Workload::open(t.fabric, traffic, place_linearly(4), messages, 1));
  simulation.advance(400);
  EXPECT_EQ(simulation.take_tally(), reference.take_tally());
}

}  // namespace
}  // namespace banyan::tests
