// A traffic that is a Python function.
#pragma once
#include <pybind11/numpy.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "python/parts.hpp"
#include "python/unlocked.hpp"

namespace banyan::python {

// Its job calls the function from any thread, with the lock. What the function raises is kept, and raised
// again by the call that asked; where Ctrl-C ended it, that call raises Interrupted.
class PythonTraffic {
 public:
  PythonTraffic(py::function f, const OpenFabric& fabric, u32 ranks, u64 rounds, bool is_random,
                bool in_bytes, const std::string& placement, u64 seed);

  const Job* job() const { return job_.get(); }
  RunningFunctions& running() const { return state_->running; }
  void raise() const;

 private:
  struct State {
    py::function function;
    std::exception_ptr error;  // under the lock
    RunningFunctions running;
    ~State() {
      const py::gil_scoped_acquire lock;
      function = {};
      error = nullptr;
    }
  };

  static void list(State& state, u32 ranks, u64 seed, u64 sample, u64 round, std::vector<Demand>& out);

  std::shared_ptr<State> state_;
  std::shared_ptr<const Job> job_;
};

}  // namespace banyan::python
