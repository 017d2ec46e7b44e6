// The judge's verdict on a routing, as banyan check gives it, and on all shifts at once.
#include <algorithm>

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

enum class Certificates : u8 { none, made, rechecked };
constexpr std::array<std::string_view, 3> option_names(Certificates) { return {"none", "made", "rechecked"}; }

struct ShiftsOptions {
  Certificates certificate = Certificates::none;
  static void fields(auto& self, auto&& f) {
    f("certificate", self.certificate,
      "none; made: what one says of the channels of a tree; rechecked: that, and whether it is true");
  }
};

// What a certificate says of the channels of a fabric with levels.
void add_channels(Found& out, const Topology& topology, const ShiftCertificate& certificate) {
  const IdVector<Node, u32> level = levels(topology);
  const u32 top = *std::max_element(level.begin(), level.end());
  u64 up = 0, counted = 0, down = 0, several = 0;
  IdVector<Node, u64> of_top(level.size(), 0);
  const auto& spans = certificate.parts.front().spans;
  for (const Channel c : spans.ids()) {
    const Node from = topology.fabric.from(c), to = topology.fabric.to(c);
    if (spans[c].length == 0 || level[from] == 0) continue;
    if (level[from] < level[to]) {
      ++up;
      counted += !spans[c].suffices();
      continue;
    }
    ++down;
    several += spans[c].gap != certificate.hosts;
    of_top[from] += level[from] == top;
  }
  u64 least = ~u64{0}, maximum = 0, all = 0;
  for (const Node v : topology.fabric.switch_nodes()) {
    if (level[v] != top) continue;
    least = std::min(least, of_top[v]), maximum = std::max(maximum, of_top[v]), all += of_top[v];
  }
  const auto add = [&](const char* metric, u64 value) {
    out.add(metric, static_cast<double>(value), "channels");
  };
  add("channels_up", up);
  add("channels_up_counted", counted);  // their spans say too little
  add("channels_down", down);
  add("channels_down_several", several);  // with more than one destination
  add("channels_from_top", all);
  add("channels_of_top_switch_least", least);
  add("channels_of_top_switch_max", maximum);
}

Found shifts(const Situation& at, const ShiftsOptions& options) {
  const bool certified = options.certificate != Certificates::none;
  const auto result = judge_shifts(at.topology.fabric, *at.routing, {.certificate = certified});
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
  if (!certified) return out;
  out.add("certificate", v.certificate.has_value());
  if (v.certificate) add_channels(out, at.topology, *v.certificate);
  if (v.certificate && options.certificate == Certificates::rechecked)
    out.add("rechecked", recheck_shifts(*v.certificate, at.topology.fabric, *at.routing));
  return out;
}

double shifts_seconds(const Topology& t, const ShiftsOptions&) { return verdict_seconds(t, {}); }

}  // namespace

StudyMeasure verdict_measure() {
  return make_measure<verdict, verdict_seconds>(
      "verdict", "for all pairs: reachable, loop-free, minimal, deadlock-free", Needs::routing, "yes");
}
StudyMeasure shifts_measure() {
  StudyMeasure out = make_measure<shifts, shifts_seconds>(
      "shifts", "the worst load over all shifts, where host i sends to host i + s", Needs::routing,
      "worst_shift_load");
  out.refuses = [](const Routing& routing) -> std::optional<NotApplicable> {
    if (!is_adaptive(routing)) return std::nullopt;
    return NotApplicable{"[shifts] cannot judge it: where packets choose on the way no load is certain"};
  };
  return out;
}

}  // namespace banyan::study
