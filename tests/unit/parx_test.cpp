// PARX: the rules and tables of domke19, what they come to, and demands.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engines/engine.hpp"
#include "engines/halves.hpp"
#include "fabric/faults.hpp"
#include "flow/incidence.hpp"
#include "flow/load.hpp"
#include "formats/address_choice_file.hpp"
#include "routing/node_demands.hpp"
#include "routing/paths.hpp"
#include "support/routed.hpp"
#include "verify/choice_report.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

std::string table(const AddressChoice& choice, u32 size) {
  std::string out;
  for (u32 from = 0; from < choice.groups; ++from)
    for (u32 to = 0; to < choice.groups; ++to) {
      for (u8 address : choice.cell(size, from, to)) out += static_cast<char>('0' + address);
      out += to + 1 < choice.groups ? ' ' : '\n';
    }
  return out;
}

AddressChoice choice_on(std::string_view fabric, RowsAre rows) {
  const Topology t = make_topology(fabric);
  return Halves(t).choice(t.fabric, 512, rows);
}

TEST(Parx, ChoosesAsTables1aAnd1bSay) {
  const AddressChoice choice = choice_on("HyperX(12x8; hosts=7)", RowsAre::source);
  EXPECT_EQ(choice.sizes, (std::vector<u64>{0, 512}));
  EXPECT_EQ(table(choice, 0), "13 1 02 3\n1 12 2 03\n13 2 02 0\n3 12 0 03\n");
  EXPECT_EQ(table(choice, 1), "02 0 02 2\n0 03 3 03\n13 3 13 1\n2 12 1 12\n");
}

TEST(Parx, TheOtherReadingChangesDiagonalQuadrantsOnly) {
  const AddressChoice choice = choice_on("HyperX(12x8; hosts=7)", RowsAre::destination);
  EXPECT_EQ(table(choice, 0), "13 1 13 3\n1 12 2 12\n02 2 02 0\n3 03 0 03\n");
  EXPECT_EQ(table(choice, 1), "02 0 13 2\n0 03 3 12\n02 3 13 1\n2 03 1 12\n");
}

// Q0 top left, Q1 bottom left, Q2 bottom right, Q3 top right; the first dimension runs from left to right.
TEST(Parx, QuadrantsAreThoseOfFigure3) {
  const Topology t = make_topology("HyperX(4x2; hosts=1)");
  const Halves halves(t);
  std::vector<u32> quadrants;
  for (u32 s = 0; s < 8; ++s) quadrants.push_back(Halves::number_of(halves.orthant(Switch{s})));
  EXPECT_EQ(quadrants, (std::vector<u32>{0, 0, 3, 3, 1, 1, 2, 2}));
}

TEST(Parx, RulesRemoveLinksWithBothEndsInAHalf) {
  const Topology t = make_topology("HyperX(4x4)");
  const Halves halves(t);
  // Of switch 0: beside it, across, at the bottom.
  const Switch left{0}, left_too{1}, right{2}, right_too{3}, below{12};
  EXPECT_TRUE(halves.removes(0, left, left_too));  // R1: left
  EXPECT_TRUE(halves.removes(0, left, below));
  EXPECT_FALSE(halves.removes(0, left, right));
  EXPECT_FALSE(halves.removes(1, left, left_too));  // R2: right
  EXPECT_TRUE(halves.removes(1, right, right_too));
  EXPECT_TRUE(halves.removes(2, left, right));  // R3: top
  EXPECT_FALSE(halves.removes(2, left, below));
  EXPECT_FALSE(halves.removes(3, left, right));  // R4: bottom
  EXPECT_TRUE(halves.removes(3, below, Switch{13}));
}

TEST(Parx, RoutesThePapersMachineOnEightLanesAtMost) {
  Topology t = make_topology("HyperX(12x8; hosts=7)");
  t.fabric = without(t.fabric, choose_cables(t.fabric, "links=15,seed=1"));
  for (const char* engine : {"parx:choice=all", "parx:rows=destination"}) {
    const Routing r = routed(t, engine);
    EXPECT_EQ(r.lmc, 2u);
    EXPECT_GE(r.lanes, 5u) << "the paper: 5 to 8";
    EXPECT_LE(r.lanes, 8u);
    const Verdict verdict = judge(t.fabric, r);
    EXPECT_TRUE(verdict.yes()) << engine << verdict.counterexample;
  }
}

// Of two quadrants that share a half all pairs can choose; of diagonal ones none: whatever half is left out,
// shortest paths remain.
TEST(Parx, CriteriaHoldButForDiagonalQuadrants) {
  for (const char* fabric :
       {"HyperX(6x4; hosts=2)", "HyperX(2x2; hosts=1)", "HyperX(4x4x2; hosts=1)", "HyperX(4; hosts=2)"}) {
    const Topology t = make_topology(fabric);
    const Routing r = routed(t, "parx");
    const ChoiceReport report = report_choice(t.fabric, r);
    const u32 dimensions = std::get<HyperX>(t.shape).grid.dimensions();
    for (u32 i = 0; i < report.criteria.size(); ++i) {
      const ChoiceCriteria& c = report.criteria[i];
      const auto gray = [](u32 n) { return n ^ n >> 1; };
      const bool opposite = (gray(i / report.groups) ^ gray(i % report.groups)) == (1u << dimensions) - 1;
      EXPECT_EQ(c.small_shortest, c.pairs) << fabric;
      EXPECT_EQ(c.large_around, opposite ? 0 : c.pairs) << fabric << i;
      EXPECT_EQ(c.both, opposite ? 0 : c.pairs) << fabric;
    }
  }
}

// The text's example: left of the grid in different rows; three channels instead of one, as many ways as
// there are switches of the row on the right.
TEST(Parx, LargeMessagesGoAroundTheirHalf) {
  const Topology t = make_topology("HyperX(12x8; hosts=7)");
  const Routing r = routed(t, "parx");
  const Nic from{0}, to{7 * 12 * 7};  // column 0, top and bottom row
  EXPECT_EQ(paths(t.fabric, r, from, to, 511).size(), 1u);
  EXPECT_EQ(paths(t.fabric, r, from, to, 511)[0].channels.size(), 3u);
  ASSERT_EQ(paths(t.fabric, r, from, to, 512).size(), 1u);
  EXPECT_EQ(paths(t.fabric, r, from, to, 512)[0].channels.size(), 5u);
  const auto same = paths(t.fabric, r, from, Nic{7 * 12}, 512);  // the same quadrant: two addresses
  ASSERT_EQ(same.size(), 2u);
  EXPECT_EQ(same[0].weight, 0.5);
}

// Both planes, and a switch besides them that hosts could not tell from one of a plane by its number.
TEST(Parx, KnowsTheHalvesOfEveryPlaneAndOfNothingElse) {
  Topology t = make_topology("2 x HyperX(4x2; hosts=2)");
  const Routing r = routed(t, "parx");
  const Verdict verdict = judge(t.fabric, r);
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
  const ChoiceReport both = report_choice(t.fabric, r), one = [] {
    const Topology plane = make_topology("HyperX(4x2; hosts=2)");
    return report_choice(plane.fabric, routed(plane, "parx"));
  }();
  ASSERT_EQ(both.criteria.size(), one.criteria.size());
  for (u32 i = 0; i < one.criteria.size(); ++i) {
    EXPECT_EQ(both.criteria[i].pairs, 2 * one.criteria[i].pairs);
    EXPECT_EQ(both.criteria[i].both, 2 * one.criteria[i].both);
  }

  const Topology plain = make_topology("HyperX(4x2; hosts=1)");
  FabricBuilder builder(8);
  const u8 cable = builder.add_class({});
  for (u32 s = 0; s < 9; ++s) builder.add_switch(s < 8 ? plain.fabric.ports(Node{8 + s}) + 1 : 2);
  plain.fabric.each_link([&](const Link& link) {
    builder.connect(plain.fabric.from(link.a), plain.fabric.port(link.a), plain.fabric.from(link.b),
                    plain.fabric.port(link.b), cable);
  });
  const Port spare{plain.fabric.ports(Node{8})};
  builder.connect(Node{8}, spare, Node{16}, Port{0}, cable);   // the switch besides, as if behind switch 0
  builder.connect(Node{11}, spare, Node{16}, Port{1}, cable);  // and a way around to the other side
  const Topology more{std::move(builder).build(), plain.shape};
  const Halves halves(more);
  for (u32 rule = 0; rule < halves.rules(); ++rule) {
    EXPECT_FALSE(halves.removes(rule, Switch{0}, Switch{8}));
    EXPECT_FALSE(halves.removes(rule, Switch{8}, Switch{3}));
  }
  EXPECT_TRUE(judge(more.fabric, routed(more, "parx")).reachable);
}

TEST(Parx, FlowLevelSeesTheSizeOfMessages) {
  const Topology t = make_topology("HyperX(4x4; hosts=2)");
  const Routing r = routed(t, "parx");
  const std::vector<Flow> small = {{Nic{0}, Nic{2}, 100}}, large = {{Nic{0}, Nic{2}, 4096}};
  EXPECT_EQ(incidence(t.fabric, r, small, Demands::bytes).hops[0], 3u);
  EXPECT_GT(incidence(t.fabric, r, large, Demands::bytes).hops[0], 3u);
  EXPECT_EQ(incidence(t.fabric, r, small, Demands::relative).hops[0],
            incidence(t.fabric, r, large, Demands::bytes).hops[0])
      << "what flows without a size is long";
  const auto load = loads(t.fabric, r, large);
  double direct = 0;
  for (Channel c : t.fabric.channels(Node{32}))
    if (t.fabric.cabled(c) && t.fabric.to(c) == Node{33}) direct = load[c];
  EXPECT_EQ(direct, 0) << "nothing on the cable between the two switches";
}

// A switch whose only cables lie in the half that a rule removes.
TEST(Parx, NoAddressIsLostWithACable) {
  Topology t = make_topology("HyperX(4x4; hosts=1)");
  std::vector<Link> cut;
  t.fabric.each_link([&](const Link& link) {
    const Node a = t.fabric.from(link.a), b = t.fabric.from(link.b);
    const auto is_corner_to_right = [](Node x, Node y) {
      return x == Node{16} && (y == Node{18} || y == Node{19});
    };
    if (is_corner_to_right(a, b) || is_corner_to_right(b, a)) cut.push_back(link);
  });
  ASSERT_EQ(cut.size(), 2u);
  t.fabric = without(t.fabric, cut);
  const Routing r = routed(t, "parx:choice=all");
  const Verdict verdict = judge(t.fabric, r);
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
  const auto around = paths(t.fabric, r, Nic{3}, Nic{0}, 0);
  ASSERT_EQ(around.size(), 4u);
  for (const RoutedPath& path : around) EXPECT_TRUE(path.arrives);
}

TEST(Parx, SaysWhyItDoesNotApply) {
  const auto why = [](std::string_view fabric) {
    return std::get<NotApplicable>(route(make_topology(fabric), "parx")).why;
  };
  EXPECT_NE(why("HyperX(4x3; hosts=1)").find("even"), std::string::npos);
  EXPECT_NE(why("4-ary 2-tree").find("HyperX"), std::string::npos);
  EXPECT_NE(std::get<NotApplicable>(route(make_topology("HyperX(6x4; hosts=2)"), "parx:lanes=2"))
                .why.find("2 lanes"),
            std::string::npos);
  EXPECT_THROW((void)routed("HyperX(4x4)", "parx:lanes=17"), InputError);
}

TEST(Parx, FurtherAddressesOfThreeDimensionsAreShortest) {
  const Topology t = make_topology("HyperX(2x4x2; hosts=1)");
  const Routing r = routed(t, "parx:choice=all");
  EXPECT_EQ(r.lmc, 3u);
  for (u32 to = 0; to < 16; ++to) {
    const auto all = paths(t.fabric, r, Nic{5}, Nic{to}, 0);
    for (u32 i = 6; to != 5 && i < 8; ++i)
      EXPECT_LE(all[i].channels.size(), std::min(all[0].channels.size(), all[1].channels.size()));
  }
}

// --- LIDs and the text for the message layer

TEST(AddressChoiceFile, QuadrantsAreLidsOverAThousandAndTheFileReadsBack) {
  const Topology t = make_topology("HyperX(4x4; hosts=2)");
  const Routing r = routed(t, "parx");
  const AddressChoice& choice = *r.source.choice();
  const Subnet subnet = std::get<Subnet>(assign_lids(t.fabric, {}, r.lmc, choice));
  for (Node v : t.fabric.nic_nodes()) EXPECT_EQ(subnet.lids[v] / 1000, choice.group[index(v)]);
  const u32 first_switch = t.fabric.nics();
  for (Node v : t.fabric.switch_nodes())  // two hosts on each
    EXPECT_EQ(subnet.lids[v] / 1000, 10 + choice.group[2 * (index(v) - first_switch)]);
  std::ostringstream text;
  write_address_choice(text, subnet, r);
  Routing again = routed(t, "parx:choice=all");
  std::istringstream in(text.str());
  read_address_choice(in, "choice", subnet, again);
  EXPECT_EQ(*again.source.choice(), choice);
  for (u32 from = 0; from < t.fabric.nics(); ++from)
    for (u32 to = 0; to < t.fabric.nics(); ++to)
      for (u64 bytes : {0, 511, 512}) {
        ASSERT_EQ(again.source.count(Nic{from}, Nic{to}, bytes), r.source.count(Nic{from}, Nic{to}, bytes));
        EXPECT_EQ(again.source.way(Nic{from}, Nic{to}, bytes, 0), r.source.way(Nic{from}, Nic{to}, bytes, 0));
      }
}

TEST(AddressChoiceFile, SaysWhatIsWrong) {
  const Topology t = make_topology("HyperX(2x2; hosts=1)");
  const Routing r = routed(t, "parx");
  const Subnet subnet = std::get<Subnet>(assign_lids(t.fabric, {}, r.lmc, *r.source.choice()));
  std::ostringstream text;
  write_address_choice(text, subnet, r);
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string changed = text.str();
    changed.replace(changed.find(from), from.size(), to);
    std::istringstream in(changed);
    Routing again = r;
    try {
      read_address_choice(in, "choice", subnet, again);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("lmc 2", "lmc 2"), "");
  EXPECT_NE(complaint("lmc 2", "lmc 3").find("as the tables have"), std::string::npos);
  EXPECT_NE(complaint("1|3", "1|4").find("numbers of addresses from 0 to 3"), std::string::npos);
  EXPECT_NE(complaint("host 0x", "host 0xf").find("port GUID"), std::string::npos);
  EXPECT_NE(complaint("bytes 512", "bytes 0").find("sizes from 0 up"), std::string::npos);
  EXPECT_NE(complaint("from 3 3", "from 2 3").find("from 3"), std::string::npos);
}

TEST(AddressChoiceFile, GroupsThatNeedMoreLidsGetMore) {
  const Topology t = make_topology("HyperX(4x4; hosts=100)");
  const AddressChoice choice = Halves(t).choice(t.fabric, 512, RowsAre::source);
  const Subnet subnet = std::get<Subnet>(assign_lids(t.fabric, {}, 2, choice));
  EXPECT_EQ(subnet.group_lids, 2000u) << "400 hosts with 4 addresses, and LID 0 is nobody's";
  for (Node v : t.fabric.nic_nodes()) EXPECT_EQ(subnet.lids[v] / 2000, choice.group[index(v)]);
  const Topology large = make_topology("HyperX(4x4; hosts=240)");
  const AddressChoice maximum = Halves(large).choice(large.fabric, 512, RowsAre::source);
  const Subnet crowded = std::get<Subnet>(assign_lids(large.fabric, {}, 2, maximum));
  EXPECT_EQ(crowded.group_lids, 4000u);
  for (Node v : large.fabric.switch_nodes())
    EXPECT_EQ(crowded.lids[v] / 16, 1000u) << "ten steps of 4000 are more than there are: behind the hosts";
}

// --- demands

struct DemandText {
  explicit DemandText(const std::string& text) { std::ofstream(path) << text; }
  ~DemandText() { std::filesystem::remove(path); }
  std::string path = std::filesystem::temp_directory_path() /
                     ("banyan-demands-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(NodeDemands, AreNormalisedTo255) {
  const std::vector<HostDemand> out = normalised({{Host{0}, Host{1}, 500},
                                                  {Host{0}, Host{1}, 500},
                                                  {Host{1}, Host{0}, 1},
                                                  {Host{2}, Host{0}, 500},
                                                  {Host{2}, Host{2}, 9e9}});
  EXPECT_EQ(out, (std::vector<HostDemand>{
                     {Host{0}, Host{1}, 255}, {Host{1}, Host{0}, 1}, {Host{2}, Host{0}, 128}}));
}

TEST(NodeDemands, ReadBackAsWrittenAndAddUp) {
  const Topology t = make_topology("4-ary 2-tree");
  const std::vector<HostDemand> demands = {
      {Host{0}, Host{5}, 255}, {Host{0}, Host{7}, 3}, {Host{9}, Host{5}, 1}};
  std::ostringstream text;
  write_host_demands(text, demands, t.fabric);
  EXPECT_EQ(text.str(), "h0 h5 255 h7 3\nh9 h5 1\n");
  std::istringstream in(text.str() + "gone h1 4 # is down\nh0 gone 7\n");
  const HostDemandsRead read = read_host_demands(in, "demands", t.fabric);
  EXPECT_EQ(read.demands, demands);
  EXPECT_EQ(read.unknown, 2u);
  const NodeDemands sum(16, {{Host{0}, Host{5}, 200}, {Host{9}, Host{5}, 1}, {Host{0}, Host{5}, 100}});
  ASSERT_EQ(sum.to(Host{5}).size(), 2u);
  EXPECT_EQ(sum.to(Host{5})[0].weight, 300u);
  for (const char* bad : {"h0 h1 256\n", "h0 h1\n", "h0 h1 x\n", "a b 1\n"}) {
    std::istringstream wrong(bad);
    EXPECT_THROW(read_host_demands(wrong, "demands", t.fabric), InputError) << bad;
  }
}

// A permutation in which all hosts of a leaf send to the hosts of one number on other leaves: SSSP, which
// spreads the destinations of every leaf, takes one spine for them, unless it knows that only these pairs
// send.
TEST(NodeDemands, SsspSeparatesWhatIsSent) {
  const Topology t = make_topology("XGFT(2; 4,8; 1,4)");
  std::string text;
  std::vector<Flow> flows;
  for (u32 leaf = 0; leaf < 8; ++leaf)
    for (u32 i = 0; i < 4; ++i) {
      const u32 from = leaf * 4 + i, to = (leaf + i + 1) % 8 * 4 + leaf % 4;
      text += fmt::format("h{} h{} 255\n", from, to);
      flows.push_back({Nic{from}, Nic{to}, 1});
    }
  const DemandText file(text);
  const auto max_up = [&](const std::string& engine) {
    const auto load = loads(t.fabric, routed(t, engine), flows);
    double out = 0;
    for (Channel c : t.fabric.channels())
      if (t.fabric.cabled(c) && t.fabric.is_switch(t.fabric.from(c)) && t.fabric.is_switch(t.fabric.to(c)))
        out = std::max(out, load[c]);
    return out;
  };
  for (const std::string engine : {"sssp", "dfsssp"}) {
    EXPECT_EQ(max_up(engine), 4) << engine;
    EXPECT_LE(max_up(engine + ":demands=" + file.path), 2) << engine;
  }
}

TEST(NodeDemands, ParxWithDemandsIsJudgedYes) {
  const Topology t = make_topology("HyperX(6x4; hosts=3)");
  std::string text;
  for (u32 h = 0; h < 24; ++h) text += fmt::format("h{} h{} {}\n", h, (h + 5) % 24, 1 + h * 10);
  const DemandText file(text);
  const Routing with = routed(t, "parx:choice=all,demands=" + file.path);
  EXPECT_TRUE(judge(t.fabric, with).yes());
  EXPECT_NE(std::get<Tables>(with.forward), std::get<Tables>(routed(t, "parx:choice=all").forward));
  EXPECT_THROW((void)routed(t, "parx:demands=/nowhere"), InputError);
}

}  // namespace
}  // namespace banyan::tests
