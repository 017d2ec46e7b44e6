// One rail's copy of a shape: where its NICs and switches begin.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan::topology {

struct Plane {
  u32 first_nic;
  u32 first_switch;  // as a node number
  Node nic(u32 i) const { return Node{first_nic + i}; }
  Node switch_(u32 i) const { return Node{first_switch + i}; }

  // Host i on port i mod T of switch i / T.
  void connect_hosts(FabricBuilder& builder, u32 hosts, u32 hosts_per_switch, const LinkClass& link) const {
    const u8 link_class = builder.add_class(link);
    for (u32 i = 0; i < hosts; ++i)
      builder.connect(nic(i), Port{0}, switch_(i / hosts_per_switch), Port{i % hosts_per_switch}, link_class);
  }
};

}  // namespace banyan::topology
