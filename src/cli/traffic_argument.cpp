#include "cli/traffic_argument.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::cli {

void TrafficArgument::declare(Arguments& arguments) {
  options_.declare(arguments);
  arguments.values("--job", jobs_, "JOB",
                   "instead of these three: a job with hosts of its own, 'ranks=14; traffic=ring; "
                   "placement=random'; may be repeated");
}

bool TrafficArgument::has(std::string_view key) const {
  return key == "job" ? !jobs_.empty() : options_.has(key);
}

std::string TrafficArgument::text() const {
  if (!jobs_.empty()) return ask::with_own_names(fmt::format("{}", fmt::join(jobs_, " | ")));
  const std::string given = options_.read().traffic;
  return given.empty() ? default_ : ask::with_own_names(given);
}

std::string TrafficArgument::typed() const {
  std::string out = options_.typed();
  for (const std::string& job : jobs_) out += " --job " + quoted_for_shell(job);
  return out;
}

ask::Situation TrafficArgument::situation(const Topology& topology, const Routing* routing, u64 seed) const {
  const ask::TrafficOptions options = options_.read();
  if (!jobs_.empty() && options_.has_any())
    throw InputError("--job stands instead of --traffic, --ranks and --placement");
  if (text().empty()) throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
  return {.topology = topology,
          .routing = routing,
          .traffic = text(),
          .placement = options.placement,
          .ranks = options.ranks,
          .seed = seed,
          .screen = Progress::standard_error()};
}

}  // namespace banyan::cli
