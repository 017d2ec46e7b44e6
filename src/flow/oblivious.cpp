#include "flow/oblivious.hpp"

#include <algorithm>
#include <atomic>

#include "flow/group_traffic.hpp"
#include "flow/heaviest_channel.hpp"
#include "flow/linear_program.hpp"
#include "flow/tree_traffic.hpp"

namespace banyan::flow {
namespace {

// What each source may send, and each destination receive.
struct HostLimits {
  std::vector<double> sent, received;
  HostLimits(const ChannelUses& uses, double host) : received(uses.nics().size(), host) {
    for (u32 s = 0; s < uses.sources(); ++s)
      sent.push_back(host * static_cast<double>(uses.members(s).size()));
  }
};

std::vector<Flow> matrix_of(const ChannelUses& uses, std::span<const ChannelUse> on_channel,
                            std::span<const double> demand, double host) {
  std::vector<std::vector<HostShare>> shares(uses.sources());
  for (std::size_t i = 0; i < on_channel.size(); ++i)
    if (demand[i] > solver_tolerance) shares[on_channel[i].source].push_back({on_channel[i].to, demand[i]});
  std::vector<Flow> out;
  for (u32 s = 0; s < uses.sources(); ++s)
    if (!shares[s].empty()) share_among(uses.members(s), host, shares[s], out);
  return out;
}

ObliviousRatio ratio_on_tree(const Topology& topology, const Pgft& tree, const Routing& routing,
                             const ObliviousOptions& options) {
  const Fabric& fabric = topology.fabric;
  const ChannelUses uses(fabric, routing, options.rail, options.threads);
  const TreeTraffic traffic(uses, tree, options.measure);
  const auto load = [&](Channel c, double parts) {
    return parts / uses.whole() / capacity(fabric, c, options.measure);
  };
  const HostLimits limits(uses, traffic.limit(0));
  ChannelUses::Bounds bounds = uses.bounds(limits.sent, limits.received);
  for (Channel c : bounds.parts.ids()) bounds.parts[c] = load(c, bounds.parts[c]);
  std::atomic<u64> solved = 0;
  const auto value = [&](Channel c, std::span<const ChannelUse> on_channel, double best) {
    const double bound = traffic.bound(on_channel);
    if (load(c, bound) <= best * (1 + solver_tolerance)) return 0.0;
    ++solved;
    const double parts = traffic.solve(on_channel).parts;
    return load(c, parts >= bound * (1 - solver_tolerance) ? bound : parts);
  };
  const HeaviestChannel found =
      heaviest_channel(uses, bounds.uses, bounds.parts, {}, options.threads, value, solver_tolerance);
  ObliviousRatio out;
  out.is_exact = uses.is_exact();
  out.channels_solved = solved;
  if (found.channel == none<Channel>) return out;
  out.channel = found.channel;
  out.ratio = std::max(1.0, found.load);
  const auto on_channel = uses.gather(std::span(&out.channel, 1));
  out.matrix = matrix_of(uses, on_channel[0], traffic.solve(on_channel[0]).demand, traffic.limit(0));
  return out;
}

}  // namespace

std::variant<ObliviousRatio, NotApplicable> oblivious_ratio(const Topology& topology, const Routing& routing,
                                                            const ObliviousOptions& options) {
  const auto* tree = topology.as<Pgft>();
  if (tree && topology.is_intact()) return ratio_on_tree(topology, *tree, routing, options);
  return oblivious_ratio_by_program(topology.fabric, routing, options);
}

}  // namespace banyan::flow
