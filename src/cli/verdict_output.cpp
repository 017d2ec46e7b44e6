#include "cli/verdict_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace banyan::cli {
namespace {

std::string yes_no(bool value) { return value ? "yes" : "NO"; }

}  // namespace

void print_verdict(std::ostream& out, const Verdict& v) {
  const auto line = [&](std::string_view key, const std::string& value) {
    out << fmt::format("  {:<15}{}\n", key, value);
  };
  const bool is_lost = std::any_of(v.evidence.begin(), v.evidence.end(),
                                   [](const Evidence& e) { return e.kind == Evidence::Kind::lost; });
  line("reachable", v.reachable ? fmt::format("yes, all {} pairs", v.pairs)
                                : fmt::format("NO, {} of {} pairs do not arrive", v.failing_pairs, v.pairs));
  if (v.disconnected_pairs)
    line("", fmt::format("{} more pairs are not connected by any cables; they are not judged",
                         v.disconnected_pairs));
  line("loop-free", yes_no(v.loop_free) + (v.loop_free || is_lost ? "" : ", they go in circles"));
  line("deadlock-free",
       fmt::format("{}, {} lane{} used{}", yes_no(v.deadlock_free), v.lanes, v.lanes == 1 ? "" : "s",
                   v.deadlock_proof == DeadlockProof::escape ? ", by an escape (virtual cut-through)" : ""));
  line("minimal", v.minimal ? "yes"
                            : fmt::format("no, {} pairs take longer paths, up to {} channels", v.longer_pairs,
                                          v.longest_excess));
  if (!v.minimal) line("", v.detour);
  line("paths", fmt::format("{} channels at most, {:.4g} on average", v.longest_path, v.average_path));
  line("destinations", fmt::format("up to {} on a channel between switches, {} on one down",
                                   v.max_destinations_per_channel, v.max_destinations_per_down_channel));
  line("idle", fmt::format("{} channels between switches, {} switches", v.idle_channels, v.idle_switches));
  if (!v.yes()) out << "Counterexample:\n" << v.counterexample << '\n';
}

}  // namespace banyan::cli
