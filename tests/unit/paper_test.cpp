// The parts of papers that are exact and quick, and how papers are found.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "study/zahavi10.hpp"

namespace banyan::tests {
namespace {

// The statements of zahavi10 up to the first measured one.
std::vector<Statement> proved_statements() {
  std::vector<Statement> out;
  for (Statement& statement : read_statements(paper_table("zahavi10"), "papers/zahavi10.csv")) {
    if (statement.id == "shift.async") break;
    out.push_back(std::move(statement));
  }
  return out;
}

TEST(Papers, TheTheoremsOfZahaviHoldUpTo110592Hosts) {
  Reproduction out(proved_statements());
  zahavi10_theorems(out, {.quick = true});
  EXPECT_EQ(out.answers().size(), 9u);
  for (const Answer& answer : out.answers())
    EXPECT_NE(answer.outcome, study::Outcome::not_reproduced) << answer.statement.id;
  EXPECT_EQ(out.tables().at(0).rows.back().at(1), "110592");
}

// Trees that are not RLFT: hosts and the worst load over all shifts.
TEST(Papers, NotEveryConditionOfAnRlftIsNeeded) {
  Reproduction out(proved_statements());
  zahavi10_theorems(out, {.quick = true});
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& row : out.tables().at(1).rows) found.emplace_back(row.at(1), row.at(2));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"110592", "1"}, {"64", "1"}, {"24", "1"}, {"21", "2"},
      {"21", "2"},     {"16", "1"}, {"32", "2"}, {"128", "2"}};
  EXPECT_EQ(found, expected);
}

TEST(Papers, AnUnknownNameIsToldTheNearestAndAll) {
  try {
    study::papers().at("zahavi");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with(
        "unknown paper 'zahavi': did you mean 'zahavi10'? There are zahavi10, mahapatra, "))
        << e.what();
  }
}

}  // namespace
}  // namespace banyan::tests
