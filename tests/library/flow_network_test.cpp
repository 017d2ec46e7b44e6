// A network that is advanced by time, against the fluid that knows all messages beforehand.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "flow/fluid.hpp"
#include "library/flow_network.hpp"
#include "library/questions.hpp"

namespace banyan::library {
namespace {

struct Sent {
  u32 from, to;
  u64 bytes;
  double time;
};

std::vector<Sent> random_messages(u32 hosts, u32 count, u32 seed) {
  std::mt19937 random(seed);
  std::vector<Sent> out;
  double time = 0;
  for (u32 i = 0; i < count; ++i) {
    time += static_cast<double>(random() % 1000);
    out.push_back(
        {static_cast<u32>(random() % hosts), static_cast<u32>(random() % hosts), random() % 100'000, time});
  }
  return out;
}

std::map<u64, double> by_fluid(const OpenRouting& routing, const std::vector<Sent>& messages, double link) {
  const Fabric& fabric = routing.fabric->loaded.topology.fabric;
  std::vector<Flow> flows;
  for (const Sent& m : messages)
    flows.push_back({fabric.nic(Host{m.from}), fabric.nic(Host{m.to}), static_cast<double>(m.bytes)});
  const Incidence all = incidence(fabric, routing.routing, flows, Demands::bytes);
  RateOptions options;
  options.link = link;
  Fluid fluid(fabric, options, all, flows);
  for (u32 i = 0; i < messages.size(); ++i) fluid.begin(i, messages[i].time);
  std::map<u64, double> out;
  fluid.run([&](u32 flow, double time) { out[flow] = time; });
  return out;
}

TEST(FlowNetwork, EndsMessagesWhenTheFluidDoes) {
  const RoutingPtr routing = route(open("4-ary 2-tree"), Texts{{"engine", "dmodk"}});
  for (u32 seed = 0; seed < 10; ++seed) {
    const std::vector<Sent> messages = random_messages(16, 60, seed);
    const std::map<u64, double> expected = by_fluid(*routing, messages, 100);
    std::map<u64, double> found;
    double last = 0;
    FlowNetwork network(routing, {.link = {100}}, [&](const FlowNetwork::Arrival& arrival) {
      EXPECT_GE(arrival.time, last);
      last = arrival.time;
      found[arrival.tag] = arrival.time;
    });
    for (u64 i = 0; i < messages.size(); ++i)
      network.at(messages[i].time,
                 [&, i] { network.send(messages[i].from, messages[i].to, messages[i].bytes, i); });
    network.advance(std::numeric_limits<double>::infinity());
    EXPECT_EQ(network.under_way(), 0u);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [tag, time] : expected) EXPECT_NEAR(found[tag], time, 1e-6 * time) << tag;
  }
}

// One link: of 3 to 1, the heavy message has three quarters of it until it ends, the other then all.
TEST(FlowNetwork, SharesChannelsByWeight) {
  const RoutingPtr routing = route(open("2-ary 2-tree"), Texts{{"engine", "dmodk"}});
  std::map<u64, double> found;
  FlowNetwork network(routing, {.link = {1000}},
                      [&](const FlowNetwork::Arrival& arrival) { found[arrival.tag] = arrival.time; });
  network.send(0, 1, 3000, 1, 3);
  network.send(0, 1, 2000, 2);
  network.advance(100);
  EXPECT_NEAR(found[1], 4, 1e-9);
  EXPECT_NEAR(found[2], 5, 1e-9);
  EXPECT_THROW(network.send(0, 1, 1, 1, 0), InputError);
}

// Far more messages than are under way at once: those that ended are forgotten on the way.
TEST(FlowNetwork, ForgetsMessagesWithoutChangingTheirTimes) {
  const RoutingPtr routing = route(open("4-ary 2-tree"), Texts{{"engine", "dmodk"}});
  const std::vector<Sent> messages = random_messages(16, 6000, 7);
  const std::map<u64, double> expected = by_fluid(*routing, messages, 300);
  std::map<u64, double> found;
  FlowNetwork network(routing, {.link = {300}},
                      [&](const FlowNetwork::Arrival& arrival) { found[arrival.tag] = arrival.time; });
  for (u64 i = 0; i < messages.size(); ++i)
    network.at(messages[i].time,
               [&, i] { network.send(messages[i].from, messages[i].to, messages[i].bytes, i); });
  network.advance(std::numeric_limits<double>::infinity());
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [tag, time] : expected) ASSERT_NEAR(found[tag], time, 1e-6 * time) << tag;
}

TEST(FlowNetwork, AddsDelaysToEachMessage) {
  const RoutingPtr routing = route(open("2-ary 2-tree"), Texts{{"engine", "dmodk"}});
  double time = 0;
  FlowNetwork network(routing, {.link = {1000}, .overhead = {0.5}, .switch_delay = {0.25}, .cable = {1e8}},
                      [&](const FlowNetwork::Arrival& arrival) { time = arrival.time; });
  network.send(0, 3, 1000, 1);
  network.advance(100);
  EXPECT_NEAR(time, 1 + 0.5 + 3 * 0.25 + 4 * 0.5, 1e-12);  // three switches, four cables of half a second
  EXPECT_EQ(network.now(), 100);
  EXPECT_THROW(network.advance(99), InputError);
  EXPECT_THROW(network.send(0, 4, 1, 1), InputError);
}

// Where links have speeds, neither a network nor a question asks for others.
TEST(FlowNetwork, TakesTheSpeedsOfTheFabric) {
  const RoutingPtr routing = route(open("XGFT(2; 2,2; 1,2; capacity=100G)"), Texts{{"engine", "dmodk"}});
  const auto seconds = [&](const Texts& options) {
    double time = 0;
    FlowNetwork network(routing, network_options(*routing, options),
                        [&](const FlowNetwork::Arrival& arrival) { time = arrival.time; });
    network.send(0, 3, 12'500'000'000, 1);
    network.advance(100);
    return time;
  };
  EXPECT_NEAR(seconds({}), 1, 1e-9);
  EXPECT_NEAR(seconds({{"link", "100G"}}), 1, 1e-9);
  EXPECT_THROW(seconds({{"link", "200G"}}), InputError);
  EXPECT_THROW(seconds({{"link", "400G"}}), InputError);
  const Texts slow = {{"traffic", "alltoall:bytes=1MiB"}, {"link", "100G"}};
  const Texts fast = {{"traffic", "alltoall:bytes=1MiB"}, {"link", "200G"}};
  EXPECT_NO_THROW(ask("time", {.routing = routing, .options = slow}));
  EXPECT_THROW(ask("time", {.routing = routing, .options = fast}), InputError);
  EXPECT_THROW(ask("simulate", {.routing = routing, .options = {{"link", "200G"}}}), InputError);
}

TEST(FlowNetwork, DeliversToTheHostItselfAndWithoutBytesAtOnce) {
  const RoutingPtr routing = route(open("2-ary 2-tree"), Texts{});
  u32 arrived = 0;
  FlowNetwork network(routing, {}, [&](const FlowNetwork::Arrival&) { ++arrived; });
  network.send(1, 1, 1000, 1);
  network.send(0, 1, 0, 2);
  network.advance(0);
  EXPECT_EQ(arrived, 2u);
  EXPECT_EQ(network.next(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace banyan::library
