#include "python/unlocked.hpp"

#include <chrono>
#include <csignal>

#include "base/progress.hpp"

namespace banyan::python {
namespace {

struct sigaction python_action;  // what Python does at SIGINT: it notes it
unsigned long main_thread = 0;
bool is_there = false;  // an Interruptible, in the main thread

extern "C" void on_python_interrupt(int number) {
  base::set_interrupted(true);
  if (!(python_action.sa_flags & SA_SIGINFO) && python_action.sa_handler != SIG_DFL &&
      python_action.sa_handler != SIG_IGN)
    python_action.sa_handler(number);
}

}  // namespace

void set_main_thread(unsigned long ident) { main_thread = ident; }

Interruptible::Interruptible() : is_outermost_(PyThread_get_thread_ident() == main_thread && !is_there) {
  if (!is_outermost_) return;
  is_there = true;
  sigaction(SIGINT, nullptr, &python_action);
  if (python_action.sa_handler == SIG_IGN) return;  // as nohup has it
  struct sigaction action = {};
  action.sa_handler = on_python_interrupt;
  sigaction(SIGINT, &action, nullptr);
}

Interruptible::~Interruptible() {
  if (!is_outermost_) return;
  is_there = false;
  sigaction(SIGINT, &python_action, nullptr);
  if (base::interrupted()) base::set_interrupted(false);
}

RunningFunctions::Here::Here(RunningFunctions& all)
    : all_(all),
      is_new_(PyThread_get_thread_ident() != main_thread &&
              all.threads_.insert(PyThread_get_thread_ident()).second) {}

RunningFunctions::Here::~Here() {
  if (!is_new_) return;
  const unsigned long me = PyThread_get_thread_ident();
  all_.threads_.erase(me);
  if (all_.were_interrupted_) PyThreadState_SetAsyncExc(me, nullptr);  // one that was not raised in time
}

void RunningFunctions::interrupt() {
  for (const unsigned long thread : threads_) {
    were_interrupted_ = true;
    PyThreadState_SetAsyncExc(thread, PyExc_KeyboardInterrupt);
  }
}

FunctionInterrupter::FunctionInterrupter(RunningFunctions& functions)
    : thread_([this, &functions] { watch(functions); }) {}

FunctionInterrupter::~FunctionInterrupter() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void FunctionInterrupter::watch(RunningFunctions& functions) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, 100ms, [&] { return has_ended_; })) {
    if (!base::interrupted()) continue;
    lock.unlock();
    {
      const pybind11::gil_scoped_acquire python;
      functions.interrupt();
    }
    lock.lock();
  }
}

}  // namespace banyan::python
