#include "ask/worst_traffic.hpp"

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

}  // namespace

WorstPermutationAnswer worst_permutation(const Fabric& fabric, const Routing& routing,
                                         const WorstPermutationOptions& options) {
  const WorstPermutation worst = flow::worst_permutation(fabric, routing, options);
  WorstPermutationAnswer out{
      worst.load, worst.is_exact, named(fabric, worst.channel), by_host(fabric, worst.on_channel), {}};
  for (const Host host : worst.to) out.permutation.push_back(index(host));
  return out;
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
