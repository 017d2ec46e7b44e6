// What a point will take, before anything is routed: a formula of each measure for engines with tables, and
// what other engines take relative to them. The constants were fitted on one machine; machine_factor()
// compares it with this one by a short run, and LearnedTimes with what the points of the store took.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "study/study.hpp"
#include "topology/topology.hpp"

namespace banyan::study {

// How much an engine makes others work: one way for each destination, for each pair, several that packets
// choose from on their way, or also detours.
enum class EngineEffort : u8 { table, pair, adaptive, detours };
EngineEffort effort_of(std::string_view engine);  // by its name; table for one that is not known here

// Seconds of one core of the machine on which the formulas were fitted.
double routing_seconds(const Topology& topology, std::string_view engine);
double measuring_seconds(const Topology& topology, const StudyMeasure& measure, const PluginText& options,
                         std::string_view engine, std::string_view traffic);

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
