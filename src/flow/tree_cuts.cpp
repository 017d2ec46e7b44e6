#include "flow/tree_cuts.hpp"

#include <algorithm>

namespace banyan {

void TreeCuts::Traffic::clear() {
  std::fill(out.begin(), out.end(), 0);
  std::fill(in.begin(), in.end(), 0);
}

TreeCuts::TreeCuts(const Topology& topology) {
  const Pgft& tree = std::get<Pgft>(topology.shape);
  const Fabric& fabric = topology.fabric;
  height_ = tree.h();
  const u32 plane_nics = tree.endpoints(), nics = fabric.nics();
  const u32 plane_switches = fabric.switches() / topology.planes;
  links_.resize(nics);
  for (Node nic : fabric.nic_nodes()) links_[index(nic)] = fabric.cabled_ports(nic);
  subtree_.resize(std::size_t{nics} * height_);
  for (u32 nic = 0; nic < nics; ++nic) subtree_[std::size_t{nic} * height_] = nic;
  for (u32 l = 1; l < height_; ++l) {
    const u32 first = static_cast<u32>(links_.size()), M = static_cast<u32>(tree.M(l));
    const u32 in_plane = plane_nics / M, W = static_cast<u32>(tree.W(l));
    links_.resize(first + std::size_t{in_plane} * topology.planes);
    for (u32 nic = 0; nic < nics; ++nic)
      subtree_[std::size_t{nic} * height_ + l] =
          first + nic / plane_nics * in_plane + tree.endpoint_of_nic(Nic{nic % plane_nics}) / M;
    for (u32 i = 0; i < in_plane * topology.planes * W; ++i) {
      const u32 plane = i / (in_plane * W), number = tree.first_switch(l) + i % (in_plane * W);
      const Node node{nics + plane * plane_switches + number};
      for (u32 port = tree.down_ports(l); port < fabric.ports(node); ++port)
        if (fabric.cabled(fabric.channel(node, Port{port}))) ++links_[first + i / W];
    }
  }
}

double TreeCuts::bound(const Traffic& traffic) const {
  double out = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const double most = std::max(traffic.out[i], traffic.in[i]);
    if (links_[i] > 0 && most > out * links_[i]) out = most / links_[i];
  }
  return out;
}

}  // namespace banyan
