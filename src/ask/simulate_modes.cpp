#include "ask/simulate_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace banyan::ask {
namespace {

void refuse_beside_nic(const SimulateModes& modes, const WasGiven& given) {
  const std::vector<OptionInfo> others = option_infos<SimulateOptions>();
  if (modes.complete || modes.saturation || modes.follow || !modes.curve.empty() ||
      std::any_of(others.begin(), others.end(), [&](const OptionInfo& info) { return given(info.key); }))
    throw InputError(
        "--nic runs a benchmark in one process: it takes --engine, --tables, --traffic, --without and "
        "--json");
}

}  // namespace

void refuse_contradictions(const SimulateModes& modes, const SimulateOptions& options,
                           const WasGiven& given) {
  if (!modes.nic.empty()) return refuse_beside_nic(modes, given);
  const bool several = modes.saturation || !modes.curve.empty();
  const bool ends = modes.complete || !options.trace.empty();
  if (ends && (several || given("cycles") || given("load")))
    throw InputError(
        fmt::format("--{} runs to the end: it takes no --load, --saturation, --curve or --cycles",
                    modes.complete ? "complete" : "trace"));
  if (!options.trace.empty() && (given("traffic") || given("job")))
    throw InputError("--trace says who sends to whom: it takes no --traffic and no --job");
  if (options.messages.arrivals == Arrivals::back_to_back && (several || given("load")))
    throw InputError(
        "--arrivals back-to-back offers all that hosts can send: it takes no --load, "
        "--saturation or --curve");
  if (modes.saturation && !modes.curve.empty())
    throw InputError("--saturation and --curve: expected one of them");
  if (modes.follow && options.measure.replicas > 1)
    throw InputError("--follow watches one run: it takes no --replicas");
  if (modes.follow && several)
    throw InputError("--follow watches one measurement: it takes no --saturation or --curve");
  if (given("load") && several) throw InputError("--load says one load: it takes no --saturation or --curve");
}

}  // namespace banyan::ask
