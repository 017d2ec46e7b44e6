#include "papers/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/text.hpp"

namespace banyan::papers {
namespace {

// Every option of the point's measure, given or not: "load=0.5".
std::vector<std::string> options_of(const StoredPoint& point) {
  PluginText given{point.measure, {}};
  for (const std::string_view option : split(point.options, ' '))
    if (const auto equals = option.find('='); equals != option.npos)
      given.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  std::vector<std::string> out;
  for (const StudyMeasure& measure : study_measures())
    if (measure.name == point.measure)
      for (const auto& [key, value] : measure.canonical(given))
        out.push_back(fmt::format("{}={}", key, value));
  return out;
}

}  // namespace

StudyRows::StudyRows(std::vector<StoredPoint> points) : points_(std::move(points)) {
  for (const StoredPoint& point : points_) {
    Named named{options_of(point), &point};
    std::string_view part;
    for (std::string_view rest = point.point; !rest.empty();) {
      const auto end = rest.find(" | ");
      if (part.empty())
        part = rest.substr(0, end);
      else
        named.words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 3);
    }
    std::sort(named.words.begin(), named.words.end());
    parts_[""].push_back(named);
    parts_[part].push_back(std::move(named));
  }
}

const StoredPoint& StudyRows::point(std::string_view part, Words words) const {
  const StoredPoint* out = nullptr;
  const auto fail = [&](std::string_view what) {
    throw std::logic_error(fmt::format("{} of the part '{}' has the words '{}'", what, part,
                                       fmt::join(words.begin(), words.end(), "', '")));
  };
  if (const auto found = parts_.find(part); found != parts_.end())
    for (const Named& named : found->second) {
      const auto has = [&](std::string_view word) {
        return std::binary_search(named.words.begin(), named.words.end(), word);
      };
      if (!std::all_of(words.begin(), words.end(), has)) continue;
      if (out) fail("more than one point");
      out = named.point;
      if (part.empty()) break;
    }
  if (!out) fail("no point");
  return *out;
}

double StudyRows::row(std::string_view part, Words words, std::string_view metric) const {
  return row_of(point(part, words), metric);
}

double row_of(const StoredPoint& point, std::string_view metric) {
  for (const Row& row : point.rows) {
    if (row.metric == metric) return row.value;
    if (row.metric == "failed")
      throw InputError(fmt::format("{}: {}", point.point, text_of(point, "failed")));
  }
  throw std::logic_error(fmt::format("{} has no row '{}'", point.point, metric));
}

Interval interval_of(const StoredPoint& point, std::string_view metric) {
  Interval out{row_of(point, metric), std::numeric_limits<double>::infinity()};
  for (const Row& row : point.rows)
    if (row.metric == metric && std::isfinite(row.half_width)) out.half_width = row.half_width;
  return out;
}

bool ended_in_warm_up(const StoredPoint& point) { return row_of(point, "ends_in_warm_up") > 0; }

Interval simulated(const StoredPoint& point, std::string_view metric) {
  Interval out = interval_of(point, metric);
  if (ended_in_warm_up(point)) out.half_width = std::numeric_limits<double>::infinity();
  return out;
}

const std::string& text_of(const StoredPoint& point, std::string_view name) {
  for (const auto& [key, text] : point.texts)
    if (key == name) return text;
  throw std::logic_error(fmt::format("{} has no text '{}'", point.point, name));
}

}  // namespace banyan::papers
