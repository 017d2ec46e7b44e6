// Tables of Ethernet switches as routings: FRR's and SONiC's.
#include "formats/next_hop_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "fabric/names.hpp"
#include "formats/host_addresses.hpp"
#include "formats/open.hpp"
#include "routing/hashed_next_hops.hpp"
#include "routing/open_next_hops.hpp"

namespace banyan::tests {
namespace {

// Two leaves with two hosts each, two spines.
Fabric clos() {
  std::istringstream in(
      "graph {\nleaf1:swp1 -- h1:eth1\nleaf1:swp2 -- h2:eth1\nleaf2:swp1 -- h3:eth1\nleaf2:swp2 -- h4:eth1\n"
      "leaf1:swp49 -- spine1:swp1\nleaf1:swp50 -- spine2:swp1\nleaf2:swp49 -- spine1:swp2\n"
      "leaf2:swp50 -- spine2:swp2\n}\n");
  return formats::read_fabric(in, "x").topology.fabric;
}

std::string frr_route(const std::string& prefix, const std::string& protocol,
                      std::vector<std::string> interfaces) {
  std::string out =
      "\"" + prefix + "\": [{\"protocol\": \"" + protocol + "\", \"selected\": true, \"nexthops\": [";
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    out += (i ? ", " : "") + ("{\"fib\": true, \"interfaceName\": \"" + interfaces[i] + "\", \"weight\": 1}");
  return out + "]}]";
}

using Files = std::vector<std::pair<std::string, std::string>>;

Files frr_files() {
  const auto leaf = [](const std::string& own, const std::string& other) {
    return "{" + frr_route(own + ".0/31", "connected", {"swp1"}) + ",\n" +
           frr_route(own + ".2/31", "connected", {"swp2"}) + ",\n" +
           frr_route(other + ".0/31", "bgp", {"swp49", "swp50"}) + ",\n" +
           frr_route(other + ".2/31", "bgp", {"swp49", "swp50"}) + ",\n" +
           frr_route("0.0.0.0/0", "static", {"eth0"}) + "}\n";
  };
  const std::string spine = "{" + frr_route("10.1.0.0/24", "bgp", {"swp1"}) + ", " +
                            frr_route("10.2.0.0/24", "bgp", {"swp2"}) + "}\n";
  return {{"t/leaf1.json", leaf("10.1.0", "10.2.0")},
          {"t/leaf2.json", leaf("10.2.0", "10.1.0")},
          {"t/spine1.json", spine},
          {"t/spine2.example.com.json", spine}};
}

formats::NextHopsRead next_hops(const Fabric& fabric, const Files& files, const std::string& addresses = "") {
  formats::NextHopReader reader(fabric);
  if (!addresses.empty()) {
    std::istringstream in(addresses);
    reader.read_addresses(in, "addresses");
  }
  for (const auto& [file, text] : files) {
    std::istringstream in(text);
    reader.read(in, file);
  }
  return reader.run("t");
}

std::string table_refusal(const Files& files, const std::string& addresses = "") {
  const Fabric fabric = clos();
  try {
    next_hops(fabric, files, addresses);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

// "swp49,swp50": where a packet may leave.
std::string leaves(const Fabric& fabric, const formats::NextHopsRead& read, const std::string& at,
                   const std::string& to) {
  const NameIndex names(fabric);
  const OpenNextHops forward(fabric, read.sets);
  Hops hops;
  forward.hops(*names.find(at), {.to = Address{index(*names.find(to))}}, hops);
  std::string out;
  for (const Hop& hop : hops)
    if (hop.port != none<Port>)
      out += (out.empty() ? "" : ",") + fabric.port_label(fabric.channel(*names.find(at), hop.port));
  return out;
}

// How often each port is taken of all, for what leaf1 sends to h3.
std::string shares(const Fabric& fabric, const formats::NextHopsRead& read) {
  const NameIndex names(fabric);
  const OpenNextHops forward = OpenNextHops(fabric, read.sets).by_weight();
  Hops hops;
  forward.hops(*names.find("leaf1"), {.to = Address{index(*names.find("h3"))}}, hops);
  std::map<std::string, u32> count;
  for (const Hop& hop : hops) ++count[fabric.port_label(fabric.channel(*names.find("leaf1"), hop.port))];
  std::string out;
  for (const auto& [port, times] : count) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", port, times);
  return out;
}

TEST(NextHopTables, FrrsRoutesAreGroupsOfPorts) {
  const Fabric fabric = clos();
  const auto read = next_hops(fabric, frr_files());
  EXPECT_TRUE(read.remarks.empty());
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49,swp50");
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h2"), "swp2");
  EXPECT_EQ(leaves(fabric, read, "spine2", "h2"), "swp1");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h4"), "swp2");
  EXPECT_EQ(read.sets.groups(), 2u);  // one for each leaf
}

TEST(NextHopTables, HostsOfOneLeafMayHaveDifferentRoutes) {
  const Fabric fabric = clos();
  Files files = frr_files();
  const std::string both = frr_route("10.2.0.2/31", "bgp", {"swp49", "swp50"});
  files[0].second.replace(files[0].second.find(both), both.size(),
                          frr_route("10.2.0.2/31", "bgp", {"swp50"}));
  const auto read = next_hops(fabric, files);
  EXPECT_EQ(read.sets.groups(), 4u);
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49,swp50");
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h4"), "swp50");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h4"), "swp2");
  EXPECT_EQ(leaves(fabric, read, "h1", "h4"), "eth1");
}

TEST(NextHopTables, TheLongestPrefixDecidesAndWhatLeadsOutIsToldOf) {
  const Fabric fabric = clos();
  Files files = frr_files();
  files[0].second = "{" + frr_route("10.1.0.0/31", "connected", {"swp1"}) + "," +
                    frr_route("10.1.0.2/31", "connected", {"swp2"}) + "," +
                    frr_route("10.2.0.0/16", "bgp", {"swp49"}) + "," +
                    frr_route("10.2.0.2/32", "static", {"mgmt0"}) + "}";
  const auto read = next_hops(fabric, files);
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49");
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h4"), "");
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_EQ(read.remarks[0],
            "1 next hop leads over no port of the fabric, such as mgmt0 of leaf1: what goes there is lost");
}

TEST(NextHopTables, AGroupWithANextHopThatLeadsOutLosesPackets) {
  const Fabric fabric = clos();
  Files files = frr_files();
  files[0].second = "{" + frr_route("10.1.0.0/31", "connected", {"swp1"}) + "," +
                    frr_route("10.1.0.2/31", "connected", {"swp2"}) + "," +
                    frr_route("10.2.0.0/16", "bgp", {"swp49", "mgmt0"}) + "}";
  const auto read = next_hops(fabric, files);
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "");  // no port is without a cable
  EXPECT_EQ(read.remarks.size(), 1u);
}

TEST(NextHopTables, SonicsDumpWithVlansPortChannelsAndGroups) {
  const Fabric fabric = clos();
  const std::string leaf1 =
      "{\"ROUTE_TABLE:10.1.0.0/24\": {\"type\": \"hash\", \"value\": {\"nexthop\": \"0.0.0.0\", \"ifname\": "
      "\"Vlan10\"}},\n\"ROUTE_TABLE:10.2.0.0/24\": {\"type\": \"hash\", \"value\": {\"nexthop_group\": "
      "\"7\"}},\n"
      "\"NEXTHOP_GROUP_TABLE:7\": {\"value\": {\"nexthop\": \"10.9.0.1,10.9.0.3\", \"ifname\": "
      "\"PortChannel1,swp50\", \"weight\": \"1,2\"}},\n\"LAG_MEMBER_TABLE:PortChannel1:swp49\": {\"value\": "
      "{\"status\": \"enabled\"}}, \"ROUTE_TABLE:Vrf1:10.2.0.0/24\": {\"value\": {\"ifname\": \"swp1\"}}}\n";
  const std::string leaf2 =
      "[{\"ROUTE_TABLE:10.2.0.0/24\": {\"nexthop\": \"\", \"ifname\": \"Vlan10\"}, \"OP\": \"SET\"},\n"
      "{\"ROUTE_TABLE:10.1.0.0/24\": {\"nexthop\": \"10.9.0.5\", \"ifname\": \"swp49\"}, \"OP\": \"SET\"}]\n";
  const std::string spine =
      "{\"ROUTE_TABLE:10.1.0.0/24\": {\"nexthop\": \"10.9.0.0\", \"ifname\": \"swp1\"},\n"
      "\"ROUTE_TABLE:10.2.0.0/24\": {\"nexthop\": \"10.9.0.2\", \"ifname\": \"swp2\", \"blackhole\": "
      "\"false\"}}";
  const auto read =
      next_hops(fabric, {{"leaf1.json", leaf1}, {"leaf2", leaf2}, {"spine1.txt", spine}, {"spine2", spine}});
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49,swp50");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h2"), "swp49");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h4"), "swp2");
  EXPECT_EQ(shares(fabric, read), "swp49 1, swp50 2");
  EXPECT_TRUE(read.remarks.empty());
}

TEST(NextHopTables, AddressesOfAFileAreUsedFirst) {
  const Fabric fabric = clos();
  Files files = frr_files();
  files[2].second = "{" + frr_route("10.1.0.0/24", "bgp", {"swp1"}) + "," +
                    frr_route("192.0.2.7/32", "bgp", {"swp2"}) + "}";
  const auto read =
      next_hops(fabric, files, "# as in /etc/hosts\n192.0.2.7 h3 # the third\n10.9.9.9 spine1\n");
  EXPECT_EQ(leaves(fabric, read, "spine1", "h3"), "swp2");
  EXPECT_EQ(leaves(fabric, read, "spine1", "h4"), "");
  EXPECT_EQ(table_refusal(files, "h3 192.0.2.7\n"),
            "addresses:1: found 'h3 192.0.2.7', expected an address and the name of a host");
}

TEST(NextHopTables, BadInputIsRefusedWithFileAndLine) {
  Files files = frr_files();
  files.pop_back();
  EXPECT_EQ(table_refusal(files), "t: found no tables of spine2, expected a file for each switch");
  files = frr_files();
  files.push_back({"t/leaf9.json", "{}"});
  EXPECT_EQ(table_refusal(files), "t/leaf9.json: found tables of 'leaf9', which is no switch of the fabric");
  files.back() = {"t/leaf1.txt", "{}"};
  EXPECT_EQ(table_refusal(files), "t/leaf1.txt: found a second file of 'leaf1', after t/leaf1.json");
  const auto with = [](const std::string& text) {
    Files out = frr_files();
    out[0].second = text;
    return table_refusal(out);
  };
  EXPECT_EQ(with("").substr(0, 27), "t/leaf1.json: found nothing");
  EXPECT_EQ(with("{}").substr(0, 29), "t/leaf1.json: found no routes");
  EXPECT_EQ(with("{\n\"10.1.0.0/33\": []}"),
            "t/leaf1.json:2: found '10.1.0.0/33', expected a prefix such as 10.0.1.0/24");
  EXPECT_EQ(with("{\n\"ROUTE_TABLE:x\": {}}").substr(0, 42), "t/leaf1.json:2: found 'ROUTE_TABLE:x', exp");
  EXPECT_EQ(with("{\"ROUTE_TABLE:10.0.0.0/8\": {\"nexthop\": \"1.1.1.1,2.2.2.2\", \"ifname\": \"swp1\"}}"),
            "t/leaf1.json:1: found 2 next hops and 1 interfaces, expected as many");
  EXPECT_EQ(with("{" + frr_route("10.1.0.0/31", "connected", {"swp1"}) + "}").substr(0, 56),
            "t/leaf1.json: no route says which address h2 has: expect");
}

TEST(NextHopTables, WeightsOfNextHopsDivideTheTraffic) {
  const Fabric fabric = clos();
  Files files = frr_files();
  const std::string both = frr_route("10.2.0.0/31", "bgp", {"swp49", "swp50"});
  std::string weighed = both;
  weighed.replace(weighed.find("\"weight\": 1"), 11, "\"weight\": 150");
  weighed.replace(weighed.rfind("\"weight\": 1"), 11, "\"weight\": 50");
  files[0].second.replace(files[0].second.find(both), both.size(), weighed);
  const auto read = next_hops(fabric, files);
  EXPECT_TRUE(read.remarks.empty());
  EXPECT_EQ(shares(fabric, read), "swp49 3, swp50 1");
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49,swp50");
  files[0].second.replace(files[0].second.find("150"), 3, "0");
  EXPECT_THAT(table_refusal(files), testing::HasSubstr("found the weight '0', expected 1 to 65536"));
}

TEST(NextHopTables, AddressesThatNameNobodyAreRefused) {
  const Files files = frr_files();
  EXPECT_THAT(table_refusal(files, "127.0.0.1 localhost\n10.1.1.5 zz\n"),
              testing::HasSubstr("addresses:2: found 'zz', expected the name of a host of the fabric"));
  EXPECT_THAT(table_refusal(files, "10.1.0.1 h1\n10.1.0.1 h2\n"),
              testing::HasSubstr("addresses:2: found 10.1.0.1 for h2, which is the address of h1"));
  EXPECT_THAT(table_refusal(files, "10.1.0.1 h1\n10.1.0.3 h1\n"),
              testing::HasSubstr("found another address of h1"));
  EXPECT_EQ(table_refusal(files, "10.1.0.1 h1.example.com h1\n::1 localhost\n10.9.9.9 leaf1\n"), "nothing");
}

// show bgp ipv4 unicast json: paths name neighbours.
TEST(NextHopTables, BgpsPathsLeadToNeighbours) {
  const Fabric fabric = clos();
  const auto path = [](const std::string& neighbour, bool is_used) {
    return fmt::format(
        R"({{"valid":true,{}"weight":0,"nexthops":[{{"ip":"10.9.0.1","hostname":"{}","used":true}}]}})",
        is_used ? R"("multipath":true,)" : "", neighbour);
  };
  const auto own = [](const std::string& prefix) {
    return fmt::format(
        R"("{}":[{{"valid":true,"bestpath":true,"nexthops":[{{"ip":"0.0.0.0","used":true}}]}}])", prefix);
  };
  const auto to = [](const std::string& prefix, const std::vector<std::string>& paths) {
    return fmt::format(R"("{}":[{}])", prefix, fmt::join(paths, ","));
  };
  const auto file = [](const std::vector<std::string>& routes) {
    return fmt::format(R"({{"vrfName":"default","tableVersion":4,"routes":{{{}}}}})", fmt::join(routes, ","));
  };
  const Files files = {
      {"t/leaf1.json",
       file({own("10.1.0.0/24"), to("10.2.0.0/24", {path("spine1", true), path("spine2.example.com", true),
                                                    path("leaf2", false)})})},
      {"t/leaf2.json", file({own("10.2.0.0/24"), to("10.1.0.0/24", {path("spine1", true)})})},
      {"t/spine1.json",
       file({to("10.1.0.0/24", {path("leaf1", true)}), to("10.2.0.0/24", {path("leaf2", true)})})},
      {"t/spine2.json",
       file({to("10.1.0.0/24", {path("leaf1", true)}), to("10.2.0.0/24", {path("leaf2", true)})})}};
  const std::string hosts = "10.1.0.1 h1\n10.1.0.2 h2\n10.2.0.1 h3\n10.2.0.2 h4\n";
  const auto read = next_hops(fabric, files, hosts);
  EXPECT_EQ(leaves(fabric, read, "leaf1", "h3"), "swp49,swp50");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h1"), "swp49");
  EXPECT_EQ(leaves(fabric, read, "leaf2", "h4"), "swp2");
  EXPECT_EQ(leaves(fabric, read, "spine1", "h4"), "swp2");
  EXPECT_THAT(table_refusal(files), testing::HasSubstr("expected --addresses"));
}

// "10.0.0.1 10.1.0.1": by NIC.
std::string addresses_of(const std::string& fabric, const std::string& text,
                         formats::IpVersion version = formats::IpVersion::first) {
  std::istringstream in(text);
  const Topology topology = make_topology(fabric);
  try {
    std::vector<std::string> out;
    for (const auto& each : formats::read_host_addresses(in, "x", topology.fabric, version))
      out.push_back(each ? each->str() : "-");
    return fmt::format("{}", fmt::join(out, " "));
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(HostAddresses, ANicIsMeantByItsNameInWhateverOrder) {
  const std::string two = "2 x 1-ary 1-tree";
  EXPECT_EQ(addresses_of(two, "10.0.0.1 h0.r0\n10.1.0.1 h0.r1\n"), "10.0.0.1 10.1.0.1");
  EXPECT_EQ(addresses_of(two, "10.1.0.1 h0.r1\n10.0.0.1 h0.r0\n"), "10.0.0.1 10.1.0.1");
  EXPECT_EQ(addresses_of(two, "10.0.0.1 h0.example.com\n10.1.0.1 h0\n"), "10.0.0.1 10.1.0.1");
  EXPECT_THAT(addresses_of(two, "10.0.0.1 h0.r0\n10.1.0.1 h0.r0\n"),
              testing::HasSubstr("found another address of h0.r0"));
}

TEST(HostAddresses, EachVersionHasItsOwnRails) {
  const std::string two = "2 x 1-ary 1-tree";
  const std::string both = "10.0.0.1 h0\nfd00::1 h0\n10.1.0.1 h0\nfd01::1 h0\n";
  EXPECT_EQ(addresses_of(two, both), "10.0.0.1 10.1.0.1");
  const std::string other = "fd00::1 h0\nfd01::1 h0\n10.0.0.1 h0\n10.1.0.1 h0\n";
  EXPECT_EQ(addresses_of(two, other), "fd00::1 fd01::1");
  EXPECT_EQ(addresses_of(two, other, formats::IpVersion::v4), "10.0.0.1 10.1.0.1");
}

}  // namespace
}  // namespace banyan::tests
