// How long a traffic in bytes takes, as banyan time says it.
#include "ask/time.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

double time_seconds(const Topology& t, const ask::TimingOptions& options) {
  return (options.level == ask::TimeLevel::flow ? 1e-4 : 1e-2) * t.fabric.hosts();
}

}  // namespace

StudyMeasure time_measure() {
  return make_measure<ask::time, time_seconds>("time", "how long a traffic in bytes takes, in seconds",
                                               Needs::traffic, "seconds");
}

}  // namespace banyan::study
