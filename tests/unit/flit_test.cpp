// The simulator, held against formulas: how long a packet takes through an empty fabric, and that nothing is
// lost.
#include <gtest/gtest.h>

#include "engines/engine.hpp"
#include "flit/simulation.hpp"
#include "topology/distances.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan {
namespace {

Routing routed(const Topology& topology, std::string_view engine) {
  return std::get<Routing>(route(topology, engine));
}

// One message from one rank to another.
Traffic single(u32 ranks, u32 from, u32 to) {
  Traffic out;
  out.ranks = ranks;
  out.list = [=](u64, u64, u64, std::vector<Demand>& demands) {
    demands.push_back({Rank{from}, Rank{to}, 1});
  };
  return out;
}

// Channels from one NIC to another, asked of the routing.
u32 path_length(const Topology& topology, const Routing& routing, Nic from, Nic to) {
  return std::visit(
      [&](const auto& forward) {
        Header header = routing.source.way(from, to, 0, 0);
        Node node = topology.fabric.node(from);
        u32 channels = 0;
        Hops hops;
        for (; node != topology.fabric.node(to); ++channels) {
          offered(forward, node, header, hops);
          node = topology.fabric.to(topology.fabric.channel(node, hops[0].port));
          header.state = hops[0].state;
        }
        return channels;
      },
      routing.forward);
}

struct Case {
  const char* notation;
  const char* engine;
};

void expect_formula(const Case& fabric, NetworkOptions network, u32 packet_flits) {
  const Topology topology = make_topology(fabric.notation);
  const Routing routing = routed(topology, fabric.engine);
  network.lanes = std::max(network.lanes, routing.lanes);
  MessageOptions messages;
  messages.packet_flits = packet_flits;
  const u32 hosts = topology.fabric.hosts();
  for (u32 from = 0; from < hosts; from += 1 + hosts / 4)
    for (u32 to = 0; to < hosts; ++to) {
      if (from == to) continue;
      Simulation simulation(
          {topology.fabric, routing, network, messages},
          Workload::closed(topology.fabric, single(hosts, from, to), place_linearly(hosts), messages, 1));
      u64 H = path_length(topology, routing, Nic{from}, Nic{to});
      const u64 switches_with_queue =
          network.output_flits > 0 ? H - 1 : network.ejection == Ejection::unlimited;
      const u64 latency = H + (H - 1) * network.switch_cycles + packet_flits - 1 + switches_with_queue;
      simulation.advance(latency);
      EXPECT_FALSE(simulation.is_done());
      simulation.advance(1);
      EXPECT_TRUE(simulation.is_done());
      const Tally tally = simulation.take_tally();
      EXPECT_EQ(tally.packet_latency.sum(), latency) << fabric.notation << " " << from << " " << to;
      EXPECT_EQ(tally.message_latency.sum(), latency);
      EXPECT_EQ(tally.flits, packet_flits);
      EXPECT_EQ(tally.flit_hops, (H - 1) * packet_flits);
    }
}

TEST(Flit, ZeroLoadLatencyIsTheFormula) {
  for (const Case& fabric : {Case{"4-ary 3-tree", "dmodk"}, Case{"PGFT(2; 4,4; 1,2; 1,2)", "dmodk"},
                             Case{"HyperX(3x4; hosts=2)", "dor"}, Case{"Torus(4x3; hosts=2)", "dor"},
                             Case{"XGFT(2; 3,3; 2,2)", "minhop"}})
    for (const FlowControl control : {FlowControl::vct, FlowControl::wormhole})
      for (const Queueing queueing : {Queueing::fifo, Queueing::voq})
        for (const u32 packet : {1u, 5u, 7u}) {
          NetworkOptions network;
          network.flow_control = control;
          network.queueing = queueing;
          expect_formula(fabric, network, packet);
          network.switch_cycles = 3;
          network.lanes = 3;
          network.output_flits = 20;
          expect_formula(fabric, network, packet);
          network.output_flits = 0;
          network.ejection = Ejection::unlimited;
          expect_formula(fabric, network, packet);
        }
}

}  // namespace
}  // namespace banyan
