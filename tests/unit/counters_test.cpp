// Counters of ports, from InfiniBand's tools and as CSV.
#include "formats/counters.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "ask/bad_cables.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

PortCounters counters_of(const std::string& text, const Fabric& fabric) {
  std::istringstream in(text);
  PortCounters out;
  formats::read_counters(in, "x", fabric, complete_ids(fabric, {}), out);
  return out;
}

std::string counter_refusal(const std::string& text) {
  try {
    counters_of(text, make_topology("2-ary 2-tree").fabric);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

std::vector<std::string> named_counters(const PortCounters& counters, const Fabric& fabric) {
  std::vector<std::string> out;
  for (const auto& [port, values] : counters)
    for (const auto& [name, value] : values)
      out.push_back(port_name(fabric, port) + " " + name + " " + std::to_string(value));
  return out;
}

using Lines = std::vector<std::string>;

// LIDs 1 to 4 are hosts, 5 and 6 leaves.
TEST(Counters, PerfqueryIbqueryerrorsAndCsvSayTheSame) {
  const Fabric fabric = make_topology("2-ary 2-tree").fabric;
  const Lines wanted = {"h0:1 LinkDownedCounter 2", "s1-0:3 PortXmitData 4000",
                        "s1-0:3 SymbolErrorCounter 12"};
  EXPECT_EQ(named_counters(
                counters_of("# Port counters: Lid 5 port 3 (CapMask: 0x1300)\n"
                            "PortSelect:......................3\n"
                            "SymbolErrorCounter:..............12\nPortXmitData:....................4000\n"
                            "# Port counters: Lid 5 port 255 (CapMask: 0x1300)\n"
                            "SymbolErrorCounter:..............12\n"
                            "# Port counters: Lid 1 port 1 (CapMask: 0x1300)\n"
                            "LinkDownedCounter:...............2\n",
                            fabric),
                fabric),
            wanted);
  EXPECT_EQ(
      named_counters(
          counters_of("Errors for \"s1-0\"\n   GUID 0x2c90200000000 port ALL: [SymbolErrorCounter == 12]\n"
                      "   GUID 0x2c90200000000 port 3: [SymbolErrorCounter == 12] [PortXmitData == 4000 "
                      "(15.625KB)]\nErrors for \"h0 HCA-1\"\n   GUID 0x2c90300000001 port 1: "
                      "[LinkDownedCounter == 2]\n## Summary: 8 nodes checked\n",
                      fabric),
          fabric),
      wanted);
  EXPECT_EQ(named_counters(
                counters_of("node,port,SymbolErrorCounter,LinkDownedCounter,PortXmitData\ns1-0,3,12,,4000\n"
                            "h0,1,,2,\n",
                            fabric),
                fabric),
            wanted);
  EXPECT_EQ(
      named_counters(
          counters_of("node,port,counter,value\ns1-0,3,SymbolErrorCounter,11\n"
                      "s1-0,3,SymbolErrorCounter,12\nh0,1,LinkDownedCounter,2\ns1-0,3,PortXmitData,4000\n",
                      fabric),
          fabric),
      wanted);
}

TEST(Counters, BadInputIsRefusedWithItsLine) {
  EXPECT_EQ(counter_refusal("# Port counters: Lid 77 port 3\n"),
            "x:1: found LID 77, expected one of the fabric");
  EXPECT_EQ(counter_refusal("# Port counters: Lid 5 port 9\n"),
            "x:1: found port 9 of s1-0, which it does not have");
  EXPECT_EQ(counter_refusal("GUID 0x7 port 3: [X == 1]\n"),
            "x:1: found port '3' of GUID 0x7, expected one of the fabric");
  EXPECT_EQ(counter_refusal("node,port,rx_errors\nx9,1,3\n"),
            "x:2: found 'x9', expected a node of the fabric");
  EXPECT_EQ(counter_refusal("node,port,rx_errors\nh0,7,3\n"),
            "x:2: found port '7' of h0, which it does not have");
  EXPECT_EQ(counter_refusal("node,port,rx_errors\nh0,1,many\n"), "x:2: found 'many', expected a number");
  EXPECT_EQ(counter_refusal("a,b\n").substr(0, 37), "x:1: found no columns node and port, ");
}

TEST(Counters, OnlyErrorsThatACableOrItsEndsMakeCount) {
  for (const char* name :
       {"SymbolErrorCounter", "LinkDownedCounter", "PortRcvErrors", "rx_crc_errors_phy", "rx_fcs"})
    EXPECT_EQ(formats::counter_kind(name), formats::CounterKind::error) << name;
  for (const char* name :
       {"PortRcvRemotePhysicalErrors", "PortXmitDiscards", "PortXmitWait", "rx_packets", "tx_dropped"})
    EXPECT_EQ(formats::counter_kind(name), formats::CounterKind::other) << name;
  EXPECT_EQ(formats::counter_kind("PortXmitData"), formats::CounterKind::sent);
}

// A cable of a leaf with two uplinks costs the others more than one of a leaf with four; a host's cable loses
// pairs.
TEST(Counters, BadCablesAreRankedByWhatOthersPay) {
  Topology tree = make_topology("4-ary 2-tree");
  const Fabric& fabric = tree.fabric;
  ask::RoutingOptions routing;
  routing.engine = "dmodc";
  const ask::FabricRouter router = ask::router(routing, tree);
  const PortCounters counters = counters_of(
      "node,port,counter,value\ns1-1,5,symbol_errors,9000\nh3,1,symbol_errors,1\ns1-2,6,rx_packets,7\n"
      "s1-1,5,tx_bytes,100\ns2-0,2,tx_bytes,50\n",
      fabric);
  const auto found = std::get<ask::CountersAnswer>(
      ask::bad_cables({.topology = tree, .traffic = "uniform"}, router, counters));
  EXPECT_EQ(found.ports, 4u);
  ASSERT_EQ(found.cables.size(), 2u);
  EXPECT_EQ(found.cables[0].cable, "h3:1 - s1-0:4");
  EXPECT_EQ(found.cables[0].pairs_lost, 30u);
  EXPECT_EQ(found.cables[1].cable, "s1-1:5 - s2-0:2");
  EXPECT_EQ(found.cables[1].errors, 9000u);
  EXPECT_EQ(found.cables[1].bytes, 150u);
  EXPECT_EQ(found.cables[1].pairs_lost, 0u);
  EXPECT_GT(*found.cables[1].max_load, found.max_load);
  EXPECT_GT(found.cables[1].load, 0);
}

// The port whose cable died is the one that is looked for.
TEST(Counters, ErrorsOfPortsWithoutACableAreListed) {
  Topology tree = make_topology("4-ary 2-tree");
  tree.fabric = without(tree.fabric, {"link=s1-1:5"});
  const ask::FabricRouter router = ask::router({}, tree);
  const PortCounters counters =
      counters_of("node,port,counter,value\ns1-1,5,symbol_errors,9000\ns1-1,6,tx_bytes,5\n", tree.fabric);
  const auto found = std::get<ask::CountersAnswer>(
      ask::bad_cables({.topology = tree, .traffic = "uniform"}, router, counters));
  EXPECT_TRUE(found.cables.empty());
  ASSERT_EQ(found.uncabled.size(), 1u);
  EXPECT_EQ(found.uncabled[0].port, "s1-1:5");
  EXPECT_EQ(found.uncabled[0].value, 9000u);
  ASSERT_EQ(found.by_port.size(), 2u);
  EXPECT_EQ(found.by_port[0].errors, 9000u);
  EXPECT_EQ(found.by_port[1].bytes, 5u);
}

// Two flows over two cables: one hash has a load of 1 or 2, the mean over hashes is 1.5 whatever the seed.
TEST(Counters, WhereSwitchesHashLoadsAreMeansOverHashes) {
  const Topology tree = make_topology("XGFT(2; 2,2; 1,2)");
  ask::RoutingOptions routing;
  routing.engine = "ecmp";
  const ask::FabricRouter router = ask::router(routing, tree);
  const PortCounters counters = counters_of("node,port,counter,value\ns1-0,3,symbol_errors,9\n", tree.fabric);
  for (u64 seed = 1; seed < 4; ++seed) {
    ask::Situation at{.topology = tree, .traffic = "shift:2"};
    at.seed = seed;
    const auto found = std::get<ask::CountersAnswer>(
        ask::bad_cables(at, router, counters, ask::FailOptions{.hashes = 4000}));
    EXPECT_EQ(found.hashes, 4000u);
    EXPECT_NEAR(found.cables[0].load, 1, 0.1);
    EXPECT_NEAR(found.max_load, 1.75, 0.1);  // of both directions the worse
    EXPECT_DOUBLE_EQ(*found.cables[0].max_load, 2);
  }
  EXPECT_EQ(ask::traffic_for_counters(tree, std::get<Routing>(router.route(tree))), "permutation");
}

// Every flow is halved over two planes; in four places two halves share a cable or not.
TEST(Counters, OnSeveralRailsLoadsAreMeansOverHashesToo) {
  const Topology planes = make_topology("2 x XGFT(2; 2,2; 1,2)");
  ask::RoutingOptions routing;
  routing.engine = "ecmp";
  const ask::FabricRouter router = ask::router(routing, planes);
  const PortCounters counters =
      counters_of("node,port,counter,value\nr0s1-0,3,symbol_errors,9\n", planes.fabric);
  const auto found = std::get<ask::CountersAnswer>(ask::bad_cables(
      {.topology = planes, .traffic = "shift:2"}, router, counters, ask::FailOptions{.hashes = 4000}));
  EXPECT_EQ(found.hashes, 4000u);
  EXPECT_NEAR(found.cables[0].load, 0.5, 0.05);
  EXPECT_NEAR(found.max_load, 0.5 + 0.5 * 15 / 16, 0.02);
  EXPECT_DOUBLE_EQ(*found.cables[0].max_load, 1);
}

}  // namespace
}  // namespace banyan::tests
