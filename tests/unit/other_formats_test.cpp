// Files of other tools: link lists in JSON, GML, htsim, topograph; and known files that are no fabric.
#include <gtest/gtest.h>

#include <sstream>

#include "fabric/names.hpp"
#include "formats/open.hpp"

namespace banyan::tests {
namespace {

FabricFile read_other(const std::string& text) {
  std::istringstream in(text);
  return read_fabric(in, "x");
}

std::string refusal_of(const std::string& text) {
  try {
    read_other(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

struct Counts {
  u32 hosts, nics, switches;
  u64 links;
  bool operator==(const Counts&) const = default;
};
Counts counts(const std::string& text) {
  const Fabric fabric = read_other(text).topology.fabric;
  return {fabric.hosts(), fabric.nics(), fabric.switches(), fabric.links()};
}

TEST(OtherFormats, BatfishNamesCablesFromBothEnds) {
  EXPECT_EQ(counts(R"({"edges": [
    {"node1": {"hostname": "a", "interfaceName": "Ethernet1"}, "node2": {"hostname": "b", "interfaceName": "Ethernet7"}},
    {"node1": {"hostname": "b", "interfaceName": "Ethernet7"}, "node2": {"hostname": "a", "interfaceName": "Ethernet1"}},
    {"node1": {"hostname": "h", "interfaceName": "eth0"}, "node2": {"hostname": "a", "interfaceName": "Ethernet2"}}]})"),
            (Counts{1, 1, 2, 2}));
  EXPECT_EQ(refusal_of(
                "{\"edges\": [\n{\"node1\": {\"hostname\": \"a\"}, \"node2\": {\"interfaceName\": \"b\"}}]}"),
            "x:2: found no 'interfaceName', expected one");
}

TEST(OtherFormats, NetqHasNodesWithinNodes) {
  EXPECT_EQ(counts(R"([{"links": [{"compounded_links": [
      {"id": "1", "interfaces": [{"interface": "swp1", "node": "n0"}, {"interface": "ens1", "node": "n2"}]},
      {"id": "2", "interfaces": [{"interface": "swp2", "node": "n0"}, {"interface": "ens2", "node": "n2"}]},
      {"id": "3", "interfaces": [{"interface": "swp9", "node": "n0"}, {"interface": "swp9", "node": "n1"}]}]}],
    "nodes": [{"id": "t", "name": "tier", "compounded_nodes": [
      {"id": "n0", "name": "leaf", "device_type": "switch"}, {"id": "n1", "name": "spine", "device_type": "switch"},
      {"id": "n2", "name": "box", "device_type": "host"}]}]}])"),
            (Counts{1, 2, 2, 3}));
}

TEST(OtherFormats, APaddleHasServersWithSlots) {
  EXPECT_EQ(counts(R"({"canu_version": "1", "topology": [
    {"common_name": "sw-001", "id": 0, "type": "switch", "ports": [
      {"port": 1, "slot": null, "speed": 25, "destination_node_id": 1, "destination_port": 1, "destination_slot": "ocp"},
      {"port": 2, "slot": null, "speed": 1, "destination_node_id": 1, "destination_port": 1, "destination_slot": "bmc"}]},
    {"common_name": "ncn-w001", "id": 1, "type": "server", "ports": [
      {"port": 1, "slot": "ocp", "speed": 25, "destination_node_id": 0, "destination_port": 1, "destination_slot": null}]}]})"),
            (Counts{1, 2, 1, 2}));
}

TEST(OtherFormats, GraphsInJsonAndGml) {
  const std::string json = R"({"directed": false, "multigraph": false, "graph": {}, "nodes": [
    {"id": 0, "name": "Rome"}, {"id": 1, "name": "Oslo"}, {"id": 2, "name": "Bern"}],
    "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 0}]})";
  EXPECT_EQ(counts(json), (Counts{0, 0, 3, 3}));
  EXPECT_EQ(read_other(json).topology.remark, "x has no hosts; 'x; hosts=4' has four on every switch");
  const std::string gml =
      "# ours\ngraph [\n  directed 0\n  stats [ nodes 2 ]\n  node [ id 0 label \"Rome [IT]\" ]\n"
      "  node [ id 1 label \"Oslo\" x 1.5 ]\n  edge [ source 0 target 1 ]\n]\n";
  EXPECT_EQ(counts(gml), (Counts{2, 2, 0, 1}));
  EXPECT_TRUE(NameIndex(read_other(gml).topology.fabric).find("Rome [IT]"));
  EXPECT_EQ(refusal_of("graph [\n node [ label \"a\" ]\n]"), "x:2: found a node without an id, expected one");
  EXPECT_EQ(refusal_of("graph [\n node [ id 0 ]"), "x:2: found the end of the file, expected ']'");
}

TEST(OtherFormats, HtsimsTreesAreFormulas) {
  const std::string tiers =
      "Tiers 2\nPodsize 32\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 4\n\n"
      "Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 8\nBundle 2\n";
  EXPECT_EQ(canonical_notation(read_other("Nodes 32\n" + tiers).topology),
            canonical_notation(make_topology("PGFT(2; 8,4; 1,2; 1,2; capacity=100G/200G)")));
  EXPECT_EQ(refusal_of("Nodes 33\n" + tiers), "x:13: found 33 nodes, expected the 32 that the tiers have");
}

TEST(OtherFormats, TopographsClustersAreTrees) {
  EXPECT_EQ(
      counts("switches:\n  core:\n    switches:\n    - leaf-1\n    - leaf-2\n    - spare\nblocks:\n"
             "- switch: leaf-1\n  nodes:\n  - node[01-03]\n- switch: leaf-2\n  nodes:\n  - node[11-12]\n"),
      (Counts{5, 5, 4, 8}));
}

TEST(OtherFormats, SonicsLinkListHasItsOwnColumns) {
  const FabricFile file = read_other(
      "StartDevice,StartPort,EndDevice,EndPort,BandWidth,VlanID,VlanMode\n"
      "leaf-1,Ethernet0,spine-1,Ethernet4,40000,17,Access\nbox,eth0,leaf-1,Ethernet8,100000,18,Access\n");
  EXPECT_EQ(file.topology.fabric.links(), 2u);
  EXPECT_EQ(file.topology.fabric.hosts(), 1u);
  EXPECT_EQ(file.topology.fabric.link_classes().size(), 2u);
}

TEST(OtherFormats, RoutersOfKindLinuxAreSwitches) {
  EXPECT_EQ(counts("name: lab\ntopology:\n  nodes:\n    r1:\n      kind: linux\n      image: "
                   "quay.io/frrouting/frr:10\n"
                   "    pc1:\n      kind: linux\n      image: alpine\n  links:\n    - endpoints: "
                   "[\"r1:eth1\", \"pc1:eth1\"]\n"),
            (Counts{1, 1, 1, 1}));
}

TEST(OtherFormats, PartsTellHostsWhereDevicesAreDefinedElsewhere) {
  EXPECT_EQ(
      counts(
          "infrastructure:\n  name: x\n  instances:\n  - name: leaf\n    device: a-switch\n  - name: server\n"
          "    device: a-server\n  connections:\n  - server.0.nic.0.eth.leaf.0.port.0\n"
          "  - server.0.nic.1.eth.leaf.0.port.1\n"),
      (Counts{1, 2, 1, 2}));
}

TEST(OtherFormats, WhatIsNoFabricIsRefusedByName) {
  for (const auto& [text, what] :
       {std::pair("<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology>\n<object "
                  "type=\"Machine\">",
                  "an lstopo file"),
        std::pair("<system version=\"1\">\n  <cpu numaid=\"0\">", "a topology of NCCL"),
        std::pair(
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">",
            "a SimGrid"),
        std::pair("topology: [ Ring ]\nnpus_count: [ 8 ]\n", "a network of ASTRA-sim"),
        std::pair("Nodes 8\nConnections 7\n0->1 start 0 size 10\n", "htsim's connection matrix"),
        std::pair("PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n", "the output of sinfo"),
        std::pair("\x1f\x8b\x08", "compressed")})
    EXPECT_EQ(refusal_of(text).substr(0, std::string("x: is ").size() + std::string(what).size()),
              std::string("x: is ") + what);
}

}  // namespace
}  // namespace banyan::tests
