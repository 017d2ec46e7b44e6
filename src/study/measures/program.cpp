// How long a program takes whose ranks wait for each other, as banyan time --program says it.
#include "ask/time.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

// How many messages there are is known only when the program is there.
double program_seconds(const PointWork& work, const ask::ProgramQuestion&) {
  return 0.1 + 1e-4 * work.channels();
}

std::string unused_in_program(const Topology&, const Routing&, const PluginText& text, std::string_view key) {
  const ask::TimeLevel level = read_options<ask::ProgramQuestion>(text).timing.level;
  for (const std::string_view unused : ask::unused_options(level, true))
    if (unused == key) return ask::unused_text(key, level, true);
  return "";
}

}  // namespace

StudyMeasure program_measure() {
  StudyMeasure out = make_measure<ask::program, program_seconds>(
      "program", "how long a program takes whose ranks wait for each other, in seconds", Needs::routing,
      "seconds");
  out.unused = unused_in_program;
  return out;
}

}  // namespace banyan::study
