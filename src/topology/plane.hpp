// One rail's copy of a shape: where its NICs and switches begin.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan {

struct Plane {
  u32 first_nic;
  u32 first_switch;  // as a node number
  Node nic(u32 i) const { return Node{first_nic + i}; }
  Node switch_(u32 i) const { return Node{first_switch + i}; }
};

}  // namespace banyan
