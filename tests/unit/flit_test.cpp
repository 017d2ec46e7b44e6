// The simulator, held against formulas: how long a packet takes through an empty fabric, and that nothing is
// lost.
#include <gtest/gtest.h>

#include "engines/engine.hpp"
#include "flit/layout.hpp"
#include "flit/simulation.hpp"
#include "support/routed.hpp"
#include "topology/distances.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

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

Simulation uniform(const Topology& topology, const Routing& routing, const NetworkOptions& network,
                   const MessageOptions& messages, unsigned threads = 1,
                   Granularity granularity = Granularity::automatic) {
  const u32 hosts = topology.fabric.hosts();
  return Simulation({topology.fabric, routing, network, messages, 1, threads, granularity},
                    Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                   place_linearly(hosts), messages, 1));
}

TEST(Flit, NothingIsLost) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Routing routing = routed(topology, "dmodk");
  for (const FlowControl control : {FlowControl::vct, FlowControl::wormhole})
    for (const u32 queue : {0u, 20u})
      for (const Queueing queueing : {Queueing::fifo, Queueing::voq})
        for (const Granularity granularity : {Granularity::automatic, Granularity::flits}) {
          NetworkOptions network;
          network.flow_control = control;
          network.output_flits = queue;
          network.queueing = queueing;
          network.lanes = 2;
          MessageOptions messages;
          messages.load = 1;
          messages.packet_flits = 5;
          Simulation simulation = uniform(topology, routing, network, messages, 1, granularity);
          for (int i = 0; i < 300; ++i) {
            simulation.advance(1);
            ASSERT_EQ(simulation.lost_credit(), "");
          }
          EXPECT_FALSE(simulation.deadlock());
          const Tally tally = simulation.take_tally();
          u64 in = 0;
          for (u32 nic = 0; nic < topology.fabric.nics(); ++nic) in += tally.channel_flits[Channel{nic}];
          EXPECT_GE(simulation.flits_inside() + tally.flits, in);  // inside: also what NICs have taken up
          EXPECT_LE(simulation.flits_inside() + tally.flits, in + 5 * topology.fabric.nics());
          EXPECT_GT(tally.flits, 300 * topology.fabric.nics() / 2);
        }
}

TEST(Flit, AllThatIsSentArrives) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Routing routing = routed(topology, "dmodk");
  const MessageOptions messages;
  const u32 hosts = topology.fabric.hosts();
  for (const unsigned threads : {1u, 2u, 8u}) {
    Simulation simulation({topology.fabric, routing, {}, messages, 1, threads},
                          Workload::closed(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                           place_linearly(hosts), messages, 1));
    for (int i = 0; i < 100 && !simulation.is_done(); ++i) simulation.advance(20);
    EXPECT_TRUE(simulation.is_done());
    EXPECT_EQ(simulation.flits_inside(), 0u);
    EXPECT_EQ(simulation.take_tally().messages, hosts * (hosts - 1));
  }
}

TEST(Flit, AFullRingWithOneLaneIsRecognisedAsDeadlocked) {
  const Topology topology = make_topology("Torus(8; hosts=1)");
  const Routing minimal = routed(topology, "minhop");
  for (const FlowControl control : {FlowControl::wormhole, FlowControl::vct})
    for (const Queueing queueing : {Queueing::fifo, Queueing::voq})
      for (const Granularity granularity : {Granularity::automatic, Granularity::flits})
        for (const u32 queue : {0u, 10u}) {
          NetworkOptions network;
          network.flow_control = control;
          network.queueing = queueing;
          network.buffer_flits = 10;
          network.output_flits = queue;
          MessageOptions messages;
          messages.arrivals = Arrivals::back_to_back;
          Simulation simulation = uniform(topology, minimal, network, messages, 1, granularity);
          simulation.advance(20000);
          simulation.take_tally();
          simulation.advance(1000);
          const bool stands = simulation.take_tally().flits == 0;
          EXPECT_TRUE(stands);
          const auto deadlock = simulation.deadlock();
          ASSERT_EQ(deadlock.has_value(), stands);
          EXPECT_NE(deadlock->find("waits at"), std::string::npos) << *deadlock;

          const Routing datelines = routed(topology, "dor");
          network.lanes = 2;
          Simulation safe = uniform(topology, datelines, network, messages, 1, granularity);
          safe.advance(20000);
          EXPECT_FALSE(safe.deadlock());
        }
}

// Its packets go round the ring on the first lane, as above, and take the escape when they wait.
TEST(Flit, AFullRingWithAnEscapeNeverStops) {
  const Topology topology = make_topology("Torus(8; hosts=1)");
  const Routing routing = routed(topology, "surepath");
  for (const FlowControl control : {FlowControl::wormhole, FlowControl::vct})
    for (const Granularity granularity : {Granularity::automatic, Granularity::flits})
      for (const u32 queue : {0u, 10u}) {
        NetworkOptions network;
        network.flow_control = control;
        network.buffer_flits = 10;
        network.output_flits = queue;
        network.lanes = 2;
        MessageOptions messages;
        messages.arrivals = Arrivals::back_to_back;
        Simulation simulation = uniform(topology, routing, network, messages, 1, granularity);
        simulation.advance(5000);
        simulation.take_tally();
        for (int i = 0; i < 20; ++i) {
          simulation.advance(200);
          EXPECT_GT(simulation.take_tally().flits, 0u);
          EXPECT_EQ(simulation.deadlock().value_or(""), "");
          ASSERT_EQ(simulation.lost_credit(), "");
        }
      }
}

TEST(Flit, OptionsThatCannotBeAreRefused) {
  const Topology topology = make_topology("Torus(4; hosts=1)");
  NetworkOptions with_escape;
  with_escape.lanes = 2;
  const Routing surepath = routed(topology, "surepath");
  uniform(topology, surepath, with_escape, {});
  with_escape.queueing = Queueing::voq;
  EXPECT_THROW(uniform(topology, surepath, with_escape, {}), InputError);  // packets choose again
  with_escape.queueing = Queueing::fifo;
  with_escape.allocator = "islip";
  EXPECT_THROW(uniform(topology, surepath, with_escape, {}), InputError);
  const Routing routing = routed(topology, "dor");
  NetworkOptions network;
  EXPECT_THROW(uniform(topology, routing, network, {}), InputError);  // it needs two lanes
  network.lanes = 2;
  network.buffer_flits = 9;
  EXPECT_THROW(uniform(topology, routing, network, {}), InputError);  // packets of 10
  network.flow_control = FlowControl::wormhole;
  EXPECT_THROW(uniform(topology, routing, network, {}, 1, Granularity::packets), InputError);
  EXPECT_EQ(uniform(topology, routing, network, {}).granularity(), Granularity::flits);
}

// What a packet in a tree carries from its NIC on are the ports that it would be sent through node by node.
TEST(Flit, TheWholeWayIsThatOfItsHops) {
  for (const char* notation : {"4-ary 3-tree", "PGFT(3; 3,4,2; 1,2,3; 1,2,3)", "2 x XGFT(2; 3,4; 1,2)",
                               "XGFT(2; 4,8; 1,4; rails=4)"}) {
    const Topology topology = make_topology(notation);
    const Fabric& fabric = topology.fabric;
    const Routing routing = routed(topology, "disjoint:paths=3");
    const auto& forward = std::get<TreeForm>(routing.forward);
    for (u32 i = 0; i < fabric.nics() * fabric.nics(); ++i) {
      const Nic from{i / fabric.nics()}, to{i % fabric.nics()};
      for (u32 w = 0; from != to && w < routing.source.count(from, to, 0); ++w) {
        const Header header = routing.source.way(from, to, 0, w);
        const auto way = forward.way(fabric.node(from), header);
        Node node = fabric.node(from);
        for (u32 hop = 0; hop < 2 * way.up; ++hop) {
          const u64 ports = hop < way.up ? way.ascent >> (8 * hop) : way.descent >> (8 * (hop - way.up));
          const Port port{static_cast<u32>(ports & 0xff)};
          ASSERT_EQ(port, forward.next(node, header).port) << notation << " hop " << hop;
          node = fabric.to(fabric.channel(node, port));
        }
        ASSERT_FALSE(fabric.is_switch(node));  // of another plane where the pair is in two
      }
    }
  }
}

// Whichever part finds it, all stop: nobody waits for one that has left.
TEST(Flit, ARoutingWithAHoleEndsEveryThread) {
  const Topology topology = make_topology("4-ary 2-tree");
  Routing routing = routed(topology, "minhop");
  auto& tables = std::get<Tables>(routing.forward);
  for (const Node node : topology.fabric.switch_nodes()) tables(node, Address{5}) = Tables::no_port;
  for (u32 i = 0; i < 30; ++i) {
    Simulation simulation = uniform(topology, routing, {}, {.load = 0.9}, 4);
    EXPECT_THROW(simulation.advance(300), InputError);
  }
}

TEST(Flit, CtrlCEndsARunBeforeItsLastCycle) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Routing routing = routed(topology, "dmodk");
  for (const unsigned threads : {1u, 3u}) {
    Simulation simulation = uniform(topology, routing, {}, {.load = 0.5}, threads);
    simulation.advance(100);
    set_interrupted(true);
    EXPECT_THROW(simulation.advance(20'000), Interrupted);
    set_interrupted(false);
  }
}

// 525 times the inverse of 75 is more than 7.
TEST(Flit, BytesThatFillFlitsBecomeNoMore) {
  const Topology t = make_topology("2-ary 1-tree");
  const auto list = [](u64, u64, u64, std::vector<Demand>& out) { out.push_back({Rank{0}, Rank{1}, 525}); };
  const Traffic traffic{.ranks = 2, .list = list, .in_bytes = true};
  Workload workload = Workload::closed(t.fabric, traffic, place_linearly(2), {.flit_bytes = 75}, 1);
  EXPECT_EQ(workload.take(Seat{0}, 0).flits, 7u);
}

// A NIC without ports has no lane of its own.
TEST(Flit, AHostWithoutPortsCannotSend) {
  FabricBuilder builder(3);
  builder.nic_ports(Nic{2}, 0);
  const Node between = builder.add_switch(2);
  const u8 link = builder.add_class({});
  for (u32 host = 0; host < 2; ++host) builder.connect(Node{host}, Port{0}, between, Port{host}, link);
  const Fabric fabric = std::move(builder).build();
  EXPECT_THROW(Workload::closed(fabric, single(3, 2, 0), place_linearly(3), {}, 1), InputError);
  EXPECT_NO_THROW(Workload::closed(fabric, single(3, 0, 1), place_linearly(3), {}, 1));
}

// Its first message would come in a cycle that no integer names.
TEST(Flit, WhoHardlyEverSendsSendsNothing) {
  const Topology topology = make_topology("4-ary 2-tree");
  const Traffic traffic = make_traffic({topology, 16}, "uniform");
  for (const Arrivals arrivals : {Arrivals::poisson, Arrivals::bernoulli}) {
    const MessageOptions messages{.arrivals = arrivals, .load = 1e-20};
    const Workload workload = Workload::open(topology.fabric, traffic, place_linearly(16), messages, 1);
    EXPECT_EQ(workload.offered(), 0);
    for (u32 seat = 0; seat < 16; ++seat) EXPECT_EQ(workload.when(Seat{seat}), Workload::never);
  }
}

// Also between the cycles in which room comes back to a queue that a packet has left.
TEST(Flit, NoDeadlockIsSeenWhereEverythingMoves) {
  const Topology topology = make_topology("XGFT(1; 3; 1)");
  const Routing routing = routed(topology, "dmodk");
  Simulation simulation = uniform(topology, routing, {.output_flits = 10}, {.load = 1});
  for (u32 cycle = 0; cycle < 300; ++cycle) {
    simulation.advance(1);
    EXPECT_FALSE(simulation.deadlock().has_value());
  }
}

TEST(Flit, BlocksArePiecesOfPartsInOrder) {
  const Topology topology = make_topology("4-ary 3-tree");
  EXPECT_EQ(Layout(topology.fabric, {}, Share{}).blocks, 1u);
  const u32 channels = 24;
  const Layout layout(topology.fabric, {}, {.parts = 2, .first = 0, .own = 2, .block_channels = channels});
  ASSERT_EQ(layout.blocks, 7u);  // 160 channels of switches to a part, and the NICs
  for (u32 nic = 0; nic < layout.nics; ++nic) EXPECT_EQ(layout.block_of[nic], 0);
  for (u32 part = 0; part < 2; ++part) {
    std::vector<u32> size(layout.blocks);
    u32 last = 1;
    for (u32 v = layout.nics; v < layout.nodes; ++v) {
      if (layout.part(Node{v}) != part) continue;
      EXPECT_GE(layout.block_of[v], last);
      last = layout.block_of[v];
      size[last] += layout.ports(Node{v});
    }
    EXPECT_EQ(size[0], 0u);
    for (u32 block = 1; block < layout.blocks; ++block) {
      EXPECT_GT(size[block], channels / 2);
      EXPECT_LT(size[block], 2 * channels);
    }
  }
}

TEST(Flit, BagsAreByDelayAndBlock) {
  const Topology topology = make_topology("4-ary 3-tree");
  const Layout layout(topology.fabric, {}, {.block_channels = 100});
  ASSERT_EQ(layout.blocks, 4u);
  const LaneId nic = layout.first_lane(Node{0}), last = layout.first_lane(Node{layout.nodes - 1});
  EXPECT_EQ(layout.usual_place({7, 5}, 7, nic), 1);
  EXPECT_EQ(layout.usual_place({7, 5}, 5, nic), 5);
  EXPECT_EQ(layout.usual_place({7, 5}, 5, last), 8);
  EXPECT_EQ(layout.usual_place({7, 5}, 6, last), 0);
}

TEST(Flit, MuchMemoryIsWholeLargePages) {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{5000}, large_page / 2, 3 * large_page / 2}) {
    PagedVector<u8> pages(bytes);
    use_large_pages(pages);
    EXPECT_EQ(pages.front() + pages.back(), 0);
    pages.front() = pages.back() = 1;
    if (bytes < large_page / 2) continue;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % large_page, 0u) << bytes;
    EXPECT_EQ(mapped_bytes(bytes) % large_page, 0u) << bytes;
  }
}

// Nor does the number of threads.
TEST(Flit, BlocksChangeNothing) {
  const Topology topology = make_topology("4-ary 3-tree");
  const u32 hosts = topology.fabric.hosts();
  for (const char* engine : {"dmodk", "minhop", "adaptive"})
    for (const FlowControl control : {FlowControl::wormhole, FlowControl::vct}) {
      const Routing routing = routed(topology, engine);
      const NetworkOptions network{.flow_control = control, .lanes = 2};
      const MessageOptions messages{.load = 0.8, .packet_flits = 3};
      const auto run = [&](u32 channels, unsigned threads) {
        SimulationSetup setup{topology.fabric, routing, network, messages, 1, threads, Granularity::flits};
        setup.block_channels = channels;
        Simulation simulation(setup,
                              Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                             place_linearly(hosts), messages, 1));
        simulation.advance(300);
        EXPECT_EQ(simulation.lost_credit(), "");
        return simulation.take_tally();
      };
      const Tally whole = run(~u32{0}, 1);
      EXPECT_GT(whole.flits, 300 * hosts / 4);
      for (const u32 channels : {1u, 8u, 50u})
        for (const unsigned threads : {1u, 2u}) EXPECT_EQ(run(channels, threads), whole) << channels;
    }
}

}  // namespace
}  // namespace banyan::tests
