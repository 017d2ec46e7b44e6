#include "cli/traffic_argument.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "traffic/pattern.hpp"

namespace banyan::cli {

void TrafficArgument::declare(Arguments& arguments) {
  const std::string otherwise = default_.empty() ? "" : " (default " + default_ + ")";
  arguments.value("--traffic", traffic_, "T",
                  "who sends to whom, such as shift:3; 'banyan patterns' lists them" + otherwise);
  arguments.value("--ranks", ranks_, "N", "how many take part (default: all hosts)");
  arguments.value("--placement", placement_, "P",
                  "where they run: linear, random, clustered:0.8, file:PATH (default linear)");
  arguments.values("--job", jobs_, "JOB",
                   "instead of these, several at once, each with its own hosts: 'ranks=14; traffic=ring; "
                   "placement=random'; may be repeated");
}

std::string TrafficArgument::text() const {
  if (!jobs_.empty()) return fmt::format("{}", fmt::join(jobs_, " | "));
  return traffic_.empty() ? default_ : traffic_;
}

Job TrafficArgument::job(const Topology& topology, u64 seed, ShorterJobs shorter, u32 processes) const {
  constexpr u64 max_ranks = u64{1} << 28;
  if (processes == 0 || u64{topology.fabric.hosts()} * processes > max_ranks)
    throw InputError(fmt::format("processes is {}; expected 1 to {}", processes,
                                 max_ranks / std::max(1u, topology.fabric.hosts())));
  if (!jobs_.empty() && processes > 1)
    throw InputError("--job places one rank on a host: it takes no --processes");
  if (!jobs_.empty()) {
    if (!traffic_.empty() || !placement_.empty() || ranks_ > 0)
      throw InputError("--job stands instead of --traffic, --ranks and --placement");
    return together(make_jobs(topology, jobs_, seed), shorter);
  }
  if (text().empty()) throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
  const u32 ranks = ranks_ > 0 ? ranks_ : topology.fabric.hosts() * processes;
  const Placement hosts = place(topology.fabric, (ranks + processes - 1) / processes, seed,
                                placement_.empty() ? "linear" : placement_);
  Placement placement;
  for (u32 rank = 0; rank < ranks; ++rank) placement.push_back(hosts[Rank{rank / processes}]);
  return {make_traffic({topology, ranks}, text()), std::move(placement)};
}

}  // namespace banyan::cli
