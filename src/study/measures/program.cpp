// How long a program takes whose ranks wait for each other, as banyan time --program says it.
#include "ask/time.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

// How many messages there are is known only when the program is there.
double program_seconds(const PointWork& work, const ask::ProgramQuestion&) {
  return 0.1 + 1e-4 * work.channels();
}

}  // namespace

StudyMeasure program_measure() {
  return make_measure<ask::program, program_seconds>(
      "program", "how long a program takes whose ranks wait for each other, in seconds", Needs::routing,
      "seconds");
}

}  // namespace banyan::study
