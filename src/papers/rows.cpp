#include "papers/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"

namespace banyan::papers {

Rows::Rows(std::vector<StoredPoint> points) : points_(std::move(points)) {
  for (const StoredPoint& point : points_) {
    Named named{{}, &point};
    for (std::string_view rest = point.point; !rest.empty();) {
      const auto end = rest.find(" | ");
      named.words.push_back(rest.substr(0, end));
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 3);
    }
    const std::string_view part = named.words.front();
    named.words.erase(named.words.begin());
    for (const std::string_view option : split(point.options, ' ')) named.words.push_back(option);
    std::sort(named.words.begin(), named.words.end());
    parts_[""].push_back(named);
    parts_[part].push_back(std::move(named));
  }
}

const StoredPoint& Rows::point(std::string_view part, Words words) const {
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

double Rows::row(std::string_view part, Words words, std::string_view metric) const {
  return row_of(point(part, words), metric);
}

double row_of(const StoredPoint& point, std::string_view metric) {
  for (const Row& row : point.rows) {
    if (row.metric == metric) return row.value;
    if (row.metric == "failed") throw InputError(fmt::format("{}: {}", point.point, text_of(point, "failed")));
  }
  throw std::logic_error(fmt::format("{} has no row '{}'", point.point, metric));
}

const std::string& text_of(const StoredPoint& point, std::string_view name) {
  for (const auto& [key, text] : point.texts)
    if (key == name) return text;
  throw std::logic_error(fmt::format("{} has no text '{}'", point.point, name));
}

}  // namespace banyan::papers
