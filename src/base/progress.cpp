#include "base/progress.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/seconds.hpp"
#include "base/tidy_stop.hpp"

namespace banyan::base {
namespace {

constexpr double patience = 0.5, interval = 0.2;  // seconds before the first line and between lines

std::atomic<bool> interrupt_flag = false;  // lock-free, so a handler may set it

bool is_forwarded = false;  // to a terminal, by another process

std::atomic<bool> ends_by_itself = false;
bool are_caught = false;  // interrupts, by catch_interrupts(): the alarm is this program's
constexpr itimerval grace = {{0, 0}, {0, 700'000}};  // microseconds

extern "C" void on_interrupt(int) {
  interrupt_flag = true;
  if (!ends_by_itself) setitimer(ITIMER_REAL, &grace, nullptr);
}

extern "C" void on_grace_over(int) {
  constexpr std::string_view text = "banyan: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  _exit(130);
}

}  // namespace

void catch_interrupts() {
  are_caught = true;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = on_grace_over;
  sigaction(SIGALRM, &action, nullptr);
}

void stop_tidily() { ends_by_itself = true; }

void forward_progress() { is_forwarded = true; }
void set_interrupted(bool value) {
  interrupt_flag = value;
  constexpr itimerval never = {};
  if (!value && are_caught) setitimer(ITIMER_REAL, &never, nullptr);
}
bool interrupted() { return interrupt_flag; }

Progress::Screen Progress::standard_error() {
  if (!isatty(STDERR_FILENO) && !is_forwarded) return {};
  return {[](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }, seconds_now};
}

Progress::Progress(std::string what, u64 total, Screen screen)
    : what_(std::move(what)), total_(total), screen_(std::move(screen)) {
  if (!screen_.write) return;
  start_ = screen_.seconds();
  next_ = start_ + patience;
}

Progress::~Progress() {
  if (shown_) screen_.write("\r\x1b[K");
}

void Progress::advance(u64 steps) {
  const u64 done = done_ += steps;
  if (!screen_.write) return;
  const std::unique_lock lock(showing_, std::try_to_lock);
  if (!lock) return;  // another thread is at it
  const double now = screen_.seconds();
  if (now < next_ || done == 0) return;
  next_ = now + interval;
  shown_ = true;
  const double rate = static_cast<double>(done) / (now - start_);
  screen_.write(total_ == 0 ? fmt::format("\r\x1b[K{}: {}, {:.3g}/s", what_, done, rate)
                            : fmt::format("\r\x1b[K{}: {} of {}, {:.3g}/s, {:.0f} s left", what_, done,
                                          total_, rate, static_cast<double>(total_ - done) / rate));
}

}  // namespace banyan::base
