// Parallel-port generalised fat-trees (zahavi10), which include XGFT, GFT, k-ary n-trees, m-port n-trees and
// RLFT.
//
// Levels count from the hosts: 0 hosts, 1 leaf switches, h roots. M_l = m_1...m_l, W_l = w_1...w_l. Endpoint
// j has digits a_i = floor(j / M_{i-1}) mod m_i. A level-l switch is (subtree T = floor(j / M_l), position
// x_l), with x_l = x_{l-1} * w_l + b_l; its number within the level is T * W_l + x_l.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "fabric/fabric.hpp"
#include "topology/cables.hpp"
#include "topology/plane.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

// The NICs that each host of a tree has, and their leaves: neighbouring leaves form groups, and the NIC in
// slot s is on leaf s % leaves of its host's group. Other levels are shared by all NICs.
class HostNics {
 public:
  HostNics() = default;  // one
  // `leaves` divides `count`.
  static HostNics plain(u32 count, u32 leaves = 1) {
    return HostNics(count, leaves, Endpoints::Slots::plain);
  }
  // Rail-optimised: each is on a leaf of its own, and its slot is its rail.
  static HostNics on_rails(u32 count) {
    return count == 1 ? HostNics() : HostNics(count, count, Endpoints::Slots::rails);
  }

  u32 count() const { return count_; }
  u32 leaves() const { return leaves_; }            // of a group
  u32 on_leaf() const { return count_ / leaves_; }  // NICs that a host has on each of its leaves
  Endpoints::Slots slots() const { return slots_; }
  bool are_rails() const { return count_ > 1 && slots_ == Endpoints::Slots::rails; }
  bool operator==(const HostNics&) const = default;

 private:
  HostNics(u32 count, u32 leaves, Endpoints::Slots slots) : count_(count), leaves_(leaves), slots_(slots) {
    BANYAN_ASSERT(leaves >= 1 && count >= 1 && count % leaves == 0,
                  "every leaf of a host has as many of its NICs");
    if (count == 1) slots_ = Endpoints::Slots::rails;
  }
  u32 count_ = 1, leaves_ = 1;
  Endpoints::Slots slots_ = Endpoints::Slots::rails;
};

struct Pgft {
  std::vector<u32> m, w, p;        // m[l - 1] is m_l
  u32 host_slots = 0;              // NIC ports of a leaf; m_1 of them are used
  std::vector<LinkClass> links{};  // of the level below each level of switches, host links first
  HostNics nics{};                 // nics.on_leaf() divides m_1

  u32 h() const { return static_cast<u32>(m.size()); }
  u64 M(u32 level) const;  // endpoints below a switch of this level
  u64 W(u32 level) const;  // switches of this level above an endpoint

  u32 endpoints() const { return static_cast<u32>(M(h())); }  // NICs of a plane
  u32 hosts() const { return endpoints() / nics.count(); }
  u32 hosts_of_leaf() const { return m[0] / nics.on_leaf(); }
  u32 nic_ports() const { return w[0] * p[0]; }
  u32 switches(u32 level) const { return static_cast<u32>(M(h()) / M(level) * W(level)); }
  u32 first_switch(u32 level) const;  // counted from the plane's first switch
  u32 level(u32 plane_switch) const;  // of the switch with this number in its plane
  // The leaf behind the first port of a NIC of a plane.
  u32 leaf(u32 nic) const { return endpoint_of_nic(Nic{nic}) / m[0] * w[0]; }
  u32 down_stride(u32 level) const { return level == 1 ? host_slots : m[level - 1]; }
  u32 down_ports(u32 level) const { return down_stride(level) * p[level - 1]; }
  u32 up_ports(u32 level) const { return level == h() ? 0 : w[level] * p[level]; }

  // Endpoints are numbered by leaf, and on a leaf by host, then by slot. NICs are numbered by slot, then by
  // host.
  Nic nic_of_endpoint(u32 endpoint) const;
  u32 endpoint_of_nic(Nic nic) const;  // in its plane, whichever that is
  // Whether a NIC has the number of its endpoint: each host has one NIC in the plane.
  bool nics_are_endpoints() const { return nics.count() == 1; }

  // The level of the nearest common ancestors of two endpoints; 0 when they are the same.
  u32 meeting_level(u32 a, u32 b) const;

  std::string notation() const;
  std::string family() const;  // the narrowest: "k-ary n-tree", "GFT", "XGFT", "PGFT"
  bool constant_bisection() const;
  std::vector<std::string> rlft_failed() const;  // the conditions that fail, in words; empty for an RLFT
  std::vector<u32> switches_per_level() const;
  u64 switch_ports() const;
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;
  std::optional<Distances> distances() const;
  std::optional<Bisection> bisection() const;
  u64 up_paths_max() const;  // number of ways up to a root, the range of a path index

  // Outlined (outline.hpp), where a NIC has one cable.
  static constexpr bool far_permutation = true;
  u64 switch_cables() const;
  u32 widest_switch() const;
  Bisection best_cut() const;
  u64 least_cut() const;
  void each_cut(auto&& f) const {  // subtrees
    for (u32 l = 1; l < h(); ++l) f(HostCut{hosts_below(l), cables_above(l)});
  }
  u32 grows_to(u32 ports) const;  // by subtrees below the roots
  u64 cables(u32 level) const;
  std::optional<CableEnds> cable(u32 level, u64 i) const;

  bool operator==(const Pgft&) const = default;

 private:
  // Whether all leaves of a host are below the same switches; then the formulas also hold for hosts on
  // several leaves.
  bool keeps_groups() const { return nics.leaves() == 1 || m[1] % nics.leaves() == 0; }
  // Of a subtree: a host, the leaves of a group of hosts, or a switch's whole subtree with all its tops.
  u64 hosts_below(u32 level) const {
    return level == 0 ? 1 : level == 1 ? hosts_of_leaf() : M(level) / nics.count();
  }
  u64 cables_above(u32 level) const {
    if (level == 0) return u64{nics.count()} * nic_ports();
    return W(level) * up_ports(level) * (level == 1 ? nics.leaves() : 1);
  }
};

// The smallest RLFT of switches with this number of ports for at least this number of hosts: fewest levels,
// then parallel cables as high in the tree as possible.
Pgft smallest_rlft(u32 switch_ports, u32 hosts);

}  // namespace banyan::topology
