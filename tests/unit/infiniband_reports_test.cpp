// What InfiniBand's tools print as it comes: their own messages, the ports report, dumps that are torn.
#include <gtest/gtest.h>

#include <sstream>

#include "fabric/names.hpp"
#include "fabric/slow_links.hpp"
#include "formats/lines.hpp"
#include "formats/open.hpp"
#include "formats/opensm_tables.hpp"
#include "support/scratch.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

FabricFile read_text(const std::string& text) {
  std::istringstream in(text);
  return read_fabric(in, "subnet.out");
}

std::string why_refused(const std::string& text) {
  try {
    read_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* ports_report =
    R"(DR path slid 0; dlid 0; 0 -> new Channel Adapter {00c0de0000000011} portnum 1 lid 0-0 ""
CA    11  1 0x00c0de0000000011 4x EDR - SW     1  1 0x00c0de0000000001 ( 'amber1 HCA-1' - 'leaf one' )
CA    12  1 0x00c0de0000000012 4x EDR - SW     1  2 0x00c0de0000000001 ( 'amber2 HCA-1' - 'leaf one' )
CA    13  2 0x00c0de0000000013 1x SDR - SW     1  3 0x00c0de0000000001 ( 'amber2 HCA-1' - 'leaf one' )
ibwarn: [4711] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,4)
SW     1  3 0x00c0de0000000001 1x SDR - CA    13  2 0x00c0de0000000013 ( 'leaf one' - 'amber2 HCA-1' )
SW     1  4 0x00c0de0000000001 4x ???                                    'leaf one'
SW     1  5 0x00c0de0000000001 4x EDR - SW     2  1 0x00c0de0000000002 ( 'leaf one' - 'top' )
CA    21  1 0x00c0de0000000021 4x EDR - SW     2  2 0x00c0de0000000002 ( 'amber3 HCA-1' - 'top' )
SW     2  6 0x00c0de0000000002 4x SDR                                    top
)";

TEST(InfinibandReports, ThePortsReportHasNicsByPort) {
  const FabricFile file = read_text(ports_report);
  const Fabric& fabric = file.topology.fabric;
  EXPECT_EQ(fabric.hosts(), 3u);
  EXPECT_EQ(fabric.nics(), 4u);
  EXPECT_EQ(fabric.nics(Host{1}), 2u);
  EXPECT_EQ(fabric.switches(), 2u);
  EXPECT_EQ(fabric.links(), 5u);
  EXPECT_EQ(file.notes.skipped_lines, 2u);
  const Node leaf = *NameIndex(fabric).find("leaf one"), top = *NameIndex(fabric).find("top");
  EXPECT_EQ(fabric.ports(leaf), 5u);
  EXPECT_EQ(fabric.ports(top), 6u);
  EXPECT_EQ(file.ids.nodes[leaf].port0.lid, 1u);
  EXPECT_EQ(file.ids.nic_channels[fabric.channel(fabric.node(fabric.nic(Host{2}, 0)), Port{0})].lid, 21u);
}

TEST(InfinibandReports, ACableBelowItsNeighboursIsSlow) {
  const Fabric fabric = read_text(ports_report).topology.fabric;
  const std::vector<SlowLink> slow = slow_links(fabric);
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].capacity, 2);
  EXPECT_EQ(slow[0].usual, 100);
  EXPECT_TRUE(slow_links(make_topology("XGFT(3; 4,4,4; 1,4,4; capacity=1/2/4)").fabric).empty());
}

TEST(InfinibandReports, BrokenPortsReportsAreRefusedWithTheirLine) {
  const std::string cable = "CA 11 1 0x11 4x EDR - SW 1 1 0x1 ( 'a HCA-1' - 'leaf' )\n";
  EXPECT_EQ(why_refused(cable + "CA 12 x 0x12 4x EDR - SW 1 2 0x1 ( 'b' - 'leaf' )\n"),
            "subnet.out:2: found 'x', expected a port number from 1 to 1048576");
  EXPECT_EQ(why_refused(cable + "CA 12 1 guid 4x EDR - SW 1 2 0x1 ( 'b' - 'leaf' )\n"),
            "subnet.out:2: found 'guid', expected a GUID in hexadecimal digits");
  EXPECT_EQ(why_refused(cable + "CA 12 1 0x12 4x EDR - SW 1 2 0x1 'b'\n"),
            "subnet.out:2: found ''b'', expected a description between ( ' and ' - '");
  EXPECT_EQ(why_refused(cable + "XY 1 1 0x1\n"), "subnet.out:2: found 'XY', expected CA, SW or RT");
}

TEST(InfinibandReports, ADiscoveryThatFailedIsNoFabric) {
  EXPECT_EQ(why_refused("vendid=0x2c9\ncaguid=0xc0de11\nCa\t1 \"H-0000000000c0de11\"\t# \"amber1 HCA-1\"\n"),
            "subnet.out:3: found one node without a cable, expected a subnet: this is what a failed "
            "discovery prints");
  EXPECT_EQ(why_refused("SW 1 1 0x1 4x SDR 'leaf'\n").substr(0, 42),
            "subnet.out:1: found one node without a cab");
}

TEST(InfinibandReports, MessagesOfToolsAreKnown) {
  for (const char* line :
       {"ibwarn: [12] _do_madrpc: recv failed", "/usr/sbin/ibroute: iberror: failed: dump tables",
        "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1 Attr 0x11:0) bad status 110; timed out",
        "DR path slid 0; dlid 0; 0,1 -> known Switch {00}"})
    EXPECT_TRUE(is_tool_message(line)) << line;
  for (const char* line :
       {"Switch 36 \"S-1\"", "[1] \"H-2\"[1] # \"ibwarn: HCA-1\"", "", "src/a.c:x;", "0x0001 001"})
    EXPECT_FALSE(is_tool_message(line)) << line;
  EXPECT_EQ(after_messages("ibwarn: a\nDR path b\nSwitch 1\nibwarn: c\n"), "Switch 1\nibwarn: c\n");
}

// Tables of two switches, a file each, as ibroute prints them; the second may be torn.
class RealTables : public testing::Test {
 protected:
  TablesRead read_tables(const std::string& second) const {
    const std::vector<std::string> files = {
        scratch_.file("one",
                      "Unicast lids [0x0-0x15] of switch Lid 1 guid 0x00c0de0000000001 (leaf one):\n"
                      "  Lid  Out   Destination\n       Port     Info \n"
                      "0x0001 000 : (Switch portguid 0x00c0de0000000001: 'leaf one')\n"
                      "0x0002 005 : (Switch portguid 0x00c0de0000000002: 'top')\n"
                      "0x000b 001 : (Channel Adapter portguid 0x00c0de0000000011: 'amber1 HCA-1')\n"
                      "0x000c 002 : (Channel Adapter portguid 0x00c0de0000000012: 'amber2 HCA-1')\n"
                      "0x000d 003 : (Channel Adapter portguid 0x00c0de0000000013: 'amber2 HCA-1')\n"
                      "0x0015 005 : (Channel Adapter portguid 0x00c0de0000000021: 'amber3 HCA-1')\n"
                      "ibroute: iberror: failed: dump tables: linear forwarding table get failed\n"),
        scratch_.file("two",
                      "Unicast lids [0x0-0x15] of switch Lid 2 guid 0x00c0de0000000002 (top):\n" + second)};
    return read_lft_files(files, file_.topology.fabric, file_.ids);
  }
  const Scratch scratch_;
  const FabricFile file_ = read_text(ports_report);
};

TEST_F(RealTables, AreJoinedFromAFileForEachSwitch) {
  const TablesRead read = read_tables("0x000b 001\n0x000c 001\n0x000d 001\n0x0015 002\n");
  EXPECT_TRUE(read.remarks.empty());  // an error behind whole tables is normal
  EXPECT_TRUE(judge(file_.topology.fabric, read.routing).yes());
}

TEST_F(RealTables, AreDoubtfulWhereTheToolStopped) {
  const TablesRead read = read_tables("0x000b 001\n0x000c 001\nibroute: iberror: failed: dump tables\n");
  ASSERT_EQ(read.remarks.size(), 1u);
  EXPECT_EQ(read.remarks[0],
            "doubtful: the tables of top (up to LID 0xc of 0x15) are torn, the tool stopped there");
  EXPECT_FALSE(judge(file_.topology.fabric, read.routing).reachable);
}

}  // namespace
}  // namespace banyan::tests
