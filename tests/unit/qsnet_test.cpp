// QsNET: cards, events, libraries and benchmarks on small trees. The network itself is held against single
// flits in tests/property/qsnet_property_test.cpp; the paper's figures are judged by reproduce petrini01.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engines/engine.hpp"
#include "qsnet/bench.hpp"
#include "qsnet/collective.hpp"
#include "qsnet/hops.hpp"
#include "qsnet/levels.hpp"

namespace banyan::tests {
using namespace qsnet;
namespace {

struct Cluster {
  explicit Cluster(std::string_view notation, std::string_view engine = "adaptive")
      : topology(make_topology(notation)),
        routing(std::get<Routing>(route(topology, engine))),
        routes(topology, routing) {}
  Topology topology;
  Routing routing;
  Routes routes;
  Parameters p;
};

TEST(Qsnet, TagsNameAGroupOnTheWayUpAndOneLinkOnTheWayDown) {
  const Cluster s("4-ary 2-tree");
  const Route far = s.routes.unicast(0, 13);
  ASSERT_EQ(far.switches, 3u);
  EXPECT_EQ(far.tags[0], 0xf0u);  // any of the four links up
  EXPECT_EQ(far.tags[1], 1u << 3);
  EXPECT_EQ(far.tags[2], 1u << 1);
  EXPECT_EQ(s.routes.unicast(5, 5).tags[0], 1u << 1);  // turns round at its leaf
}

TEST(Qsnet, FabricsThatElitesCannotBeAreRefused) {
  const auto tries = [](std::string_view notation, std::string_view engine) { Cluster s(notation, engine); };
  EXPECT_THROW(tries("2 x XGFT(2; 2,2; 1,2)", "dmodk"), InputError);
  EXPECT_THROW(tries("GFT(2; 3; 2)", "dmodk"), InputError);
  const Cluster mesh("HyperX(2x2; hosts=2)", "dor");
  EXPECT_THROW(mesh.routes.broadcast(0, 0, 7), InputError);
}

TEST(Qsnet, EverySwitchAddsFiftyNanoseconds) {
  const Cluster s("4-ary 3-tree");
  const auto hops = hop_latencies(s.routes, s.p);
  ASSERT_EQ(hops.size(), 3u);
  EXPECT_EQ(hops[0].network, from_ns(15 + 50 + 45));  // a wire more than switches; 18 bytes
  for (u32 i = 1; i < 3; ++i) {
    EXPECT_EQ(hops[i].switches, hops[i - 1].switches + 2);
    EXPECT_EQ(hops[i].network - hops[i - 1].network, from_ns(100));
    EXPECT_EQ(hops[i].put - hops[i - 1].put, from_ns(200));  // there and back
  }
}

// Both lanes in turn: while one packet waits for its acknowledgement, the next is under way.
TEST(Qsnet, AcknowledgementsOverlap) {
  const Cluster s("4-ary 2-tree");
  Ping ping = ping_of(placements[0], 320);
  const double one_at_a_time = ping_bandwidth(s.routes, s.p, ping);
  ping.bytes = 64 * 320;
  EXPECT_GT(ping_bandwidth(s.routes, s.p, ping), 2 * one_at_a_time);
}

TEST(Qsnet, BlocksAreWhole) {
  const Cluster s("4-ary 2-tree");
  const auto latency = [&](u64 bytes) { return ping_latency(s.routes, s.p, ping_of(placements[3], bytes)); };
  EXPECT_EQ(latency(1), latency(64));
  EXPECT_LT(latency(64), latency(65));
  EXPECT_EQ(latency(65), latency(128));
}

TEST(Qsnet, TheBusLimitsEachDirectionAndBothTogether) {
  Cluster s("4-ary 2-tree");
  s.p.spread = 0;
  const auto both = [&](double bus) {
    s.p.bus_rate = bus;
    return ping_bandwidth(s.routes, s.p, ping_of(placements[3], 65536, true));
  };
  EXPECT_NEAR(both(240), 120, 3);
  EXPECT_NEAR(both(290), 145, 3);
  EXPECT_GT(both(1000), 190);  // then reading is the limit
  EXPECT_LT(both(1000), 200);
}

// --- what is sent arrives once

struct Sent {
  u64 bytes = 0, packets = 0;
  u32 notices = 0;
};

Sent random_puts(const Cluster& s, Machine& machine, u64 seed, u32 puts) {
  Random random(seed);
  Sent sent;
  for (u32 i = 0; i < puts; ++i) {
    Transfer t;
    t.from = static_cast<u32>(random.below(machine.hosts()));
    t.to = static_cast<u32>(random.below(machine.hosts()));
    t.bytes = random.below(2000);
    t.source = random.below(2) == 0 ? Memory::card : Memory::main;
    t.target = random.below(2) == 0 ? Memory::card : Memory::main;
    t.high = random.below(4) == 0;
    t.source_event = machine.add_event({.card = t.from, .then = Reaction::host});
    t.target_event = machine.add_event({.card = t.to, .then = Reaction::host});
    random.below(3) == 0 ? machine.get(t) : machine.put(t);
    sent.bytes += t.bytes;
    sent.packets += std::max<u64>(1, (t.bytes + 319) / 320);
  }
  while (machine.next()) ++sent.notices;
  EXPECT_EQ(machine.network().held(), 0u) << s.topology.fabric.hosts();
  EXPECT_EQ(machine.network().waiting(), 0u);
  return sent;
}

TEST(Qsnet, RefusedPacketsGoAgainAndNoneIsLostOrDoubled) {
  const Cluster s("3-ary 2-tree");
  for (u64 seed = 1; seed <= 20; ++seed) {
    Machine machine(s.routes, s.p, {.bad_crc = 0.2, .seed = seed});
    const Sent sent = random_puts(s, machine, seed, 60);
    EXPECT_EQ(machine.bytes_delivered(), sent.bytes);
    EXPECT_EQ(sent.notices, 120u);  // each event fired, and once
    EXPECT_GT(machine.refused(), 0u);
    EXPECT_GE(machine.packets_delivered(), sent.packets);  // and the requests of gets
  }
}

TEST(Qsnet, ABroadcastReachesItsRangeOnceThoughSomeRefuseIt) {
  const Cluster s("4-ary 2-tree");
  for (u64 seed = 1; seed <= 10; ++seed) {
    Machine machine(s.routes, s.p, {.bad_crc = 0.3, .seed = seed});
    const u32 first = 3, last = 12;
    u32 events = 0;
    for (u32 h = first; h <= last; ++h) {
      const u32 event = machine.add_event({.card = h, .then = Reaction::host, .subject = h});
      if (h == first) events = event;
    }
    machine.put(
        {.from = 14, .to = first, .bytes = 64, .target_event = events, .broadcast = true, .last = last});
    std::vector<u32> told(16);
    while (const auto notice = machine.next()) ++told[notice->host];
    for (u32 h = 0; h < 16; ++h) EXPECT_EQ(told[h], h >= first && h <= last) << h;
    EXPECT_EQ(machine.bytes_delivered(), 64u * 10);
  }
}

// Everyone broadcasts to some range while everyone also sends single packets.
TEST(Qsnet, StormsOfBroadcastsEnd) {
  const Cluster s("2-ary 3-tree");
  for (u64 seed = 1; seed <= 20; ++seed) {
    Machine machine(s.routes, s.p);
    Random random(seed);
    u64 expected = 0;
    for (u32 i = 0; i < 40; ++i) {
      const u32 a = static_cast<u32>(random.below(8)), b = static_cast<u32>(random.below(8));
      const u32 from = static_cast<u32>(random.below(8));
      if (random.below(2) == 0) {
        const u32 first = std::min(a, b), last = std::max(a, b);
        machine.put({.from = from, .to = first, .bytes = 320, .broadcast = true, .last = last});
        expected += last - first + 1;
      } else {
        machine.put({.from = from, .to = a, .bytes = 320});
        ++expected;
      }
    }
    while (machine.next()) {
    }
    EXPECT_EQ(machine.packets_delivered(), expected);
    EXPECT_EQ(machine.network().held(), 0u);
  }
}

TEST(Qsnet, ShortTransfersDoNotWaitForLongOnes) {
  Cluster s("4-ary 2-tree");
  const auto short_one = [&](double slice) {
    s.p.slice = slice;
    Machine machine(s.routes, s.p);
    machine.put({.from = 0, .to = 1, .bytes = 1 << 20});
    const u32 done = machine.add_event({.card = 0, .then = Reaction::host});
    machine.put({.from = 0, .to = 2, .bytes = 64, .source_event = done});
    machine.next();
    return in_us(machine.now());
  };
  EXPECT_GT(short_one(2048), 5000);
  EXPECT_LT(short_one(16), 100);
}

// --- libraries

TEST(Qsnet, TportsMatchBySenderAndTagInOrder) {
  const Cluster s("4-ary 2-tree");
  Machine machine(s.routes, s.p);
  Tports tports(machine);
  const u32 any = tports.receive(2, Tports::any, 7);
  const u32 from_one = tports.receive(2, 1, Tports::any);
  const u32 first = tports.send({.from = 0, .to = 2, .tag = 7, .bytes = 10});
  const u32 second = tports.send({.from = 1, .to = 2, .tag = 9, .bytes = 5000});
  std::vector<u32> of_receive(2, nothing);
  u32 sends = 0;
  while (const auto notice = machine.next())
    if (const auto done = tports.handle(*notice)) {
      if (done->is_send)
        ++sends;
      else
        of_receive[done->number] = done->message;
    }
  EXPECT_EQ(of_receive[any], first);
  EXPECT_EQ(of_receive[from_one], second);
  EXPECT_EQ(sends, 2u);
  EXPECT_EQ(tports.unexpected(), 0u);
}

// Nobody has asked for it: an asynchronous message comes into a buffer, a synchronous one stays where it is.
TEST(Qsnet, UnexpectedMessages) {
  const Cluster s("4-ary 2-tree");
  for (const bool synchronous : {false, true}) {
    Machine machine(s.routes, s.p);
    Tports tports(machine);
    tports.send({.from = 0, .to = 1, .bytes = 4096, .synchronous = synchronous});
    bool was_sent = false, was_received = false;
    while (const auto notice = machine.next())
      if (const auto done = tports.handle(*notice)) was_sent = was_sent || done->is_send;
    EXPECT_EQ(was_sent, !synchronous);
    EXPECT_EQ(machine.bytes_delivered(), synchronous ? 0u : 4096u);
    tports.receive(1, 0, Tports::any);
    while (const auto notice = machine.next())
      if (const auto done = tports.handle(*notice)) (done->is_send ? was_sent : was_received) = true;
    EXPECT_TRUE(was_sent && was_received);
    EXPECT_EQ(machine.bytes_delivered(), 4096u);
    EXPECT_EQ(tports.unexpected(), 1u);
  }
}

TEST(Qsnet, LevelsCostWhatTheyAdd) {
  const Cluster s("4-ary 2-tree");
  const Ping ping = ping_of(placements[3], 64);
  const auto latency = [&](Level level) { return level_latency(s.routes, s.p, level, ping); };
  EXPECT_LT(latency(Level::elan3lib), latency(Level::tports));
  EXPECT_EQ(latency(Level::mpi) - latency(Level::tports), 2 * from_us(s.p.mpi));
}

// --- many hosts

TEST(Qsnet, ABarrierReleasesEveryoneAfterTheLastHasEntered) {
  const Cluster s("4-ary 3-tree");
  for (const BarrierShape shape : {BarrierShape::linear, BarrierShape::tree})
    for (const u32 hosts : {2u, 4u, 5u, 17u, 64u}) {
      Machine machine(s.routes, s.p);
      Barrier barrier(machine, hosts, shape);
      for (u32 h = 0; h < hosts; ++h)
        if (h == 1)
          machine.wake(from_us(100), h, 0);  // the last
        else
          barrier.enter(h);
      std::vector<u32> left(hosts);
      while (const auto notice = machine.next()) {
        if (notice->tag == 0) {
          barrier.enter(1);
        } else if (barrier.advance(*notice)) {
          ++left[notice->host];
          EXPECT_GT(machine.now(), from_us(100));
        }
      }
      EXPECT_EQ(left, std::vector<u32>(hosts, 1)) << hosts;
    }
}

TEST(Qsnet, ATreeOfCardsScalesWhereOneHostDoesNot) {
  const Cluster s("4-ary 4-tree");
  const auto time = [&](u32 hosts, BarrierShape shape) { return barrier_time(s.routes, s.p, hosts, shape); };
  EXPECT_LT(4 * time(256, BarrierShape::tree), time(256, BarrierShape::linear));
}

TEST(Qsnet, NoExchangeIsQuickerThanItsBound) {
  const Cluster s("4-ary 2-tree");
  for (const u64 bytes : {64u, 4096u})
    EXPECT_GE(exchange_time(s.routes, s.p, 8, bytes), exchange_bound(8, bytes, s.p.bus_rate / 2));
}

// What is shown at the end is all of what was promised, and no more.
TEST(Qsnet, ProgressCountsEveryPacket) {
  const Cluster s("2-ary 3-tree");
  const auto last_shown = [](u64 total, auto&& run) {
    double clock = 0;
    std::string last;
    const auto keep = [&](std::string_view text) {
      if (text.find(" of ") != text.npos) last = text;
    };
    Progress progress("packets", total, {keep, [&] { return clock += 1; }});
    run(&progress);
    return last;
  };
  const auto expected = [](u64 total) { return fmt::format("packets: {0} of {0},", total); };
  for (const u64 bytes : {0u, 64u, 321u, 4096u}) {
    const u64 all = exchange_packets(s.p, 5, bytes);
    EXPECT_NE(
        last_shown(all, [&](Progress* p) { exchange_time(s.routes, s.p, 5, bytes, p); }).find(expected(all)),
        std::string::npos)
        << bytes;
    for (const Access access : {Access::read, Access::write}) {
      const u64 hot = hotspot_packets(s.p, access, 3, bytes, 2);
      const auto run = [&](Progress* p) { hotspot_bandwidth(s.routes, s.p, access, 3, bytes, 2, p); };
      EXPECT_NE(last_shown(hot, run).find(expected(hot)), std::string::npos) << bytes;
    }
  }
}

TEST(Qsnet, SizesArePowersOfTwoBetweenTwo) {
  const Cluster s("2-ary 3-tree");
  const auto sizes = [&](u64 least, u64 maximum) {
    return message_sizes({s.routes, s.p, 4, least, maximum});
  };
  EXPECT_EQ(sizes(0, 5), (std::vector<u64>{0, 1, 2, 4}));
  EXPECT_EQ(sizes(64, 64), std::vector<u64>{64});
  EXPECT_EQ(sizes(0, 0), std::vector<u64>{0});
  EXPECT_THROW(sizes(65, 127), InputError);
  const auto row = benches().at("exchange").run({s.routes, s.p, 4, 2, 4}).at(0).rows;
  ASSERT_EQ(row.size(), 1u);  // 2 bytes: a block is whole
}

TEST(Qsnet, EveryBenchmarkRunsOnASmallTree) {
  const Cluster s("2-ary 3-tree");
  for (const Bench& bench : benches()) {
    const auto tables = bench.run({s.routes, s.p, 4, 0, 256});
    ASSERT_FALSE(tables.empty()) << bench.name;
    for (const BenchTable& table : tables) {
      EXPECT_FALSE(table.rows.empty()) << bench.name;
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << bench.name;
    }
  }
  EXPECT_THROW(benches().at("pong"), InputError);
}

TEST(Qsnet, ParametersThatMakeNoSenseAreRefused) {
  Cluster s("2-ary 2-tree");
  const auto refused = [&](auto change) {
    Parameters p;
    change(p);
    EXPECT_THROW(Machine(s.routes, p), InputError);
  };
  refused([](Parameters& p) { p.lane_flits = 40; });
  refused([](Parameters& p) { p.link_rate = 0; });
  refused([](Parameters& p) { p.dma = -1; });
  refused([](Parameters& p) { p.packet_blocks = 0; });
}

}  // namespace
}  // namespace banyan::tests
