// zahavi10's theorems over all shifts, and what happens where their conditions fail.
#include "verify/shifts.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "engines/engine.hpp"
#include "fabric/names.hpp"
#include "routing/table_form.hpp"

namespace banyan::tests {
namespace {

ShiftVerdict shifts(const Topology& t, const Routing& routing, bool certificate = false) {
  return std::get<ShiftVerdict>(judge_shifts(t.fabric, routing, {.certificate = certificate}));
}
ShiftVerdict shifts(std::string_view fabric, std::string_view engine) {
  const Topology t = make_topology(fabric);
  return shifts(t, std::get<Routing>(route(t, engine)));
}

// Theorem 1 is about channels up, theorem 2 about channels down; the judge looks at both.
TEST(Shifts, OfRealLifeFatTreesShareNoChannelWithDModK) {
  for (const char* rlft :
       {"8-port 3-tree", "4-port 2-tree", "RLFT(36 ports, 1944 hosts)", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)",
        "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "XGFT(3; 48,48,96; 1,48,48)"}) {
    const ShiftVerdict v = shifts(rlft, "dmodk");
    EXPECT_TRUE(v.contention_free()) << rlft;
    EXPECT_EQ(v.load(), 1) << rlft;
    EXPECT_EQ(v.left_out, 0u) << rlft;
  }
}

// The theorems need constant bisection, not equal switches.
TEST(Shifts, OfOtherTreesWithConstantBisectionShareNoChannelEither) {
  for (const char* tree : {"4-ary 3-tree", "XGFT(3; 4,2,3; 1,4,2)", "PGFT(3; 6,4,5; 1,3,4; 1,2,2)"})
    EXPECT_TRUE(shifts(tree, "dmodk").contention_free()) << tree;
}

// Leaves with four hosts and two ports up: host 0's leaf sends to 4, 5, 6, 7 by a shift of 4; 4 and 6 share.
TEST(Shifts, OfATreeThatTapersShareTheChannelsThereAre) {
  const Topology t = make_topology("XGFT(2; 4,4; 1,2)");
  const ShiftVerdict v = shifts(t, std::get<Routing>(route(t, "dmodk")));
  EXPECT_FALSE(v.contention_free());
  EXPECT_EQ(v.load(), 2);
  ASSERT_EQ(v.flows.size(), 2u);
  for (const ShiftFlow& flow : v.flows) {
    EXPECT_EQ((index(flow.to) + 16 - index(flow.from)) % 16, v.worst_shift);
    EXPECT_EQ(index(flow.to) % 2, index(v.flows[0].to) % 2);
  }
  EXPECT_TRUE(t.fabric.is_switch(t.fabric.from(v.channel)) && t.fabric.is_switch(t.fabric.to(v.channel)));
}

// 14 hosts and 18 ports up: destinations are further apart than the hosts of a leaf are many.
TEST(Shifts, OfLeavesWithFreePlacesShareNoChannel) {
  EXPECT_TRUE(shifts("XGFT(3; 18,18,18; 1,18,18; hosts=14)", "dmodk").contention_free());
}

TEST(Shifts, AreCountedInSharesWhereAPairHasSeveralWays) {
  const Topology t = make_topology("XGFT(2; 4,4; 1,2)");
  const ShiftVerdict v = shifts(t, std::get<Routing>(route(t, "umulti")), true);
  EXPECT_EQ(v.per, 2u);
  EXPECT_EQ(v.load(), 2);  // four half flows
  EXPECT_FALSE(v.certificate);
}

class PlantedShifts : public testing::Test {
 protected:
  Topology t = make_topology("4-ary 3-tree");  // leaf s1-0 is node 64, ports up from 4 on
  Routing routing = std::get<Routing>(tables_of(t, std::get<Routing>(route(t, "dmodk"))));
  Tables& tables = std::get<Tables>(routing.forward);
};

TEST_F(PlantedShifts, NoneIsFreeOfContentionWithACertificate) {
  const ShiftVerdict v = shifts(t, routing, true);
  EXPECT_TRUE(v.contention_free());
  ASSERT_TRUE(v.certificate);
  EXPECT_TRUE(recheck_shifts(*v.certificate, t.fabric, routing));
  const ChannelSpan up = v.certificate->parts[0].spans[t.fabric.channel(Node{64}, Port{4})];
  EXPECT_EQ(up, (ChannelSpan{0, 4, 4}));
  tables(Node{64}, Address{9}) = 4;  // and not by port 5: 8, 9 and 12 are too near each other
  EXPECT_FALSE(recheck_shifts(*v.certificate, t.fabric, routing));
}

TEST_F(PlantedShifts, AnAlteredEntryIsFoundAndNamed) {
  tables(Node{64}, Address{9}) = 4;
  const ShiftVerdict v = shifts(t, routing, true);
  EXPECT_FALSE(v.contention_free() || v.certificate);
  EXPECT_EQ(v.load(), 2);
  EXPECT_EQ(port_name(t.fabric, v.channel), "s1-0:5");
  ASSERT_EQ(v.flows.size(), 2u);
}

TEST_F(PlantedShifts, AMissingEntryLeavesPairsOut) {
  tables(Node{64}, Address{9}) = Tables::no_port;
  const ShiftVerdict v = shifts(t, routing);
  EXPECT_TRUE(v.contention_free());
  EXPECT_EQ(v.left_out, 4u);
  EXPECT_EQ(v.pairs, 64u * 63);
}

TEST_F(PlantedShifts, FlowsInACircleLoadNothing) {
  tables(Node{80}, Address{9}) = 0;  // s2-0, above s1-0, sends back down
  tables(Node{64}, Address{9}) = 4;
  const ShiftVerdict v = shifts(t, routing);
  EXPECT_EQ(v.left_out, 4u);
}

TEST(Shifts, OfASingleHostAreNone) {
  const ShiftVerdict v = shifts("XGFT(1; 1; 1)", "dmodk");
  EXPECT_EQ(v.worst_shift, 0u);
  EXPECT_TRUE(v.contention_free() && v.flows.empty());
}

TEST(ShiftCertificate, IsReadWithGoodErrors) {
  const Topology t = make_topology("4-ary 2-tree");
  const auto error = [&](const char* text) {
    std::istringstream in(text);
    try {
      read_shift_certificate(in, "f", t.fabric);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(error("nonsense\n"), "f:1: expected 'banyan certificate of shifts, hosts N', found 'nonsense'");
  const std::string head = "banyan certificate of shifts, hosts 16\nmessages 0 1\n";
  EXPECT_EQ(error((head + "20 0 4 4 # s1-0:5\n").c_str()), "none");
  EXPECT_NE(error((head + "20 0 4\n").c_str()).find("f:3: expected"), std::string::npos);
  EXPECT_NE(error((head + "9999 0 4 4\n").c_str()).find("f:3: expected"), std::string::npos);
  EXPECT_NE(error("banyan certificate of shifts, hosts 16\n20 0 4 4\n").find("f:2: expected"),
            std::string::npos);
}

}  // namespace
}  // namespace banyan::tests
