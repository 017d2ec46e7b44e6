// The C interface in this build: handles that were freed, and failures. tests/install drives it from C.
#include <banyan/banyan.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "ask/route.hpp"
#include "formats/opensm_tables.hpp"
#include "library/given.hpp"
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

void advance_again(void* context) {
  auto& network = *static_cast<banyan_network**>(context);
  EXPECT_EQ(banyan_network_advance(network, 5), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "the network is being advanced: what it calls may not advance it");
}

TEST(CInterface, ACallbackMayNotAdvance) {
  Handled at("2-ary 2-tree");
  banyan_network* network = nullptr;
  ASSERT_EQ(banyan_network_new(at.routing, nullptr, nullptr, nullptr, &network), BANYAN_OK);
  ASSERT_EQ(banyan_network_schedule(network, 1, advance_again, &network), BANYAN_OK);
  ASSERT_EQ(banyan_network_schedule(network, 3, advance_again, &network), BANYAN_OK);
  EXPECT_EQ(banyan_network_advance(network, 2), BANYAN_OK);
  double now = 0;
  EXPECT_EQ(banyan_network_now(network, &now), BANYAN_OK);
  EXPECT_EQ(now, 2);
  EXPECT_EQ(banyan_network_advance(network, 4), BANYAN_OK);
  banyan_network_free(network);
}

// Callbacks are C, and may be C++ that throws all the same: nothing leaves the library but a status and a
// text.
void throws_memory(void*) { throw std::bad_alloc(); }
void throws_length(void*) { throw std::length_error("a vector"); }
void throws_reason(void*) { throw std::runtime_error("the disk is full"); }
void throws_number(void*) { throw 42; }

TEST(CInterface, NoExceptionLeavesTheLibrary) {
  Handled at("2-ary 2-tree");
  const std::tuple<banyan_on_time, banyan_status, const char*> all[] = {
      {throws_memory, BANYAN_OUT_OF_MEMORY, "not enough memory for this"},
      {throws_length, BANYAN_OUT_OF_MEMORY, "not enough memory for this"},
      {throws_reason, BANYAN_FAILED, "the disk is full"},
      {throws_number, BANYAN_FAILED, "an exception of an unknown type"}};
  for (const auto& [callback, status, why] : all) {
    banyan_network* network = nullptr;
    ASSERT_EQ(banyan_network_new(at.routing, nullptr, nullptr, nullptr, &network), BANYAN_OK);
    ASSERT_EQ(banyan_network_schedule(network, 1, callback, nullptr), BANYAN_OK);
    EXPECT_EQ(banyan_network_advance(network, 2), status);
    EXPECT_STREQ(banyan_error(), why);
    EXPECT_EQ(banyan_network_advance(network, 2), BANYAN_OK);  // it goes on behind that event
    banyan_network_free(network);
  }
}

TEST(CInterface, RefusesWhatANetworkCannotDo) {
  Handled at("2-ary 2-tree");
  banyan_network* network = nullptr;
  const char* const unknown[] = {"lnik", "400G", nullptr};
  EXPECT_EQ(banyan_network_new(at.routing, unknown, nullptr, nullptr, &network), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "unknown option 'lnik': did you mean 'link'?");
  const char* const options[] = {"nic", "1GB/s", nullptr};
  ASSERT_EQ(banyan_network_new(at.routing, options, nullptr, nullptr, &network), BANYAN_OK);
  EXPECT_EQ(banyan_network_schedule(network, 1, nullptr, nullptr), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_network_schedule(network, -1, throws_number, nullptr), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_network_schedule(network, std::nan(""), throws_number, nullptr), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_network_advance(network, std::nan("")), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_network_send_weighted(network, 0, 1, 1, 1, 1e7), BANYAN_INPUT_ERROR);
  ASSERT_EQ(banyan_network_send(network, 0, 1, 1'000'000'000, 1), BANYAN_OK);
  double next = 0;
  EXPECT_EQ(banyan_network_next(network, &next), BANYAN_OK);
  EXPECT_NEAR(next, 1, 1e-9);  // the NIC is slower than its link
  banyan_network_free(network);
}

// Where links have speeds, a network has these, and no others can be asked for, not even the usual one.
TEST(CInterface, ANetworkTakesTheSpeedsOfTheFabric) {
  Handled at("XGFT(2; 2,2; 1,2; capacity=100G)");
  const auto seconds = [&](const char* link) {
    const char* const options[] = {link ? "link" : nullptr, link, nullptr};
    banyan_network* network = nullptr;
    double next = 0;
    if (banyan_network_new(at.routing, options, nullptr, nullptr, &network) != BANYAN_OK) return -1.0;
    EXPECT_EQ(banyan_network_send(network, 0, 3, 12'500'000'000, 1), BANYAN_OK);
    EXPECT_EQ(banyan_network_next(network, &next), BANYAN_OK);
    banyan_network_free(network);
    return next;
  };
  EXPECT_NEAR(seconds(nullptr), 1, 1e-9);
  EXPECT_NEAR(seconds("100G"), 1, 1e-9);
  for (const char* other : {"200G", "400G"}) {
    EXPECT_EQ(seconds(other), -1) << other;
    EXPECT_EQ(std::string(banyan_error()),
              fmt::format("the links of this fabric have speeds already, 100G: expected no link={}", other));
  }
}

TEST(CInterface, AFabricIsFlatArraysAndNames) {
  Handled at("4-ary 2-tree");
  banyan_fabric_arrays arrays{};
  ASSERT_EQ(banyan_fabric_look(at.fabric, &arrays), BANYAN_OK);
  EXPECT_EQ(arrays.hosts, 16u);
  EXPECT_EQ(arrays.nics, arrays.hosts * arrays.rails);
  EXPECT_EQ(arrays.nodes, arrays.nics + arrays.switches);
  ASSERT_EQ(arrays.first_channel[arrays.nodes], arrays.channels);
  uint32_t cabled = 0;
  for (uint32_t c = 0; c < arrays.channels; ++c) cabled += arrays.channel_to[c] != UINT32_MAX;
  EXPECT_EQ(cabled, 2 * arrays.links);
  char name[4] = "xyz";
  size_t length = 0;
  EXPECT_EQ(banyan_fabric_name(at.fabric, 15, name, sizeof name, &length), BANYAN_OK);
  EXPECT_STREQ(name, "h15");
  EXPECT_EQ(banyan_fabric_name(at.fabric, 16, name, sizeof name, &length), BANYAN_OK);
  EXPECT_STREQ(name, "s1-");  // as much as there is room for
  EXPECT_EQ(length, 4u);
  EXPECT_EQ(banyan_fabric_name(at.fabric, 16, nullptr, 0, &length), BANYAN_OK);
  EXPECT_EQ(banyan_fabric_name(at.fabric, arrays.nodes, name, sizeof name, nullptr), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "there is no node 24");
  EXPECT_EQ(banyan_fabric_name(at.fabric, 0, nullptr, 4, nullptr), BANYAN_INPUT_ERROR);
}

TEST(CInterface, TextsAndArraysBelongToTheAnswer) {
  Handled at("4-ary 2-tree");
  const char* const channels[] = {"channels", "true", nullptr};
  ASSERT_EQ(banyan_load(at.routing, "shift:4", channels, &at.answer), BANYAN_OK);
  const char *text = nullptr, *again = nullptr;
  ASSERT_EQ(banyan_answer_text(at.answer, "hottest.0.name", &text), BANYAN_OK);
  ASSERT_EQ(banyan_answer_text(at.answer, "hottest.0.name", &again), BANYAN_OK);
  EXPECT_EQ(text, again);
  ASSERT_EQ(banyan_answer_json(at.answer, &text), BANYAN_OK);
  ASSERT_EQ(banyan_answer_json(at.answer, &again), BANYAN_OK);
  EXPECT_EQ(text, again);
  EXPECT_EQ(std::string(text).substr(0, 1), "{");
  banyan_type type{};
  const void* data = nullptr;
  size_t count = 0;
  ASSERT_EQ(banyan_answer_array(at.answer, "channel_loads", &type, &data, &count), BANYAN_OK);
  EXPECT_EQ(type, BANYAN_FLOAT64);
  EXPECT_EQ(count, 64u);
  EXPECT_EQ(banyan_answer_array(at.answer, "max_load", &type, &data, &count), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "'max_load' is no array of numbers");
  EXPECT_EQ(banyan_answer_text(at.answer, "max_load", &text), BANYAN_INPUT_ERROR);
  double value = 0;
  EXPECT_EQ(banyan_answer_number(at.answer, "hottest.0.name", &value), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_answer_number(at.answer, "hottest.999.load", &value), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_answer_number(at.answer, "hottest.first.load", &value), BANYAN_INPUT_ERROR);
}

TEST(CInterface, TheLastFailureIsThatOfTheThread) {
  banyan_fabric* fabric = nullptr;
  EXPECT_EQ(banyan_fabric_open("4-ary 3-treee", nullptr, &fabric), BANYAN_INPUT_ERROR);
  const std::string here = banyan_error();
  EXPECT_NE(here.find("4-ary 3-treee"), std::string::npos);
  std::thread([] {
    EXPECT_STREQ(banyan_error(), "");
    EXPECT_EQ(banyan_fabric_open(nullptr, nullptr, nullptr), BANYAN_INPUT_ERROR);
  }).join();
  EXPECT_EQ(banyan_error(), here);
  EXPECT_STRNE(banyan_version(), "");
}

TEST(CInterface, RefusesOptionsThatAreNone) {
  Handled at("4-ary 2-tree");
  const char* const odd[] = {"samples", nullptr};
  const char* const twice[] = {"rate-model", "link=1", "rate_model", "link=2", nullptr};
  const char* const some[] = {"nothing", "1", nullptr};
  EXPECT_EQ(banyan_load(at.routing, nullptr, odd, &at.answer), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "option 'samples' has no value: expected pairs of texts");
  EXPECT_EQ(banyan_load(at.routing, nullptr, twice, &at.answer), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "option 'rate-model' was given twice");
  EXPECT_EQ(banyan_simulate(at.routing, nullptr, some, &at.answer), BANYAN_INPUT_ERROR);
  EXPECT_EQ(banyan_check(nullptr, nullptr, &at.answer), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "banyan_check: an argument is NULL that must not be");
  banyan_routing* routing = nullptr;
  EXPECT_EQ(banyan_route(at.fabric, "dor", nullptr, &routing), BANYAN_NOT_APPLICABLE);
  EXPECT_EQ(banyan_route(at.fabric, "dmodk", some, &routing), BANYAN_INPUT_ERROR);
  EXPECT_EQ(at.answer, nullptr);
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

TEST(Cabling, RefusesWhatNoFabricHas) {
  const auto why = [](u32 hosts, u32 rails, std::vector<Cable> cables) {
    try {
      open(Cabling{.hosts = hosts, .switches = 1, .names = {}, .cables = std::move(cables), .rails = rails});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(why(2, 1, {{{0}, {2}}, {{1}, {2}}}), "not refused");
  EXPECT_EQ(why(2, 1, {{{0, 0}, {2, 3}}, {{1, 0}, {2, 1}}}), "not refused");
  EXPECT_EQ(why(0, 1, {}), "a fabric without hosts: expected at least one");
  EXPECT_EQ(why(2, 0, {}).substr(0, 18), "0 rails: expected ");
  EXPECT_EQ(why(2, 1, {{{0}, {3}}}), "a cable ends at node 3: there are 3 nodes");
  EXPECT_EQ(why(2, 1, {{{0}, {2, 9999}}}).substr(0, 20), "port 9999 of node 2:");
  EXPECT_EQ(why(2, 1, {{{0}, {2, 0}}, {{1}, {2}}}), "node 2: some of its cables name a port and some do not");
  EXPECT_EQ(why(2, 1, {{{0}, {2, 1}}, {{1}, {2, 1}}}), "port 1 of node 2 has two cables");
  EXPECT_EQ(why(2, 1, {{{2}, {2}}}), "a cable leads from node 2 to itself");
}

TEST(Cabling, TakesHostsWithDifferentNics) {
  // a has NICs 0, 2 and 4 on rails 0, 1 and 3; b has 1 and 3 on rails 1 and 3.
  const auto on = [](std::vector<std::optional<u32>> rails) {
    HostLabel out;
    out.nics.clear();
    for (const auto& rail : rails) out.nics.push_back({rail, ""});
    return out;
  };
  Cabling cabling{.hosts = 2,
                  .switches = 1,
                  .names = {"a", "b", "s"},
                  .cables = {{{0}, {5}}, {{1}, {5}}, {{2}, {5}}, {{3}, {5}}, {{4}, {5}}},
                  .labels = {on({0, 1, 3}), on({1, 3})}};
  const Fabric fabric = open(cabling)->loaded.topology.fabric;
  ASSERT_EQ(fabric.nics(), 5u);
  EXPECT_EQ(fabric.name(fabric.node(Nic{3})), "b.r3");
  EXPECT_EQ(fabric.host(Nic{4}), Host{0});
  EXPECT_EQ(fabric.slot(Nic{4}), 2u);
  EXPECT_EQ(fabric.rail(Nic{1}), 1u);
  cabling.labels = {on({0, 1, 1}), on({1, 3})};
  EXPECT_THROW(open(cabling), InputError);
  cabling.labels.pop_back();
  EXPECT_THROW(open(cabling), InputError);
}

TEST(Cabling, NumbersNicsRailByRail) {
  const Cabling rails{.hosts = 2,
                      .switches = 2,
                      .names = {"a", "b", "left", "right"},
                      .cables = {{{0}, {4}}, {{1}, {4}}, {{2}, {5}}, {{3}, {5}}},
                      .rails = 2};
  const FabricPtr made = open(rails);
  const Fabric& fabric = made->loaded.topology.fabric;
  EXPECT_EQ(fabric.nics(), 4u);
  EXPECT_EQ(fabric.columns(), 2u);
  EXPECT_EQ(fabric.host_name(Host{1}), "b");
}

// A star of two hosts, and a host with two ports.
TEST(RouteByTables, RefusesWhatIsNoTable) {
  const FabricPtr star =
      open(Cabling{.hosts = 2, .switches = 1, .names = {}, .cables = {{{0}, {2}}, {{1}, {2}}}});
  const std::vector<u8> right = {0, 1}, beyond = {0, 2}, nowhere = {255, 255}, lanes = {0, 1, 1, 0},
                        high = {0, 16, 0, 0};
  const RoutingPtr made = route(star, "mine", right, lanes);
  EXPECT_EQ(made->routing.lanes, 2u);
  EXPECT_EQ(made->router.name, "mine");
  EXPECT_EQ(std::get<Tables>(tables(*made).forward)(Node{2}, address_of(Nic{1})), 1);
  EXPECT_NO_THROW(route(star, "mine", nowhere));
  EXPECT_THROW(route(star, "mine", beyond), InputError);
  EXPECT_THROW(route(star, "mine", std::vector<u8>{0}), InputError);
  EXPECT_THROW(route(star, "mine", right, std::vector<u8>{0, 1}), InputError);
  EXPECT_THROW(route(star, "mine", right, high), InputError);
  const FabricPtr two_ports = open(Cabling{
      .hosts = 2, .switches = 2, .names = {}, .cables = {{{0}, {2}}, {{0}, {3}}, {{1}, {2}}, {{1}, {3}}}});
  EXPECT_THROW(route(two_ports, "mine", std::vector<u8>(4)), InputError);
}

// A tree is routed and its tables are written as OpenSM's; read back, they are judged on the tree as it is
// and without a cable.
TEST(RouteByTables, ReadsThoseOfAFile) {
  const std::string file = testing::TempDir() + "banyan_lfts_" + std::to_string(getpid());
  const FabricPtr tree = open("4-ary 2-tree");
  const RoutingPtr made = route(tree, Texts{{"engine", "minhop"}});
  const auto answer =
      ask::route({.topology = tree->loaded.topology, .routing = &made->routing}, tree->loaded.ids);
  const auto& found = std::get<RouteAnswer>(answer);
  std::ofstream lfts(file);
  write_lfts(lfts, found.subnet, std::get<Tables>(found.tables->forward), SwitchTables(*found.subnet.fabric));
  lfts.close();
  const char *const tables[] = {"tables", file.c_str(), nullptr}, *const fault[] = {"links=1,seed=1",
                                                                                    nullptr};
  for (const auto& [faults, expected] :
       {std::pair{static_cast<const char* const*>(nullptr), 1.0}, {fault, 0.0}})
    for (const char* engine : {static_cast<const char*>(nullptr), "auto"}) {
      Handled at("4-ary 2-tree");
      banyan_fabric* fabric = nullptr;
      banyan_routing* routing = nullptr;
      ASSERT_EQ(banyan_fabric_open("4-ary 2-tree", faults, &fabric), BANYAN_OK);
      ASSERT_EQ(banyan_route(fabric, engine, tables, &routing), BANYAN_OK) << banyan_error();
      ASSERT_EQ(banyan_check(routing, nullptr, &at.answer), BANYAN_OK);
      EXPECT_EQ(at.number("yes"), expected);
      banyan_routing_free(routing);
      banyan_fabric_free(fabric);
    }
  const FabricPtr star =
      open(Cabling{.hosts = 2, .switches = 1, .names = {}, .cables = {{{0}, {2}}, {{1}, {2}}}});
  EXPECT_THROW(route(star, Texts{{"tables", file}}), InputError);
  std::remove(file.c_str());
}

TEST(Tables, AreThoseOfAClosedFormToo) {
  const RoutingPtr closed = route(open("4-ary 2-tree"), Texts{{"engine", "dmodk"}});
  const Routing made = tables(*closed);
  EXPECT_EQ(std::get<Tables>(made.forward).addresses(), 16u);
  EXPECT_THROW(tables(*route(open("4-ary 2-tree"), Texts{{"engine", "ecmp"}})), Refused);
}

TEST(Without, LooksForAShapeAgainInWhatWasRead) {
  const Cabling star{.hosts = 2, .switches = 1, .names = {}, .cables = {{{0}, {2}}, {{1}, {2}}}};
  const FabricPtr left = without(*open(star), {"link=h1:1"});
  EXPECT_EQ(left->loaded.topology.fabric.links(), 1u);
  EXPECT_EQ(left->without, std::vector<std::string>{"link=h1:1"});
  const FabricPtr twice = without(*without(*open("4-ary 2-tree"), {"links=1,seed=1"}), {"links=1,seed=2"});
  EXPECT_EQ(twice->loaded.topology.fabric.links(), 30u);
  EXPECT_EQ(twice->without.size(), 2u);
}

TEST(Given, NamesOptionsAsCallersWriteThem) {
  EXPECT_EQ(without_dashes("--engine dor cannot; (--lanes 2) helps, a -- b, 3--4"),
            "engine dor cannot; (lanes 2) helps, a -- b, 3--4");
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
