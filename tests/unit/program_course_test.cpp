// What is shown of a program's run: computing, the chain that decides the end, what held it up; worked out by
// hand.
#include "traffic/programs/program_course.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "ask/time.hpp"
#include "flow/program_time.hpp"
#include "support/routed.hpp"
#include "traffic/programs/goal.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::tests {
namespace {

struct Watched {
  Topology topology = make_topology("XGFT(1; 4; 1)");
  Routing routing = routed(topology, "minhop");
  Program program;
  ProgramLog log;
  double total;
  ask::TimingOptions options;

  explicit Watched(Program what) : program(std::move(what)), log(program) {
    options.link = {1e9};
    flow::ProgramOptions how;
    how.network.rates.link = 1e9;
    total = fluid_time(topology.fabric, routing, program, place_linearly(program.ranks), how, &log).total;
  }
  explicit Watched(const std::string& text) : Watched(read(text)) {}
  static Program read(const std::string& text) {
    std::istringstream in(text);
    return read_goal(in, "a.goal");
  }
  ask::ProgramPicture picture() const {
    return *ask::program_time({.topology = topology, .routing = &routing}, options, program,
                              {.picture = true})
                .picture;
  }
};

// Rank 0 computes 1 ms, sends 1 ms to rank 1, which has computed 0.5 ms and then computes 2 ms.
const std::string line =
    "num_ranks 2\nrank 0 {\na: calc 1000000\nb: send 1000000b to 1\nb requires a\n}\n"
    "rank 1 {\na: calc 500000\nb: recv 1000000b from 0 cpu 1\nc: calc 2000000\nb requires a\nc requires "
    "b\n}\n";

TEST(ProgramCourse, TheChainIsWhatEachStepWaitedFor) {
  const Watched run(line);
  EXPECT_NEAR(run.total, 4e-3, 1e-12);
  const std::vector<ChainStep> chain = deciding_chain(run.program, run.log, 65535);
  ASSERT_EQ(chain.size(), 4u);
  EXPECT_EQ(run.program.name(chain[0].op), "rank 0, line 3: calc of 1000000 ns");
  EXPECT_TRUE(chain[1].is_message);
  EXPECT_NEAR(chain[1].begin, 1e-3, 1e-12);
  EXPECT_NEAR(chain[1].end, 2e-3, 1e-12);
  EXPECT_EQ(chain[2].begin, chain[2].end);  // the receive itself costs nothing
  EXPECT_NEAR(chain[3].end, 4e-3, 1e-12);
}

TEST(ProgramCourse, RanksComputeSendAndWait) {
  const Watched run(line);
  const std::vector<double> computing = computing_seconds(run.program, run.log);
  EXPECT_NEAR(computing[0], 1e-3, 1e-12);
  EXPECT_NEAR(computing[1], 2.5e-3, 1e-12);
  const Course course = course_of(run.program, run.log, 10, 8);  // columns of 0.5 ms
  ASSERT_EQ(course.rows, 2u);
  const auto of = [&](const std::vector<double>& shares, u32 rank) {
    std::string out;
    for (u32 c = 0; c < 8; ++c) out += static_cast<char>('0' + std::lround(shares[rank * 8 + c]));
    return out;
  };
  EXPECT_EQ(of(course.computing, 0), "11000000");
  EXPECT_EQ(of(course.sending, 0), "00110000");
  EXPECT_EQ(of(course.waiting, 0), "00000000");
  EXPECT_EQ(of(course.computing, 1), "10001111");
  EXPECT_EQ(of(course.waiting, 1), "01110000");
  const Course both = course_of(run.program, run.log, 1, 8);
  EXPECT_EQ(both.ranks_of_row, 2u);
  EXPECT_NEAR(both.computing[0], 1, 1e-9);
  EXPECT_NEAR(both.computing[1], 0.5, 1e-9);
}

// Two messages of 1 ms share the link of their receiver: each loses 1 ms there.
TEST(ProgramCourse, LinksThatAreSharedHoldMessagesUp) {
  const Watched run(
      "num_ranks 3\nrank 0 {\nsend 1000000b to 2\n}\nrank 1 {\nsend 1000000b to 2\n}\n"
      "rank 2 {\nrecv 1000000b from 0 cpu 0\nrecv 1000000b from 1 cpu 1\n}\n");
  EXPECT_NEAR(run.total, 2e-3, 1e-12);
  const ask::ProgramPicture picture = run.picture();
  ASSERT_EQ(picture.links.size(), 1u);
  EXPECT_EQ(picture.links[0].to, "h2");
  EXPECT_NEAR(picture.links[0].seconds, 1e-3, 1e-12);
  EXPECT_NEAR(picture.message_seconds, 2e-3, 1e-12);
  EXPECT_NEAR(picture.held_seconds, 1e-3, 1e-12);
}

// A long send that waits for its receive: the chain goes to what the receiver did.
TEST(ProgramCourse, ASendMayWaitForItsReceive) {
  const Watched run(
      "num_ranks 2\nrank 0 {\na: send 1000000b to 1\nb: calc 1000000\nb requires a\n}\n"
      "rank 1 {\na: calc 3000000\nb: recv 1000000b from 0\nb requires a\n}\n");
  EXPECT_NEAR(run.total, 4e-3, 1e-12);
  const std::vector<ChainStep> chain = deciding_chain(run.program, run.log, 65535);
  ASSERT_EQ(chain.size(), 3u);
  EXPECT_EQ(run.program.rank[chain[0].op], 1u);
  EXPECT_NEAR(chain[0].end, 3e-3, 1e-12);
}

// Whatever it is, the chain has no gaps and takes the whole time.
TEST(ProgramCourse, ChainsHaveNoGaps) {
  for (const char* text : {"allreduce:bytes=1MB,algorithm=ring", "alltoall:bytes=100000",
                           "broadcast:bytes=1MB", "step:tensor=2,pipeline=2,layers=4,hidden=256"}) {
    const Watched run(open_program(text, 4));
    const std::vector<ChainStep> chain = deciding_chain(run.program, run.log, 65535);
    ASSERT_FALSE(chain.empty());
    EXPECT_NEAR(chain.front().begin, 0, 1e-12) << text;
    EXPECT_NEAR(chain.back().end, run.total, 1e-12) << text;
    for (std::size_t i = 1; i < chain.size(); ++i) EXPECT_EQ(chain[i].begin, chain[i - 1].end) << text;
  }
}

}  // namespace
}  // namespace banyan::tests
