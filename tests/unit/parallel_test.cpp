#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace banyan::tests {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceWithAnyNumberOfThreads) {
  for (unsigned threads : {1, 2, 7})
    for (u64 count : {0, 1, 5, 10'000}) {
      std::vector<int> visits(count);
      parallel_for(count, threads, [&](u64 i) { ++visits[i]; });
      EXPECT_EQ(visits, std::vector<int>(count, 1));
    }
}

TEST(ParallelFor, CarriesAnExceptionToTheCaller) {
  const auto fail = [](u64 i) {
    if (i == 77) throw std::runtime_error("seventy-seven");
  };
  for (unsigned threads : {1, 4}) EXPECT_THROW(parallel_for(1000, threads, fail), std::runtime_error);
}

TEST(ParallelFor, StopsWhenInterrupted) {
  catch_interrupts();
  std::raise(SIGINT);
  u64 visited = 0;
  EXPECT_THROW(parallel_for(1000, 1, [&](u64) { ++visited; }), Interrupted);
  EXPECT_EQ(visited, 0);
  set_interrupted(false);
  std::signal(SIGINT, SIG_DFL);
}

TEST(InterruptsDeathTest, EndWhatDoesNotStopByItself) {
  const auto deaf = [](int signal) {
    catch_interrupts();
    std::raise(signal);
    for (;;) pause();
  };
  for (const int signal : {SIGINT, SIGTERM})
    EXPECT_EXIT(deaf(signal), testing::ExitedWithCode(130), "interrupted");
}

struct Shown {
  double now = 100;
  std::vector<std::string> lines;
  Progress::Screen screen() {
    return {[this](std::string_view text) { lines.emplace_back(text); }, [this] { return now; }};
  }
};

TEST(Progress, ShowsRateAndRemainingTimeAfterHalfASecondAndFiveTimesASecond) {
  Shown shown;
  {
    Progress progress("searching", 100, shown.screen());
    shown.now += 0.4;
    progress.advance(10);
    EXPECT_TRUE(shown.lines.empty());
    shown.now += 0.6;
    progress.advance(10);
    shown.now += 0.1;
    progress.advance(10);
    ASSERT_EQ(shown.lines.size(), 1);
    EXPECT_EQ(shown.lines[0], "\r\x1b[Ksearching: 20 of 100, 20/s, 4 s left");
  }
  EXPECT_EQ(shown.lines.back(), "\r\x1b[K");
}

TEST(Progress, LeavesNoTraceWhenTheWorkWasShort) {
  Shown shown;
  { Progress("searching", 1, shown.screen()).advance(); }
  EXPECT_TRUE(shown.lines.empty());
}

}  // namespace
}  // namespace banyan::tests
