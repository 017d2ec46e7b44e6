// Loads of channels and rates of flows: no packets.
#include "ask/load.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "ask/any_hash.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

// By EngineEffort: nanoseconds for each channel on the ways of a pair.
using Nanoseconds = std::array<double, 6>;
double of_effort(const Nanoseconds& nanoseconds, const PointWork& work) {
  return nanoseconds[static_cast<std::size_t>(work.effort())];
}

double load_seconds(const PointWork& work, const ask::LoadOptions& options) {
  constexpr Nanoseconds all_pairs = {18, 140, 25, 9, 40, 45}, sampled = {7, 150, 26, 12, 40, 45};
  if (work.traffic == "uniform")
    return 2e-4 + 1e-9 * of_effort(all_pairs, work) * work.pairs() * work.channels();
  const double flows = static_cast<double>(options.samples ? options.samples : 1000) * work.hosts();
  return 2e-4 + 1e-9 * of_effort(sampled, work) * flows * work.channels();
}

double rates_seconds(const PointWork& work, const ask::RatesOptions& options) {
  read_rate_options(options.model);
  constexpr Nanoseconds each = {60, 200, 160, 80, 45, 48};
  return 2e-4 +
         1e-9 * of_effort(each, work) * static_cast<double>(options.samples) * work.hosts() * work.channels();
}

bool is_without_policy(const auto& options, std::string_view key) {
  return options.rails_policy.empty() && (key == "stripe" || key == "processes");
}

std::string unused_in_load(const Topology&, const Routing& routing, const PluginText& text,
                           std::string_view key) {
  const auto options = read_options<ask::LoadOptions>(text);
  if (key == "rate-model" && !options.rates) return "rate-model changes nothing without rates";
  if (key == "hashes" && !ask::hashes(routing)) return "hashes changes nothing: the switches do not hash";
  return is_without_policy(options, key) ? fmt::format("{} changes nothing without rails-policy", key) : "";
}

std::string unused_in_rates(const Topology&, const Routing&, const PluginText& text, std::string_view key) {
  return is_without_policy(read_options<ask::RatesOptions>(text), key)
             ? fmt::format("{} changes nothing without rails-policy", key)
             : "";
}

ask::Result<ask::ObliviousAnswer> oblivious(const Situation& at, const NoOptions&) {
  return ask::oblivious_ratio(at.topology, *at.routing, {.threads = at.threads});
}

double oblivious_seconds(const PointWork& work, const NoOptions&) {
  constexpr Nanoseconds each = {30, 150, 300, 20, 200, 200};
  return 2e-4 + 1e-9 * of_effort(each, work) * work.pairs() * work.channels();
}

// One point after the other: each takes all of a GPU. After a few, so that they are stored, it is asked for
// the others again.
OnGpu::Found load_on_gpu(std::span<const Situation> at, std::span<const PluginText> texts) {
  constexpr u32 few = 4;
  OnGpu::Found out;
  for (u32 measured = 0; measured < few && out.rows.size() < at.size();) {
    const std::size_t i = out.rows.size();
    try {
      ask::LoadOnGpu found = ask::load_on_gpu(at[i], read_options<ask::LoadOptions>(texts[i]));
      if (!found.failure.empty()) out.failure = found.failure;
      auto* const answer = std::get_if<ask::LoadAnswer>(&found.answer);
      if (!answer) {
        out.rows.emplace_back(std::get<NotApplicable>(found.answer));
        continue;
      }
      out.device = std::exchange(answer->device, std::nullopt);
      out.rows.emplace_back(ask::rows_of(*answer));
      ++measured;
    } catch (const InputError& error) {
      out.rows.emplace_back(NotApplicable{error.what()});
    }
  }
  return out;
}

}  // namespace

StudyMeasure load_measure() {
  StudyMeasure out = make_measure<ask::load, load_seconds>(
      "load", "the heaviest load of a channel, and the least possible", Needs::traffic, "max_load");
  out.on_gpu = {[](const PluginText&) { return std::string(); }, load_on_gpu};
  out.unused = unused_in_load;
  return out;
}
StudyMeasure oblivious_measure() {
  return make_measure<oblivious, oblivious_seconds>(
      "oblivious", "how much more load than the least possible there can be, over all traffic",
      Needs::routing, "oblivious_ratio");
}
StudyMeasure rates_measure() {
  StudyMeasure out = make_measure<ask::rates, rates_seconds>("rates", "the rates that flows get",
                                                             Needs::traffic, "mean_rate");
  out.unused = unused_in_rates;
  return out;
}

}  // namespace banyan::study
