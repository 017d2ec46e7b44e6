// What petrini01 says and the model of QsNET gives: all but three statements.
#include <gtest/gtest.h>

#include "study/paper.hpp"

namespace banyan::tests {
namespace {

TEST(Papers, QsnetIsReproducedButForThreeStatements) {
  std::vector<std::string> missed;
  for (const Answer& answer : reproduce(study::papers().at("petrini01"), {.quick = true}).answers())
    if (answer.outcome == Outcome::not_reproduced) missed.push_back(answer.statement.id);
  EXPECT_EQ(missed, (std::vector<std::string>{"ping.byte", "exchange.256", "level.glitch"}));
}

}  // namespace
}  // namespace banyan::tests
