// Every question by its name, as other languages ask it: through the C++ interface, with options as texts.
// Numbers follow from the fabrics; tests/python compares them with the program's. What contradicts itself is
// refused.
#include <gtest/gtest.h>
#include <unistd.h>
#include <banyan/banyan.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

namespace {

using banyan::Answer;
using banyan::Fabric;
using banyan::InputError;
using banyan::NotApplicable;
using banyan::Options;

const char* const small_tree = "4-ary 2-tree";

banyan::Routing tree_routing() { return banyan::Routing(Fabric(small_tree), "dmodk"); }

// A folder for one test, gone after it.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("banyan_questions_" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

Answer size_of(const Options& options) {
  banyan_answer* out = nullptr;
  banyan::check_status(banyan_ask("size", nullptr, nullptr, options.pointers().data(), &out));
  return Answer(out);
}

std::string refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(LibraryQuestions, DescribeAFabric) {
  const Answer whole = Fabric(small_tree).describe({{"threads", "1"}});
  EXPECT_EQ(whole.number("hosts"), 16);
  EXPECT_EQ(whole.number("diameter"), 4);
  EXPECT_EQ(whole.text("notation"), "XGFT(2; 4,4; 1,4)");
  EXPECT_TRUE(whole.truth("bisection_exact"));
  EXPECT_EQ(whole.number("missing_links"), 0);
  const Answer damaged = Fabric(small_tree, {"links=3,seed=1"}).describe();
  EXPECT_EQ(damaged.number("missing_links"), 3);
  EXPECT_EQ(damaged.text("without.0"), "links=3,seed=1");
}

TEST(LibraryQuestions, DescribeTwoHosts) {
  const Answer pair = Fabric(small_tree).describe({{"a", "h0"}, {"b", "5"}});
  EXPECT_EQ(pair.number("distance"), 4);
  EXPECT_EQ(pair.number("shortest_paths"), 4);
  EXPECT_EQ(pair.text("b"), "h5");
  EXPECT_THROW(Fabric(small_tree).describe({{"a", "h0"}, {"b", "h99"}}), InputError);
}

TEST(LibraryQuestions, DrawAFabric) {
  const Answer drawn = Fabric("2-ary 2-tree").ask("draw");
  EXPECT_EQ(drawn.text("kind"), "tree");
  EXPECT_EQ(drawn.text("names.4"), "s1-0");
  EXPECT_EQ(drawn.number("groups.0.hosts"), 2);
  EXPECT_TRUE(std::isnan(drawn.number("groups.0.parent")));  // it has none
  EXPECT_EQ(refused([] {
              Fabric(small_tree).ask("draw", {{"nosuch", "1"}});
            }).substr(0, 23),
            "unknown option 'nosuch'");
}

TEST(LibraryQuestions, SizeAMachine) {
  const Answer of_one = size_of({{"hosts", "64"}, {"ports", "16"}, {"family", "PGFT"}});
  EXPECT_EQ(of_one.text("candidates.0.family"), "PGFT");
  EXPECT_EQ(of_one.number("candidates.0.hosts"), 64);
  std::set<std::string> families;
  const Answer of_two = size_of(
      {{"hosts", "64"}, {"ports", "16"}, {"family", "PGFT"}, {"family", "HyperX"}, {"limit", "1000"}});
  for (int i = 0; i < 1000; ++i) try {
      families.insert(of_two.text(("candidates." + std::to_string(i) + ".family").c_str()));
    } catch (const InputError&) {
      break;
    }
  EXPECT_EQ(families, (std::set<std::string>{"HyperX", "PGFT"}));
  EXPECT_THROW(size_of({{"hosts", "64"}, {"prices", "/no/such/file"}}), InputError);
}

TEST(LibraryQuestions, TablesOfARouting) {
  const Answer tables = tree_routing().ask("tables");
  EXPECT_TRUE(tables.truth("yes"));
  EXPECT_EQ(tables.number("addresses_per_nic"), 1);
  EXPECT_EQ(tables.number("paths_unlike_the_engines"), 0);
  EXPECT_THROW(banyan::Routing(Fabric(small_tree), "ecmp").ask("tables"), NotApplicable);
}

TEST(LibraryQuestions, ThePathOfAPair) {
  const Answer path = tree_routing().ask("path", {{"source", "h0"}, {"destination", "5"}});
  EXPECT_TRUE(path.truth("paths.0.arrives"));
  EXPECT_EQ(path.text("paths.0.names.2"), "s2-1");
  const auto last = static_cast<std::size_t>(path.number("paths.0.channels.3"));
  EXPECT_EQ(Fabric(small_tree).arrays().channel_to[last], 5u);
  EXPECT_THROW(tree_routing().ask("path", {{"source", "h0"}, {"destination", "h16"}}), InputError);
}

TEST(LibraryQuestions, TheVerdictOnShiftsAndPrograms) {
  EXPECT_TRUE(tree_routing().check({{"shifts", "true"}}).truth("shift_contention_free"));
  const Folder folder;
  const std::string file = folder.file("two.goal",
                                       "num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 3\n}\n"
                                       "rank 1 {\nl1: recv 100b from 0 tag 3\n}\n");
  banyan_answer* out = nullptr;
  const Options program{{"program", file}};
  ASSERT_EQ(banyan_ask("check", nullptr, nullptr, program.pointers().data(), &out), BANYAN_OK)
      << banyan_error();
  EXPECT_TRUE(Answer(out).truth("deadlock_free"));
  EXPECT_NE(refused([&] { tree_routing().check(program); }).find("program is checked alone"),
            std::string::npos);
  EXPECT_EQ(banyan_ask("check", nullptr, nullptr, nullptr, &out), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "check is asked of a routing: route the fabric first");
  EXPECT_EQ(banyan_ask("describe", nullptr, nullptr, nullptr, &out), BANYAN_INPUT_ERROR);
  EXPECT_STREQ(banyan_error(), "describe is asked of a fabric, which is missing");
}

// Nothing meets in a shift of a tree by whole switches: each flow has its link, of capacity 2 here. A model
// of rates asks for rates.
TEST(LibraryQuestions, LoadsAndRates) {
  const banyan::Routing routing = tree_routing();
  const Answer rates = routing.load("shift:4", {{"rate-model", "max-min:link=2"}});
  EXPECT_EQ(rates.number("max_load"), 1);
  EXPECT_EQ(rates.number("min_rate"), 2);
  EXPECT_EQ(routing.ask("rates", {{"traffic", "shift:4"}, {"model", "max-min:link=2"}}).number("mean_rate"),
            2);
  EXPECT_THROW(routing.load("shift:4").number("min_rate"), InputError);  // they were not asked for
}

TEST(LibraryQuestions, OrderAndAssignNeedATraffic) {
  EXPECT_NE(refused([] {
              tree_routing().ask("order", {{"hosts", "*"}});
            }).find("traffic is missing"),
            std::string::npos);
  EXPECT_NE(refused([] { Fabric(small_tree).ask("assign"); }).find("traffic is missing"), std::string::npos);
  EXPECT_NE(refused([] {
              tree_routing().ask("order", {{"traffic", "ring"}, {"hosts", ""}});
            }).find("hosts is empty"),
            std::string::npos);
  EXPECT_EQ(
      tree_routing().ask("order", {{"traffic", "ring"}, {"hosts", "*"}, {"swaps", "1"}}).number("ranks"), 16);
}

// 2^20 bytes to each rank in a ring of 16 at 50 GB/s: 30 pieces of a sixteenth.
TEST(LibraryQuestions, TimesOfWhatRanksDo) {
  const banyan::Routing routing = tree_routing();
  const Answer one =
      routing.ask("time", {{"traffic", "allreduce:bytes=1MiB,algorithm=ring"}, {"link", "400G"}});
  EXPECT_NEAR(one.number("seconds"), 30 * (1 << 20) / 16.0 / 50e9, 1e-9);
  EXPECT_GT(routing.ask("time", {{"traffic", "allreduce"}, {"sizes", "1KiB,1MiB"}}).number("sizes.1.seconds"),
            0);
  const Answer step = routing.ask("time", {{"step", "tensor=4,layers=2,hidden=512"}});
  EXPECT_EQ(step.number("ranks"), 16);
  EXPECT_NEAR(step.number("seconds"), step.number("computing_seconds") + step.number("exposed_seconds"),
              1e-12);
  EXPECT_THROW(routing.ask("time", {{"step", "tensor=4"}, {"traffic", "ring"}}), InputError);
}

TEST(LibraryQuestions, TimesOfProgramsWhileCablesAreLost) {
  const Folder folder;
  const std::string timeline = folder.file("course.txt", "10us lose links=1,seed=1\n");
  const std::string rest = " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n";
  const std::string jobs = folder.file("list.swf", "1 0 0 0 3" + rest + "2 0 0 0 3" + rest);
  for (const char* engine : {"auto", "minhop"}) {
    const banyan::Routing routing(Fabric(small_tree), engine);
    const Answer whole = routing.ask("time", {{"program", "allreduce:bytes=1MiB"}});
    const Answer course = routing.ask("time", {{"program", "allreduce:bytes=1MiB"}, {"timeline", timeline}});
    EXPECT_EQ(course.number("operations"), whole.number("operations"));
    EXPECT_GE(course.number("seconds"), whole.number("seconds"));
    EXPECT_EQ(
        routing.ask("time", {{"program", "allreduce:bytes=1KiB"}, {"jobs", jobs}}).number("jobs.1.ranks"), 3);
  }
}

TEST(LibraryQuestions, WhatFails) {
  const Fabric fabric(small_tree);
  EXPECT_EQ(fabric.ask("fail", {{"sweep", "links"}}).text("cables.0.cable").substr(0, 3), "s1-");
  const Answer by_name =
      fabric.ask("fail", {{"without", "links=1,seed=1"}, {"engine", "minhop"}, {"samples", "5"}});
  EXPECT_EQ(by_name.number("links_taken"), 1);
  EXPECT_NE(refused([&] { fabric.ask("fail"); }).find("nothing fails"), std::string::npos);
}

TEST(LibraryQuestions, CountersRankCables) {
  const Folder folder;
  const std::string file = folder.file(
      "counters.csv", "node,port,counter,value\ns1-1,5,rx_crc_errors,9000\nh3,1,rx_crc_errors,1\n");
  const Fabric fabric(small_tree);
  for (const char* engine : {"auto", "minhop"}) {
    const Answer ranked = fabric.ask("fail", {{"counters", file}, {"engine", engine}});
    EXPECT_EQ(ranked.number("cables.0.errors"), 1);  // a host is lost without it
    EXPECT_EQ(ranked.number("cables.1.errors"), 9000);
  }
  EXPECT_THROW(fabric.ask("fail", {{"counters", file}, {"engine", "dor"}}), NotApplicable);
  EXPECT_THROW(fabric.ask("fail", {{"counters", file}, {"sweep", "links"}}), InputError);
}

TEST(LibraryQuestions, Simulations) {
  const banyan::Routing routing = tree_routing();
  const Options brief{{"load", "0.3"}, {"cycles", "400"}};
  const Answer run = routing.simulate("uniform", brief);
  EXPECT_NEAR(run.number("accepted"), 0.3, 0.1);
  EXPECT_GE(run.number("accepted_half_width"), 0);
  EXPECT_EQ(run.text("options.flow_control"), "vct");
  EXPECT_EQ(run.json(), routing.simulate("uniform", brief).json());
  EXPECT_EQ(routing.simulate("uniform", {{"curve", "0.1,0.2"}, {"cycles", "200"}}).number("points.1.load"),
            0.2);
  EXPECT_GT(
      routing.simulate("uniform", {{"saturation", "true"}, {"cycles", "400"}}).number("points.0.accepted"),
      0.3);
  EXPECT_TRUE(routing.simulate("shift:5", {{"complete", "true"}}).number("cycles") > 0);
  EXPECT_NE(refused([&] {
              routing.simulate("uniform", {{"follow", "true"}});
            }).find("follow is for the program"),
            std::string::npos);
  EXPECT_NE(refused([&] {
              routing.simulate("uniform", {{"curve", "0.1"}, {"saturation", "true"}});
            }),
            "not refused");
  EXPECT_NE(refused([&] {
              routing.simulate("uniform", {{"rails-policy", "basic"}, {"sampels", "1"}});
            }),
            "not refused");
}

TEST(LibraryQuestions, SimulationsOfRailsAndOfQsNet) {
  const banyan::Routing rails(Fabric("2 x XGFT(2; 2,2; 1,2)"));
  EXPECT_GT(rails.simulate("uniform", {{"load", "0.2"}, {"cycles", "300"}, {"rails-policy", "basic"}})
                .number("accepted"),
            0.1);
  const Answer bench = tree_routing().simulate("bench:hops", {{"nic", "elan3"}});
  EXPECT_FALSE(bench.text("results.0.title").empty());
  EXPECT_THROW(tree_routing().simulate("bench:hop", {{"nic", "elan3"}}), InputError);
}

// Two processes of each host own a NIC each; a shift by three is always from one to the other.
TEST(LibraryQuestions, CountWhatCrossesRails) {
  const banyan::Routing rails(Fabric("XGFT(2; 2,4; 1,2; rails=2)"), "dmodk");
  const Options options{{"rails-policy", "own"}, {"processes", "2"}, {"cross-rail", "forbid"}};
  const Answer load = rails.load("shift:3", options);
  EXPECT_EQ(load.number("cross_rail_share"), 1);
  EXPECT_EQ(load.number("cross_rail_pairs"), 8);
  EXPECT_EQ(load.text("cross_rail.0.destination_nic"), "h1.r1");
}

}  // namespace
