#include "study/point_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "engines/engine.hpp"
#include "verify/judge.hpp"

namespace banyan::study {
namespace {

// Channels between two hosts, in the mean over a few sources: 0 where none reaches another.
double mean_distance(const Fabric& fabric) {
  constexpr u32 sources = 4;
  u64 sum = 0, count = 0;
  for (u32 i = 0; i < std::min(sources, fabric.nics()); ++i) {
    const Node start{static_cast<u32>(u64{fabric.nics()} * i / sources)};
    IdVector<Node, u32> distance(fabric.nodes().size(), ~u32{0});
    std::vector<Node> queue = {start};
    distance[start] = 0;
    for (std::size_t q = 0; q < queue.size(); ++q) {
      if (q > 0 && !fabric.is_switch(queue[q])) {
        sum += distance[queue[q]], ++count;
        continue;
      }
      for (const Channel c : fabric.channels(queue[q]))
        if (fabric.cabled(c) && distance[fabric.to(c)] == ~u32{0}) {
          distance[fabric.to(c)] = distance[queue[q]] + 1;
          queue.push_back(fabric.to(c));
        }
    }
  }
  return count ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

// Per entry of a table.
double routing_nanoseconds(std::string_view engine) {
  constexpr std::array<std::pair<std::string_view, double>, 6> slow = {
      {{"nue", 190}, {"parx", 190}, {"dfsssp", 50}, {"updn", 30}, {"lash", 25}, {"ftree", 40}}};
  for (const auto& [name, nanoseconds] : slow)
    if (name == engine) return nanoseconds;
  return 15;
}

struct Efforts {
  std::string_view measure;
  std::array<double, 4> factor;  // by EngineEffort
};
// Relative to a table.
constexpr std::array<Efforts, 6> efforts = {{{"simulate", {1, 1.2, 2.4, 2.2}},
                                             {"verdict", {1, 12, 4, 380}},
                                             {"shifts", {1, 100, 1, 1}},
                                             {"load", {1, 2, 180, 650}},
                                             {"rates", {1, 2, 10, 20}},
                                             {"oblivious", {1, 20, 20, 40}}}};

}  // namespace

EngineEffort effort_of(std::string_view engine) {
  constexpr std::array<std::string_view, 5> pair = {"smodk", "random", "disjoint", "shift1", "ecmp"},
                                            adaptive = {"adaptive", "minadaptive", "dal", "spray", "umulti"};
  constexpr std::array<std::string_view, 2> detours = {"ugal", "valiant"};
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), engine) != names.end();
  };
  if (is_in(detours)) return EngineEffort::detours;
  if (is_in(adaptive)) return EngineEffort::adaptive;
  return is_in(pair) ? EngineEffort::pair : EngineEffort::table;
}

double routing_seconds(const Topology& topology, std::string_view engine) {
  const Fabric& fabric = topology.fabric;
  return 1e-9 * routing_nanoseconds(engine) * fabric.nics() * fabric.switches();
}

double measuring_seconds(const Topology& topology, const StudyMeasure& measure, const PluginText& options,
                         std::string_view engine, std::string_view traffic) {
  double out = measure.seconds(topology, options);
  const auto effort = static_cast<std::size_t>(effort_of(engine));
  const Fabric& fabric = topology.fabric;
  if (measure.name == "simulate") out *= std::max(1.0, mean_distance(fabric) - 1) / 4;
  if (measure.name == "load" && traffic == "uniform") {  // once, for all pairs
    constexpr std::array<double, 4> nanoseconds = {15, 110, 1300, 6000};
    return 1e-3 + 1e-9 * nanoseconds[effort] * fabric.nics() * fabric.nics();
  }
  for (const Efforts& known : efforts)
    if (known.measure == measure.name) out *= known.factor[effort];
  return out;
}

double machine_factor() {
  constexpr double fitted = 0.0042;  // seconds on the machine of the formulas, which was idle
  constexpr u32 times = 40;
  static const double factor = [] {
    const Topology tree = make_topology("4-ary 3-tree");
    const std::clock_t start = std::clock();
    for (u32 i = 0; i < times; ++i) {
      const RouteResult result = route(tree, "minhop");
      verify::judge(tree.fabric, std::get<Routing>(result), {.threads = 1});
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return std::clamp(seconds / fitted, 0.1, 10.0);
  }();
  return factor;
}

double LearnedTimes::Sum::mean() const { return std::exp(logarithms / static_cast<double>(count)); }

void LearnedTimes::add(const std::string& measure, const std::string& engine, double estimate,
                       double seconds) {
  constexpr double least = 1e-3;  // what is shorter says nothing
  if (seconds < least || estimate <= 0) return;
  for (Sum* sum : {&by_engine_[{measure, engine}], &by_measure_[measure]}) {
    sum->logarithms += std::log(seconds / estimate);
    ++sum->count;
  }
}

double LearnedTimes::factor(const std::string& measure, const std::string& engine) const {
  if (const auto found = by_engine_.find({measure, engine}); found != by_engine_.end())
    return found->second.mean();
  if (const auto found = by_measure_.find(measure); found != by_measure_.end()) return found->second.mean();
  return 1;
}

}  // namespace banyan::study
