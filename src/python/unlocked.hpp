// Long calls: without the interpreter's lock, and stopped by Ctrl-C.
#pragma once
#include <pybind11/pybind11.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace banyan::python {

void set_main_thread(unsigned long ident);  // of Python: the one that gets signals

// While this is there, in Python's main thread, Ctrl-C also stops the library's loops. Made and destroyed
// with the lock of the interpreter held.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  bool is_outermost_;
};

// Runs it without the interpreter's lock. The translator makes KeyboardInterrupt from Interrupted.
template <class F>
auto unlocked(F&& f) {
  const Interruptible interruptible;
  const pybind11::gil_scoped_release released;
  return f();
}

// Functions of Python that run in threads of the library, where Python raises no signal.
class RunningFunctions {
 public:
  // While a function runs in this thread. Made and destroyed with the lock held.
  class Here {
   public:
    explicit Here(RunningFunctions& all);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    RunningFunctions& all_;
    bool is_new_;
  };

  void interrupt();  // raises KeyboardInterrupt in all of them; with the lock held
  bool were_interrupted() const { return were_interrupted_; }

 private:
  std::unordered_set<unsigned long> threads_;  // under the lock, as the truth below
  bool were_interrupted_ = false;
};

// While this is there, Ctrl-C also ends these functions: a thread looks for it ten times a second. One that
// waits in C, as time.sleep() does, ends when it comes back to Python. Made and destroyed without the lock.
class FunctionInterrupter {
 public:
  explicit FunctionInterrupter(RunningFunctions& functions);
  ~FunctionInterrupter();
  FunctionInterrupter(const FunctionInterrupter&) = delete;
  FunctionInterrupter& operator=(const FunctionInterrupter&) = delete;

 private:
  void watch(RunningFunctions& functions);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace banyan::python
