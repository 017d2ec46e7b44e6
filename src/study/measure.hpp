// A measure is a question that a study asks of a point: its answer becomes rows. It is a line in
// measures.def.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "base/registry.hpp"
#include "study/point_work.hpp"

namespace banyan::study {

// What decides a measure's result, from the fabric as it was planned to everything.
enum class Needs : u8 { plan, fabric, routing, traffic };

// Rows of a point that cannot be measured, and why.
inline Rows failed_rows(std::string why) {
  Rows out;
  out.add("failed", 1);
  out.texts.emplace_back("failed", std::move(why));
  return out;
}

// How a GPU measures several points at once. Rows are those of StudyMeasure::run(), or failed_rows().
struct OnGpu {
  struct Found {
    std::vector<ask::Result<Rows>>
        rows{};                           // of the first points, of one at least; or why it is for processors
    std::optional<std::string> device{};  // if it measured any
    std::string failure{};                // of a GPU that was chosen and failed: why
  };
  std::string (*alike)(const PluginText&);  // what points have in common that are measured at once
  Found (*measure)(std::span<const Situation>, std::span<const PluginText>);
  bool mixes_routings = false;  // they may be of different fabrics and routings
};

struct StudyMeasure {
  std::string_view name, summary;
  Needs needs;
  std::string_view headline;  // the metric that a short table shows
  std::vector<OptionInfo> options;
  // Every option with its value, as it would be written; throws InputError for what cannot be read.
  std::vector<std::pair<std::string, std::string>> (*canonical)(const PluginText&);
  Rows (*run)(const Situation&, const PluginText&);
  double (*seconds)(const PointWork&, const PluginText&);  // roughly, on one core; without the routing
  // Throws InputError for options that cannot be on this fabric and routing, before anything runs.
  void (*check)(const Topology&, const Routing&, const PluginText&);
  // Why it can say nothing about a routing; asked before anything runs. None: it says something about all.
  std::optional<NotApplicable> (*refuses)(const Routing&) = nullptr;
  // "KEY changes nothing ...", where an option that was given does not; empty: it may change something.
  std::string (*unused)(const Topology&, const Routing&, const PluginText&, std::string_view key) = nullptr;
  std::optional<OnGpu> on_gpu{};  // none: only processors measure it
  bool takes_bytes = false;       // its traffic must be in bytes; asked before anything runs
};

const Registry<StudyMeasure>& study_measures();

struct NothingToCheck {
  void operator()(const Topology&, const Routing&, const auto&) const {}
};

// The measure made of a question, which gives an answer, a result or rows; of double(const PointWork&,
// const Options&) and void(const Topology&, const Routing&, const Options&).
template <auto question, auto seconds, auto check, class Answer, class Options>
StudyMeasure measure_of(Answer (*)(const Situation&, const Options&), std::string_view name,
                        std::string_view summary, Needs needs, std::string_view headline) {
  return {name,
          summary,
          needs,
          headline,
          option_infos<Options>(),
          [](const PluginText& text) { return option_texts(read_options<Options>(text)); },
          [](const Situation& situation, const PluginText& text) {
            return ask::rows_of(question(situation, read_options<Options>(text)));
          },
          [](const PointWork& work, const PluginText& text) {
            return seconds(work, read_options<Options>(text));
          },
          [](const Topology& topology, const Routing& routing, const PluginText& text) {
            check(topology, routing, read_options<Options>(text));
          }};
}
template <auto question, auto seconds, auto check = NothingToCheck{}>
StudyMeasure make_measure(std::string_view name, std::string_view summary, Needs needs,
                          std::string_view headline) {
  return measure_of<question, seconds, check>(question, name, summary, needs, headline);
}

}  // namespace banyan::study
