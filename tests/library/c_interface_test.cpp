// The C interface in this build: handles that were freed, and failures. tests/install drives it from C.
#include <banyan/banyan.h>
#include <gtest/gtest.h>

#include "library/handles.hpp"
#include "library/questions.hpp"

namespace banyan::library {
namespace {

TEST(HandlesDeathTest, EndWithAMessageWhenUsedAfterFree) {
  Handles handles;
  int a = 0, b = 0;
  handles.add(&a, Handles::Kind::fabric);
  handles.demand(&a, Handles::Kind::fabric, "banyan_route");
  EXPECT_DEATH(handles.demand(&b, Handles::Kind::fabric, "banyan_route"),
               "banyan_route: .* is no fabric: it was freed");
  EXPECT_DEATH(handles.demand(&a, Handles::Kind::answer, "f"), "is no answer: it is of another kind");
  handles.remove(&a);
  EXPECT_DEATH(handles.demand(&a, Handles::Kind::fabric, "banyan_route"), "it was freed");
}

#ifndef NDEBUG
TEST(CInterfaceDeathTest, AFreedHandleEndsBuildsWithAssertions) {
  banyan_fabric* fabric = nullptr;
  ASSERT_EQ(banyan_fabric_open("2-ary 2-tree", nullptr, &fabric), BANYAN_OK);
  banyan_fabric_free(fabric);
  banyan_routing* routing = nullptr;
  EXPECT_DEATH(banyan_route(fabric, "dmodk", nullptr, &routing), "banyan_route: .* it was freed");
  EXPECT_DEATH(banyan_fabric_free(fabric), "banyan_fabric_free: .* it was freed");
}
#endif

TEST(CInterface, StopsWhenInterrupted) {
  banyan_fabric* fabric = nullptr;
  banyan_routing* routing = nullptr;
  banyan_answer* answer = nullptr;
  ASSERT_EQ(banyan_fabric_open("4-ary 3-tree", nullptr, &fabric), BANYAN_OK);
  ASSERT_EQ(banyan_route(fabric, "dmodk", nullptr, &routing), BANYAN_OK);
  banyan_interrupt();
  EXPECT_EQ(banyan_load(routing, "permutation", nullptr, &answer), BANYAN_INTERRUPTED);
  banyan_resume();
  EXPECT_EQ(banyan_load(routing, "permutation", nullptr, &answer), BANYAN_OK);
  banyan_answer_free(answer);
  banyan_routing_free(routing);
  banyan_fabric_free(fabric);
}

TEST(CInterface, AsksARoutingWithItsOwnFabric) {
  banyan_fabric *one = nullptr, *other = nullptr;
  ASSERT_EQ(banyan_fabric_open("4-ary 2-tree", nullptr, &one), BANYAN_OK);
  ASSERT_EQ(banyan_fabric_open("SlimFly(3)", nullptr, &other), BANYAN_OK);
  banyan_routing* routing = nullptr;
  ASSERT_EQ(banyan_route(other, "ugal", nullptr, &routing), BANYAN_OK);
  banyan_answer* answer = nullptr;
  EXPECT_EQ(banyan_ask("check", one, routing, nullptr, &answer), BANYAN_OK);
  banyan_answer_free(answer);
  banyan_routing_free(routing);
  banyan_fabric_free(one);
  banyan_fabric_free(other);
}

TEST(CInterface, RefusesMoreNodesThanCanBeCounted) {
  banyan_fabric* fabric = nullptr;
  EXPECT_EQ(banyan_fabric_from_cables(5, 4294967293u, 0, nullptr, nullptr, &fabric), BANYAN_INPUT_ERROR);
  EXPECT_EQ(fabric, nullptr);
}

TEST(Questions, EveryOptionAndFieldHasAMeaning) {
  for (const Question& question : questions()) {
    for (const OptionInfo& option : question.options()) EXPECT_FALSE(option.meaning.empty()) << option.key;
    ASSERT_FALSE(question.answers().empty());
    for (const AnswerType& type : question.answers()) {
      EXPECT_TRUE(type.name.ends_with("Answer")) << type.name;
      for (const FieldInfo& field : type.fields) EXPECT_FALSE(field.meaning.empty()) << field.name;
    }
  }
}

}  // namespace
}  // namespace banyan::library
