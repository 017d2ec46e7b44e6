// The judge's verdict on a routing, as banyan check gives it, and on all shifts at once.
#include "study/measure.hpp"
#include "verify/judge.hpp"
#include "verify/levels.hpp"
#include "verify/shifts.hpp"

namespace banyan::study {
namespace {

Found verdict(const Situation& at, const NoOptions&) {
  const Verdict v = judge(at.topology.fabric, *at.routing, {at.threads, levels(at.topology)});
  Found out;
  out.add("yes", v.yes());
  out.add("reachable", v.reachable);
  out.add("loop_free", v.loop_free);
  out.add("minimal", v.minimal);
  out.add("deadlock_free", v.deadlock_free);
  out.add("lanes", v.lanes);
  out.add("pairs", static_cast<double>(v.pairs));
  out.add("disconnected_pairs", static_cast<double>(v.disconnected_pairs));
  out.add("failing_pairs", static_cast<double>(v.failing_pairs));
  out.add("longer_pairs", static_cast<double>(v.longer_pairs));
  out.add("longest_path", v.longest_path, "channels");
  out.add("average_path", v.average_path, "channels");
  out.add("idle_channels", static_cast<double>(v.idle_channels));
  out.add("max_destinations_per_channel", v.max_destinations_per_channel);
  if (!v.counterexample.empty()) out.texts.emplace_back("counterexample", v.counterexample);
  if (!v.detour.empty()) out.texts.emplace_back("detour", v.detour);
  return out;
}

double verdict_seconds(const Topology& t, const NoOptions&) {
  return 0.005 + 4e-8 * t.fabric.nics() * t.fabric.switches();
}

Found shifts(const Situation& at, const NoOptions&) {
  const auto result = judge_shifts(at.topology.fabric, *at.routing);
  Found out;
  if (const auto* reason = std::get_if<NotApplicable>(&result)) {
    out.texts.emplace_back("not_applicable", reason->why);
    return out;
  }
  const auto& v = std::get<ShiftVerdict>(result);
  out.add("shift_contention_free", v.contention_free());
  out.add("worst_shift_load", v.load(), "flows");
  out.add("worst_shift", v.worst_shift);
  out.add("pairs_left_out", static_cast<double>(v.left_out));
  return out;
}

}  // namespace

StudyMeasure verdict_measure() {
  return make_measure<verdict, verdict_seconds>(
      "verdict", "for all pairs: reachable, loop-free, minimal, deadlock-free", Needs::routing, "yes");
}
StudyMeasure shifts_measure() {
  StudyMeasure out = make_measure<shifts, verdict_seconds>(
      "shifts", "the worst load over all shifts, where host i sends to host i + s", Needs::routing,
      "worst_shift_load");
  out.refuses = [](const Routing& routing) -> std::optional<NotApplicable> {
    if (!is_adaptive(routing)) return std::nullopt;
    return NotApplicable{"[shifts] cannot judge it: where packets choose on the way no load is certain"};
  };
  return out;
}

}  // namespace banyan::study
