// A measure is what a study asks of a point: a function from a situation and options to rows, and a line in
// measures.def.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/jobs.hpp"

namespace banyan::study {

struct Row {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::string metric;
  double value = 0;
  std::string unit{};
  double half_width = none;  // of the confidence interval, where there is one
};

struct Found {
  std::vector<Row> rows;
  std::vector<std::pair<std::string, std::string>> texts{};  // what is not a number, such as a counterexample

  void add(std::string metric, double value, std::string unit = "", double half_width = Row::none) {
    rows.push_back({std::move(metric), value, std::move(unit), half_width});
  }
};

// What decides a measure's result, from the fabric as it was planned to everything.
enum class Needs : u8 { plan, fabric, routing, traffic };

struct Situation {
  const Topology& topology;
  const Routing* routing = nullptr;  // where it is needed
  std::string traffic{}, placement{};
  u32 ranks = 0;  // 0: all hosts
  u64 seed = 0;
  unsigned threads = 1;  // results do not depend on it

  Job job(ShorterJobs shorter = ShorterJobs::repeat) const;  // throws InputError
};

// Several jobs are written one after another, with '|' between them.
Job make_job(const Topology& topology, const std::string& traffic, const std::string& placement, u32 ranks,
             u64 seed, ShorterJobs shorter = ShorterJobs::repeat);
bool is_jobs(std::string_view traffic);  // these bring their own ranks and placements

struct StudyMeasure {
  std::string_view name, summary;
  Needs needs;
  std::string_view headline;  // the metric that a short table shows
  std::vector<OptionInfo> options;
  // Every option with its value, as it would be written; throws InputError for what cannot be read.
  std::vector<std::pair<std::string, std::string>> (*canonical)(const PluginText&);
  Found (*run)(const Situation&, const PluginText&);
  double (*seconds)(const Topology&, const PluginText&);  // roughly, on one core
  // Throws InputError for options that cannot be on this fabric and routing, before anything runs.
  void (*check)(const Topology&, const Routing&, const PluginText&);
  // Why it can say nothing about a routing; asked before anything runs. None: it says something about all.
  std::optional<NotApplicable> (*refuses)(const Routing&) = nullptr;
};

const std::vector<StudyMeasure>& study_measures();

struct NothingToCheck {
  void operator()(const Topology&, const Routing&, const auto&) const {}
};

// The measure made of Found(const Situation&, const Options&), double(const Topology&, const Options&) and
// void(const Topology&, const Routing&, const Options&).
template <auto function, auto seconds, auto check, class Options>
StudyMeasure measure_of(Found (*)(const Situation&, const Options&), std::string_view name,
                        std::string_view summary, Needs needs, std::string_view headline) {
  return {name,
          summary,
          needs,
          headline,
          option_infos<Options>(),
          [](const PluginText& text) { return option_texts(read_options<Options>(text)); },
          [](const Situation& situation, const PluginText& text) {
            return function(situation, read_options<Options>(text));
          },
          [](const Topology& topology, const PluginText& text) {
            return seconds(topology, read_options<Options>(text));
          },
          [](const Topology& topology, const Routing& routing, const PluginText& text) {
            check(topology, routing, read_options<Options>(text));
          }};
}
template <auto function, auto seconds, auto check = NothingToCheck{}>
StudyMeasure make_measure(std::string_view name, std::string_view summary, Needs needs,
                          std::string_view headline) {
  return measure_of<function, seconds, check>(function, name, summary, needs, headline);
}

}  // namespace banyan::study
