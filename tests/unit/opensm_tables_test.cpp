// OpenSM's tables as text: what is written reads back as the same routing, and what is wrong is named.
#include "formats/opensm_tables.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "routing/table_form.hpp"
#include "topology/topology.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

Routing tables_for(const Topology& topology, std::string_view engine) {
  const auto routing = std::get<Routing>(route(topology, engine));
  return std::get<Routing>(tables_of(topology, routing));
}

std::string lfts(const Subnet& subnet, const Routing& routing) {
  std::ostringstream out;
  write_lfts(out, subnet, std::get<Tables>(routing.forward), SwitchTables(*subnet.fabric));
  return out.str();
}

Routing read(const std::string& text, const Fabric& fabric,
             const std::optional<LidsByGuid>& lids = std::nullopt) {
  std::istringstream in(text);
  return read_lfts(in, "lfts", fabric, {}, lids).routing;
}

std::string complaint(const std::string& text, const Fabric& fabric) {
  try {
    read(text, fabric);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class Small : public testing::Test {
 protected:
  Topology tree = make_topology("2-ary 2-tree");
  Routing routing = tables_for(tree, "dmodk");
  Subnet subnet = std::get<Subnet>(assign_lids(tree.fabric, {}, 0));
  std::string text = lfts(subnet, routing);

  std::string changed(const std::string& from, const std::string& to) const {
    std::string out = text;
    out.replace(out.find(from), from.size(), to);
    return out;
  }
};

TEST_F(Small, TheFileLooksLikeOpenSMsOwn) {
  EXPECT_TRUE(
      text.starts_with("Unicast lids [0-8] of switch Lid 5 guid 0x0002c90200000000 ('s1-0'):\n"
                       "0x0001 001 # Channel Adapter portguid 0x0002c90300000001: 'h0 HCA-1'\n"
                       "0x0002 002 # Channel Adapter portguid 0x0002c90300000101: 'h1 HCA-1'\n"
                       "0x0003 003 # Channel Adapter portguid 0x0002c90300000201: 'h2 HCA-1'\n"
                       "0x0004 004 # Channel Adapter portguid 0x0002c90300000301: 'h3 HCA-1'\n"
                       "0x0005 000 # Switch portguid 0x0002c90200000000: 's1-0'\n"
                       "0x0006 003 # Switch portguid 0x0002c90200000001: 's1-1'\n"))
      << text;
}

TEST_F(Small, ReadsBackAsTheSameTables) {
  EXPECT_EQ(std::get<Tables>(read(text, tree.fabric).forward), std::get<Tables>(routing.forward));
}

TEST_F(Small, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(complaint(changed("0x0002 002", "0x0002 009"), tree.fabric),
            "lfts:3: found port 9, which 's1-0' does not have");
  EXPECT_EQ(complaint(changed("0x0002 002", "0xd002 002"), tree.fabric),
            "lfts:3: found '0xd002', expected a LID from 0x1 to 0xbfff");
  EXPECT_EQ(complaint(changed("Lid 6 guid 0x0002c90200000001 ('s1-1')", "Lid 6 guid 0x5 ('s')"), tree.fabric),
            "lfts:11: found GUID 0x0000000000000005, which no switch of the fabric has");
  EXPECT_EQ(complaint("", tree.fabric), "lfts: found no 'Unicast lids' of any switch");
  EXPECT_EQ(complaint("0x0001 001\n", tree.fabric),
            "lfts:1: found a LID before the switch whose table it is in");
}

TEST_F(Small, NodesAreFoundByNameWhereTheFabricHasNoGuids) {
  std::string other = text;
  for (const auto& [from, to] :
       {std::pair("0x0002c902", "0x0000abcd"), std::pair("0x0002c903", "0x0000cdef")})
    for (auto at = other.find(from); at != other.npos; at = other.find(from)) other.replace(at, 10, to);
  EXPECT_EQ(std::get<Tables>(read(other, tree.fabric).forward), std::get<Tables>(routing.forward));
}

TEST_F(Small, AWrongPortIsForTheJudge) {
  const Verdict verdict = judge(tree.fabric, read(changed("0x0003 003", "0x0003 002"), tree.fabric));
  EXPECT_FALSE(verdict.reachable);
}

TEST(OpensmTables, SeveralAddressesAreBlocks) {
  const Topology tree = make_topology("4-ary 3-tree");
  const Routing routing = tables_for(tree, "disjoint:paths=4");
  ASSERT_EQ(routing.lmc, 2u);
  const Subnet subnet = std::get<Subnet>(assign_lids(tree.fabric, {}, 2));
  EXPECT_EQ(subnet.lid(Address{0}), 4);
  EXPECT_EQ(subnet.lid(Address{7}), 11);
  const std::string text = lfts(subnet, routing);
  EXPECT_EQ(std::get<Tables>(read(text, tree.fabric).forward), std::get<Tables>(routing.forward));

  std::stringstream guid2lid;
  write_guid2lid(guid2lid, subnet);
  const LidsByGuid lids = read_guid2lid(guid2lid, "guid2lid");
  EXPECT_EQ(std::get<Tables>(read(text, tree.fabric, lids).forward), std::get<Tables>(routing.forward));
}

TEST(OpensmTables, LidsOfALiveSubnetAreKept) {
  const Topology tree = make_topology("2-ary 2-tree");
  InfinibandIds ids = complete_ids(tree.fabric, {});
  ids.nic_channels[Channel{2}].lid = 40;
  ids.nodes[Node{5}].port0.lid = 0;  // new
  const Subnet subnet = std::get<Subnet>(assign_lids(tree.fabric, ids, 0));
  EXPECT_EQ(subnet.lids[Node{2}], 40);
  EXPECT_EQ(subnet.lids[Node{5}], 3);
  EXPECT_EQ(subnet.top_lid(), 40u);
}

TEST(OpensmTables, RefusesWhatASubnetCannotAddress) {
  const Topology large = make_topology("XGFT(2; 128,100; 1,1)");
  const auto refused = assign_lids(large.fabric, {}, 2);
  ASSERT_TRUE(std::holds_alternative<NotApplicable>(refused));
  EXPECT_NE(std::get<NotApplicable>(refused).why.find("LMC 1 (2 addresses a NIC) would fit"),
            std::string::npos)
      << std::get<NotApplicable>(refused).why;
  const auto several = assign_lids(make_topology("XGFT(2; 4,4; 2,2)").fabric, {}, 0);
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(several));
}

TEST(SwitchTables, ReachEverySwitch) {
  const Topology tree = make_topology("XGFT(3; 4,3,2; 1,2,3)");
  const Fabric& fabric = tree.fabric;
  const SwitchTables tables(fabric);
  for (Node to : fabric.switch_nodes())
    for (Node at : fabric.switch_nodes()) {
      u32 hops = 0;
      for (Node v = at; v != to; ++hops) {
        ASSERT_LT(hops, 8u) << fabric.name(at) << " to " << fabric.name(to);
        ASSERT_LT(tables(v, to), fabric.ports(v));
        v = fabric.to(fabric.channel(v, Port{tables(v, to)}));
        ASSERT_TRUE(fabric.is_switch(v));
      }
    }
}

// Without the cable of a leaf, of a spine, or the last one that made a switch a leaf's neighbour.
TEST(SwitchTables, AfterLostCablesAreThoseOfANewSearch) {
  for (const char* notation : {"XGFT(3; 4,3,2; 1,2,3)", "HyperX(3x3; hosts=1)", "Torus(4x3; hosts=1)"}) {
    const Fabric whole = make_topology(notation).fabric;
    const SwitchTables before(whole);
    for (u64 seed = 1; seed <= 5; ++seed) {
      const Fabric damaged =
          without(whole, std::vector<std::string>{fmt::format("links={},seed={}", seed, seed)});
      const SwitchTables changed(before, whole, damaged), anew(damaged);
      for (Node to : whole.switch_nodes())
        for (Node at : whole.switch_nodes())
          ASSERT_EQ(changed(at, to), anew(at, to)) << notation << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace banyan::tests
