// Answers list their members once: JSON, rows, CSV and the schema follow from that list.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "engines/engine.hpp"

namespace banyan::tests {
namespace {

enum class Colour : u8 { red, green };
constexpr std::array<std::string_view, 2> option_names(Colour) { return {"red", "green"}; }

struct PartAnswer {
  double extra = 2;
  static void fields(auto& self, auto&& f) { f("extra", self.extra, "m", "of a part"); }
};

struct SampleAnswer {
  u64 count = 3;
  Interval mean{1.5, 0.25};
  double lost = ask::unknown;
  Colour colour = Colour::green;
  std::optional<std::string> remark{};
  std::optional<PartAnswer> part{};
  std::vector<PartAnswer> table{PartAnswer{}, PartAnswer{4}};
  std::vector<double> array{1, ask::unknown};

  static void fields(auto& self, auto&& f) {
    f("count", self.count, "", "a number");
    f("mean", self.mean, "cycles", "with its interval");
    f("lost", self.lost, "", "not known");
    f("colour", self.colour, "", "a choice");
    f("remark", self.remark, "", "a text");
    ask::part(self.part, f);
    f("table", self.table, "", "several");
    f("array", self.array, "", "by index");
  }
};

std::string json_of(const SampleAnswer& answer) {
  std::ostringstream out;
  JsonWriter json(out, JsonWriter::Form::one_line);
  json.begin_object();
  ask::write_fields(json, answer);
  json.end_object();
  return out.str();
}

TEST(Answer, JsonLeavesOutWhatWasNotAskedForAndSaysNullForWhatIsNotKnown) {
  EXPECT_EQ(nlohmann::json::parse(json_of({})),
            nlohmann::json::parse(R"({"count": 3, "mean": 1.5, "mean_half_width": 0.25, "lost": null,
                "colour": "green", "table": [{"extra": 2}, {"extra": 4}], "array": [1, null]})"));
  SampleAnswer whole;
  whole.remark = "x";
  whole.part.emplace();
  const auto json = nlohmann::json::parse(json_of(whole));
  EXPECT_EQ(json["remark"], "x");
  EXPECT_EQ(json["extra"], 2);
}

TEST(Answer, RowsAreItsNumbersAndTexts) {
  SampleAnswer answer;
  answer.remark = "x";
  answer.part.emplace();
  const ask::Rows rows = ask::rows_of(answer);
  std::vector<std::string> metrics;
  for (const ask::Row& row : rows.rows) metrics.push_back(row.metric);
  EXPECT_EQ(metrics, (std::vector<std::string>{"count", "mean", "extra"}));
  EXPECT_EQ(rows.rows[1].unit, "cycles");
  EXPECT_EQ(rows.rows[1].half_width, 0.25);
  EXPECT_EQ(rows.texts, (std::vector<std::pair<std::string, std::string>>{{"remark", "x"}}));
}

TEST(Answer, ATableIsCsv) {
  std::ostringstream out;
  ask::write_csv(out, "number", SampleAnswer{}.table);
  EXPECT_EQ(out.str(), "number,extra\n0,2\n1,4\n");
}

TEST(Answer, TheListOfFieldsHasAllOfThem) {
  std::string text;
  for (const ask::FieldInfo& field : ask::fields_of<SampleAnswer>())
    text += fmt::format("{}:{} ", field.name, field.type);
  EXPECT_EQ(text,
            "count:integer mean:number mean_half_width:number lost:number colour:string remark:string "
            "extra:number table:array array:array ");
}

// Whatever an answer has, its description has too, with a meaning.
template <ask::Answer A>
void expect_described(const A& answer) {
  std::map<std::string, ask::FieldInfo> described;
  for (const ask::FieldInfo& field : ask::fields_of<A>()) {
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_TRUE(described.emplace(field.name, field).second) << field.name << " is listed twice";
  }
  for (const ask::Row& row : ask::rows_of(answer).rows) {
    ASSERT_TRUE(described.contains(row.metric)) << row.metric;
    EXPECT_EQ(described[row.metric].unit, row.unit);
  }
}

TEST(Answer, OfLoadAndSimulateAreDescribed) {
  const Topology tree = make_topology("4-ary 2-tree");
  const RouteResult routed = route(tree, parse_plugin("dmodk"));
  ask::Situation at{.topology = tree, .routing = &std::get<Routing>(routed), .traffic = "permutation"};
  const auto load = ask::load(at, {.samples = 10, .rates = true, .optimum = true});
  expect_described(std::get<ask::LoadAnswer>(load));
  expect_described(std::get<ask::SimulateAnswer>(ask::simulate(at, {.measure = {.cycles = 1000}})));
}

TEST(Options, OfTruthsAreTrueOrFalse) {
  const auto read = [](const char* text) { return read_options<ask::LoadOptions>(parse_plugin(text)).rates; };
  EXPECT_TRUE(read("load:rates=true") && read("load:rates=1"));
  EXPECT_FALSE(read("load:rates=false") || read("load:rates=0") || read("load"));
  EXPECT_THROW(read("load:rates=yes"), InputError);
}

TEST(Situation, AJobMadeByHandStandsForTrafficAndPlacement) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::Situation written{.topology = tree, .traffic = "shift:1", .ranks = 8};
  const Job made = written.job();
  const ask::Situation by_hand{.topology = tree, .made = &made};
  EXPECT_EQ(by_hand.job().traffic.ranks, 8u);
  EXPECT_EQ(by_hand.job().placement.size(), 8u);
}

TEST(Situation, RanksOfAHostFollowEachOther) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::Situation at{.topology = tree, .traffic = "shift:1", .ranks = 5};
  const Job job = at.job(ShorterJobs::repeat, 2);
  const std::vector<Host> hosts(job.placement.begin(), job.placement.end());
  EXPECT_EQ(hosts, (std::vector<Host>{Host{0}, Host{0}, Host{1}, Host{1}, Host{2}}));
}

}  // namespace
}  // namespace banyan::tests
