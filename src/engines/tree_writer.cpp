#include "engines/tree_writer.hpp"

#include <tuple>

namespace banyan::engines {

TreeWriter::TreeWriter(const Fabric& fabric, const Backbone& backbone, u32 lmc)
    : b_(backbone),
      nics_(fabric.nics()),
      lmc_(lmc),
      tables_(fabric, lmc),
      down_(backbone.plug.size()),
      up_(backbone.plug.size()) {}

void TreeWriter::write(Address to, const IdVector<Switch, SwitchChannel>& exits,
                       const IdVector<Switch, u32>& distances) {
  const std::span<u8> ports = tables_.towards(to).subspan(nics_ - tables_.first_node());
  for (Switch v : b_.all_switches())
    if (exits[v] != none<SwitchChannel>) ports[index(v)] = b_.port[exits[v]];
  write_leaves(to);
  if (tables_.first_node() == 0) write_nics(to, distances);
}

void TreeWriter::write_leaves(Address to) {
  const auto plugs = b_.plugs(nic_of(to, lmc_));
  for (const Plug& plug : plugs) {
    const Plug* chosen = &plug;
    const auto used = [&](const Plug& p) -> u32& {
      return down_[static_cast<std::size_t>(&p - b_.plug.data())];
    };
    for (const Plug& other : plugs)
      if (other.leaf == plug.leaf && used(other) < used(*chosen)) chosen = &other;
    u8& port = tables_(Node{nics_ + index(plug.leaf)}, to);
    if (port != Tables::no_port) continue;
    port = chosen->leaf_port;
    ++used(*chosen);
  }
}

void TreeWriter::write_nics(Address to, const IdVector<Switch, u32>& distances) {
  for (u32 n = 0; n < nics_; ++n) {
    if (Nic{n} == nic_of(to, lmc_)) continue;
    u32 best = Backbone::nothing;
    for (u32 k = b_.first_plug[n]; k < b_.first_plug[n + 1]; ++k) {
      const auto key = [&](u32 i) { return std::tuple(distances[b_.plug[i].leaf], up_[i]); };
      if (distances[b_.plug[k].leaf] == Backbone::nothing) continue;
      if (best == Backbone::nothing || key(k) < key(best)) best = k;
    }
    if (best == Backbone::nothing) continue;
    tables_(Node{n}, to) = b_.plug[best].nic_port;
    ++up_[best];
  }
}

}  // namespace banyan::engines
