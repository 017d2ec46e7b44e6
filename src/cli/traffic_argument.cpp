#include "cli/traffic_argument.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::cli {

void TrafficArgument::declare(Arguments& arguments) {
  const std::string otherwise = default_.empty() ? "" : " (default " + default_ + ")";
  arguments.value("--traffic", traffic_, "T",
                  "pattern of the traffic, such as shift:3; 'banyan patterns' lists them" + otherwise);
  arguments.value("--ranks", ranks_, "N", "number of ranks that take part (default: all hosts)");
  arguments.value("--placement", placement_, "P",
                  "hosts of the ranks: linear, random, clustered:0.8, file:PATH (default linear)");
  arguments.values("--job", jobs_, "JOB",
                   "instead of these three: a job with hosts of its own, 'ranks=14; traffic=ring; "
                   "placement=random'; may be repeated");
}

std::string TrafficArgument::text() const {
  if (!jobs_.empty()) return fmt::format("{}", fmt::join(jobs_, " | "));
  return traffic_.empty() ? default_ : traffic_;
}

std::string TrafficArgument::typed() const {
  return (ranks_ > 0 ? fmt::format(" --ranks {}", ranks_) : "") +
         (placement_.empty() ? "" : " --placement " + quoted_for_shell(placement_));
}

ask::Situation TrafficArgument::situation(const Topology& topology, const Routing* routing, u64 seed) const {
  if (!jobs_.empty() && (!traffic_.empty() || !placement_.empty() || ranks_ > 0))
    throw InputError("--job stands instead of --traffic, --ranks and --placement");
  if (text().empty()) throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
  return {.topology = topology,
          .routing = routing,
          .traffic = text(),
          .placement = placement_.empty() ? "linear" : placement_,
          .ranks = ranks_,
          .seed = seed,
          .screen = Progress::standard_error()};
}

}  // namespace banyan::cli
