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
  if (modes.complete && (several || given("cycles") || given("load")))
    throw InputError("--complete runs to the end: it takes no --load, --saturation, --curve or --cycles");
  if (options.messages.arrivals == Arrivals::back_to_back && (several || given("load")))
    throw InputError(
        "--arrivals back-to-back offers all that hosts can send: it takes no --load, "
        "--saturation or --curve");
  if (modes.saturation && !modes.curve.empty())
    throw InputError("--saturation and --curve: expected one of them");
  if (modes.follow && several)
    throw InputError("--follow watches one measurement: it takes no --saturation or --curve");
  if (given("load") && several) throw InputError("--load says one load: it takes no --saturation or --curve");
}

std::vector<double> curve_loads(const SimulateModes& modes) {
  const auto loads = parse_ratios(modes.curve);
  if (!loads)
    throw InputError(
        fmt::format("curve: expected loads such as 0.1,0.2 or 10%:90%:10%, not '{}'", modes.curve));
  return *loads;
}

}  // namespace banyan::ask
