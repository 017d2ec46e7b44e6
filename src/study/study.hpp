// A study: fabrics, faults, engines, traffic, placements and measures, as a TOML file lists them. Its points
// are the product of the lists, or of those of each of its parts. docs/study.md describes the file.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "study/measure.hpp"

namespace banyan::study {

struct Choice {
  std::string text;
  u64 line = 0;  // of the file
};

struct FabricChoice {
  std::string name, fabric;  // the fabric is a notation or a file
  u64 line = 0;
};

struct FaultChoice {
  std::vector<std::string> without;  // as --without takes them, all at once; empty: intact
  u64 line = 0;
  u64 only_seed = 0;         // of points, where the faults are drawn anew with each seed; 0: all
  std::string text() const;  // "intact" where nothing is missing
};

struct MeasureChoice {
  using Setting =
      std::vector<std::pair<std::string, std::string>>;  // options that have these values together
  const StudyMeasure* measure = nullptr;
  u64 line = 0;
  std::vector<std::vector<Setting>> varied{};        // what was given: one of each list
  std::vector<std::pair<std::string, u64>> given{};  // the keys of all settings, and their lines
};

// Lists whose product is measured. Fabrics, faults and measures are places in the study's own lists.
struct StudyPart {
  struct OnFabric {
    u32 fabric;
    std::vector<Choice> engines, placements;
    std::vector<u32> without;
  };
  std::string name{};  // begins the names of its points; empty: that of a study without parts
  std::vector<OnFabric> fabrics{};
  std::vector<u32> without{}, measures{};
  std::vector<Choice> engines{}, traffic{}, placements{};
  std::vector<u32> ranks{};  // 0: all hosts
  std::vector<u64> seeds{};
  u64 ranks_line = 0, seeds_line = 0;  // 0: they were not given
};

struct Study {
  std::string title, file, text;
  std::vector<FabricChoice> fabrics;
  std::vector<FaultChoice> without;
  std::vector<MeasureChoice> measures;
  std::vector<StudyPart> parts;  // at least one
  bool skip_inapplicable = false;

  bool has_parts() const { return !parts.front().name.empty(); }
  Place at(u64 line) const { return {file, line}; }
  // A file that the study names, as seen from where the program runs.
  std::string path(const std::string& name) const;
};

// All that can be known without building a fabric is checked. Throws InputError with file and line.
Study read_study(std::string text, const std::string& file);
Study open_study(const std::string& path);

// What f throws as InputError, with the line of the study that asked for it.
template <class F>
decltype(auto) at_line(const Place& place, F&& f) {
  try {
    return f();
  } catch (const InputError& error) {
    throw InputError(place, error.what());
  }
}

}  // namespace banyan::study
