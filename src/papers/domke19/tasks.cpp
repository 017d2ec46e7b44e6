#include "papers/domke19/tasks.hpp"

#include <fmt/format.h>

#include <map>

#include "base/error.hpp"

namespace banyan::papers::domke19 {

void Tasks::add(std::string name, std::vector<double>& results, std::function<void()> compute) {
  std::vector<double*> places;
  for (double& result : results) places.push_back(&result);
  add(std::move(name), std::move(places), std::move(compute));
}

const Tasks::Task& Tasks::named(std::string_view name) const {
  for (const Task& task : tasks_)
    if (task.name == name) return task;
  throw InputError(fmt::format("domke19 has no task '{}'", name));
}

void Tasks::keep(const StudyRows& rows) const {
  std::map<std::string_view, const StoredPoint*> stored;
  for (const StoredPoint& point : rows.all()) {
    const std::string_view options = point.options;
    const auto at = options.find("task=") + 5;
    stored[options.substr(at, options.find(' ', at) - at)] = &point;
  }
  for (const Task& task : tasks_)
    for (std::size_t i = 0; i < task.results.size(); ++i)
      *task.results[i] = row_of(*stored.at(task.name), fmt::format("{}", i));
}

}  // namespace banyan::papers::domke19
