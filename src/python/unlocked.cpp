#include "python/unlocked.hpp"

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

}  // namespace banyan::python
