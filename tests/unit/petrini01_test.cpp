// What petrini01 says and the model of QsNET gives: all but three statements.
#include <gtest/gtest.h>

#include <filesystem>

#include "papers/paper.hpp"
#include "study/run.hpp"

namespace banyan::tests {
namespace {

TEST(Papers, QsnetIsReproducedButForThreeStatements) {
  const auto folder = std::filesystem::temp_directory_path() / "banyan-petrini01";
  std::filesystem::remove_all(folder);
  const Paper& paper = papers::papers().at("petrini01");
  const Study study = study_of(paper, {.quick = true});
  Store store(folder.string());
  StudyPlan(study, &store, 2).run(store, 2);
  std::vector<std::string> missed;
  for (const Judgement& answer : reproduce(paper, {.quick = true}, store.read()).answers())
    if (answer.outcome == Agreement::not_reproduced) missed.push_back(answer.statement.id);
  EXPECT_EQ(missed, (std::vector<std::string>{"ping.byte", "exchange.256", "level.glitch"}));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace banyan::tests
