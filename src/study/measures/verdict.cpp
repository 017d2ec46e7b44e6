// The judge's verdict on a routing, as banyan check gives it, and on all shifts at once.
#include <algorithm>
#include <array>

#include "ask/any_hash.hpp"
#include "ask/check.hpp"
#include "fabric/levels.hpp"
#include "study/measure.hpp"
#include "topology/place.hpp"

namespace banyan::study {
namespace {

double verdict_seconds(const PointWork& work, const ask::JudgedPairs&) {
  constexpr std::array<double, 4> nanoseconds = {18, 35, 130, 7};  // of a channel, by EngineEffort
  const double entries = work.nics() * work.switches();
  switch (work.effort()) {
    case EngineEffort::adaptive:
      return 2e-4 + 2e-7 * entries;
    case EngineEffort::detours:
      return 2e-4 + 2.8e-7 * entries * work.intermediates();
    default:
      return 2e-4 +
             1e-9 * nanoseconds[static_cast<std::size_t>(work.effort())] * work.pairs() * work.channels();
  }
}

enum class Certificates : u8 { none, made, rechecked };
constexpr std::array<std::string_view, 3> option_names(Certificates) { return {"none", "made", "rechecked"}; }

struct ShiftsChoice {
  Certificates certificate = Certificates::none;
  static void fields(auto& self, auto&& f) {
    f("certificate", self.certificate,
      "none; made: what one says of the channels of a tree; rechecked: that, and whether it is true");
  }
};

// What a certificate says of the channels of a fabric with levels.
void add_channels(Rows& out, const Topology& topology, const ShiftCertificate& certificate) {
  const IdVector<Node, u32> level = levels(topology);
  const u32 top = top_level(level);
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

double shifts_seconds(const PointWork& work, const ShiftsChoice&) {
  if (work.effort() == EngineEffort::pair) return 5.5e-8 * work.pairs() * work.channels();
  return 2e-4 + 5e-9 * work.nics() * work.switches();
}

Rows shifts(const Situation& at, const ShiftsChoice& options) {
  const bool certified = options.certificate != Certificates::none;
  const auto result = ask::shifts(at, {{.certificate = certified}});
  Rows out = ask::rows_of(result);
  const auto* answer = std::get_if<ask::ShiftsAnswer>(&result);
  if (!answer || !certified) return out;
  const auto& certificate = answer->verdict.certificate;
  out.add("certificate", certificate.has_value());
  if (certificate) add_channels(out, at.topology, *certificate);
  if (certificate && options.certificate == Certificates::rechecked)
    out.add("rechecked", recheck_shifts(*certificate, at.topology.fabric, *at.routing));
  return out;
}

}  // namespace

StudyMeasure verdict_measure() {
  return make_measure<ask::verdict, verdict_seconds>(
      "verdict", "for all pairs: reachable, loop-free, minimal, deadlock-free", Needs::routing, "yes");
}
StudyMeasure shifts_measure() {
  StudyMeasure out = make_measure<shifts, shifts_seconds>(
      "shifts", "the worst load over all shifts, where host i sends to host i + s", Needs::routing,
      "worst_shift_load");
  out.refuses = [](const Routing& routing) -> std::optional<NotApplicable> {
    if (ask::hashes(routing))
      return NotApplicable{"[shifts] cannot judge it: where switches hash no load is certain"};
    if (!is_adaptive(routing)) return std::nullopt;
    return NotApplicable{"[shifts] cannot judge it: where packets choose on the way no load is certain"};
  };
  return out;
}

}  // namespace banyan::study
