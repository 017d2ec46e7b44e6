#include "routing/tree_form.hpp"

namespace banyan {

TreeForm::TreeForm(const Pgft& tree, u32 planes, u32 lmc)
    : tree_(tree),
      lmc_(lmc),
      nics_(tree.endpoints() * planes),
      plane_nics_(tree.endpoints()),
      plane_switches_(0),
      height_(tree.h()) {
  assert(height_ <= most_levels);
  for (u32 l = 1; l <= height_; ++l) {
    const u32 first = plane_switches_;
    plane_switches_ += tree.switches(l);
    levels_[l] = {first,
                  plane_switches_,
                  static_cast<u32>(tree.M(l)),
                  static_cast<u32>(tree.W(l)),
                  static_cast<u32>(tree.M(l - 1)),
                  tree.m[l - 1],
                  tree.w[l - 1],
                  tree.down_stride(l),
                  tree.down_ports(l)};
  }
}

Hop TreeForm::next(Node node, const Header& header) const {
  const u16 lanes = static_cast<u16>(1u << header.lane);
  const u32 to = tree_.endpoint_of_nic(Nic{(index(header.to) >> lmc_) % plane_nics_});
  if (index(node) < nics_) {  // how far up depends on where the two hosts meet
    const u32 from = tree_.endpoint_of_nic(Nic{index(node) % plane_nics_});
    const u32 channels = 2 * tree_.meeting_level(from, to);
    return {Port{up_port(header.tag, 0)}, lanes, header.state, static_cast<u8>(channels - 1)};
  }
  const u32 number = (index(node) - nics_) % plane_switches_;
  u32 l = 1;
  while (number >= levels_[l].last) ++l;
  const Level& here = levels_[l];
  const u32 subtree = (number - here.first) / here.W;
  if (to / here.M == subtree) {
    const u32 cable = up_port(header.tag, l - 1) / here.w;
    return {Port{to / here.M_below % here.m + cable * here.stride}, lanes, header.state,
            static_cast<u8>(l - 1)};
  }
  u32 meeting = l;
  while (to / levels_[meeting].M != subtree / (levels_[meeting].M / here.M)) ++meeting;
  return {Port{here.down_ports + up_port(header.tag, l)}, lanes, header.state,
          static_cast<u8>(2 * meeting - l - 1)};
}

}  // namespace banyan
