// The judge's verdict on a routing, as banyan check gives it, and on all shifts at once.
#include "ask/check.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

struct VerdictSeconds {
  double operator()(const Topology& t, const auto&) const {
    return 0.005 + 4e-8 * t.fabric.nics() * t.fabric.switches();
  }
};

}  // namespace

StudyMeasure verdict_measure() {
  return make_measure<ask::verdict, VerdictSeconds{}>(
      "verdict", "for all pairs: reachable, loop-free, minimal, deadlock-free", Needs::routing, "yes");
}
StudyMeasure shifts_measure() {
  StudyMeasure out = make_measure<ask::shifts, VerdictSeconds{}>(
      "shifts", "the worst load over all shifts, where host i sends to host i + s", Needs::routing,
      "worst_shift_load");
  out.refuses = [](const Routing& routing) -> std::optional<NotApplicable> {
    if (!is_adaptive(routing)) return std::nullopt;
    return NotApplicable{"[shifts] cannot judge it: where packets choose on the way no load is certain"};
  };
  return out;
}

}  // namespace banyan::study
