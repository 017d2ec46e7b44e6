// What the study of a paper found, for its judge: rows by the words of their points' names.
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/statistics.hpp"
#include "study/store.hpp"

namespace banyan::papers {

class StudyRows {
 public:
  using Words = std::initializer_list<std::string_view>;

  explicit StudyRows(std::vector<StoredPoint> points);

  // Of the only point of a part that has all of the words: its measure, fabric, engine, traffic, placement,
  // "ranks=28", "seed=1", and every option of the measure, given or not, as "load=0.5". Throws
  // std::logic_error where there is no such point, or several. Without a part it is the first such point of
  // all. `row` throws InputError where it could not be measured.
  const StoredPoint& point(std::string_view part, Words words) const;
  double row(std::string_view part, Words words, std::string_view metric) const;
  const std::vector<StoredPoint>& all() const { return points_; }

 private:
  struct Named {
    std::vector<std::string> words;  // sorted
    const StoredPoint* point;
  };
  std::vector<StoredPoint> points_;
  std::map<std::string_view, std::vector<Named>> parts_;  // under "" all
};

double row_of(const StoredPoint& point, std::string_view metric);
// The same with its half-width, which is infinite where nothing is known about it.
Interval interval_of(const StoredPoint& point, std::string_view metric);
// A simulated metric with the interval that the run gives for it. Nothing is known about its spread, and no
// ordering is decided by it, where the run gives none or ended in its warm-up.
Interval simulated(const StoredPoint& point, std::string_view metric);
bool ended_in_warm_up(const StoredPoint& point);
const std::string& text_of(const StoredPoint& point, std::string_view name);

}  // namespace banyan::papers
