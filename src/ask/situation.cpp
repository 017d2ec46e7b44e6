#include "ask/situation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "traffic/pattern.hpp"

namespace banyan::ask {

bool is_jobs(std::string_view traffic) { return traffic.find("traffic=") != traffic.npos; }

std::string with_own_names(std::string_view traffic) {
  if (!is_jobs(traffic)) return with_own_name(traffic);
  std::string out;
  for (;;) {
    const std::size_t end = traffic.find_first_of(";|");
    const std::string_view field = traffic.substr(0, end);
    const std::string_view key = field.substr(0, field.find('=') + 1), value = field.substr(key.size());
    out += key;
    out += trim(key) == "traffic=" ? with_own_name(value) : std::string(value);
    if (end == traffic.npos) return out;
    out += traffic[end];
    traffic.remove_prefix(end + 1);
  }
}

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
  const u32 hosts = static_cast<u32>(traffic_hosts(topology.fabric).size());
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
