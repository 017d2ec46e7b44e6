// Long calls: without the interpreter's lock, and stopped by Ctrl-C.
#pragma once
#include <pybind11/pybind11.h>

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

}  // namespace banyan::python
