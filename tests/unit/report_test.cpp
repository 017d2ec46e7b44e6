// Reports: what is embedded in a page, and how fabrics are put into drawings.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engines/engine.hpp"
#include "flow/load.hpp"
#include "report/drawing.hpp"
#include "report/page.hpp"
#include "report/report.hpp"
#include "topology/family.hpp"

namespace banyan::tests {
namespace {

TEST(Report, Base64) {
  EXPECT_EQ(base64_of_hex(""), "");
  EXPECT_EQ(base64_of_hex("66"), "Zg==");
  EXPECT_EQ(base64_of_hex("666f"), "Zm8=");
  EXPECT_EQ(base64_of_hex("666f6f"), "Zm9v");
  EXPECT_EQ(base64_of_hex("666f6f626172"), "Zm9vYmFy");
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const auto from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Report, NamesCannotLeaveTheData) {
  const std::string nasty = "</script><script>alert(1)</script><!-- \" ' & \\u003c";
  std::ostringstream out;
  write_page(out, nasty, [&](JsonWriter& json) { json.begin_object().field("name", nasty).end_object(); });
  EXPECT_EQ(data_of(out.str())["name"], nasty);
  EXPECT_EQ(out.str().find("alert(1)</script>"), std::string::npos);
}

TEST(Report, APageAsksForNothing) {
  std::ostringstream out;
  write_page(out, "", [](JsonWriter& json) { json.begin_object().end_object(); });
  const std::string page = out.str();
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-"), std::string::npos);
  EXPECT_EQ(page.find("src=\""), std::string::npos);
}

TEST(Report, APaperIsTheirsBesideOurs) {
  Reproduction found(read_statements(
      "id,where,claim,value,unit,tolerance\na,Table 1,\"a <b>, c\",2,%,0.1\nb,Figure 1,d,,,\n", "x.csv"));
  found.number("a", 2.1);
  found.ordering("b", false, "because");
  found.show("T", {"x", "y"}, {{"1", "2"}});
  std::ostringstream out;
  write_report(out, {"p", "Title", nullptr}, found, {.quick = true}, "banyan reproduce p");
  const auto data = data_of(out.str());
  EXPECT_EQ(data["kind"], "paper");
  EXPECT_EQ(data["statements"][0]["claim"], "a <b>, c");
  EXPECT_EQ(data["statements"][0]["verdict"], "within");
  EXPECT_EQ(data["statements"][1]["why"], "because");
  EXPECT_TRUE(data["statements"][1]["ours"].is_null());
  EXPECT_EQ(data["tables"][0]["rows"][0][1], "2");
}

// --- drawings
// ----------------------------------------------------------------------------------------------------

u64 cables(const Drawing& d, u32 kind) {
  u64 out = 0;
  for (const Drawing::Strand& s : d.strands)
    if (s.kind == kind) out += s.cables;
  return out;
}

u64 switches(const Drawing& d) {
  u64 out = 0;
  for (const Drawing::Cell& cell : d.cells) out += cell.switches;
  return out * d.planes;
}

TEST(Drawing, HoldsEverySwitchAndCable) {
  std::vector<std::string> notations = {"PGFT(3; 18,18,6; 1,18,3; 1,1,6)",
                                        "PGFT(3; 18,18,36; 1,18,18; 1,1,1)",
                                        "XGFT(1; 4; 1)",
                                        "XGFT(2; 4,4; 2,4)",
                                        "2 x XGFT(2; 4,4; 1,4)",
                                        "HyperX(64x64)"};
  for (const Family& family : families()) notations.emplace_back(family.example);
  for (const std::string& notation : notations) {
    SCOPED_TRACE(notation);
    const Topology t = make_topology(notation);
    const Drawing d = draw(t);
    const Fabric& fabric = t.fabric;
    EXPECT_EQ(switches(d), fabric.switches());
    EXPECT_LE(d.cells.size(), 1000u);
    u64 to_hosts = 0;
    fabric.each_link([&](const Link& link) { to_hosts += !fabric.is_switch(fabric.from(link.a)); });
    EXPECT_EQ(cables(d, 0), to_hosts);
    u64 between = 0;
    for (u32 kind = 1; kind < d.kinds.size(); ++kind) between += cables(d, kind);
    EXPECT_EQ(between, 2 * (fabric.links() - to_hosts));
    for (const Channel c : fabric.channels())
      EXPECT_EQ(d.strand_of[c] < d.strands.size(), fabric.cabled(c) && fabric.is_switch(fabric.from(c)));
  }
}

// The strands of a hub are those whose cells are cabled to each other, directly or by way of others of them.
TEST(Drawing, HubsOfATreeAreItsCompleteParts) {
  const Drawing d = draw(make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)"));
  std::set<u32> low, high;
  for (const Drawing::Strand& s : d.strands) {
    if (s.kind == 1) (d.cells[s.cell].row == 1 ? low : high).insert(s.hub);
  }
  EXPECT_EQ(low.size(), 6u);    // one for each subtree: 18 leaves, 18 switches
  EXPECT_EQ(high.size(), 18u);  // one for each position: 6 switches, 3 roots
}

TEST(Drawing, ALargeTreeIsAggregated) {
  const Drawing d = draw(make_topology("PGFT(3; 18,18,36; 1,18,18; 1,1,1)"));
  std::map<u32, u32> cells;
  for (const Drawing::Cell& cell : d.cells) ++cells[cell.row];
  for (const auto& [row, count] : cells) EXPECT_LE(count, 240u) << "level " << row;
  EXPECT_GT(d.cells.size(), 300u);
}

TEST(Drawing, ShadesAreTheHeaviestChannels) {
  const Topology t = make_topology("4-ary 2-tree");
  const RouteResult result = route(t, "dmodk");
  std::vector<Flow> flows;  // all of leaf 0 to hosts whose number is 0 mod 4: one up channel carries all
  for (u32 i = 0; i < 3; ++i) flows.push_back({Nic{i}, Nic{4 * (i + 1)}, 1});
  const auto load = loads(t.fabric, std::get<Routing>(result), flows);
  const Drawing d = draw(t);
  const Shades shades = shade(d, t.fabric, load);
  for (std::size_t s = 0; s < d.strands.size(); ++s) {
    const auto& [cell, kind, hub, cables] = d.strands[s];
    if (cell == 0 && kind == 1) {
      EXPECT_EQ(shades.out[s], 3);
      EXPECT_EQ(shades.in[s], 0);
    }
    if (cell == 0 && kind == 0) {
      EXPECT_EQ(shades.in[s], 1);
    }
  }
  EXPECT_EQ(*std::max_element(shades.out.begin(), shades.out.end()), 3);
}

TEST(Drawing, MissingCablesAreSeenFromBothEnds) {
  Topology t = make_topology("4-ary 2-tree");
  const Drawing whole = draw(t);
  const Channel up = t.fabric.channel(Node{t.fabric.nics()}, Port{4});
  t.fabric =
      without(t.fabric, {Link{std::min(up, t.fabric.reverse(up)), std::max(up, t.fabric.reverse(up))}});
  const Drawing d = draw(t);
  EXPECT_TRUE(d.looks_like(whole));
  u32 missing = 0;
  for (const u32 count : missing_cables(d, t.fabric)) missing += count;
  EXPECT_EQ(missing, 2u);
}

}  // namespace
}  // namespace banyan::tests
