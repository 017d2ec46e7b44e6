// Dragonfly (Kim et al., ISCA 2008) and Dragonfly+ (Shpiner et al., HiPINEB 2017): groups with cables between
// every two of them.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/cables.hpp"
#include "topology/plane.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

// Maps each global slot of a group to a slot of another. A group has `slots` of them and meets the others
// round by round. The remaining slots of the last round are distributed evenly, and a slot may stay empty.
struct GlobalCabling {
  enum class Order {
    relative,
    absolute
  };  // the s-th slot goes s groups further on, or to the s-th other group

  u32 groups, slots;
  Order order;

  struct End {
    u32 group, slot;
    bool operator==(const End&) const = default;
  };
  std::optional<End> far_end(End near) const;

  // By formula.
  u32 empty_slots() const;  // of a group: 0 or 1
  u64 cables() const { return groups < 2 ? 0 : u64{groups} * (slots - empty_slots()) / 2; }
  u32 max_between_groups() const;  // cables between two groups
  u64 cut_of_arc(u32 some) const;  // cables from groups 0 ... some - 1 to the others
};

struct Dragonfly {
  u32 hosts_per_switch, group_switches, global_ports, groups;  // p, a, h, g of the paper
  GlobalCabling::Order order = GlobalCabling::Order::relative;
  std::vector<LinkClass> links;  // host, local, global

  u32 hosts() const { return group_hosts() * groups; }
  u32 group_hosts() const { return hosts_per_switch * group_switches; }
  std::string notation() const;
  std::vector<u32> switches_per_level() const { return {group_switches * groups}; }
  u64 switch_ports() const;
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;

  u32 group(u32 plane_switch) const { return plane_switch / group_switches; }
  u32 leaf(u32 nic) const { return nic / hosts_per_switch; }

  // Outlined (outline.hpp); the order must be relative, so that all groups look alike.
  GlobalCabling cabling() const { return {groups, group_switches * global_ports, order}; }
  Distances distances_without_paths() const;
  u64 switch_cables() const { return cables(1) + cabling().cables(); }
  u32 widest_switch() const { return hosts_per_switch + group_switches - 1 + global_ports; }
  Bisection best_cut() const;
  void each_cut(auto&& f) const {  // a switch, a group, half the groups
    const u32 empty = groups > 1 ? cabling().empty_slots() : global_ports;
    if (group_switches * groups > 1) f(HostCut{hosts_per_switch, group_switches - 1 + global_ports - empty});
    if (groups < 2) return;
    const u64 hosts = u64{hosts_per_switch} * group_switches;
    f(HostCut{hosts, cabling().slots - empty});
    f(HostCut{groups / 2 * hosts, cabling().cut_of_arc(groups / 2)});
  }
  u32 grows_to(u32) const { return hosts(); }  // another group changes all global cables
  u64 cables(u32 link_class) const;
  std::optional<CableEnds> cable(u32 link_class, u64 i) const;

  bool operator==(const Dragonfly&) const = default;
};

// Every leaf is connected to every spine of its group; spines have the global cables. Switches are numbered
// leaves first, group by group, then spines.
struct DragonflyPlus {
  u32 hosts_per_leaf, leaves, spines, global_ports, groups;  // leaves and spines of a group; ports of a spine
  GlobalCabling::Order order = GlobalCabling::Order::relative;
  std::vector<LinkClass> links;  // host, local, global

  u32 hosts() const { return group_hosts() * groups; }
  u32 group_hosts() const { return hosts_per_leaf * leaves; }
  std::string notation() const;
  std::vector<u32> switches_per_level() const { return {leaves * groups, spines * groups}; }
  u64 switch_ports() const;
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;

  u32 level(u32 plane_switch) const { return plane_switch < leaves * groups ? 1 : 2; }
  u32 group(u32 plane_switch) const {
    return level(plane_switch) == 1 ? plane_switch / leaves : (plane_switch - leaves * groups) / spines;
  }
  u32 leaf(u32 nic) const { return nic / hosts_per_leaf; }
  std::optional<Distances> distances() const;

  // Outlined (outline.hpp); the order must be relative.
  static constexpr bool far_permutation = true;
  GlobalCabling cabling() const { return {groups, spines * global_ports, order}; }
  u64 switch_cables() const { return cables(1) + cabling().cables(); }
  u32 widest_switch() const { return std::max(hosts_per_leaf + spines, leaves + global_ports); }
  Bisection best_cut() const;
  void each_cut(auto&& f) const {  // a leaf, a group, half the groups
    if (leaves * groups > 1) f(HostCut{hosts_per_leaf, spines});
    if (groups < 2) return;
    const u64 hosts = u64{hosts_per_leaf} * leaves;
    f(HostCut{hosts, cabling().slots - cabling().empty_slots()});
    f(HostCut{groups / 2 * hosts, cabling().cut_of_arc(groups / 2)});
  }
  u32 grows_to(u32) const { return hosts(); }
  u64 cables(u32 link_class) const;
  std::optional<CableEnds> cable(u32 link_class, u64 i) const;

  bool operator==(const DragonflyPlus&) const = default;
};

}  // namespace banyan::topology
