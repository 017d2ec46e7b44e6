// What a point will take, before anything is routed. Each measure has a formula of its PointWork, and routing
// one by engine. The constants were fitted on one machine; machine_factor()
// compares it with this one by a short run, and LearnedTimes with what the points of the store took.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "study/study.hpp"
#include "topology/topology.hpp"

namespace banyan::study {

// Seconds of one core of the machine on which the formulas were fitted.
double routing_seconds(const Topology& topology, std::string_view engine);
constexpr double start_seconds = 0.015;  // of the program and the store

// How much slower this machine is; takes some hundredths of a second of CPU time, once.
double machine_factor();

// What finished points took beside their estimates: the geometric mean for a measure and an engine, or for a
// measure where no point of that engine is finished, or 1.
class LearnedTimes {
 public:
  void add(const std::string& measure, const std::string& engine, double estimate, double seconds);
  double factor(const std::string& measure, const std::string& engine) const;

 private:
  struct Sum {
    double logarithms = 0;
    u64 count = 0;
    double mean() const;
  };
  std::map<std::pair<std::string, std::string>, Sum> by_engine_;
  std::map<std::string, Sum> by_measure_;
};

}  // namespace banyan::study
