// Shows the progress of long loops and lets Ctrl-C stop them. On a terminal a line on standard error shows
// the rate and the remaining time, after the first half second; in a pipe nothing is shown.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace banyan::base {

// Thrown by loops after Ctrl-C. The program exits with status 130.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

void catch_interrupts();     // SIGINT then asks loops to stop; a second one ends the program
void set_interrupted(bool);  // sets or clears the flag that SIGINT sets
bool interrupted();

// Shows progress although standard error is a pipe, because its other end shows it on a terminal (mpirun).
void forward_progress();

class Progress {
 public:
  // Where to write the line, and the clock in seconds.
  struct Screen {
    std::function<void(std::string_view)> write;  // empty: nothing is shown
    std::function<double()> seconds;
  };
  static Screen standard_error();

  // `total` 0: nobody knows how many there will be.
  Progress(std::string what, u64 total, Screen screen = standard_error());
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(u64 steps = 1);  // from any thread

 private:
  std::string what_;
  u64 total_;
  Screen screen_;
  double start_ = 0, next_ = 0;
  bool shown_ = false;
  std::atomic<u64> done_ = 0;
  std::mutex showing_;
};

}  // namespace banyan::base
