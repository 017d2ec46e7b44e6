#include "study/point_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "engines/engine.hpp"
#include "verify/judge.hpp"

namespace banyan::study {
namespace {

// Per entry of a table.
double routing_nanoseconds(std::string_view engine) {
  constexpr std::array<std::pair<std::string_view, double>, 9> known = {{{"parx", 2300},
                                                                         {"nue", 200},
                                                                         {"dfsssp", 110},
                                                                         {"lash", 80},
                                                                         {"updn", 35},
                                                                         {"ftree", 30},
                                                                         {"sssp", 30},
                                                                         {"minhop", 25},
                                                                         {"dmodc", 6}}};
  for (const auto& [name, nanoseconds] : known)
    if (name == engine) return nanoseconds;
  return effort_of(engine) == EngineEffort::table ? 15 : 1;
}

}  // namespace

double routing_seconds(const Topology& topology, std::string_view engine) {
  const Fabric& fabric = topology.fabric;
  return 1e-9 * routing_nanoseconds(engine) * fabric.nics() * fabric.switches();
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
