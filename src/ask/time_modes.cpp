#include "ask/time_modes.hpp"

#include "traffic/programs/open.hpp"

namespace banyan::ask {

std::string TimeModes::traffic(const std::string& traffic) const {
  if (!program.empty()) return "program:" + program.path;
  return step.empty() ? traffic : "step:" + step;
}

void refuse_contradictions(const TimeModes& modes, const WasGiven& given) {
  if (!modes.program.empty() && (!modes.sizes.empty() || !modes.step.empty() || given("out")))
    throw InputError("--program takes no --sizes, no --step and no --out");
  if (!modes.program.empty() && given("traffic"))
    throw InputError("--program has messages of its own: it takes no --traffic");
  if (modes.step.empty()) return;
  if (!modes.sizes.empty()) throw InputError("--step has sizes of its own: it takes no --sizes");
  if (given("traffic")) throw InputError("--step has traffic of its own: it takes no --traffic");
}

AnyTimingAnswer time(const Situation& at, const TimingOptions& options, const TimeModes& modes) {
  if (!modes.program.empty()) {
    const u32 ranks = at.ranks > 0 ? at.ranks : at.topology.fabric.hosts() * options.accelerators;
    return program_time(at, options, open_program(modes.program, ranks, options.accelerators));
  }
  if (!modes.step.empty())
    return step(at, options, read_options<TrainingOptions>(parse_plugin("step:" + modes.step)));
  if (!modes.sizes.empty()) return times(at, options, read_sizes(modes.sizes));
  return time(at, options);
}

}  // namespace banyan::ask
