#include "traffic/nic_positions.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace banyan::traffic {

NicPositions::NicPositions(const Fabric& fabric) : columns_(fabric.columns()) {
  const auto is_plain = [&](Node node) {
    const Nic nic = fabric.nic(node);
    return !fabric.vacant(nic) && fabric.column(nic) == fabric.slot(nic);
  };
  if (fabric.nics() == u64{fabric.hosts()} * fabric.columns() &&
      std::ranges::all_of(fabric.nic_nodes(), is_plain))
    return;
  first_.push_back(0);
  for (u32 h = 0; h < fabric.hosts(); ++h) {
    for (u32 slot = 0; slot < fabric.nics(Host{h}); ++slot)
      if (const Nic nic = fabric.nic(Host{h}, slot); !fabric.vacant(nic))
        column_.push_back(static_cast<u16>(fabric.column(nic)));
    first_.push_back(static_cast<u32>(column_.size()));
  }
}

u32 NicPositions::position(Host host, u32 column) const {
  if (is_even()) return column;
  const auto first = column_.begin() + first_[index(host)], last = column_.begin() + first_[index(host) + 1];
  const auto found = std::find(first, last, column);
  BANYAN_ASSERT(found != last, "the host has a NIC in the column");
  return static_cast<u32>(found - first);
}

}  // namespace banyan::traffic
