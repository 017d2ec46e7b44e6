// Hosts with several NICs in the simulator: buses, control packets, striping, a rail that dies, threads.
#include <gtest/gtest.h>

#include "engines/engine.hpp"
#include "fabric/fabric.hpp"
#include "flit/measure.hpp"
#include "flit/rails/policy.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct Bench {
  Topology topology;
  Routing routing;
  NetworkOptions network{.flow_control = FlowControl::wormhole, .lanes = 2, .buffer_flits = 16};
  MessageOptions messages{.sizes = Sizes::exponential, .load = 0.9, .packet_flits = 10, .message_packets = 8};
  RailOptions rails{
      .processes = 2, .bus_burst = 4, .control_flits = 2, .nic_cycles = 20, .timeout_cycles = 400};

  explicit Bench(const char* fabric, const char* engine = "adaptive")
      : topology(make_topology(fabric)), routing(std::get<Routing>(route(topology, engine))) {}

  SimulationSetup setup(unsigned threads = 1) const {
    return {topology.fabric, routing, network, messages, 1, threads, Granularity::automatic, rails};
  }
  u32 ranks() const { return topology.fabric.hosts() * rails.processes; }
  Placement placement() const {
    Placement out;
    for (u32 rank = 0; rank < ranks(); ++rank) out.push_back(Host{rank / rails.processes});
    return out;
  }
  Workload open(std::string_view traffic = "uniform") const {
    return Workload::open(topology.fabric, make_traffic({topology, ranks()}, traffic), placement(), messages,
                          1, rails.processes);
  }
  Workload closed(const Traffic& traffic) const {
    return Workload::closed(topology.fabric, traffic, placement(), messages, 1, rails.processes);
  }
};

// Every rank sends `times` messages of `amount` to every other one.
Traffic everyone(u32 ranks, u32 times, double amount) {
  Traffic out;
  out.ranks = ranks;
  out.list = [=](u64, u64, u64, std::vector<Demand>& demands) {
    for (u32 t = 0; t < times; ++t)
      for (u32 from = 0; from < ranks; ++from)
        for (u32 to = 0; to < ranks; ++to)
          if (from != to) demands.push_back({Rank{from}, Rank{to}, amount});
  };
  return out;
}

Traffic single(u32 ranks, u32 from, u32 to) {
  Traffic out;
  out.ranks = ranks;
  out.list = [=](u64, u64, u64, std::vector<Demand>& demands) {
    demands.push_back({Rank{from}, Rank{to}, 1});
  };
  return out;
}

u64 completion(const Bench& bench, const Traffic& traffic) {
  const Measurement m = measure(bench.setup(), bench.closed(traffic), {.max_cycles = 4'000'000});
  EXPECT_TRUE(m.completion_cycles.has_value());
  EXPECT_FALSE(m.deadlock) << *m.deadlock;
  return m.completion_cycles.value_or(0);
}

TEST(Rails, ABusThatIsIdleCostsNothing) {
  Bench bench("XGFT(2; 4,4; 1,2)", "dmodk");
  bench.messages = {.packet_flits = 10, .message_packets = 8};
  bench.rails.processes = 1;
  const Traffic lone = single(16, 0, 15);
  SimulationSetup plain = bench.setup();
  plain.rails.reset();
  const Measurement without =
      measure(plain, Workload::closed(bench.topology.fabric, lone, bench.placement(), bench.messages, 1), {});
  EXPECT_EQ(completion(bench, lone), without.completion_cycles);
}

// RTS and CTS cross the network and are looked at by a processor each before the first flit leaves.
TEST(Rails, ReservingTakesARoundTripAndTwoLooks) {
  Bench bench("XGFT(2; 4,4; 1,2)", "dmodk");
  bench.messages = {.packet_flits = 10, .message_packets = 8};
  bench.rails.processes = 1;
  const Traffic lone = single(16, 0, 15);
  const u64 basic = completion(bench, lone);
  bench.rails.policy = "dynamic";
  const u64 channels = 4, hop = channels + (channels - 1) * bench.network.switch_cycles;
  EXPECT_EQ(completion(bench, lone),
            basic + 2 * (hop + bench.rails.control_flits - 1 + bench.rails.nic_cycles));
}

TEST(Rails, AMessageIsWholeWhenItsLastStripeIs) {
  Bench bench("4 x XGFT(2; 4,4; 1,2)", "dmodk");
  bench.messages = {.packet_flits = 10, .message_packets = 40};
  bench.rails.processes = 1;
  bench.rails.policy = "local-dynamic";
  const Traffic lone = single(16, 0, 15);
  const u64 one = completion(bench, lone);
  bench.rails.stripe = 1;
  EXPECT_EQ(completion(bench, lone), one - 300) << "a quarter of 400 flits on each rail";
}

// Everything arrives, under every policy, both flow controls, with and without striping.
TEST(Rails, EveryMessageIsDelivered) {
  for (const RailPolicy& policy : rail_policies())
    for (const FlowControl flow : {FlowControl::wormhole, FlowControl::vct})
      for (const double stripe : {0.0, 1.0}) {
        const bool is_static = policy.name == "static";
        Bench bench(is_static ? "4 x XGFT(2; 2,3; 1,2)" : "2 x XGFT(2; 2,3; 1,2)");
        bench.network.flow_control = flow;
        bench.rails.policy = policy.name;
        bench.rails.stripe = stripe;
        const Traffic traffic = everyone(bench.ranks(), 2, 1);
        Simulation simulation(bench.setup(), bench.closed(traffic));
        for (u32 i = 0; i < 4000 && !simulation.is_done(); ++i) simulation.advance(100);
        ASSERT_TRUE(simulation.is_done()) << policy.name << ' ' << stripe;
        EXPECT_EQ(simulation.flits_inside(), 0u) << policy.name;
        simulation.advance(20000);  // what is left of the protocol
        EXPECT_EQ(simulation.lost_credit(), "");
        EXPECT_EQ(simulation.take_tally().messages, 12u * 10 * 2);
      }
}

TEST(Rails, HalfTheBandwidthIsTheMostUnderUniformTraffic) {
  for (const char* policy : {"basic", "local-dynamic", "dynamic", "hybrid:100", "rail-local", "hash"}) {
    Bench bench("2 x XGFT(2; 4,4; 1,4)");
    bench.rails.policy = policy;
    const Measurement m = measure(bench.setup(), bench.open(), {.cycles = 10000});
    EXPECT_LT(m.accepted.mean, 0.5) << policy;
    EXPECT_GT(m.accepted.mean, 0.1) << policy;
    EXPECT_TRUE(m.saturated) << policy;
  }
  for (const Bus bus : {Bus::half, Bus::full}) {
    Bench bench("2 x XGFT(2; 4,4; 1,4)", "dmodk");
    bench.rails.bus = bus;
    const double accepted = measure(bench.setup(), bench.open("shift:8"), {.cycles = 5000}).accepted.mean;
    EXPECT_EQ(accepted < 0.50001, bus == Bus::half) << accepted;
  }
}

TEST(Rails, TheNumberOfThreadsChangesNoBit) {
  for (const char* policy : {"basic", "hybrid:600", "own"}) {
    Bench bench(policy[0] == 'o' ? "XGFT(2; 4,8; 1,4; rails=2; latency=16)"
                                 : "3 x XGFT(2; 4,4; 1,4; latency=16)");
    bench.rails.policy = policy;
    bench.rails.stripe = 0.5;
    bench.rails.dies = "1@800";
    std::vector<Tally> tallies;
    for (const unsigned threads : {1u, 2u, 8u}) {
      Simulation simulation(bench.setup(threads), bench.open());
      simulation.advance(2400);
      tallies.push_back(simulation.take_tally());
    }
    EXPECT_GT(tallies[0].messages, 100u);
    EXPECT_EQ(tallies[1], tallies[0]) << policy;
    EXPECT_EQ(tallies[2], tallies[0]) << policy;
  }
}

TEST(Rails, ARailThatDiesLosesNoMessage) {
  for (const char* policy : {"basic", "local-dynamic", "dynamic", "hybrid:600", "rail-local", "hash"})
    for (const char* dies : {"0@200", "1@777"}) {
      Bench bench("2 x XGFT(2; 2,3; 1,2)");
      bench.rails.policy = policy;
      bench.rails.sends = dies[0] == '0' ? Sends::queued : Sends::awaited;
      bench.rails.stripe = 1;
      bench.rails.dies = dies;
      Simulation simulation(bench.setup(), bench.closed(everyone(bench.ranks(), 3, 1)));
      for (u32 i = 0; i < 4000 && !simulation.is_done(); ++i) simulation.advance(100);
      ASSERT_TRUE(simulation.is_done()) << policy << ' ' << dies;
      EXPECT_EQ(simulation.take_tally().messages, 12u * 10 * 3) << policy << ' ' << dies;
      simulation.advance(20000);
      EXPECT_EQ(simulation.take_tally().messages, 0u) << "none comes twice: " << policy << ' ' << dies;
    }
}

// NICs that live on send to those that die, and receive from them.
TEST(Rails, ARailThatDiesLosesNoMessageAcrossRails) {
  for (const char* policy : {"own", "rail-local", "same-slot", "all", "hash"})
    for (const Sends sends : {Sends::queued, Sends::begun, Sends::awaited})
      for (const double stripe : {0.0, 0.5, 1.0}) {
        Bench bench("XGFT(2; 2,6; 1,2; rails=3)");
        bench.rails.policy = policy;
        bench.rails.processes = 3;
        bench.rails.sends = sends;
        bench.rails.stripe = stripe;
        bench.rails.dies = "1@300";
        Simulation simulation(bench.setup(), bench.closed(everyone(bench.ranks(), 3, 1)));
        for (u32 i = 0; i < 4000 && !simulation.is_done(); ++i) simulation.advance(100);
        ASSERT_TRUE(simulation.is_done()) << policy << ' ' << stripe;
        EXPECT_EQ(simulation.take_tally().messages, 12u * 9 * 3) << policy << ' ' << stripe;
        simulation.advance(20000);
        EXPECT_EQ(simulation.take_tally().messages, 0u) << "none comes twice: " << policy << ' ' << stripe;
        EXPECT_EQ(simulation.flits_inside(), 0u) << policy << ' ' << stripe;
        EXPECT_EQ(simulation.lost_credit(), "");
      }
}

// Process 0 of host 0 owns NIC 0, process 1 of host 3 NIC 1.
TEST(Rails, PacketsCrossRails) {
  const auto moved = [](const char* policy) {
    Bench bench("XGFT(2; 2,4; 1,2; rails=2)", "dmodk");
    bench.messages = {.packet_flits = 10, .message_packets = 4};
    bench.rails.policy = policy;
    Simulation simulation(bench.setup(), bench.closed(single(8, 0, 7)));
    simulation.advance(1000);
    EXPECT_TRUE(simulation.is_done());
    return simulation.take_tally().rail_flits;
  };
  EXPECT_EQ(moved("own"), (std::vector<u64>{0, 40, 0, 0}));
  EXPECT_EQ(moved("rail-local"), (std::vector<u64>{0, 0, 0, 40}));
  EXPECT_EQ(moved("same-slot"), (std::vector<u64>{40, 0, 0, 0}));
  EXPECT_EQ(moved("all"), (std::vector<u64>{20, 0, 0, 20}));
}

// Stripes are remembered until they have arrived, not until the rail dies.
TEST(Rails, StripesThatHaveArrivedAreForgotten) {
  for (const unsigned threads : {1u, 3u}) {
    Bench bench("2 x XGFT(2; 2,3; 1,2)");
    bench.messages = {.load = 0.5, .packet_flits = 2};
    bench.rails.dies = "1@1000000";
    Simulation simulation(bench.setup(threads), bench.open());
    simulation.advance(10000);
    EXPECT_GT(simulation.take_tally().messages, 10000u);
    EXPECT_GT(simulation.stripes_remembered(), 0u);
    EXPECT_LE(simulation.stripes_remembered(), 6u * 200);  // by NIC: twice what is on its way, or 64
  }
}

// What a NIC was sending when its rail died ends after its stripe has been given to another.
TEST(Rails, APacketThatOutlivesItsRailConfusesNobody) {
  Bench bench("2 x XGFT(2; 2,3; 1,2)");
  bench.rails.policy = "local-dynamic";
  bench.rails.dies = "0@100";
  bench.messages.packet_flits = 3000;
  Simulation simulation(bench.setup(), bench.closed(everyone(bench.ranks(), 1, 1)));
  for (u32 i = 0; i < 4000 && !simulation.is_done(); ++i) simulation.advance(1000);
  ASSERT_TRUE(simulation.is_done());
  EXPECT_EQ(simulation.take_tally().messages, 12u * 10);
}

// A cable that is missing from the start takes a rail from one host only.
TEST(Rails, AHostWithoutACableUsesItsOtherRails) {
  Bench bench("2 x XGFT(2; 2,3; 1,2)");
  const Fabric& whole = bench.topology.fabric;
  std::vector<Link> cut;
  whole.each_link([&](const Link& link) {
    if (whole.from(link.a) == whole.node(whole.nic(Host{0}, 1))) cut.push_back(link);
  });
  ASSERT_EQ(cut.size(), 1u);
  bench.topology.fabric = without(whole, cut);
  bench.rails.policy = "dynamic";
  bench.rails.stripe = 1;
  EXPECT_GT(completion(bench, everyone(bench.ranks(), 1, 1)), 0u);
}

// One process has ten messages for another host.
Traffic ten_messages(const Bench& bench) {
  Traffic out;
  out.ranks = bench.ranks();
  out.list = [](u64, u64, u64, std::vector<Demand>& demands) {
    for (u32 i = 0; i < 10; ++i) demands.push_back({Rank{0}, Rank{6}, 1});
  };
  return out;
}

// Queued, they keep both rails busy; awaited, one rail at a time.
TEST(Rails, AProcessThatAwaitsItsSendsHasOneMessageOut) {
  Bench bench("2 x XGFT(2; 2,3; 1,2)");
  bench.messages.sizes = Sizes::fixed;
  const Traffic ten = ten_messages(bench);
  const double flits = 10.0 * bench.messages.packet_flits * bench.messages.message_packets;
  EXPECT_NEAR(static_cast<double>(completion(bench, ten)), flits / 2, 0.1 * flits);
  bench.rails.sends = Sends::awaited;
  EXPECT_NEAR(static_cast<double>(completion(bench, ten)), flits, 0.1 * flits);
}

// The next message is looked for when the first flit leaves: on the other rail, in turn.
TEST(Rails, AProcessMayGoOnWhenItsMessageBegins) {
  Bench bench("2 x XGFT(2; 2,3; 1,2)");
  bench.messages.sizes = Sizes::fixed;
  bench.rails.sends = Sends::begun;
  const Traffic ten = ten_messages(bench);
  const double flits = 10.0 * bench.messages.packet_flits * bench.messages.message_packets;
  EXPECT_NEAR(static_cast<double>(completion(bench, ten)), flits / 2, 0.1 * flits);
}

// Two processes of a host begin with the same rail if each has its own turns, with different ones if the host
// has: one NIC is busy then, or both.
TEST(Rails, ProcessesThatTakeRailsInTurnForThemselvesMeet) {
  const auto with = [](Turns turns) {
    Bench bench("2 x XGFT(2; 2,3; 1,2)");
    bench.messages.sizes = Sizes::fixed;
    bench.rails.processes = 2;
    bench.rails.turns = turns;
    Traffic two;
    two.ranks = bench.ranks();
    two.list = [](u64, u64, u64, std::vector<Demand>& demands) {
      for (u32 process = 0; process < 2; ++process) demands.push_back({Rank{process}, Rank{6}, 1});
    };
    return static_cast<double>(completion(bench, two));
  };
  EXPECT_GT(with(Turns::process), 1.6 * with(Turns::host));
}

// A message waits for the one before it, or both share the channel: the short one is not held up by the long.
TEST(Rails, ANicMaySendTwoMessagesAtOnce) {
  const auto latency = [](u32 at_once) {
    Bench bench("XGFT(2; 2,3; 1,2)");
    bench.rails.processes = 2;
    bench.rails.nic_messages = at_once;
    bench.network.lanes = 2;
    Traffic both;
    both.ranks = bench.ranks();
    both.in_bytes = true;
    both.list = [](u64, u64, u64, std::vector<Demand>& demands) {
      demands.push_back({Rank{0}, Rank{6}, 100000});
      demands.push_back({Rank{1}, Rank{8}, 1000});
    };
    Simulation simulation(bench.setup(), bench.closed(both));
    u64 first = 0;
    for (u32 i = 0; i < 100000 && !simulation.is_done(); ++i) {
      simulation.advance(10);
      if (first == 0 && simulation.take_tally().messages > 0) first = 10 * (i + 1);
    }
    EXPECT_TRUE(simulation.is_done());
    return first;
  };
  EXPECT_LT(5 * latency(2), latency(1));
}

// Both ways want a bus that changes after four flits and loses a cycle then: a fifth is lost.
TEST(Rails, ABusMayLoseTimeWhenItTurns) {
  const auto with = [](u32 turn) {
    Bench bench("XGFT(2; 2,3; 1,2)");
    bench.messages.sizes = Sizes::fixed;
    bench.rails.bus_burst = 4;
    bench.rails.bus_turn = turn;
    Traffic exchange;
    exchange.ranks = bench.ranks();
    exchange.in_bytes = true;
    exchange.list = [](u64, u64, u64, std::vector<Demand>& demands) {
      demands.push_back({Rank{0}, Rank{3}, 400000});
      demands.push_back({Rank{3}, Rank{0}, 400000});
    };
    return static_cast<double>(completion(bench, exchange));
  };
  EXPECT_NEAR(with(1) / with(0), 1.25, 0.05);
}

// However coarse an interval may be, a run is not over before its warm-up is, nor before messages had time.
TEST(Rails, ARunGoesOnUntilItsWarmUpIsOver) {
  for (const u32 packets : {8u, 100u}) {
    Bench bench("2 x XGFT(2; 2,3; 1,2)");
    bench.messages.message_packets = packets;
    const Measurement m = measure(bench.setup(), bench.open(), {.precision = 0.5});
    EXPECT_TRUE(m.is_warm);
    EXPECT_LT(m.warm_up_cycles, m.counted.cycles);
    EXPECT_GE(m.warm_up_cycles + m.counted.cycles, 32 * u64{packets} * bench.messages.packet_flits);
  }
}

// More processes than rails: each of them is among those that this process simulates.
TEST(Rails, EveryProcessSends) {
  Bench bench("XGFT(2; 2,3; 1,2)");
  bench.rails.processes = 5;
  EXPECT_EQ(own_nics(bench.setup()), std::vector<bool>(bench.ranks(), true));
  const Traffic traffic = make_traffic({bench.topology, bench.ranks()}, "uniform");
  EXPECT_THROW(Workload::open(bench.topology.fabric, traffic, bench.placement(), bench.messages, 1, 5,
                              std::vector<bool>(bench.topology.fabric.nics(), true)),
               std::logic_error);
}

TEST(Rails, BadOptionsAreRefused) {
  const auto refused = [](auto&& change) {
    Bench bench("2 x XGFT(2; 2,3; 1,2)");
    change(bench.rails);
    EXPECT_THROW(Simulation(bench.setup(), bench.open()), InputError);
  };
  refused([](RailOptions& o) { o.dies = "2@100"; });
  refused([](RailOptions& o) { o.dies = "soon"; });
  refused([](RailOptions& o) { o.bus_burst = 0; });
  refused([](RailOptions& o) { o.nic_messages = 0; });
  refused([](RailOptions& o) { o.nic_messages = 3; });
  refused([](RailOptions& o) { o.control_flits = 11; });
  refused([](RailOptions& o) { o.policy = "static"; });
  refused([](RailOptions& o) { o.stripe = -1; });
  Bench bench("2 x XGFT(2; 2,3; 1,2)");
  bench.messages.arrivals = Arrivals::back_to_back;
  EXPECT_THROW(Simulation(bench.setup(), bench.open()), InputError) << "a process would never stop posting";
}

}  // namespace
}  // namespace banyan::tests
