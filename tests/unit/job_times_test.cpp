// Jobs that share a fabric, and cables that are lost while they run: times worked out by hand.
#include "flow/job_times.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "ask/jobs_time.hpp"
#include "fabric/faults.hpp"
#include "fabric/timeline.hpp"
#include "flow/carrier.hpp"
#include "support/routed.hpp"
#include "traffic/programs/goal.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::tests {
namespace {

// Lines of SWF: what is not given is not known.
std::string swf_of(const std::string& text) {
  std::istringstream in(text);
  std::string out, line, word;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    u32 count = 0;
    for (; words >> word; ++count) out += word + ' ';
    for (; count < 18; ++count) out += "-1 ";
    out += '\n';
  }
  return out;
}

// Four hosts on two leaves with one spine: 1 GB/s a link.
struct Shared {
  Topology topology = make_topology("XGFT(2; 2,2; 1,1)");
  Routing routing = routed(topology, "minhop");
  ask::FabricRouter router;
  ask::TimingOptions options;

  Shared() {
    options.link = {1e9};
    router = ask::router({.engine = "minhop"}, topology);
  }
  explicit Shared(const std::string& notation) : Shared() {
    topology = make_topology(notation);
    routing = routed(topology, "minhop");
    router = ask::router({.engine = "minhop"}, topology);
  }
  ask::Situation at() const { return {.topology = topology, .routing = &routing}; }
  ask::JobsAnswer jobs(const std::string& swf, const std::string& program, u32 repeats = 1,
                       const std::string& timeline = "") const {
    std::istringstream in(swf_of(swf));
    const ask::Timeline course{timeline.empty() ? std::vector<fabric::CableChange>{} : read(timeline),
                               &router};
    return ask::jobs_time(at(), options, {.repeats = repeats}, read_swf(in, "a.swf"), program, course);
  }
  ask::ProgramAnswer time(const std::string& goal, const std::string& timeline, double delay) const {
    std::istringstream in(goal);
    const ask::Timeline course{read(timeline), &router};
    return ask::program_time(at(), options, read_goal(in, "a.goal"), {.reroute_delay = {delay}}, course);
  }
  std::vector<fabric::CableChange> read(const std::string& timeline) const {
    std::istringstream in(timeline);
    return fabric::read_timeline(in, "t", topology.fabric);
  }
};

const std::string ring_program =
    "allgather:bytes=1MB,algorithm=ring";  // each rank sends its 1 ms to the next, n - 1 times

const std::string across =
    "num_ranks 3\nrank 0 {\nsend 1000000b to 2\n}\nrank 2 {\nrecv 1000000b from 0\n}\n";

std::string refused(const std::function<void()>& what) {
  try {
    what();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JobList, IsReadInTheOrderOfStarts) {
  std::istringstream in(
      "; a comment\n  2 5 1 10 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n1\t0 -1 -1 -1 -1 -1 2 -1 -1 "
      "-1 -1 -1 -1 -1 -1 -1 -1\n");
  const JobList list = read_swf(in, "a.swf");
  const std::vector<ListedJob>& jobs = list.jobs;
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(list.without_time, 1u);
  EXPECT_EQ(jobs[0].number, 1u);
  EXPECT_EQ(jobs[0].ranks, 2u);  // that were asked for
  EXPECT_EQ(jobs[0].seconds, 0);
  EXPECT_EQ(jobs[1].submitted, 5);
  EXPECT_EQ(jobs[1].waited, 1);
  EXPECT_EQ(jobs[1].seconds, 10);
  EXPECT_EQ(jobs[1].ranks, 4u);
}

TEST(JobList, BrokenListsAreRefusedWithTheirLine) {
  const auto of = [](const std::string& text) {
    return refused([&] {
      std::istringstream in(text);
      read_swf(in, "a.swf");
    });
  };
  EXPECT_EQ(of("; x\n1 0 0 1\n"), "a.swf:2: found 4 numbers, expected the 18 of a job in SWF");
  EXPECT_EQ(of("1 0 0 1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"),
            "a.swf:1: found 17 numbers, expected the 18 of a job in SWF");
  EXPECT_EQ(of(swf_of("1 0 0 1 2") + "2 0 0 1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"),
            "a.swf:2: found 19 numbers, expected the 18 of a job in SWF");
  EXPECT_EQ(of(swf_of("1 0 0 1 none")), "a.swf:1: found 'none', expected a number");
  EXPECT_EQ(of(swf_of("1 0 0 1 2 -1 -1 -1 -1 -1 x")), "a.swf:1: found 'x', expected a number");
  EXPECT_EQ(of(swf_of("1 0 0 1 2\n5 soon 0 1 2")), "a.swf:2: found 'soon', expected a number");
  EXPECT_EQ(of(swf_of("5 -3 0 1 2")),
            "a.swf:1: job 5: it was submitted at -3, expected a time of at least 0");
  EXPECT_EQ(of(swf_of("5 -1 0 1 2")),
            "a.swf:1: job 5: it was submitted at -1, expected a time of at least 0");
  const std::string expected = "expected at least 0, or -1 where it is not known";
  EXPECT_EQ(of(swf_of("5 0 -2 1 2")), "a.swf:1: job 5: the wait is -2, " + expected);
  EXPECT_EQ(of(swf_of("5 0 0 -7 2")), "a.swf:1: job 5: the run time is -7, " + expected);
  EXPECT_EQ(of(swf_of("5 0 0 1 -4")), "a.swf:1: job 5: the number of processors is -4, " + expected);
  EXPECT_EQ(of(swf_of("5 0 0 1 -1 -1 -1 -2")),
            "a.swf:1: job 5: the number of processors asked for is -2, " + expected);
  EXPECT_EQ(of(swf_of("5 0 0 1 2.5")),
            "a.swf:1: job 5: found 2.5 processors, expected a whole number below 16777216");
  EXPECT_EQ(of(swf_of("1 0 0 1 0")), "a.swf: found no job with processors, expected at least one");
}

// As the archive's logs have them.
TEST(JobList, JobsThatNeverRanAreCountedAndLeftOut) {
  std::istringstream in(swf_of("1 0 0 5 2\n2 1 0 0 0\n3 2 -1 -1 4\n"));
  const JobList list = read_swf(in, "a.swf");
  ASSERT_EQ(list.jobs.size(), 2u);
  EXPECT_EQ(list.without_processors, 1u);
  EXPECT_EQ(list.without_time, 1u);
  const Shared shared;
  const ask::JobsAnswer found = shared.jobs("1 0 0 5 2\n2 1 0 0 0\n3 2 -1 -1 4\n", ring_program);
  EXPECT_EQ(found.without_processors, 1u);
  EXPECT_EQ(found.without_time, 1u);
}

TEST(JobList, AProgramOfOtherRanksNamesTheJob) {
  const Shared shared("4-ary 2-tree");
  const std::string file = ::testing::TempDir() + "three.goal";
  std::ofstream(file) << across;
  EXPECT_EQ(refused([&] { shared.jobs("7 0 0 2 2\n", file); }), "job 7 has 2 ranks, and the program 3");
  EXPECT_EQ(refused([&] { shared.jobs("8 0 0 2 4\n", file); }), "job 8 has 4 ranks, and the program 3");
}

TEST(JobList, ARepeatedProgramComputesBeforeEachTime) {
  const Program once = open_program("allreduce:bytes=1MB,algorithm=ring", 4);
  const Program thrice = repeated(once, 3, 2e-3);
  EXPECT_EQ(thrice.messages(), 3 * once.messages());
  const Shared shared("XGFT(1; 4; 1)");
  const double one = ask::program_time(shared.at(), shared.options, once).seconds;
  EXPECT_NEAR(ask::program_time(shared.at(), shared.options, thrice).seconds, 3 * (one + 2e-3), 1e-12);
}

// Two jobs of two ranks on four hosts, each rank alone with its link: nobody meets anybody.
TEST(JobTimes, JobsThatDoNotMeetTakeTheirTimeAlone) {
  const Shared shared;
  const ask::JobsAnswer found = shared.jobs("1 0 0 2 2\n2 1 0 3 2\n", ring_program);
  ASSERT_EQ(found.jobs.size(), 2u);
  EXPECT_NEAR(found.jobs[0].seconds, 2.001, 1e-9);
  EXPECT_EQ(found.jobs[1].start, 1);
  EXPECT_NEAR(found.jobs[1].seconds, 3.001, 1e-9);
  EXPECT_NEAR(found.max_slowdown, 1, 1e-9);
  EXPECT_NEAR(found.seconds, 4.001, 1e-9);
}

// Three ranks and four hosts: the second job waits until the first has ended, and the third behind it.
TEST(JobTimes, AJobWaitsForHostsInTheOrderOfTheList) {
  const Shared shared;
  const ask::JobsAnswer found = shared.jobs("1 0 0 2 3\n2 1 0 2 3\n3 1 0 1 1\n", ring_program);
  EXPECT_NEAR(found.jobs[1].start, found.jobs[0].end, 1e-9);
  EXPECT_NEAR(found.jobs[2].start, found.jobs[1].start, 1e-9);
  EXPECT_NE(refused([&] {
              shared.jobs("1 0 0 2 5\n", ring_program);
            }).find("job 1 needs 5 hosts: expected at most 4"),
            std::string::npos);
}

// Linear placement puts job 1 on hosts 0 to 2 and job 2 on 3 to 5 of leaves of two. Between leaves 1 and 2
// there is one cable each way, which both rings need in every round.
TEST(JobTimes, JobsThatMeetSlowEachOtherDown) {
  const Shared shared("XGFT(2; 2,3; 1,1)");
  const ask::JobsAnswer found = shared.jobs("1 0 0 0 3\n2 0 0 0 3\n", ring_program);
  EXPECT_NEAR(found.jobs[0].seconds_alone, 2e-3, 1e-9);
  EXPECT_NEAR(found.jobs[0].seconds, 4e-3, 1e-9);
  EXPECT_NEAR(found.jobs[1].seconds, 4e-3, 1e-9);
  EXPECT_NEAR(found.mean_slowdown, 2, 1e-6);
  EXPECT_EQ(found.flow_events, 24u);
}

// Two spines. The message of 1 ms loses its cable after 0.25 ms, waits for new routes and goes on by the
// other spine.
TEST(JobTimes, AMessageWaitsForNewRoutes) {
  const Shared shared("XGFT(2; 2,2; 1,2)");
  const std::vector<RoutedPath> way = paths(shared.topology.fabric, shared.routing, Nic{0}, Nic{2});
  const Fabric& fabric = shared.topology.fabric;
  const Node spine = fabric.to(way[0].channels[1]);
  const std::string lose = "0.25ms lose switch=" + fabric.name(spine) + "\n";
  EXPECT_NEAR(shared.time(across, lose, 0).seconds, 1e-3, 1e-12);
  const ask::ProgramAnswer late = shared.time(across, lose, 0.5e-3);
  EXPECT_NEAR(late.seconds, 1.5e-3, 1e-12);
  EXPECT_NEAR(*late.seconds_intact, 1e-3, 1e-12);
  EXPECT_EQ(late.rerouted, 1u);
  // The switch comes back before there are new routes.
  EXPECT_NEAR(shared.time(across, lose + "0.35ms regain switch=" + fabric.name(spine) + "\n", 0.5e-3).seconds,
              1.1e-3, 1e-12);
  EXPECT_NEAR(shared.time(across, "2ms lose switch=" + fabric.name(spine) + "\n", 0).seconds, 1e-3, 1e-12);
}

// The chain without contention meets the same changes: 0.25 ms, then 0.5 ms until there are new routes.
TEST(JobTimes, TheCriticalPathIsThatOfTheDamagedRun) {
  const Shared shared("XGFT(2; 2,2; 1,2)");
  const Fabric& fabric = shared.topology.fabric;
  const Node spine = fabric.to(paths(fabric, shared.routing, Nic{0}, Nic{2})[0].channels[1]);
  const std::string lose = "0.25ms lose switch=" + fabric.name(spine) + "\n";
  EXPECT_NEAR(shared.time(across, lose, 0.5e-3).critical_path_seconds, 1.5e-3, 1e-12);
  // Two messages of one NIC and of one stream follow each other; alone, each begins at once.
  const std::string twice =
      "num_ranks 3\nrank 0 {\nsend 1000000b to 2\nsend 1000000b to 2\n}\nrank 2 {\nrecv 1000000b from "
      "0\nrecv "
      "1000000b from 0\n}\n";
  const ask::ProgramAnswer found = shared.time(twice, lose, 0.5e-3);
  EXPECT_NEAR(found.critical_path_seconds, 1.5e-3, 1e-12);
  EXPECT_NEAR(found.seconds, 2.5e-3, 1e-12);
}

// No run is shorter than its critical path, whatever breaks; without changes both are those of the program.
TEST(JobTimes, TheDamagedCriticalPathBoundsTheRun) {
  const Shared shared("XGFT(2; 4,4; 1,2)");
  const Program program = open_program("step:tensor=4,pipeline=2,layers=2,hidden=256", 16);
  const ask::ProgramAnswer whole = ask::program_time(shared.at(), shared.options, program);
  const auto later = shared.read("100s lose links=1,seed=1\n");
  const ask::ProgramAnswer same =
      ask::program_time(shared.at(), shared.options, program, {}, {later, &shared.router});
  EXPECT_NEAR(same.critical_path_seconds, whole.critical_path_seconds, 1e-9 * whole.seconds);
  EXPECT_EQ(same.changes, 0u);
  EXPECT_EQ(same.changes_later, 1u);
  for (u32 seed = 1; seed <= 8; ++seed) {
    const auto lost = shared.read(
        fmt::format("{}ms lose links=2,seed={}\n{}ms regain links=2,seed={}\n", seed, seed, 3 * seed, seed));
    const ask::ProgramAnswer found = ask::program_time(shared.at(), shared.options, program,
                                                       {.reroute_delay = {1e-3}}, {lost, &shared.router});
    EXPECT_GE(found.seconds, found.critical_path_seconds * (1 - 1e-9)) << seed;
    EXPECT_GE(found.critical_path_seconds, whole.critical_path_seconds * (1 - 1e-9)) << seed;
  }
}

// Two hosts of one leaf: an uplink that is lost changes no way of theirs.
TEST(JobTimes, AMessageThatKeepsItsWayIsNotCounted) {
  const Shared shared("XGFT(2; 2,2; 1,2)");
  const std::string near =
      "num_ranks 2\nrank 0 {\nsend 1000000b to 1\n}\nrank 1 {\nrecv 1000000b from 0\n}\n";
  const ask::ProgramAnswer found = shared.time(near, "0.25ms lose link=s1-0:3\n", 0);
  EXPECT_EQ(found.rerouted, 0u);
  EXPECT_EQ(found.changes, 1u);
  EXPECT_NEAR(found.seconds, 1e-3, 1e-12);
}

// Routed past a spine that is lost, and back when the other one is lost: one message, although its way
// changed twice.
TEST(JobTimes, AMessageIsCountedOnceHoweverOftenItsWayChanges) {
  const Shared shared("XGFT(2; 2,2; 1,2)");
  const Fabric& fabric = shared.topology.fabric;
  const std::string first =
      fabric.name(fabric.to(paths(fabric, shared.routing, Nic{0}, Nic{2})[0].channels[1]));
  const std::string second = first == "s2-0" ? "s2-1" : "s2-0";
  const std::string changes = "0.25ms lose switch=" + first + "\n0.5ms regain switch=" + first +
                              "\n0.5ms lose switch=" + second + "\n";
  EXPECT_EQ(shared.time(across, "0.25ms lose switch=" + first + "\n", 0).rerouted, 1u);
  const ask::ProgramAnswer found = shared.time(across, changes, 0);
  EXPECT_NEAR(found.seconds, 1e-3, 1e-12);
  EXPECT_EQ(found.rerouted, 1u);
}

TEST(JobTimes, AMessageThatNothingLeadsPastWaitsForEver) {
  const Shared shared;
  const std::string spine = shared.topology.fabric.name(shared.topology.fabric.to(
      paths(shared.topology.fabric, shared.routing, Nic{0}, Nic{2})[0].channels[1]));
  EXPECT_EQ(refused([&] { shared.time(across, "0.5ms lose switch=" + spine + "\n", 0); }),
            "1 messages wait for ever: they need cables that were lost, and were not routed past them");
  EXPECT_NEAR(
      shared.time(across, "0.5ms lose switch=" + spine + "\n3ms regain switch=" + spine + "\n", 0).seconds,
      3.5e-3, 1e-12);
}

// Without changes, what fluid_time() says.
TEST(JobTimes, OneJobAloneIsTheProgram) {
  const Shared shared("XGFT(2; 4,4; 1,2)");
  const Program program = open_program("step:tensor=4,pipeline=2,layers=4,hidden=256", 16);
  const double alone = ask::program_time(shared.at(), shared.options, program).seconds;
  const ask::ProgramAnswer again = ask::program_time(shared.at(), shared.options, program, {}, {});
  EXPECT_NEAR(again.seconds, alone, 1e-9 * alone);
}

// 1 ms of a message ends when its host is lost: it has left. It does not matter how the end was rounded.
TEST(JobTimes, AMessageEndsBeforeAChangeOfTheSameTime) {
  const Shared shared;
  EXPECT_NEAR(shared.time(across, "1ms lose host=h0\n3ms regain host=h0\n", 0).seconds, 1e-3, 1e-12);
  EXPECT_NEAR(shared.time(across, "1ms lose host=h0\n", 0).seconds, 1e-3, 1e-12);
  EXPECT_NEAR(
      shared.time(across, "0.3ms lose host=h0\n0.6ms regain host=h0\n1.3ms lose host=h0\n", 0).seconds,
      1.3e-3, 1e-12);
}

// 0.5 ms of computing, and a message of 1 ms that waits for 2 ms: 3 ranks, of which one computes.
TEST(JobTimes, TheExposedShareIsThatOfTheDamagedRun) {
  const Shared shared;
  const std::string goal =
      "num_ranks 3\nrank 0 {\na: calc 500000\nb: send 1000000b to 2\nb requires a\n}\nrank 2 {\nrecv "
      "1000000b "
      "from 0\n}\n";
  const ask::ProgramAnswer found = shared.time(goal, "1ms lose host=h0\n3ms regain host=h0\n", 0);
  ASSERT_NEAR(found.seconds, 3.5e-3, 1e-9);
  EXPECT_NEAR(*found.exposed_share, 1 - 0.5 / (3 * 3.5), 1e-6);
}

// dmodk routes the tree as a whole, and not without a cable.
TEST(JobTimes, AutoChoosesOneEngineForTheMostDamagedFabric) {
  Shared shared("4-ary 2-tree");
  shared.router = ask::router({}, shared.topology);
  ASSERT_EQ(shared.router.name, "dmodk");
  const std::string lose = "0.25ms lose links=1,seed=1\n0.5ms regain links=1,seed=1\n";
  EXPECT_NE(refused([&] { shared.time(across, lose, 0); }).find("the engine does not apply any more: dmodk"),
            std::string::npos);
  shared.router = ask::timeline_router(shared.router, {}, shared.topology, shared.read(lose));
  EXPECT_NE(shared.router.name, "dmodk");
  EXPECT_NEAR(shared.time(across, lose, 0).seconds, 1e-3, 1e-12);
  const ask::FabricRouter given = ask::router({.engine = "dmodk"}, shared.topology);
  EXPECT_EQ(ask::timeline_router(given, {.engine = "dmodk"}, shared.topology, shared.read(lose)).name,
            "dmodk");
}

// A message on the second rail stays there when it is routed again, and takes the first when its cable is
// lost.
TEST(JobTimes, MessagesKeepTheirRails) {
  const Topology whole = make_topology("2 x XGFT(1; 4; 1)");
  const Fabric& fabric = whole.fabric;
  const Routing routing = routed(whole, "minhop");
  Placement placement;
  for (u32 h = 0; h < 4; ++h) placement.push_back(Host{h});
  const flow::Carrier carrier(fabric, routing, placement, {}, {});
  const Demand message{Rank{0}, Rank{2}, 1e6};
  std::vector<Flow> flows = {{fabric.nic(Host{0}, 1), fabric.nic(Host{2}, 1), 1e6}};
  flow::Carried out;
  ASSERT_TRUE(carrier.carry_again(
      message, [](Channel) { return true; }, flows, out));
  EXPECT_EQ(flows[0].from, fabric.nic(Host{0}, 1));
  EXPECT_EQ(out.flows[0].to, fabric.nic(Host{2}, 1));
  const Channel lost = out.listed.channels[0];
  ASSERT_TRUE(carrier.carry_again(
      message, [&](Channel c) { return c != lost; }, flows, out));
  EXPECT_EQ(flows[0].from, fabric.nic(Host{0}, 0));
  EXPECT_EQ(flows[0].to, fabric.nic(Host{2}, 0));
  EXPECT_FALSE(carrier.carry_again(
      message, [](Channel) { return false; }, flows, out));
  EXPECT_EQ(flows[0].from, fabric.nic(Host{0}, 0));
}

TEST(Timeline, IsReadInTheOrderOfTime) {
  const Shared shared("4-ary 2-tree");
  const Fabric& fabric = shared.topology.fabric;
  const std::string leaf = fabric.name(fabric.to(*fabric.channels(fabric.node(Nic{0})).begin()));
  const auto port = [&](u32 number) { return "link=" + leaf + ":" + std::to_string(number); };
  const auto cables = [&](const std::string& what) { return fabric::choose_cables(fabric, what); };
  const auto found = shared.read("# cables\n1ms lose " + port(1) + " # one\n1ms  lose\t" + port(2) +
                                 "\n2ms regain " + port(1) + "\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].time, 1e-3);
  EXPECT_EQ(found[0].lost.size(), 2u);
  EXPECT_EQ(found[1].lost, cables(port(2)));
  // A switch that is lost keeps a cable that was lost before, and is regained.
  const auto both =
      shared.read("1ms lose " + port(1) + "\n2ms lose switch=" + leaf + "\n3ms regain " + port(1) + "\n");
  EXPECT_EQ(both[2].lost.size(), cables("switch=" + leaf).size());
  const auto of = [&](const std::string& text) { return refused([&] { shared.read(text); }); };
  EXPECT_EQ(of("2ms lose " + port(1) + "\n1ms lose " + port(2) + "\n"),
            "t:2: found a time before that of the line above");
  EXPECT_EQ(of("2ms regain link=a:1\n"), "t:1: found 'link=a:1' regained, expected something that is lost");
  EXPECT_EQ(of("# nothing\n"), "t: found no change of cables, expected lines such as 1.5ms lose link=s3:2");
  EXPECT_EQ(of("#\n1ms lose link=nowhere:1\n"), "t:2: 'link=nowhere:1': there is no node called 'nowhere'");
  EXPECT_NE(of("soon lose link=a:1\n").find("t:1: found 'soon lose link=a:1', expected a time"),
            std::string::npos);
}

// Drawn from what is left when they are lost; they stay the same when something earlier is regained.
TEST(Timeline, CablesAreDrawnOnce) {
  const Shared shared("4-ary 2-tree");
  const Fabric& fabric = shared.topology.fabric;
  const Link first = fabric::choose_cables(fabric, "links=2,seed=1")[0];
  const std::string link = "link=" + fabric.name(fabric.from(first.a)) + ":" + fabric.port_label(first.a);
  const auto found = shared.read("1ms lose " + link + "\n2ms lose links=2,seed=1\n3ms regain " + link +
                                 "\n4ms regain links=2,seed=1\n");
  ASSERT_EQ(found.size(), 4u);
  std::vector<Link> drawn =
      fabric::choose_cables(without(fabric, std::vector<Link>{first}), "links=2,seed=1");
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(found[1].lost.size(), 3u);
  EXPECT_EQ(found[2].lost, drawn);
  EXPECT_TRUE(found[3].lost.empty());
}

}  // namespace
}  // namespace banyan::tests
