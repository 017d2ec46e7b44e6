// The fabric itself, as banyan describe says it.
#include "ask/describe.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

double describe_seconds(const PointWork& work, const NoOptions&) {
  const Topology& t = work.topology;
  if (t.is_intact() && t.has_shape()) return 1e-3;
  return 2e-8 * t.fabric.switches() * t.fabric.links() + 1e-4 * t.fabric.switches();
}

}  // namespace

StudyMeasure describe_measure() {
  return make_measure<ask::describe, describe_seconds>(
      "describe", "counts, distances and bisection of the fabric", Needs::fabric, "");
}

}  // namespace banyan::study
