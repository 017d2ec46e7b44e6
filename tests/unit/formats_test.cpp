// What real tools write is read as what it means, and bad input gets file, line and what was expected.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "formats/hostlist.hpp"
#include "formats/link_speed.hpp"
#include "formats/open.hpp"
#include "support/fabric_text.hpp"

namespace banyan::tests {
namespace {

FabricFile read(std::string_view format, const std::string& text) {
  std::istringstream in(text);
  return formats::formats().at(format).read(in, "x");
}

std::string written(std::string_view format, const FabricFile& file) {
  std::ostringstream out;
  formats::formats().at(format).write(file, out);
  return out.str();
}

// What a reader says to a bad text.
std::string complaint(std::string_view format, const std::string& text) {
  try {
    read(format, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Ibnetdiscover, RealOutputOfTheTool) {
  const FabricFile file = open_fabric("tests/data/ibnetdiscover.out");
  EXPECT_EQ(fabric_text(file.topology.fabric, true),
            "host one ports 2\n"
            "host two ports 1\n"
            "leaf:1 - one:1 capacity 8 latency 1\n"
            "leaf:2 - two:1 capacity 8 latency 1\n"
            "leaf:4 - spine:2 capacity 8 latency 1\n"
            "switch leaf ports 4\n"
            "switch spine ports 4\n");
  EXPECT_EQ(file.ids.nodes[Node{0}].guid, 0x100000u);
  EXPECT_EQ(file.ids.nic_channels[Channel{0}], (InfinibandIds::Attachment{0x100001, 1, 0}));
  EXPECT_EQ(file.ids.nodes[Node{2}].port0, (InfinibandIds::Attachment{0x200000, 2, 0}));
}

TEST(Ibnetdiscover, GroupedOutputAndSeveralAdaptersOfAHost) {
  const Fabric fabric = open_fabric("tests/data/ibnetdiscover-grouped.out").topology.fabric;
  EXPECT_EQ(fabric.hosts(), 3u);
  EXPECT_EQ(fabric.columns(), 2u);
  const Host node7{2};
  EXPECT_EQ(fabric.host_name(node7), "node7");
  EXPECT_EQ(fabric.name(fabric.to(fabric.channel(fabric.node(fabric.nic(node7, 0)), Port{0}))),
            "ISR9024 Voltaire");
  EXPECT_EQ(fabric.name(fabric.to(fabric.channel(fabric.node(fabric.nic(node7, 1)), Port{0}))),
            "SW-6IB4 Voltaire");
  // Two adapters with the factory's description are two hosts.
  EXPECT_EQ(fabric.host_name(Host{0}), "MT23108 InfiniHost Mellanox Technologies 005442b100004900");
  EXPECT_EQ(fabric.nics(Host{0}), 1u);
  EXPECT_EQ(fabric.nics(), 4u);
  EXPECT_EQ(fabric.endpoints().role(Host{0}), Role::unknown);
}

TEST(Ibnetdiscover, AHostHasTheAdaptersThatItHas) {
  const Fabric fabric =
      read("ibsim", "Hca 1 \"b\" # \"b HCA-2\"\nHca 1 \"a1\" # \"a HCA-1\"\nHca 2 \"a2\" # \"a HCA-2\"\n")
          .topology.fabric;
  EXPECT_EQ(fabric.columns(), 2u);
  EXPECT_EQ(fabric.nics(Host{1}), 1u);
  EXPECT_EQ(fabric.endpoints().adapter(fabric.nic(Host{1})), "HCA-2");
  EXPECT_EQ(fabric.ports(fabric.node(fabric.nic(Host{0}, 1))), 2u);
}

TEST(Ibnetdiscover, SaysWhatIsWrongAndWhere) {
  const std::string leaf = "Switch 2 \"s\"\n[1] \"a\"[1]\n";
  EXPECT_EQ(complaint("ibsim", "Switch many \"s\""),
            "x:1: found 'many \"s\"', expected a number of ports from 1 to 254");
  EXPECT_EQ(complaint("ibsim", "Swatch 2 \"s\""),
            "x:1: found 'Swatch 2 \"s\"', expected Switch, Ca, Hca, Rt or a port in brackets");
  EXPECT_EQ(complaint("ibsim", leaf), "x:2: found a cable to 'a', expected a node of this file");
  EXPECT_EQ(complaint("ibsim", leaf + "Ca 1 \"a\"\n[1] \"s\"[3]"),
            "x:4: found port 3 of 's', expected at most 2");
  EXPECT_EQ(complaint("ibsim", leaf + "Ca 1 \"a\"\n[1] \"s\"[2]"),
            "x:4: found port 1 of 'a' cabled to port 2 of 's', but it already has another cable");
  EXPECT_EQ(complaint("ibsim", leaf + "Ca 1 \"s\""),
            "x:3: found 's' a second time, after line 1; expected every node once");
  EXPECT_EQ(complaint("ibsim", "[1] \"a\"[1]"),
            "x:1: found '[1] \"a\"[1]', expected a node before its ports");
  EXPECT_EQ(complaint("ibsim", "Switch 2 \"s\"\n[2] \"s\"[2]"), "x:2: found port 2 of 's' cabled to itself");
  EXPECT_EQ(complaint("csv", "from,to\nh0,s0\nh0,h0\n"),
            "x:3: found 'h0' cabled to itself, expected two nodes, or two ports of it");
  EXPECT_EQ(complaint("csv", "from,from_port,to,to_port\nh0,1,s0,1\ns0,2,s0,3\n"), "nothing");
  EXPECT_EQ(complaint("ibsim", "caguid=0x1\nCa 1 \"a\"\ncaguid=0x1\nCa 1 \"b\"\n"),
            "x:4: found GUID 0000000000000001 of 'b' a second time, expected GUIDs to differ");
  EXPECT_EQ(complaint("ibnetdiscover", "# nothing\n"), "x: found no node, expected at least one");
  EXPECT_EQ(complaint("ibnetdiscover", "switchguid=0xgg"),
            "x:1: found '0xgg', expected a GUID in hexadecimal digits");
  EXPECT_EQ(complaint("ibnetdiscover", std::string(3 << 20, 'x')),
            "x:1: found a line of more than 1048576 bytes, expected shorter ones");
}

TEST(Ibsim, ReadsTheShortFormOfANetlist) {
  EXPECT_EQ(fabric_text(open_fabric("tests/data/small.net").topology.fabric, false),
            fabric_text(open_fabric("tests/data/ibnetdiscover.out").topology.fabric, false));
}

TEST(Ibsim, SpeedsKeepTheirRatios) {
  const FabricFile file{make_topology("XGFT(2; 2,2; 1,2; capacity=1/4)"), {}};
  const Fabric fabric = read("ibsim", written("ibsim", file)).topology.fabric;
  EXPECT_EQ(fabric.link_class(fabric.channel(Node{0}, Port{0})).capacity, 100);
  EXPECT_EQ(fabric.link_class(fabric.channel(Node{4}, Port{2})).capacity, 400);
  EXPECT_EQ(link_speed_words({{54.5, 1}, {2, 1}}), (std::vector<std::string>{"4xFDR", "1xSDR"}));
}

// What cables carry, in bytes a second, in the order of their channels.
std::vector<double> speeds_of(const FabricFile& file) {
  std::vector<double> out;
  file.topology.fabric.each_link([&](const Link& link) {
    out.push_back(file.unit.value * file.topology.fabric.link_class(link.a).capacity);
  });
  return out;
}

TEST(Speeds, AreKeptByEveryFormatThatHasCapacities) {
  for (const char* from : {"tests/data/ibnetdiscover.out", "XGFT(2; 2,2; 1,2; capacity=200G/400G)",
                           "XGFT(2; 2,2; 1,2; capacity=400G)"}) {
    const FabricFile file = open_fabric(from);
    ASSERT_GT(file.unit.value, 0) << from;
    for (const char* format : {"csv", "graphml", "dot", "json", "ibnetdiscover"})
      EXPECT_EQ(speeds_of(read(format, written(format, file))), speeds_of(file)) << from << " as " << format;
  }
  const FabricFile numbers = open_fabric("XGFT(2; 2,2; 1,2; capacity=1/2)");
  for (const char* format : {"csv", "graphml", "dot", "json"})
    EXPECT_EQ(read(format, written(format, numbers)).unit.value, 0) << format;
}

TEST(Speeds, AreAllThatAFileHasOrNone) {
  const auto refusal = [](const std::string& rows) -> std::string {
    try {
      read("csv", "from,to,capacity\n" + rows);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("a,s,100G\nb,s,12.5GB/s\n"), "");
  EXPECT_NE(refusal("a,s,100G\nb,s,100\n").find("found '100', expected a speed such as 100G, as in line 2"),
            std::string::npos);
  EXPECT_NE(
      refusal("a,s,1\nb,s,100G\n").find("found '100G', expected a capacity without a unit, as in line 2"),
      std::string::npos);
  EXPECT_NE(refusal("a,s,fast\n").find("found 'fast', expected a capacity above 0 or a speed such as 100G"),
            std::string::npos);
}

TEST(Ibsim, RefusesWhatInfinibandCannotHave) {
  EXPECT_THROW(written("ibsim", {make_topology("XGFT(1; 300; 1)"), {}}), InputError);
}

TEST(OpensmSubnet, IsTheSameAsIbnetdiscover) {
  const FabricFile list = open_fabric("tests/data/opensm-subnet.lst");
  const FabricFile found = open_fabric("tests/data/ibnetdiscover.out");
  EXPECT_EQ(list.topology.fabric, found.topology.fabric);
  EXPECT_EQ(list.ids, found.ids);
}

TEST(OpensmSubnet, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("opensm-subnet", "{ CA Ports:xx"),
            "x:1: found 'xx', expected a hexadecimal number up to FE after Ports:");
}

TEST(Csv, ColumnsByNameQuotesAndKindsByCables) {
  const Fabric fabric =
      read("csv", "to_port,to,from,from_port\n1,\"a, \"\"x\"\"\",s,1\n1,b,s,2\n,,s,4\n1,t,s,3\n9,c,t,2\n")
          .topology.fabric;
  EXPECT_EQ(fabric_text(fabric, false),
            "a, \"x\":1 - s:1\n"
            "b:1 - s:2\n"
            "c:9 - t:2\n"
            "host a, \"x\" ports 1\n"
            "host b ports 1\n"
            "host c ports 9\n"
            "s:3 - t:1\n"
            "switch s ports 4\n"
            "switch t ports 2\n");
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("csv", "from,from_prt,to,to_port\n"),
            "x:1: found column 'from_prt', expected one like 'from_port'");
  EXPECT_EQ(complaint("csv", "from,from_port,to,to_port\n\na,0,b,1\n"),
            "x:3: found '0', expected a port number from 1 to 1048576");
  EXPECT_EQ(complaint("csv", "from,from_port,to,to_port\na,1,b\n"),
            "x:2: found 3 cells, expected 4 as in the header");
  EXPECT_EQ(complaint("csv", "from,from_port,to,to_port\n\"a,1,b\n"),
            "x:2: found no end of a quoted cell, expected '\"'");
}

TEST(Dot, ReadsWhatPeopleWrite) {
  const Fabric fabric =
      read("dot",
           "/* plan */ digraph \"my net\" {\n node [shape=box] // boxes\n"
           " leaf -> { a; b c } -> other [capacity=2]\n a [kind=host ports=3, label=<<b>A</b>>];\n}\n")
          .topology.fabric;
  EXPECT_EQ(fabric_text(fabric, true),
            "a:1 - leaf:1 capacity 2 latency 1\n"
            "a:2 - other:1 capacity 2 latency 1\n"
            "b:1 - leaf:2 capacity 2 latency 1\n"
            "b:2 - other:2 capacity 2 latency 1\n"
            "c:1 - leaf:3 capacity 2 latency 1\n"
            "c:2 - other:3 capacity 2 latency 1\n"
            "host a ports 3\n"
            "switch b ports 2\n"
            "switch c ports 2\n"
            "switch leaf ports 3\n"
            "switch other ports 3\n");
}

TEST(Dot, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("dot", "graph {\n a -- \n}"), "x:3: found '}', expected a name");
  EXPECT_EQ(complaint("dot", "graph {\n \"a"), "x:2: found no end of a text, expected '\"'");
  EXPECT_EQ(complaint("dot", "graph { a [kind=router] }"),
            "x:1: found kind 'router', expected host, switch or another role of a machine: storage, service, "
            "aggregation, unknown");
}

TEST(Graphml, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("graphml", "<graphml>\n<graph><node/></graph></graphml>"),
            "x:2: found an element without 'id', expected one");
  EXPECT_EQ(complaint("graphml", "<graphml>\n<graph>"), "x:2: no element found, expected well-formed XML");
  EXPECT_EQ(complaint("graphml", "<!DOCTYPE a [<!ENTITY b \"c\">]><graphml/>"),
            "x:1: found a document type, expected none");
}

TEST(Slurm, HostlistsCommentsAndContinuedLines) {
  const Fabric fabric = read("slurm",
                             "# ours\nswitchname=s0 NODES=h[0-1,3],login LinkSpeed=100 \\\n# no more\n"
                             "SwitchName=s1 Nodes=r[0-1]n[08-10]\nSwitchName=top Switches=s[0-1]\n")
                            .topology.fabric;
  EXPECT_EQ(fabric.hosts(), 10u);
  EXPECT_EQ(fabric.switches(), 3u);
  EXPECT_EQ(fabric.links(), 12u);
  EXPECT_EQ(written("slurm", {Topology{fabric, Irregular{}, 1, "", ""}, {}}),
            "SwitchName=s0 Nodes=h[0-1],h3,login LinkSpeed=100\n"
            "SwitchName=s1 Nodes=r0n[08-10],r1n[08-10] LinkSpeed=100\n"
            "SwitchName=top Switches=s[0-1] LinkSpeed=100\n");
}

TEST(Slurm, AFatTreeHasASwitchForEverySubtree) {
  EXPECT_EQ(written("slurm", {make_topology("XGFT(2; 2,2; 1,2)"), {}}),
            "SwitchName=tree1-0 Nodes=h[0-1]\n"
            "SwitchName=tree1-1 Nodes=h[2-3]\n"
            "SwitchName=tree2-0 Switches=tree1-[0-1]\n");
}

TEST(Slurm, ReadsWhatScontrolShows) {
  const Fabric fabric = read("slurm",
                             "SwitchName=top Level=1 LinkSpeed=1 Nodes=h[0-4] Switches=s[0-1]\n"
                             "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=h[0-2]\n"
                             "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=h[3-4]\n")
                            .topology.fabric;
  EXPECT_EQ(fabric.hosts(), 5u);
  EXPECT_EQ(fabric.switches(), 3u);
  EXPECT_EQ(fabric.links(), 7u);
}

TEST(Slurm, BlocksAreSwitchesBelowOneRoot) {
  const Fabric fabric =
      read("slurm", "BlockName=b0 Nodes=h[0-3]\nBlockName=b1 Nodes=h[4-7]\nBlockSizes=4,8\n").topology.fabric;
  EXPECT_EQ(fabric.hosts(), 8u);
  EXPECT_EQ(fabric.switches(), 3u);
  EXPECT_EQ(fabric.links(), 10u);
}

// Slurm forbids it, and people have it.
TEST(Slurm, ANodeBelowTwoSwitchesHasTwoNics) {
  const Topology found = read("slurm",
                              "SwitchName=a Nodes=h[0-2]\nSwitchName=b Nodes=h[2-4]\n"
                              "SwitchName=top Switches=a,b\nSwitchName=top2 Switches=b,top\n")
                             .topology;
  EXPECT_EQ(found.fabric.hosts(), 5u);
  EXPECT_EQ(found.fabric.nics(), 6u);
  EXPECT_EQ(found.fabric.links(), 10u);
  EXPECT_EQ(found.remark,
            "below several switches, so with a NIC on each: h2; below several switches, so with "
            "a cable to each: b");
  const Fabric both =
      read("slurm", "SwitchName=a Nodes=h0\nSwitchName=b Switches=a,c\nSwitchName=c Switches=b\n")
          .topology.fabric;
  EXPECT_EQ(both.links(), 3u);  // b and c name each other, and share one cable
}

TEST(Slurm, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("slurm", "SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=a\n"),
            "x:1: found 'a' below itself, expected a tree");
  EXPECT_EQ(complaint("slurm", "SwitchName=a Switches=a\n"), "x:1: found 'a' below itself, expected a tree");
  EXPECT_EQ(complaint("slurm", "SwitchName=a Nodes=h[3-1]"),
            "x:1: found range '3-1', expected numbers such as 0-13");
  EXPECT_EQ(complaint("slurm", "SwitchName=a Nodes=h[0-99999999]"),
            "x:1: found more names than fit: a file may name 131072 hosts and switches in all");
  EXPECT_EQ(complaint("slurm", "SwitchName=a Hosts=h1"),
            "x:1: found 'Hosts=h1', expected SwitchName=, BlockName=, Nodes=, Switches= or LinkSpeed=");
  EXPECT_EQ(complaint("slurm", "SwitchName=a Switches=b"),
            "x:1: found a cable to 'b', expected a node of this file");
}

TEST(Hostlist, CompressedAndExpandedIsTheSame) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"h8", "h9", "h10", "h11"},
                                                {"h08", "h09", "h10"},
                                                {"h09", "h10", "h100"},
                                                {"1", "2", "3"},
                                                {"x", "h1", "h3", "h2"},
                                                {"h099", "h100", "h0101"},
                                                {"a1b", "a2b"},
                                                {"h0", "h1", "h01", "h2"}}) {
    std::vector<std::string> again;
    expand_hostlist(compress_hostlist(names), 0, again);
    EXPECT_EQ(again, names) << compress_hostlist(names);
  }
}

TEST(Json, HoldsAFabricAgainstItsNotation) {
  const std::string start =
      "{\"banyan_fabric\": 1, \"notation\": \"XGFT(1; 2; 1)\", \"hosts\": 2, \"rails\": 1,\n"
      "\"link_classes\": [[1, 1]], \"nodes\": [[1], [1], [2]],\n\"links\": [[0, 0, 2, 0, 0]";
  EXPECT_EQ(complaint("json", start + "]}"),
            "x:1: is not 'XGFT(1; 2; 1)': the cable from port 0 of node 1 to port 1 of node 2 is neither "
            "there nor taken");
  EXPECT_EQ(complaint("json", start + ", [1, 0, 2, 0, 0]]}"), "x:3: found a second cable on a port");
  const FabricFile file = read("json", start + "], \"taken\": [[1, 0, 2, 1, 0]]}");
  EXPECT_EQ(file.topology.fabric, without(make_topology("XGFT(1; 2; 1)").fabric, {{Channel{1}, Channel{3}}}));
}

TEST(Json, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("json", "{\"banyan_fabric\": 2}"), "x:1: found version 2, expected version 1");
  EXPECT_EQ(complaint("json", "{\"banyan_fabric\": 1,\n\"lynks\": [[1]]}"),
            "x:2: found 'lynks', expected \"links\" or another section");
  EXPECT_EQ(complaint("json", "{}"), "x: found no \"banyan_fabric\", expected its version");
  EXPECT_EQ(complaint("json", "{\"banyan_fabric\": 1, \"hosts\": 1, \"rails\": 1, \"nodes\": []}"),
            "x: found 0 nodes, expected a NIC for 1 hosts on 1 rails");
}

TEST(Json, RefusesACableOfAVacantNic) {
  const std::string start =
      "{\"banyan_fabric\": 1, \"hosts\": 3, \"rails\": 1,\n\"link_classes\": [[1, 1]],\n"
      "\"nodes\": [[1], [1], [1], [3]],\n\"links\": [[0, 0, 3, 0, 0], [1, 0, 3, 1, 0]],\n";
  const auto vacant = [&](u32 nic) { return start + "\"vacant\": [\n[" + std::to_string(nic) + "]]"; };
  EXPECT_EQ(complaint("json", vacant(1) + "}"),
            "x:6: found vacant NIC 1 with a cable, expected it to have none");
  EXPECT_EQ(complaint("json", vacant(3) + "}"), "x:6: found vacant NIC 3, expected less than 3");
  // A cable that was taken is none.
  const FabricFile file = read("json", vacant(2) + ",\n\"taken\": [[2, 0, 3, 2, 0]]}");
  EXPECT_TRUE(file.topology.fabric.vacant(Nic{2}));
  EXPECT_FALSE(file.topology.fabric.vacant(Nic{1}));
}

TEST(OpenFabric, TellsNotationsFilesAndNeither) {
  EXPECT_EQ(open_fabric("4-ary 2-tree").topology.fabric.hosts(), 16u);
  EXPECT_THROW(open_fabric("tests/data"), InputError);
  try {
    open_fabric("XGFT 3");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(
        std::string(error.what()).find("'XGFT 3': there is no such file; a notation is written like 'XGFT("),
        std::string::npos)
        << error.what();
  }
}

TEST(WriteWhole, LeavesNothingHalfWritten) {
  const auto folder = std::filesystem::temp_directory_path() / "banyan-write-whole-test";
  std::filesystem::create_directory(folder);
  const std::string path = folder / "x.json";
  write_whole(path, [](std::ostream& out) { out << "first"; });
  EXPECT_THROW(write_whole(path, [](std::ostream& out) { out << "second", throw InputError("no"); }),
               InputError);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
  EXPECT_THROW(write_whole(path, [](std::ostream&) {}), InputError);
}

TEST(WriteWhole, IsCheckedBeforeThereIsSomethingToWrite) {
  const auto folder = std::filesystem::temp_directory_path() / "banyan-check-writable-test";
  std::filesystem::create_directory(folder);
  EXPECT_NO_THROW(check_writable(folder / "x.json"));
  EXPECT_NO_THROW(check_writable("/dev/null"));
  EXPECT_THROW(check_writable(folder), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
  EXPECT_THROW(check_writable(folder / "x.json"), InputError);
}

// As spreadsheets write it. What only begins like a mark is content.
TEST(OpenInput, SkipsAByteOrderMark) {
  const std::string path = std::filesystem::temp_directory_path() / "banyan-byte-order-mark-test";
  const auto read_back = [&](const std::string& text) {
    write_whole(path, [&](std::ostream& out) { out << text; });
    return read_file(path);
  };
  EXPECT_EQ(read_back("\xef\xbb\xbftime"), "time");
  EXPECT_EQ(read_back("\xef\xbb\xbf"), "");
  for (const std::string text : {"", "time", "\xef\xbb", "\xef\xbbtime", "\xeftime"})
    EXPECT_EQ(read_back(text), text);
  std::filesystem::remove(path);
}

// A full disk, played by a limit on the size of files.
TEST(WriteWhole, LeavesTheOldFileWhenTheDiskIsFull) {
  const auto folder = std::filesystem::temp_directory_path() / "banyan-full-disk-test";
  std::filesystem::create_directory(folder);
  const std::string path = folder / "x.json";
  write_whole(path, [](std::ostream& out) { out << "first"; });
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_THROW(write_whole(path, [](std::ostream& out) { out << std::string(1 << 20, 'x'); }), InputError);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace banyan::tests
