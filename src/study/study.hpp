// A study: fabrics, faults, engines, traffic, placements and measures, as a TOML file lists them. The product
// of the lists is its set of points. docs/study.md describes the file.
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
  std::vector<Choice> engines;
};

struct FaultChoice {
  std::vector<std::string> without;  // as --without takes them, all at once; empty: intact
  u64 line = 0;
  std::string text() const;  // "intact" where nothing is missing
};

struct MeasureChoice {
  const StudyMeasure* measure = nullptr;
  u64 line = 0;
  std::vector<std::pair<std::string, std::vector<Choice>>>
      options{};  // those given; several values are varied
};

struct Study {
  std::string title, file, text;
  std::vector<FabricChoice> fabrics;
  std::vector<FaultChoice> without;
  std::vector<Choice> traffic, placements;
  std::vector<u32> ranks;  // 0: all hosts
  std::vector<u64> seeds;
  bool skip_inapplicable = false;
  std::vector<MeasureChoice> measures;

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
