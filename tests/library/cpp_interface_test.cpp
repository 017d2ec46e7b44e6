// The C++ interface, which is a header over that of C. tests/install builds a program with it.
#include <gtest/gtest.h>
#include <unistd.h>
#include <banyan/banyan.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

TEST(CppInterface, AnArrayKeepsItsAnswer) {
  const banyan::Routing routing(banyan::Fabric("4-ary 2-tree"), "dmodk");
  double sum = 0;
  std::size_t count = 0;
  for (const double load : routing.load("shift:1", {{"channels", "true"}}).numbers("channel_loads"))
    sum += load, ++count;
  const banyan::Answer answer = routing.load("shift:1", {{"channels", "true"}});
  const auto loads = answer.numbers("channel_loads");
  EXPECT_EQ(sum, std::accumulate(loads.begin(), loads.end(), 0.0));
  EXPECT_EQ(count, loads.size);
  EXPECT_NE(loads.owner, nullptr);
}

TEST(CppInterface, TellsTheHostOfANic) {
  const auto file =
      std::filesystem::temp_directory_path() / ("banyan-nics-" + std::to_string(getpid()) + ".csv");
  std::ofstream(file)
      << "from,to,from_kind,to_kind,from_rail,to_rail\na,s,host,switch,n0,\na,s,host,switch,n1,\n"
         "b,s,host,switch,n0,\na,s,host,switch,n2,\n";
  const banyan::Fabric fabric(file.string());
  std::filesystem::remove(file);
  ASSERT_EQ(fabric.arrays().nics, 4u);
  const std::uint32_t hosts[] = {0, 1, 0, 0}, slots[] = {0, 0, 1, 2};
  for (std::uint32_t nic = 0; nic < 4; ++nic) {
    EXPECT_EQ(fabric.nic(nic).host, hosts[nic]);
    EXPECT_EQ(fabric.nic(nic).slot, slots[nic]);
    EXPECT_EQ(fabric.nic(nic).rail, UINT32_MAX);
  }
  EXPECT_THROW(fabric.nic(4), banyan::InputError);
  const banyan::Fabric rails("XGFT(2; 2,4; 1,2; rails=2)");
  const banyan::Fabric::Nic second = rails.nic(rails.arrays().hosts + 1);
  EXPECT_EQ(second.host, 1u);
  EXPECT_EQ(second.rail, 1u);
}

TEST(CppInterface, WhatACallbackThrowsLeavesAdvanceAtOnce) {
  const banyan::Routing routing(banyan::Fabric("2-ary 2-tree"), "dmodk");
  int arrived = 0;
  banyan::Network* itself = nullptr;
  banyan::Network network(routing, {{"link", "1GB/s"}}, [&](const banyan_arrival& arrival) {
    itself->send(arrival.to, arrival.from, 1000, 1);  // a ping-pong without an end
    if (++arrived == 3) throw std::logic_error("enough");
  });
  itself = &network;
  network.send(0, 3, 1000, 1);
  EXPECT_THROW(network.advance(forever), std::logic_error);
  EXPECT_EQ(arrived, 3);
  EXPECT_NEAR(network.now(), 3e-6, 1e-9);
  network.advance(4.5e-6);  // it goes on, and the exception is gone
  EXPECT_EQ(arrived, 4);
}

TEST(CppInterface, CallsAtATime) {
  const banyan::Routing routing(banyan::Fabric("2-ary 2-tree"), "dmodk");
  banyan::Network network(routing, {}, [](const banyan_arrival&) {});
  std::vector<double> called;
  EXPECT_EQ(network.next(), forever);
  network.schedule(2, [&] { called.push_back(network.now()); });
  network.schedule(1, [&] {
    called.push_back(network.now());
    network.schedule(1.5, [&] { throw std::runtime_error("now"); });
  });
  EXPECT_EQ(network.next(), 1);
  EXPECT_THROW(network.advance(3), std::runtime_error);
  EXPECT_EQ(network.now(), 1.5);
  EXPECT_THROW(network.schedule(1, [] {}), banyan::InputError);
  network.advance(3);
  EXPECT_EQ(called, (std::vector<double>{1, 2}));
  network.schedule(4, [] {});  // freed with the network
}

TEST(CppInterface, AsksOfFabrics) {
  const banyan::Fabric plan("4-ary 2-tree"), observed("4-ary 2-tree", {"links=2,seed=1"});
  EXPECT_EQ(plan.diff(observed).number("same"), 30);
  EXPECT_EQ(plan.ask("fail", {{"without", "links=2,seed=1"}, {"samples", "5"}}).number("links_taken"), 2);
}

}  // namespace
