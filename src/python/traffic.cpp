#include "python/traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/progress.hpp"

namespace banyan::python {
namespace {

Rank rank(double number, u32 ranks) {
  const bool is_rank = number >= 0 && number < ranks && number == std::floor(number);
  if (!is_rank)
    throw InputError(fmt::format("a traffic names rank {:g}: there are ranks 0 to {}", number, ranks - 1));
  return Rank{static_cast<u32>(number)};
}

}  // namespace

PythonTraffic::PythonTraffic(py::function f, const OpenFabric& fabric, u32 ranks, u64 rounds, bool is_random,
                             bool in_bytes, const std::string& placement, u64 seed)
    : state_(std::make_shared<State>()) {
  state_->function = std::move(f);
  const Fabric& at = fabric.loaded.topology.fabric;
  const u32 count = ranks > 0 ? ranks : at.hosts();
  Traffic traffic{.ranks = count, .list = {}};
  traffic.list = [state = state_, count](u64 drawn, u64 sample, u64 round, std::vector<Demand>& out) {
    list(*state, count, drawn, sample, round, out);
  };
  traffic.rounds = rounds;
  traffic.is_random = is_random;
  traffic.in_bytes = in_bytes;
  job_ = std::make_shared<const Job>(Job{std::move(traffic), place(at, count, seed, placement)});
}

void PythonTraffic::raise() const {
  const std::exception_ptr error = std::exchange(state_->error, nullptr);
  if (state_->running.were_interrupted()) throw Interrupted();
  if (error) std::rethrow_exception(error);
}

void PythonTraffic::list(State& state, u32 ranks, u64 seed, u64 sample, u64 round, std::vector<Demand>& out) {
  const py::gil_scoped_acquire lock;
  const RunningFunctions::Here here(state.running);
  try {
    using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;
    const Rows rows = py::cast<Rows>(state.function(ranks, round, sample, seed));
    if (rows.size() == 0) return;
    if (rows.ndim() != 2 || rows.shape(1) < 2 || rows.shape(1) > 3)
      throw InputError("a traffic gives rows of two or three numbers: from, to and the amount");
    for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
      const double amount = rows.shape(1) == 3 ? rows.at(i, 2) : 1;
      if (!(amount >= 0) || !std::isfinite(amount))
        throw InputError(fmt::format("an amount of a traffic is {}: expected a number from 0 on", amount));
      out.push_back({rank(rows.at(i, 0), ranks), rank(rows.at(i, 1), ranks), amount});
    }
  } catch (...) {
    if (!state.error) state.error = std::current_exception();
    throw InputError("the function of the traffic failed");
  }
}

}  // namespace banyan::python
