// What domke19 computes. Each task is a point of its study, so that it is stored, resumed and spread over
// ranks.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "papers/rows.hpp"

namespace banyan::papers::domke19 {

class Tasks {
 public:
  struct Task {
    std::string name;  // without spaces
    std::vector<double*> results;
    std::function<void()> compute;  // writes the results where they are, and replaces no vector of them
  };

  void add(std::string name, std::vector<double*> results, std::function<void()> compute) {
    tasks_.push_back({std::move(name), std::move(results), std::move(compute)});
  }
  void add(std::string name, std::vector<double>& results, std::function<void()> compute);
  const std::vector<Task>& all() const { return tasks_; }
  const Task& named(std::string_view name) const;  // throws InputError
  void keep(const StudyRows& rows) const;          // writes the results that were stored

 private:
  std::vector<Task> tasks_;
};

}  // namespace banyan::papers::domke19
