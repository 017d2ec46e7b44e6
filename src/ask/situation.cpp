#include "ask/situation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "traffic/pattern.hpp"

namespace banyan::ask {

bool is_jobs(std::string_view traffic) { return traffic.find("traffic=") != traffic.npos; }

Situation Situation::on(const Topology& other) const {
  return {.topology = other,
          .routing = routing,
          .traffic = traffic,
          .placement = placement,
          .ranks = ranks,
          .seed = seed,
          .threads = threads,
          .exchange = exchange,
          .screen = screen,
          .made = made,
          .device = device,
          .device_calls = device_calls};
}

Job Situation::job(ShorterJobs shorter, u32 processes) const {
  if (made) return *made;
  constexpr u64 max_ranks = u64{1} << 28;
  const u32 hosts = topology.fabric.hosts();
  if (processes == 0 || u64{hosts} * processes > max_ranks)
    throw InputError(
        fmt::format("processes is {}; expected 1 to {}", processes, max_ranks / std::max(1u, hosts)));
  if (is_jobs(traffic)) {
    if (processes > 1)
      throw InputError("several jobs have one rank on a host: they take no more than one of its processes");
    std::vector<std::string> jobs;
    for (const std::string_view text : split(traffic, '|')) jobs.emplace_back(text);
    return together(make_jobs(topology, jobs, seed), shorter);
  }
  const u32 count = ranks > 0 ? ranks : hosts * processes;
  const Placement by_host = place(topology.fabric, (count + processes - 1) / processes, seed, placement);
  Placement by_rank;
  for (u32 rank = 0; rank < count; ++rank) by_rank.push_back(by_host[Rank{rank / processes}]);
  return {make_traffic({topology, count, processes}, traffic), std::move(by_rank)};
}

}  // namespace banyan::ask
