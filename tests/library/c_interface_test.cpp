// The C interface in this build: handles that were freed, and failures. tests/install drives it from C.
#include <banyan/banyan.h>
#include <gtest/gtest.h>
#include <sys/time.h>

#include <cmath>
#include <utility>

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

struct Handled {
  banyan_fabric* fabric = nullptr;
  banyan_routing* routing = nullptr;
  banyan_answer* answer = nullptr;

  explicit Handled(const char* text) {
    EXPECT_EQ(banyan_fabric_open(text, nullptr, &fabric), BANYAN_OK);
    EXPECT_EQ(banyan_route(fabric, "auto", nullptr, &routing), BANYAN_OK);
  }
  ~Handled() {
    banyan_answer_free(answer);
    banyan_routing_free(routing);
    banyan_fabric_free(fabric);
  }
  double number(const char* name) const {
    double out = -1;
    EXPECT_EQ(banyan_answer_number(answer, name, &out), BANYAN_OK) << banyan_error();
    return out;
  }
};

TEST(CInterface, NamesReachNothingBehindANumber) {
  Handled at("4-ary 2-tree");
  ASSERT_EQ(banyan_load(at.routing, "shift:1", nullptr, &at.answer), BANYAN_OK);
  double value = 0;
  EXPECT_EQ(banyan_answer_number(at.answer, "max_load.max_load_worst", &value), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(
      banyan_error(),
      "'max_load.max_load_worst': there is nothing behind 'max_load', which is no answer and no table");
  EXPECT_EQ(banyan_answer_number(at.answer, "hottest.0.load.load", &value), BANYAN_INPUT_ERROR);
  EXPECT_GT(at.number("hottest.0.load"), 0);
}

TEST(CInterface, AsksWhatFails) {
  Handled at("4-ary 2-tree");
  const char* const faults[] = {"without", "link=s1-0:5", "without", "link=s1-1:5", "samples", "10", nullptr};
  ASSERT_EQ(banyan_ask("fail", at.fabric, nullptr, faults, &at.answer), BANYAN_OK) << banyan_error();
  EXPECT_EQ(at.number("links_taken"), 2);
}

TEST(CInterface, AsksHowTwoCablingsDiffer) {
  Handled at("4-ary 2-tree");
  const char* const faults[] = {"links=3,seed=1", nullptr};
  banyan_fabric* observed = nullptr;
  ASSERT_EQ(banyan_fabric_open("4-ary 2-tree", faults, &observed), BANYAN_OK);
  EXPECT_EQ(banyan_diff(at.fabric, observed, &at.answer), BANYAN_OK) << banyan_error();
  EXPECT_EQ(at.number("same"), 29);
  banyan_fabric_free(observed);
  banyan_answer* none = nullptr;
  EXPECT_EQ(banyan_ask("diff", at.fabric, nullptr, nullptr, &none), BANYAN_INPUT_ERROR);
}

TEST(CInterface, AsksEveryQuestionOfTheProgram) {
  Handled at("4-ary 2-tree");
  const char* const order[] = {"traffic", "ring", "hosts", "h[0-3]", "swaps", "10", nullptr};
  EXPECT_EQ(banyan_ask("order", nullptr, at.routing, order, &at.answer), BANYAN_OK) << banyan_error();
  EXPECT_EQ(at.number("ranks"), 4);
  banyan_answer_free(std::exchange(at.answer, nullptr));
  const char* const assign[] = {"traffic", "shift:4", "hashes", "2", nullptr};
  EXPECT_EQ(banyan_ask("assign", at.fabric, nullptr, assign, &at.answer), BANYAN_OK) << banyan_error();
  EXPECT_EQ(at.number("connections"), 16);
  banyan_answer_free(std::exchange(at.answer, nullptr));
  const char* const program[] = {"program", "allreduce:bytes=1KiB", "ranks", "4", nullptr};
  EXPECT_EQ(banyan_ask("time", nullptr, at.routing, program, &at.answer), BANYAN_OK) << banyan_error();
  EXPECT_GT(at.number("operations"), 0);
  banyan_answer_free(std::exchange(at.answer, nullptr));
  EXPECT_EQ(banyan_ask("rates", nullptr, at.routing, nullptr, &at.answer), BANYAN_OK) << banyan_error();
}

TEST(CInterface, TakesOptionsOfAnEngine) {
  Handled at("SlimFly(3)");
  banyan_routing* routing = nullptr;
  const char* const lanes[] = {"lanes", "2", nullptr};
  EXPECT_EQ(banyan_route(at.fabric, "nue", lanes, &routing), BANYAN_OK) << banyan_error();
  banyan_routing_free(routing);
}

// A ping-pong without an end.
void send_back(void* context, const banyan_arrival* arrival) {
  auto& network = *static_cast<banyan_network**>(context);
  if (arrival->tag == 10) banyan_interrupt();
  EXPECT_LT(arrival->tag, 1000u);
  if (arrival->tag < 1000) banyan_network_send(network, arrival->to, arrival->from, 1000, arrival->tag + 1);
}

TEST(CInterface, AnInterruptEndsANetworkThatAdvances) {
  Handled at("2-ary 2-tree");
  banyan_network* network = nullptr;
  ASSERT_EQ(banyan_network_new(at.routing, nullptr, send_back, &network, &network), BANYAN_OK);
  ASSERT_EQ(banyan_network_send(network, 0, 3, 1000, 0), BANYAN_OK);
  EXPECT_EQ(banyan_network_advance(network, HUGE_VAL), BANYAN_INTERRUPTED);
  banyan_resume();
  banyan_network_free(network);
}

TEST(CInterface, LeavesTheAlarmOfTheCallerAlone) {
  constexpr itimerval far = {{0, 0}, {100'000, 0}}, never = {};
  ASSERT_EQ(setitimer(ITIMER_REAL, &far, nullptr), 0);
  banyan_interrupt();
  banyan_resume();
  itimerval left{};
  ASSERT_EQ(getitimer(ITIMER_REAL, &left), 0);
  setitimer(ITIMER_REAL, &never, nullptr);
  EXPECT_GT(left.it_value.tv_sec, 0);
}

TEST(Cabling, RefusesWhatReadersOfFilesRefuse) {
  const auto star = [](LinkClass link, std::vector<std::string> names = {}) {
    return Cabling{
        .hosts = 2, .switches = 1, .names = std::move(names), .cables = {{{0}, {2}, link}, {{1}, {2}}}};
  };
  EXPECT_EQ(open(star({1, 2}, {"a", "b", "c"}))->loaded.topology.fabric.links(), 2u);
  EXPECT_THROW(open(star({1, -5})), InputError);
  EXPECT_THROW(open(star({0, 1})), InputError);
  EXPECT_THROW(open(star({1, 1}, {"a", "b", "a"})), InputError);
  EXPECT_THROW(open(star({1, 1}, {"a", "b"})), InputError);
}

// An answer with an array that its list of fields makes for the call.
struct MadeAnswer {
  static void fields(auto&, auto&& f) { f("made", std::vector<double>{1, 2, 3}, "", "made for the call"); }
};

TEST(AnswerView, KeepsAnArrayThatWasMadeForTheCall) {
  const Value value = *AnswerView::of(MadeAnswer{}).find("made");
  const auto& numbers = std::get<Numbers>(value.content);
  EXPECT_NE(numbers.owner, nullptr);
  EXPECT_EQ(std::get<std::span<const double>>(numbers.data)[2], 3);
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
