#include "cli/verdict_output.hpp"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace banyan::cli {
namespace {

std::string yes_no(bool value) { return value ? "yes" : "NO"; }

void write_text(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void write_evidence(JsonWriter& json, const Evidence& evidence) {
  constexpr std::array<std::string_view, 3> kinds = {"lost", "loop", "deadlock"};
  std::vector<u32> channels;
  for (const Channel c : evidence.channels) channels.push_back(index(c));
  const auto nics = [&](std::string_view key, const std::vector<Nic>& list) {
    json.key(key).begin_array();
    for (const Nic nic : list) nic == none<Nic> ? json.null() : json.value(index(nic));
    json.end_array();
  };
  json.begin_object().field("kind", kinds[static_cast<std::size_t>(evidence.kind)]);
  json.field("channels", channels).field("lanes", evidence.lanes);
  nics("sources", evidence.from);
  nics("destinations", evidence.to);
  json.end_object();
}

}  // namespace

void print_verdict(std::ostream& out, const Verdict& v) {
  const auto line = [&](std::string_view key, const std::string& value) {
    out << fmt::format("  {:<15}{}\n", key, value);
  };
  const bool arrives = v.reachable && v.loop_free;
  line("reachable",
       yes_no(v.reachable) + (arrives ? fmt::format(", all {} pairs", v.pairs)
                                      : fmt::format(", {} of {} pairs fail", v.failing_pairs, v.pairs)));
  if (v.disconnected_pairs)
    line("", fmt::format("{} more pairs are not connected by any cables; they are not judged",
                         v.disconnected_pairs));
  line("loop-free", yes_no(v.loop_free));
  line("deadlock-free",
       fmt::format("{}, {} lane{} used", yes_no(v.deadlock_free), v.lanes, v.lanes == 1 ? "" : "s"));
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

void write_verdict(JsonWriter& json, const Verdict& v) {
  json.field("reachable", v.reachable).field("loop_free", v.loop_free).field("minimal", v.minimal);
  json.field("deadlock_free", v.deadlock_free).field("lanes", v.lanes).field("pairs", v.pairs);
  json.field("disconnected_pairs", v.disconnected_pairs).field("failing_pairs", v.failing_pairs);
  json.field("longer_pairs", v.longer_pairs).field("longest_excess", v.longest_excess);
  json.field("longest_path", v.longest_path).field("average_path", v.average_path);
  json.field("idle_channels", v.idle_channels).field("idle_switches", v.idle_switches);
  json.field("max_destinations_per_channel", v.max_destinations_per_channel);
  json.field("max_destinations_per_down_channel", v.max_destinations_per_down_channel);
  write_text(json, "counterexample", v.counterexample);
  json.key("evidence").begin_array();
  for (const Evidence& evidence : v.evidence) write_evidence(json, evidence);
  json.end_array();
  write_text(json, "detour", v.detour);
}

}  // namespace banyan::cli
