// Jobs that share a fabric, and cables that are lost while they run: times worked out by hand.
#include "flow/job_times.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "ask/jobs_time.hpp"
#include "fabric/timeline.hpp"
#include "support/routed.hpp"
#include "traffic/programs/goal.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::tests {
namespace {

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
    std::istringstream in(swf), changes(timeline);
    const ask::Timeline course{fabric::read_timeline(changes, "t"), &router};
    return ask::jobs_time(at(), options, {.repeats = repeats}, read_swf(in, "a.swf"), program, course);
  }
  ask::ProgramAnswer time(const std::string& goal, const std::string& timeline, double delay) const {
    std::istringstream in(goal), changes(timeline);
    const ask::Timeline course{fabric::read_timeline(changes, "t"), &router};
    return ask::program_time(at(), options, read_goal(in, "a.goal"), {.reroute_delay = {delay}}, course);
  }
};

const std::string ring =
    "allgather:bytes=1MB,algorithm=ring";  // each rank sends its 1 ms to the next, n - 1 times

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
      "; a comment\n  2 5 1 10 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n1\t0 -1 -1 -1 -1 -1 2\n");
  const std::vector<ListedJob> jobs = read_swf(in, "a.swf");
  ASSERT_EQ(jobs.size(), 2u);
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
  EXPECT_EQ(of("1 0 0 1 none\n"), "a.swf:1: found 'none', expected a number");
  EXPECT_EQ(of("1 0 0 1 0\n"), "a.swf:1: job 1: found -1 processors, expected at least one");
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
  const ask::JobsAnswer found = shared.jobs("1 0 0 2 2\n2 1 0 3 2\n", ring);
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
  const ask::JobsAnswer found = shared.jobs("1 0 0 2 3\n2 1 0 2 3\n3 1 0 1 1\n", ring);
  EXPECT_NEAR(found.jobs[1].start, found.jobs[0].end, 1e-9);
  EXPECT_NEAR(found.jobs[2].start, found.jobs[1].start, 1e-9);
  EXPECT_NE(
      refused([&] { shared.jobs("1 0 0 2 5\n", ring); }).find("job 1 needs 5 hosts: expected at most 4"),
      std::string::npos);
}

// Linear placement puts job 1 on hosts 0 to 2 and job 2 on 3 to 5 of leaves of two. Between leaves 1 and 2
// there is one cable each way, which both rings need in every round.
TEST(JobTimes, JobsThatMeetSlowEachOtherDown) {
  const Shared shared("XGFT(2; 2,3; 1,1)");
  const ask::JobsAnswer found = shared.jobs("1 0 0 0 3\n2 0 0 0 3\n", ring);
  EXPECT_NEAR(found.jobs[0].seconds_alone, 2e-3, 1e-9);
  EXPECT_NEAR(found.jobs[0].seconds, 4e-3, 1e-9);
  EXPECT_NEAR(found.jobs[1].seconds, 4e-3, 1e-9);
  EXPECT_NEAR(found.mean_slowdown, 2, 1e-6);
  EXPECT_EQ(found.flow_events, 24u);
}

const std::string across =
    "num_ranks 3\nrank 0 {\nsend 1000000b to 2\n}\nrank 2 {\nrecv 1000000b from 0\n}\n";

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

TEST(Timeline, IsReadInTheOrderOfTime) {
  std::istringstream in("# cables\n1ms lose link=s0:1 # one\n1ms  lose\tlink=s0:2\n2ms regain link=s0:1\n");
  const std::vector<fabric::CableChange> found = fabric::read_timeline(in, "t");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].lost, (std::vector<std::string>{"link=s0:1", "link=s0:2"}));
  EXPECT_EQ(found[1].lost, (std::vector<std::string>{"link=s0:2"}));
  const auto of = [](const std::string& text) {
    return refused([&] {
      std::istringstream broken(text);
      fabric::read_timeline(broken, "t");
    });
  };
  EXPECT_EQ(of("2ms lose link=a:1\n1ms lose link=b:1\n"), "t:2: found a time before that of the line above");
  EXPECT_EQ(of("2ms regain link=a:1\n"), "t:1: found 'link=a:1' regained, expected something that is lost");
  EXPECT_NE(of("soon lose link=a:1\n").find("t:1: found 'soon lose link=a:1', expected a time"),
            std::string::npos);
}

}  // namespace
}  // namespace banyan::tests
