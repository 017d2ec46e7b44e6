#include "ask/worst_traffic.hpp"

#include <algorithm>

#include "flow/worst_rate.hpp"

namespace banyan::ask {
namespace {

std::optional<ChannelName> named(const Fabric& fabric, Channel c) {
  if (c == none<Channel>) return std::nullopt;
  return ChannelName{index(c), fmt::format("{}:{} -> {}", fabric.name(fabric.from(c)), fabric.port_label(c),
                                           fabric.name(fabric.to(c)))};
}

std::vector<HostFlow> by_host(const Fabric& fabric, const std::vector<Flow>& flows) {
  std::vector<HostFlow> out;
  for (const Flow& flow : flows)
    out.push_back({index(fabric.host(flow.from)), index(fabric.host(flow.to)), flow.demand});
  return out;
}

WorstRateAnswer searched(const PairPaths& paths, const WorstRateOptions& options, bool tries_all) {
  const WorstRateSearch search(paths);
  const std::vector<Destinations> starts = search.starts(options.chains, options.seed);
  WorstRateAnswer out{.exact = tries_all};
  const auto consider = [&](const Destinations& to) {
    const PermutationRate rate = permutation_rate(paths, to);
    if (!out.permutation.empty() && rate.mean_rate >= out.rate) return;
    out.rate = rate.mean_rate;
    out.max_load = rate.max_load;
    out.permutation = to;
  };
  for (const Destinations& to : starts) consider(to);
  out.random = out.rate;
  std::vector<Destinations> found;
  if (tries_all) {
    found = {worst_of_all_permutations(paths)};
  } else {
    found = options.device ? search.run(*options.device, starts, options.seed)
                           : search.run(starts, options.seed, options.threads);
    out.swaps = WorstRateSearch::swaps(paths.hosts()) * options.chains;
  }
  for (const Destinations& to : found) consider(to);
  return out;
}

}  // namespace

WorstPermutationAnswer worst_permutation(const Fabric& fabric, const Routing& routing,
                                         const WorstPermutationOptions& options) {
  const WorstPermutation worst = flow::worst_permutation(fabric, routing, options);
  WorstPermutationAnswer out{
      worst.load, worst.is_exact, named(fabric, worst.channel), by_host(fabric, worst.on_channel), {}};
  for (const Host host : worst.to) out.permutation.push_back(index(host));
  return out;
}

Result<WorstRateAnswer> worst_rate(const Topology& topology, const Routing& routing,
                                   const WorstRateOptions& options) {
  constexpr u32 max_hosts = 2048;              // the paths of all pairs are kept
  constexpr u64 max_path_parts = 100'000'000;  // channels of these paths
  constexpr u32 max_all = 8;                   // hosts of which all permutations are tried
  const Fabric& fabric = topology.fabric;
  const u32 count = fabric.hosts();
  if (count > max_hosts)
    return NotApplicable{fmt::format(
        "--worst-rate keeps the paths of all pairs of hosts: expected at most {} hosts", max_hosts)};
  if (routing.source.sizes().size() > 1)
    return NotApplicable{"--worst-rate: the paths of this engine depend on the size of a message"};
  std::vector<Host> hosts;
  for (u32 i = 0; i < count; ++i) hosts.push_back(Host{i});
  const WayLister lister(fabric, routing);
  if (count > 1) {
    const PairPaths ends(lister, std::array{hosts.front(), hosts.back()}, options.measure, 1);
    if (u64{count} * count * (static_cast<u64>(ends.mean_parts()) + 1) > max_path_parts)
      return NotApplicable{fmt::format(
          "--worst-rate keeps the channels of all paths, at most {}: expected fewer hosts or ways",
          max_path_parts)};
  }
  const PairPaths paths(lister, hosts, options.measure, options.threads);
  if (const auto& lost = paths.lost())
    return NotApplicable{fmt::format("--worst-rate: {} does not reach {}; 'banyan path' says why",
                                     fabric.host_name(hosts[lost->first]),
                                     fabric.host_name(hosts[lost->second]))};
  if (count < 2) return WorstRateAnswer{.exact = true, .permutation = {0}};
  return searched(paths, options, count <= max_all);
}

double worst_rate_seconds(const Topology& topology, u32 chains) {
  constexpr double swaps_in_a_second = 1'000'000;
  return static_cast<double>(WorstRateSearch::swaps(topology.fabric.hosts())) * chains / swaps_in_a_second;
}

Result<ObliviousAnswer> oblivious_ratio(const Topology& topology, const Routing& routing,
                                        const ObliviousOptions& options) {
  const auto found = flow::oblivious_ratio(topology, routing, options);
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  const auto& worst = std::get<ObliviousRatio>(found);
  return ObliviousAnswer{worst.ratio, worst.is_exact, named(topology.fabric, worst.channel),
                         by_host(topology.fabric, worst.matrix)};
}

}  // namespace banyan::ask
