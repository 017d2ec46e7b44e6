#include "routing/tree_channels.hpp"

#include "base/assert.hpp"

namespace banyan::routing {

TreeChannels::TreeChannels(const Fabric& fabric, const TreeForm& form)
    : height_(form.tree().h()), nic_ports_(form.tree().nic_ports()) {
  const Pgft& tree = form.tree();
  for (u32 l = 1; l <= height_; ++l) {
    const u32 w = tree.w[l - 1];
    Level level{w, tree.down_ports(l) + tree.up_ports(l), tree.down_ports(l), {}, {}};
    for (u32 q = 0; q < TreeForm::max_up_ports; ++q) {
      level.parent[q] = static_cast<u8>(q % w);
      level.cable[q] = q / w * tree.down_stride(l);
    }
    levels_.push_back(level);
  }
  const Planes& planes = form.planes();
  below_.reserve(std::size_t{fabric.nics()} * height_);
  for (Nic nic : IdRange<Nic>(fabric.nics())) {
    const u32 endpoint = tree.endpoint_of_nic(nic);
    const Plane plane = planes[planes.plane(nic)];
    for (u32 l = 1; l <= height_; ++l) {
      const u32 number = static_cast<u32>(endpoint / tree.M(l) * tree.W(l));
      const Node node = plane.switch_(tree.first_switch(l) + number);
      BANYAN_ASSERT(fabric.ports(node) == levels_[l - 1].ports,
                    "switches of one level have the same number of ports");
      below_.push_back(
          {index(fabric.channel(node, Port{0})), static_cast<u32>(endpoint / tree.M(l - 1) % tree.m[l - 1])});
    }
  }
}

}  // namespace banyan::routing
