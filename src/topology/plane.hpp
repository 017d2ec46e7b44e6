// How the nodes of a fabric with equal planes are numbered: NICs plane by plane, then switches plane by
// plane. Builders, closed forms and Places do all their arithmetic on planes here.
#pragma once
#include <numeric>

#include "fabric/fabric.hpp"

namespace banyan::topology {

// One plane, with the numbers of its first NIC and switch.
struct Plane {
  u32 first_nic;
  u32 first_switch;  // as a node number
  Node nic(u32 i) const { return Node{first_nic + i}; }
  Node switch_(u32 i) const { return Node{first_switch + i}; }

  // Connects host i to port i mod T of switch i / T.
  void connect_hosts(FabricBuilder& builder, u32 hosts, u32 hosts_per_switch, const LinkClass& link) const {
    const u8 link_class = builder.add_class(link);
    for (u32 i = 0; i < hosts; ++i)
      builder.connect(nic(i), Port{0}, switch_(i / hosts_per_switch), Port{i % hosts_per_switch}, link_class);
  }
};

// All planes. A number in a plane counts its NICs, or its switches, from 0.
class Planes {
 public:
  Planes(u32 count, u32 nics, u32 switches)  // NICs and switches of one plane
      : count_(count), nics_(nics), switches_(switches), all_nics_(count * nics) {}

  u32 count() const { return count_; }
  u32 nics() const { return nics_; }          // of one plane
  u32 switches() const { return switches_; }  // of one plane
  u32 all_nics() const { return all_nics_; }
  Plane operator[](u32 plane) const { return {plane * nics_, all_nics_ + plane * switches_}; }

  bool is_nic(Node node) const { return index(node) < all_nics_; }
  // Whether the node belongs to a plane. Switches found besides a recognised shape have numbers behind all
  // planes.
  bool has(Node node) const { return index(node) < all_nics_ + count_ * switches_; }
  u32 plane(Nic nic) const { return index(nic) / nics_; }
  u32 plane(Node node) const {
    return is_nic(node) ? index(node) / nics_ : (index(node) - all_nics_) / switches_;
  }
  // A division costs more than a comparison, and most fabrics have one plane.
  u32 number(Nic nic) const { return index(nic) < nics_ ? index(nic) : index(nic) % nics_; }
  u32 switch_number(Node node) const {
    const u32 i = index(node) - all_nics_;
    return i < switches_ ? i : i % switches_;
  }

 private:
  u32 count_, nics_, switches_, all_nics_;
};

// NICs of a host in one plane of a shape, and how their slots are labelled. Only trees have several.
template <class S>
u32 nics_inside(const S& shape) {
  if constexpr (requires { shape.nics; }) return shape.nics.count();
  return 1;
}
template <class S>
Endpoints::Slots slots_of(const S& shape) {
  if constexpr (requires { shape.nics; }) return shape.nics.slots();
  return Endpoints::Slots::rails;
}

template <class S>
u32 nic_ports_of(const S& shape) {
  if constexpr (requires { shape.nic_ports(); }) return shape.nic_ports();
  return 1;
}

template <class S>
Planes planes_of(const S& shape, u32 count) {
  const auto levels = shape.switches_per_level();
  return {count, shape.hosts() * nics_inside(shape), std::accumulate(levels.begin(), levels.end(), 0u)};
}

}  // namespace banyan::topology
