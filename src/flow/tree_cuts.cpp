#include "flow/tree_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace banyan::flow {

void TreeCuts::Traffic::clear() {
  std::fill(out.begin(), out.end(), 0);
  std::fill(in.begin(), in.end(), 0);
}

TreeCuts::TreeCuts(const Topology& topology, Measure measure)
    : planes_(topology.numbering()), height_(std::get<Pgft>(topology.shape).h()) {
  const Pgft& tree = std::get<Pgft>(topology.shape);
  const Fabric& fabric = topology.fabric;
  const u32 nics = fabric.nics();
  links_.resize(nics);
  const auto cable = [&](Channel c) { return fabric.cabled(c) ? capacity(fabric, c, measure) : 0; };
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic)) links_[index(nic)] += cable(c);
  subtree_.resize(std::size_t{nics} * height_);
  for (u32 nic = 0; nic < nics; ++nic) subtree_[std::size_t{nic} * height_] = nic;
  for (u32 l = 1; l < height_; ++l) {
    const u32 first = static_cast<u32>(links_.size()), M = static_cast<u32>(tree.M(l));
    const u32 in_plane = planes_.nics() / M, W = static_cast<u32>(tree.W(l));
    links_.resize(first + std::size_t{in_plane} * topology.planes);
    for (Nic nic : IdRange<Nic>(nics))
      subtree_[std::size_t{index(nic)} * height_ + l] =
          first + planes_.plane(nic) * in_plane + tree.endpoint_of_nic(nic) / M;
    for (u32 i = 0; i < in_plane * topology.planes * W; ++i) {
      const Node node = planes_[i / (in_plane * W)].switch_(tree.first_switch(l) + i % (in_plane * W));
      for (u32 port = tree.down_ports(l); port < fabric.ports(node); ++port)
        links_[first + i / W] += cable(fabric.channel(node, Port{port}));
    }
  }
}

TreeCuts::Traffic TreeCuts::uniform(std::span<const Nic> nics) const {
  Traffic out = none();
  for (const Nic nic : nics)
    for (u32 l = 0; l < height_; ++l) ++out.out[subtree_[std::size_t{index(nic)} * height_ + l]];
  const double all = static_cast<double>(nics.size());
  for (double& inside : out.out) inside = inside * (all - inside) / (all - 1);
  out.in = out.out;
  return out;
}

double TreeCuts::bound(std::span<const Flow> flows) const {
  Traffic traffic = none();
  for (const Flow& flow : flows) {
    if (planes_.plane(flow.from) != planes_.plane(flow.to))
      throw InputError(fmt::format("a flow from NIC {} to NIC {}: expected both on one plane",
                                   index(flow.from), index(flow.to)));
    add(flow.from, flow.to, flow.demand, traffic);
  }
  return bound(traffic);
}

double TreeCuts::bound(const Traffic& traffic) const {
  double out = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const double maximum = std::max(traffic.out[i], traffic.in[i]);
    if (links_[i] > 0 && maximum > out * links_[i]) out = maximum / links_[i];
  }
  return out;
}

std::optional<TreeCuts> tree_cuts(const Topology& topology, Measure measure) {
  if (!topology.is<Pgft>()) return std::nullopt;
  return TreeCuts(topology, measure);
}

}  // namespace banyan::flow
