// The parts of papers that are exact and quick, and how papers are found.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <limits>
#include <map>

#include "base/error.hpp"
#include "papers/zahavi10/zahavi10.hpp"
#include "study/materials.hpp"

namespace banyan::tests {
namespace {

// The statements of zahavi10 up to the first measured one.
std::vector<Statement> proved_statements() {
  std::vector<Statement> out;
  for (Statement& statement : statements_of(papers::papers().at("zahavi10"))) {
    if (statement.id == "shift.async") break;
    out.push_back(std::move(statement));
  }
  return out;
}

StoredPoint stored(const Study& study, const Point& point, const Rows& found) {
  StoredPoint out{.point = point.name,
                  .measure = std::string(study.measures[point.measure].measure->name),
                  .fabric = study.fabrics[point.fabric].name,
                  .without = "",
                  .engine = point.engine,
                  .traffic = point.traffic,
                  .placement = point.placement,
                  .options = "",
                  .rows = found.rows,
                  .texts = found.texts};
  for (const auto& [key, value] : point.options.options) out.options += key + "=" + value + " ";
  return out;
}

// What is measured of the points of a paper's study that judge all shifts.
StudyRows shifts_of(const char* paper) {
  const Study study = study_of(papers::papers().at(paper), {.quick = true});
  std::vector<Point> points = points_of(study);
  std::erase_if(points, [](const Point& p) { return p.options.name != "shifts"; });
  std::vector<const Point*> all;
  for (const Point& point : points) all.push_back(&point);
  Materials materials(study, all);
  std::vector<StoredPoint> out;
  for (const Point& point : points) out.push_back(stored(study, point, materials.measure(point, 1)));
  return StudyRows(std::move(out));
}

TEST(Papers, TheTheoremsOfZahaviHoldUpTo110592Hosts) {
  Reproduction out(proved_statements());
  zahavi10_theorems(out, shifts_of("zahavi10"));
  EXPECT_EQ(out.answers().size(), 9u);
  for (const Judgement& answer : out.answers())
    EXPECT_NE(answer.outcome, Agreement::not_reproduced) << answer.statement.id;
  EXPECT_EQ(out.tables().at(0).rows.back().at(1), "110592");
  // Trees that are not RLFT: hosts and the worst load over all shifts. Not every condition is needed.
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& row : out.tables().at(1).rows) found.emplace_back(row.at(1), row.at(2));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"110592", "1"}, {"64", "1"}, {"24", "1"}, {"21", "2"},
      {"21", "2"},     {"16", "1"}, {"32", "2"}, {"128", "2"}};
  EXPECT_EQ(found, expected);
}

TEST(Papers, AnIntervalWhoseWidthIsNotKnownIsInfinite) {
  StoredPoint point;
  point.point = "p";
  point.rows = {{.metric = "accepted", .value = 0.5, .half_width = 0.125},
                {.metric = "offered", .value = 0.75, .half_width = std::numeric_limits<double>::quiet_NaN()}};
  const Interval accepted = interval_of(point, "accepted"), offered = interval_of(point, "offered");
  EXPECT_EQ(accepted.mean, 0.5);
  EXPECT_EQ(accepted.half_width, 0.125);
  EXPECT_EQ(offered.mean, 0.75);
  EXPECT_EQ(offered.half_width, std::numeric_limits<double>::infinity());
  EXPECT_THROW(interval_of(point, "latency"), std::logic_error);
}

// A point of which everything is 1.
StoredPoint made_up(const Study& study, const Point& point) {
  Rows found;
  for (const char* metric : {"accepted",
                             "offered",
                             "message_latency",
                             "network_latency",
                             "packet_latency",
                             "cycles",
                             "saturated",
                             "max_load",
                             "oblivious_ratio",
                             "completed",
                             "completion",
                             "time",
                             "seconds",
                             "bandwidth",
                             "half",
                             "certificate",
                             "left_out_pairs",
                             "rechecked",
                             "worst_shift_load",
                             "worst_shift",
                             "shift_contention_free",
                             "channels_up",
                             "channels_up_counted",
                             "channels_down",
                             "channels_down_several",
                             "channels_from_top",
                             "channels_of_top_switch_least",
                             "channels_of_top_switch_max",
                             "diameter",
                             "switches",
                             "links",
                             "hosts",
                             "unreachable_pairs",
                             "money_per_host",
                             "watts_per_host"})
    found.add(metric, 1);
  found.add("ends_in_warm_up", 0);
  for (auto& row : found.rows) row.half_width = 0;
  if (point.name.starts_with("hops")) {
    found.rows.clear();
    for (u32 switches = 1; switches < 10; switches += 2)
      for (const char* of : {"put", "network"}) found.add(fmt::format("{}_{}", of, switches), 1);
  }
  return stored(study, point, found);
}

// Whatever was found: every statement is answered, and every point that a judge looks for is in the study.
TEST(Papers, JudgesFindTheirPointsQuickAndFull) {
  for (const Paper& paper : papers::papers())
    for (const bool quick : {true, false}) {
      if (paper.study) continue;  // as its judge asks for it
      const Study study = study_of(paper, {.quick = quick});
      std::vector<StoredPoint> points;
      for (const Point& point : points_of(study)) points.push_back(made_up(study, point));
      EXPECT_EQ(reproduce(paper, {.quick = quick}, points).answers().size(), statements_of(paper).size())
          << paper.name;
    }
}

// Where everything is the same little fails to fail: all that does says whether its reason was tested, is
// known or is a guess.
TEST(Papers, EveryFailureHasAReasonThatSaysWhatItIs) {
  for (const Paper& paper : papers::papers()) {
    if (paper.study) continue;
    const Study study = study_of(paper, {.quick = true});
    std::vector<StoredPoint> points;
    for (const Point& point : points_of(study)) points.push_back(made_up(study, point));
    for (const Judgement& answer : reproduce(paper, {.quick = true}, points).answers())
      for (const auto& finding : answer.measurements) {
        const std::string_view why = finding.why;
        EXPECT_TRUE(finding.outcome != Agreement::not_reproduced || why.starts_with("tested: ") ||
                    why.starts_with("known: ") || why.starts_with("a guess: ") || why == "no reason is known")
            << paper.name << ' ' << answer.statement.id << ": " << why;
      }
  }
}

// The points of a whole study, of which `accepted` says what they accept.
template <class Accepted>
std::map<std::string, Agreement> outcomes_of(const char* name, const Accepted& accepted) {
  const Paper& paper = papers::papers().at(name);
  const Study study = study_of(paper, {});
  std::vector<StoredPoint> points;
  for (const Point& point : points_of(study)) {
    points.push_back(made_up(study, point));
    const Interval value = accepted(points.back());
    for (Row& row : points.back().rows)
      if (row.metric == "accepted") row.value = value.mean, row.half_width = value.half_width;
  }
  std::map<std::string, Agreement> out;
  for (const Judgement& answer : reproduce(paper, {}, points).answers())
    out[answer.statement.id] = answer.outcome;
  return out;
}

// A gain over one routing under one traffic and over another under the next is no gain over one of them.
TEST(Papers, OneOtherRoutingIsTheSameUnderAllTraffics) {
  const auto gain = [](std::string_view first, std::string_view second) {
    return outcomes_of("camarero21", [=](const StoredPoint& point) {
      const bool is_slow = (point.engine == first && point.traffic == "uniform") ||
                           (point.engine == second && point.traffic == "permutation");
      return Interval{is_slow ? 0.4 : 0.6, 0};
    })["jellyfish.gain.one"];
  };
  EXPECT_EQ(gain("valiant", "valiant"), Agreement::ordering);
  EXPECT_EQ(gain("valiant", "ugal"), Agreement::not_reproduced);
}

// More under one traffic, and under another perhaps less: that decides nothing.
TEST(Papers, NeverLessIsOpenWhereIntervalsOverlap) {
  const auto beside_slim_fly = [](double half_width) {
    return outcomes_of("lakhotia22", [=](const StoredPoint& point) {
      const bool is_more = point.fabric == "PolarFly" && point.traffic == "uniform";
      return Interval{is_more ? 0.9 : 0.5, half_width};
    })["performance.slimfly"];
  };
  EXPECT_EQ(beside_slim_fly(0), Agreement::ordering);
  EXPECT_EQ(beside_slim_fly(0.01), Agreement::undecided);
}

TEST(Papers, ARunThatEndsInItsWarmUpDecidesNothing) {
  StoredPoint point;
  Rows found;
  found.add("accepted", 0.5);
  found.rows.back().half_width = 0.01;
  found.add("ends_in_warm_up", 0);
  point.rows = found.rows;
  EXPECT_EQ(papers::simulated(point, "accepted").half_width, 0.01);
  point.rows.back().value = 1;
  EXPECT_EQ(papers::simulated(point, "accepted").mean, 0.5);
  EXPECT_EQ(papers::simulated(point, "accepted").half_width, std::numeric_limits<double>::infinity());
}

// --- verdicts from intervals

std::vector<Statement> one_of_each() {
  return read_statements(
      "id,kind,where,claim,value,unit,tolerance\nn,prediction,T,c,100,%,0.1\no,ordering,T,c,,,\nf,fit,T,c,1,,"
      "0\n",
      "x.csv");
}

TEST(Verdicts, AnIntervalOverTheEdgeDecidesNothing) {
  const auto outcome = [](const Interval& ours) {
    Reproduction out(one_of_each());
    out.number("n", ours);
    out.ordering("o", true);
    out.number("f", 1);
    return out.answers()[0].outcome;
  };
  EXPECT_EQ(outcome({105, 4}), Agreement::within);
  EXPECT_EQ(outcome({105, 6}), Agreement::undecided);
  EXPECT_EQ(outcome({115, 6}), Agreement::undecided);
  EXPECT_EQ(outcome({117, 6}), Agreement::not_reproduced);
  EXPECT_EQ(outcome({100, std::numeric_limits<double>::infinity()}), Agreement::undecided);
}

TEST(Verdicts, OneIsMoreThanAnotherOnlyWhereIntervalsTell) {
  EXPECT_EQ(papers::is_more({2, 0}, {1, 0}), papers::Holds::yes);
  EXPECT_EQ(papers::is_more({1, 0}, {1, 0}), papers::Holds::no);
  EXPECT_EQ(papers::is_more({23.6, 0.3}, {23.4, 0.3}), papers::Holds::unknown);
  EXPECT_EQ(papers::is_more({1, 0.1}, {2, 0.1}), papers::Holds::no);
}

TEST(Verdicts, TwoMeasurementsOfAClaimMustAgree) {
  const auto outcome = [](double flow, double simulated) {
    Reproduction out(one_of_each());
    out.measured_by("flow level");
    out.number("n", flow);
    out.ordering("o", true);
    out.number("f", 1);
    out.measured_by("simulated");
    out.number("n", simulated, papers::guess("so"));
    return out.answers()[0];
  };
  EXPECT_EQ(outcome(100, 101).outcome, Agreement::within);
  EXPECT_EQ(outcome(150, 150).outcome, Agreement::not_reproduced);
  EXPECT_EQ(outcome(100, 150).outcome, Agreement::undecided);
  EXPECT_EQ(outcome(100, 150).why(), "simulated: a guess: so");
  EXPECT_EQ(outcome(100, 150).ours(), 100);
}

TEST(Verdicts, PredictionsAreCountedFirst) {
  Reproduction out(one_of_each());
  out.number("n", 200);
  out.ordering("o", papers::Holds::unknown);
  out.number("f", 1);
  EXPECT_EQ(text_of(papers::summary(out)),
            "0 of 1 predictions, 0 of 1 orderings, 1 of 1 fit targets; 1 undecided");
  EXPECT_EQ(out.answers()[0].why(), "no reason is known");
}

TEST(Verdicts, AKindThatIsUnknownIsRefused) {
  EXPECT_THROW(read_statements("id,kind,where,claim,value,unit,tolerance\na,hope,T,c,,,\n", "x.csv"),
               InputError);
}

TEST(Papers, AnUnknownNameIsToldTheNearestAndAll) {
  try {
    papers::papers().at("zahavi");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with(
        "unknown paper 'zahavi': did you mean 'zahavi10'? There are zahavi10, mahapatra, "))
        << e.what();
  }
}

}  // namespace
}  // namespace banyan::tests
