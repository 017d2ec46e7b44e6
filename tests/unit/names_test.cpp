// Labels of ports, and what operators of Ethernet fabrics have: cabling plans, LLDP, lists of links.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "fabric/cabling_diff.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "formats/load.hpp"
#include "formats/open.hpp"
#include "support/fabric_text.hpp"
#include "topology/family.hpp"

namespace banyan::tests {
namespace {

FabricFile parsed(const std::string& text, const std::string& file = "x") {
  std::istringstream in(text);
  return formats::read_fabric(in, file);
}

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

std::string written_as(std::string_view format, const FabricFile& file) {
  std::ostringstream out;
  formats::formats().at(format).write(file, out);
  return out.str();
}

std::vector<std::string> cable_names(const Fabric& fabric) {
  std::vector<std::string> out;
  fabric.each_link([&](const Link& link) { out.push_back(cable_name(fabric, link)); });
  std::sort(out.begin(), out.end());
  return out;
}

using Cables = std::vector<std::string>;

const std::string cumulus = R"(graph G {
  "spine01":"swp1" -- "leaf01":"swp51"
  "spine01":"swp2" -- "leaf02":"swp51"
  "spine02":"swp1" -- "leaf01":"swp52"
  "spine02":"swp2" -- "leaf02":"swp52"
  "leaf01":"swp1" -- "server01":"eth1"
  "leaf02":"swp1" -- "server01":"eth2"
  "leaf01":"swp2" -- "server02":"eth1"
  "leaf02":"swp2" -- "server02":"eth2"
}
)";

TEST(PortLabels, ATopologyOfPtmKeepsItsPortsAndItsServersAreHosts) {
  const Fabric fabric = parsed(cumulus).topology.fabric;
  EXPECT_EQ(fabric.hosts(), 2u);
  EXPECT_EQ(fabric.columns(), 2u);
  EXPECT_EQ(fabric.switches(), 4u);
  EXPECT_EQ(cable_names(fabric),
            (Cables{"leaf01:swp51 - spine01:swp1", "leaf01:swp52 - spine02:swp1",
                    "leaf02:swp51 - spine01:swp2", "leaf02:swp52 - spine02:swp2",
                    "server01.r0:eth1 - leaf01:swp1", "server01.r1:eth2 - leaf02:swp1",
                    "server02.r0:eth1 - leaf01:swp2", "server02.r1:eth2 - leaf02:swp2"}));
}

TEST(PortLabels, NumbersOfLabelledPortsFollowTheLabels) {
  const Fabric fabric = parsed("a swp10 b 1\na swp2 c 1\na 2 d 1\na swp1 e 1\n").topology.fabric;
  const Node a = *NameIndex(fabric).find("a");
  std::vector<std::string> labels;
  for (Channel c : fabric.channels(a)) labels.push_back(fabric.port_label(c));
  EXPECT_EQ(labels, (Cables{"swp1", "2", "swp2", "swp10"}));
  EXPECT_EQ(fabric.port_number(fabric.channel(a, Port{3})), 4u);
}

TEST(PortLabels, FabricsAreEqualWhateverTheOrderOfLabelling) {
  const auto build = [](bool backwards) {
    FabricBuilder builder(0);
    builder.add_switch(2);
    for (u32 i = 0; i < 2; ++i) {
      const Port port{backwards ? 1 - i : i};
      builder.label_port(Node{0}, port, index(port) + 1, "gone");
      builder.label_port(Node{0}, port, index(port) + 1, index(port) ? "b" : "a");
    }
    return std::move(builder).build();
  };
  EXPECT_EQ(build(false), build(true));
}

TEST(PortLabels, OneCableIsTakenAwayByItsLabel) {
  const Fabric fabric = parsed(cumulus).topology.fabric;
  const Fabric rest = without(fabric, std::vector<std::string>{"link=leaf02:swp52"});
  EXPECT_EQ(cable_name(fabric, rest.taken().at(0)), "leaf02:swp52 - spine02:swp2");
  EXPECT_THROW(without(fabric, std::vector<std::string>{"link=leaf02:swp9"}), InputError);
}

TEST(PortLabels, TheRepairNamesThem) {
  const Fabric plan = parsed(cumulus).topology.fabric;
  std::string swapped = cumulus;
  swapped.replace(swapped.find("\"leaf01\":\"swp51\""), 16, "\"leaf02\":\"swp99\"");
  const CablingDiff diff = diff_cabling(plan, parsed(swapped).topology.fabric);
  ASSERT_EQ(diff.moves.size(), 1u);
  EXPECT_EQ(diff.moves[0].str(),
            "cable at spine01:swp1: move its other end from leaf02:swp99 to leaf01:swp51");
  EXPECT_EQ(diff.missing.at(0).a.port, NumberOrText(0, "swp51"));
}

const std::string plan_of_one_rail = R"(graph G {
  "spine01":"swp1" -- "leaf01":"swp51"
  "spine01":"swp2" -- "leaf02":"swp51"
  "spine02":"swp1" -- "leaf01":"swp52"
  "spine02":"swp2" -- "leaf02":"swp52"
  "leaf01":"swp1" -- "server01":"eth1"
  "leaf01":"swp2" -- "server02":"eth1"
  "leaf02":"swp1" -- "server03":"eth1"
  "leaf02":"swp2" -- "server04":"eth1"
}
)";

TEST(PortLabels, RecognitionKeepsThem) {
  const FabricFile file = parsed(plan_of_one_rail);
  const auto found = recognise(file.topology.fabric);
  const auto* recognition = std::get_if<Recognition>(&found);
  ASSERT_TRUE(recognition);
  EXPECT_EQ(cable_names(as_topology(file.topology.fabric, *recognition).fabric),
            cable_names(file.topology.fabric));
}

TEST(PortLabels, FormatsThatCannotHoldThemSaySo) {
  const FabricFile file = parsed(cumulus);
  const std::string folder = std::filesystem::temp_directory_path() / "banyan-names-test";
  make_folder(folder);
  EXPECT_EQ(formats::write_fabric(file, folder + "/x.json"), "");
  EXPECT_EQ(
      formats::write_fabric(file, folder + "/x.net"),
      "the format ibsim has no labels of ports such as 'server01.r0:eth1': they are written as numbers, this "
      "one as 1");
  std::filesystem::remove_all(folder);
}

TEST(PortLabels, JsonRefusesLabelsThatAreNone) {
  const std::string head =
      R"({"banyan_fabric": 1, "hosts": 0, "rails": 1, "nodes": [[1, "a"]], "port_labels": [)";
  EXPECT_EQ(refusal(head + "[0, 0, \"12\"]]}"), "x:1: found label '12', expected a printable text");
  EXPECT_EQ(refusal(head + "[0, 0, \"\"]]}"),
            "x:1: found another, expected a number, a text, or both in this order as the label of a port");
  EXPECT_EQ(parsed(head + "[0, 0, 7, \"swp\"]]}").topology.fabric.port_number(Channel{0}), 7u);
}

// --- readers
// -------------------------------------------------------------------------------------------------

TEST(Netbox, CablesBetweenInterfacesAreReadAndOthersCounted) {
  const FabricFile file = parsed(
      "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status\n"
      "leaf1,dcim.interface,Ethernet1/1,\"gpu, 1\",dcim.interface,mlx5_0,connected\n"
      "leaf2,dcim.interface,Ethernet1/1,\"gpu, 1\",dcim.interface,mlx5_1,connected\n"
      "leaf1,dcim.interface,Ethernet1/2,leaf2,interface,Ethernet1/2,planned\n"
      "leaf1,dcim.powerport,PSU1,pdu,dcim.poweroutlet,7,connected\n");
  EXPECT_EQ(cable_names(file.topology.fabric),
            (Cables{"gpu, 1.n0:mlx5_0 - leaf1:Ethernet1/1", "gpu, 1.n1:mlx5_1 - leaf2:Ethernet1/1",
                    "leaf1:Ethernet1/2 - leaf2:Ethernet1/2"}));
  EXPECT_EQ(file.topology.remark, "1 cables left out: they do not join two interfaces");
  EXPECT_EQ(refusal("side_a_device,side_b_device\na,b\n"),
            "x:1: found no column 'side_a_name', expected one");
  EXPECT_EQ(refusal("side_a_device,side_a_name,side_b_device,side_b_name\na,b,,d\n"),
            "x:2: found a side without device or name, expected both");
}

const std::string lab = R"(name: two # a lab
topology:
  defaults: {kind: nokia_srlinux}
  nodes:
    leaf1:
    'leaf2':
      kind: nokia_srlinux
    client:
      kind: linux
      exec:
        - ip link set dev eth1 up
  links:
    - endpoints: ["leaf1:e1-49", "leaf2:e1-49"]
    - endpoints: ["leaf1:e1-1", client:eth1]
    - type: veth
      endpoints:
        - node: leaf2
          interface: e1-1
        - {node: client, interface: eth2}
    - endpoints: ["leaf1:e1-30", "host:leaf1_e30"]
)";

TEST(Containerlab, ALabIsRead) {
  const Fabric fabric = parsed(lab).topology.fabric;
  EXPECT_EQ(cable_names(fabric), (Cables{"client.n0:eth1 - leaf1:e1-1", "client.n1:eth2 - leaf2:e1-1",
                                         "leaf1:e1-49 - leaf2:e1-49"}));
  EXPECT_EQ(refusal("name: x\ntopology:\n  nodes:\n    a:\n  links:\n    - endpoints: [\"a:e1\"]\n"),
            "x:6: found 1 endpoints, expected two");
  EXPECT_EQ(refusal("name: x\ntopology:\n  nodes:\n    a: *b\n"),
            "x:4: found '*b', expected a text, a list or a map; anchors, aliases and tags are not read");
}

TEST(Containerlab, WhatLinuxDoesNotAllowAsAnInterfaceIsALabelOfTheLink) {
  const FabricFile file = parsed("a 1/1/3 b 7\nb swp1 c x\na swp2 c y\n");
  const std::string text = written_as("containerlab", file);
  EXPECT_NE(
      text.find(
          "- endpoints: [\"a:eth1\", \"b:eth7\"]\n      labels: {from_port: \"1/1/3\", to_port: \"7\"}"),
      text.npos)
      << text;
  EXPECT_EQ(cable_names(parsed(text).topology.fabric), cable_names(file.topology.fabric));
}

TEST(Infragraph, EdgesBetweenInstancesAndEarlierConnections) {
  const std::string yaml = R"(name: clos
devices:
- name: server
  components:
  - {choice: xpu, count: 8, name: xpu}
  - {choice: port, count: 2, name: nic}
- name: switch
  components:
  - choice: port
    count: 16
    name: port
links:
- name: eth
  physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 400}}
instances:
- {name: host, device: server, count: 2}
- {name: leaf, device: switch, count: 2}
edges:
- ep1: {instance: 'host[0:2]', component: 'nic[0]'}
  ep2: {instance: 'leaf[0]', component: 'port[0:2]'}
  scheme: one2one
  link: eth
- ep1: {instance: 'host[0:2]', component: 'nic[1]'}
  ep2: {instance: 'leaf[1]', component: 'port[0:2]'}
  scheme: one2one
  link: eth
)";
  const Fabric fabric = parsed(yaml).topology.fabric;
  EXPECT_EQ(fabric.columns(), 2u);
  EXPECT_EQ(fabric.link_classes().at(0).capacity, 400);
  EXPECT_EQ(cable_names(fabric),
            (Cables{"host.0.r0:nic.0 - leaf.0:port.0", "host.0.r1:nic.1 - leaf.1:port.0",
                    "host.1.r0:nic.0 - leaf.0:port.1", "host.1.r1:nic.1 - leaf.1:port.1"}));
  EXPECT_EQ(
      cable_names(parsed("{\"infrastructure\": {\"connections\": [\"server.0.nic.0.eth.leaf.0.port.4\",\n"
                         "\"server.1.nic.0.eth.leaf.0.port.5\"]}}")
                      .topology.fabric),
      (Cables{"server.0:nic.0 - leaf.0:port.4", "server.1:nic.0 - leaf.0:port.5"}));
  std::string wrong = yaml;
  wrong.replace(wrong.find("nic[0]"), 6, "nic[2]");
  EXPECT_EQ(refusal(wrong), "x:19: found 'nic[2]', expected indices [FIRST:END] below 2");
}

TEST(Iblinkinfo, BothOfItsFormsAreTheSameFabric) {
  const std::string arrow = "[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>";
  const std::string blocks =
      "CA: h0 HCA-1:\n      0x0002c90300000001      1    1" + arrow +
      "       5    1[  ] \"leaf 1\" ( )\nSwitch: 0x0002c90200000000 leaf 1:\n           5    1" + arrow +
      "       1    1[  ] \"h0 HCA-1\" ( )\n           5    2" + arrow +
      "       2    1[  ] \"h1 HCA-1\" ( )\n           5    3[  ] ==(                Down/ Polling)"
      "==>             [  ] \"\" ( )\nCA: h1 HCA-1:\n      0x0002c90300000101      2    1" +
      arrow + "       5    2[  ] \"leaf 1\" ( )\n";
  const std::string lines =
      "0x0002c90300000001 \"   h0 HCA-1\"      1    1" + arrow +
      "  0x0002c90200000000      5    1[  ] \"leaf 1\" ( )\n0x0002c90200000000 \"   leaf 1\"     "
      "5    1" +
      arrow +
      "  0x0002c90300000001     1    1[  ] \"h0 HCA-1\" ( )\n0x0002c90200000000 \"  leaf 1\""
      "     5    2" +
      arrow +
      "  0x0002c90300000101     2    1[  ] \"h1 HCA-1\" ( )\n0x0002c90300000101 \" h1 HCA-1\""
      "  2   1" +
      arrow + "  0x0002c90200000000     5    2[  ] \"leaf 1\" ( )\n";
  for (const std::string& text : {blocks, lines}) {
    const Fabric fabric = parsed(text).topology.fabric;
    EXPECT_EQ(cable_names(fabric), (Cables{"h0:1 - leaf 1:1", "h1:1 - leaf 1:2"}));
    EXPECT_EQ(fabric.link_classes().at(0).capacity, 100);
  }
  EXPECT_EQ(refusal("CA: a:\n 1 1[ ] ==( x )==> 9 4[ ] \"b\"\n"),
            "x:2: found a cable to 'b', LID 9, expected one node of this file");
}

TEST(Ibdiagnet, NodesLinksAndSpeeds) {
  const FabricFile file = parsed(
      "START_NODES\nNodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,PortGUID\n"
      "\"h0 mlx5_0\",1,1,0x10,0x10,0x11\n\"leaf, 1\",4,2,0x20,0x20,0x20\nEND_NODES\n\nSTART_PORTS\n"
      "NodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv\n0x10,0x11,1,7,2,512\n0x20,0x20,3,9,2,"
      "512\nEND_PORTS\n"
      "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x20,3\nEND_LINKS\n");
  const Fabric& fabric = file.topology.fabric;
  EXPECT_EQ(cable_names(fabric), (Cables{"h0:1 - leaf, 1:3"}));
  EXPECT_EQ(fabric.link_classes().at(0).capacity, 100);
  EXPECT_EQ(file.ids.nic_channels[Channel{0}], (InfinibandIds::Attachment{0x11, 7, 0}));
  EXPECT_EQ(refusal("START_NODES\nNodeGUID\n"), "x:1: found no END_NODES, expected one");
  EXPECT_EQ(refusal("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x1,1,0x2,1\nEND_LINKS\n"),
            "x:3: found a cable to '0000000000000001', expected a node of this file");
}

std::string neighbour(const std::string& port, const std::string& name, const std::string& far,
                      const std::string& capability) {
  return "{\"name\": \"" + port +
         "\", \"via\": \"LLDP\", \"chassis\": [{\"id\": [{\"type\": \"mac\", \"value\": \"00:" + name +
         "\"}], \"name\": [{\"value\": \"" + name + "\"}], \"capability\": [{\"type\": \"" + capability +
         "\", \"enabled\": true}]}], \"port\": [{\"id\": [{\"type\": \"ifname\", \"value\": \"" + far +
         "\"}]}]}";
}

std::string of_system(const std::string& name, const std::string& neighbours) {
  return "{\"" + name + "\": {\"lldp\": [{\"interface\": [" + neighbours + "]}]}}\n";
}

TEST(Lldp, EachCableOnceWhateverTheDomainAndWithoutStrangers) {
  const FabricFile file =
      parsed(of_system("leaf1", neighbour("swp1", "h1.example.com", "eth0", "Station") + "," +
                                    neighbour("swp49", "spine1.example.com", "swp1", "Bridge") + "," +
                                    neighbour("eth0", "oob", "swp7", "Bridge")) +
             of_system("spine1.example.com", neighbour("swp1", "leaf1.example.com", "swp49", "Bridge") + "," +
                                                 neighbour("swp2", "leaf2", "swp49", "Bridge")) +
             of_system("leaf2", neighbour("swp49", "spine1", "swp2", "Bridge") + "," +
                                    neighbour("swp1", "h2", "eth0", "Station")));
  EXPECT_EQ(cable_names(file.topology.fabric),
            (Cables{"h1:eth0 - leaf1:swp1", "h2:eth0 - leaf2:swp1", "leaf1:swp49 - spine1:swp1",
                    "leaf2:swp49 - spine1:swp2"}));
  EXPECT_EQ(file.topology.remark, "oob left out: it was seen, but sent no document of its own");
}

TEST(Lldp, OneDocumentIsCalledLikeItsFileAndTwoNeedNames) {
  const std::string one = "{\"lldp\": [{\"interface\": [" + neighbour("swp1", "h1", "eth0", "Station") + "," +
                          neighbour("swp2", "h2", "eth0", "Station") + "]}]}\n";
  EXPECT_EQ(cable_names(parsed(one, "some/leaf7.json").topology.fabric),
            (Cables{"h1:eth0 - leaf7:swp1", "h2:eth0 - leaf7:swp2"}));
  EXPECT_EQ(refusal(one + one).substr(0, 41), "x:2: found no name of the system that thi");
  const std::string chassis =
      "{\"local-chassis\": [{\"chassis\": [{\"name\": [{\"value\": \"leaf8.x.org\"}]}]}]}\n";
  EXPECT_EQ(cable_names(parsed(chassis + one).topology.fabric),
            (Cables{"h1:eth0 - leaf8:swp1", "h2:eth0 - leaf8:swp2"}));
}

// One of the two is wrong, or what it says is old: nobody can tell which.
TEST(Lldp, TwoEndsThatContradictEachOtherAreRefused) {
  const std::string crossed = of_system("leaf1", neighbour("swp49", "sp1", "swp1", "Bridge") + ",\n" +
                                                     neighbour("swp50", "sp1", "swp2", "Bridge")) +
                              of_system("sp1", neighbour("swp1", "leaf1", "swp50", "Bridge") + "," +
                                                   neighbour("swp2", "leaf1", "swp49", "Bridge"));
  EXPECT_EQ(refusal(crossed),
            "x:1: found leaf1:swp49 - sp1:swp1, but x:3 says sp1:swp1 - leaf1:swp50; expected both ends of a "
            "cable to agree");
  const std::string unlisted = of_system("leaf1", neighbour("swp49", "sp1", "swp1", "Bridge")) +
                               of_system("sp1", neighbour("swp1", "leaf1", "swp77", "Bridge"));
  EXPECT_EQ(refusal(unlisted).substr(0, 38), "x:1: found leaf1:swp49 - sp1:swp1, but");
  // An address is no name of an interface: the other end names it.
  std::string by_mac = of_system("leaf1", neighbour("swp49", "sp1", "swp1", "Bridge")) +
                       of_system("sp1", neighbour("swp1", "leaf1", "00:11:22:33:44:55", "Bridge"));
  by_mac.replace(by_mac.rfind("ifname"), 6, "mac");
  EXPECT_EQ(cable_names(parsed(by_mac).topology.fabric), (Cables{"leaf1:swp49 - sp1:swp1"}));
}

TEST(Lldp, DocumentsThatSayNothingAreToldOf) {
  const FabricFile file = parsed(of_system("leaf1", neighbour("swp1", "h1", "eth0", "Station") + "," +
                                                        neighbour("swp2", "h2", "eth0", "Station")) +
                                 "{\"leaf9\": {\"lldp\": [{}]}}\n");
  EXPECT_EQ(file.topology.fabric.switches(), 1u);
  EXPECT_EQ(file.topology.fabric.hosts(), 2u);
  EXPECT_EQ(file.topology.remark, "leaf9 left out: it sees nobody of the fabric, and nobody sees it");
  const std::string folder = std::filesystem::temp_directory_path() / "banyan-lldp-test";
  make_folder(folder);
  std::ofstream(folder + "/leaf1.json") << of_system("leaf1", neighbour("swp1", "h1", "eth0", "Station"));
  std::ofstream(folder + "/leaf2.json") << "";
  try {
    open_fabric(folder);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(folder.size(), 28), "/leaf2.json: found nothing, ");
  }
  std::filesystem::remove_all(folder);
}

TEST(Containerlab, KindsAreOfTheNodeElseOfItsGroupElseTheDefault) {
  const std::string grouped =
      "name: x\ntopology:\n  defaults: {kind: linux}\n  groups:\n    sw: {kind: nokia_srlinux}\n  nodes:\n"
      "    leaf1: {group: sw}\n    leaf2: {group: sw, labels: {kind: leaf}}\n    a: {labels: {kind: leaf}}\n"
      "    b: {}\n    c: {labels: {kind: switch}}\n  links:\n    - endpoints: [\"a:eth1\", \"leaf1:e1-1\"]\n"
      "    - endpoints: [\"b:eth1\", \"leaf2:e1-1\"]\n    - endpoints: [\"leaf1:e1-2\", \"c:eth1\"]\n"
      "    - endpoints: [\"leaf2:e1-2\", \"c:eth2\"]\n";
  const Fabric fabric = parsed(grouped).topology.fabric;
  EXPECT_EQ(fabric.hosts(), 2u);
  EXPECT_EQ(fabric.switches(), 3u);
  // containerlab keeps eth0 for itself.
  const Fabric host = parsed("graph {\nleaf1:swp1 -- h1:eth0\nleaf1:swp2 -- h2:eth0\n}\n").topology.fabric;
  const std::string text = written_as("containerlab", {Topology{host, Irregular{}}, {}});
  EXPECT_EQ(text.find(":eth0"), std::string::npos);
  EXPECT_EQ(cable_names(parsed(text).topology.fabric), cable_names(host));
}

TEST(Infragraph, ASwitchMayHaveMemoryANicAndAnAsic) {
  const auto with = [](const std::string& components) {
    return "infrastructure:\n  devices:\n    - name: box\n      components:\n" + components +
           "    - name: server\n      components:\n        - {name: cpu, choice: cpu}\n"
           "        - {name: nic, choice: nic}\n  instances:\n    - {name: leaf, device: box}\n"
           "    - {name: server, device: server, count: 2}\n  edges:\n"
           "    - {ep1: {instance: server, component: nic}, ep2: {instance: leaf, component: port}, scheme: "
           "one2one, link: eth}\n";
  };
  const std::string ports = "        - {name: port, choice: port, count: 2}\n";
  for (const std::string more :
       {"", "        - {name: ram, choice: memory}\n", "        - {name: mgmt, choice: nic}\n",
        "        - {name: cpu, choice: cpu}\n        - {name: asic, choice: custom}\n"}) {
    const Fabric fabric = parsed(with(ports + more)).topology.fabric;
    EXPECT_EQ(fabric.switches(), 1u) << more;
    EXPECT_EQ(fabric.hosts(), 2u) << more;
  }
  EXPECT_EQ(parsed(with(ports + "        - {name: gpu, choice: custom}\n")).topology.fabric.switches(), 0u);
}

TEST(SlurmYaml, TreesAndBlocksAreReadAndWritten) {
  const FabricFile tree = parsed(
      "---\n- topology: other\n  flat: true\n- topology: mine\n  cluster_default: true\n  tree:\n    "
      "switches:\n"
      "      - switch: root\n        children: s[0-1]\n      - switch: s0\n        nodes: h[0-1]\n"
      "      - switch: s1\n        nodes: h[2-3]\n");
  EXPECT_EQ(tree.topology.fabric.hosts(), 4u);
  EXPECT_EQ(tree.topology.fabric.switches(), 3u);
  EXPECT_EQ(parsed(written_as("slurm-yaml", tree)).topology.fabric, tree.topology.fabric);
  const std::string blocks = written_as("slurm-block", tree);
  EXPECT_EQ(blocks,
            "- topology: block\n  cluster_default: true\n  block:\n    block_sizes:\n      - 2\n    blocks:\n"
            "      - block: s0\n        nodes: h[0-1]\n      - block: s1\n        nodes: h[2-3]\n");
  EXPECT_EQ(parsed(blocks).topology.fabric, tree.topology.fabric);
  EXPECT_EQ(refusal("- topology: a\n  flat: true\n"),
            "x:1: found neither tree nor block, expected one: a flat topology has no switches");
  EXPECT_EQ(refusal("- topology: a\n  tree:\n    switches:\n      - switch: s\n"),
            "x:4: expected either nodes or children of a switch");
}

TEST(Kubernetes, NodesHaveTheSwitchesAboveThemAsLabels) {
  const std::string text = written_as("kubernetes", FabricFile{make_topology("XGFT(2; 2,2; 1,2)"), {}});
  EXPECT_EQ(text.substr(0, text.find("---", 4)),
            "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: \"h0\"\n  labels:\n"
            "    network.topology.nvidia.com/leaf: \"tree1-0\"\n    network.topology.nvidia.com/spine: "
            "\"tree2-0\"\n");
}

TEST(Hosts, AGraphOfSwitchesGetsThemByAnOption) {
  const std::string folder = std::filesystem::temp_directory_path() / "banyan-hosts-test";
  make_folder(folder);
  std::ofstream(folder + "/ring.edges") << "a swp1 b swp2\nb swp1 c swp2\nc swp1 a swp2\nc 3 d 1\n";
  const Fabric fabric = open_fabric(folder + "/ring.edges; hosts=2").topology.fabric;
  EXPECT_EQ(fabric.hosts(), 8u);
  EXPECT_EQ(fabric.switches(), 4u);
  EXPECT_EQ(cable_names(fabric), (Cables{"a:swp1 - b:swp2", "a:swp2 - c:swp1", "b:swp1 - c:swp2", "c:3 - d:1",
                                         "h0:1 - a:3", "h1:1 - a:4", "h2:1 - b:3", "h3:1 - b:4", "h4:1 - c:4",
                                         "h5:1 - c:5", "h6:1 - d:2", "h7:1 - d:3"}));
  std::ofstream(folder + "/told.csv") << "from,to,from_kind\na,b,host\n";
  EXPECT_THROW(open_fabric(folder + "/told.csv; hosts=2"), InputError);
  EXPECT_THROW(open_fabric(folder + "/ring.edges; hosts=0"), InputError);
  std::filesystem::remove_all(folder);
}

// Half a megabyte of garbage, as it is and behind the beginning of each format.
TEST(Readers, GarbageEndsInAMessage) {
  std::string garbage;
  for (u32 i = 0, x = 1; i < 1u << 19; ++i, x = x * 1664525 + 1013904223)
    garbage += static_cast<char>(x >> 24);
  for (const std::string head :
       {"", "{\"lldp\": [{\"interface\": [", "side_a_device,side_a_name,side_b_device,side_b_name\n",
        "name: x\ntopology:\n  nodes:\n    a: ", "infrastructure:\n  devices:\n    - ",
        "- topology: x\n  tree: ", "START_NODES\nNodeGUID\n", "CA: x:\n ==()==>\n",
        "SwitchName=a Nodes=", "graph {\n"})
    EXPECT_NE(refusal(head + garbage), "nothing") << head;
  std::string deep(1 << 19, '[');
  EXPECT_EQ(refusal("infrastructure:\n  devices: " + deep), "x:2: found more than 64 levels, expected fewer");
}

}  // namespace
}  // namespace banyan::tests
