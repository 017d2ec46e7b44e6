// Dragonfly (Kim et al., ISCA 2008) and Dragonfly+ (Shpiner et al., HiPINEB 2017): groups with cables between
// every two of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/plane.hpp"

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
};

struct Dragonfly {
  u32 hosts_per_switch, group_switches, global_ports, groups;  // p, a, h, g of the paper
  GlobalCabling::Order order = GlobalCabling::Order::relative;
  std::vector<LinkClass> links;  // host, local, global

  u32 hosts() const { return hosts_per_switch * group_switches * groups; }
  std::string notation() const;
  std::vector<u32> switches_per_level() const { return {group_switches * groups}; }
  u64 switch_ports() const;
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;

  u32 group(u32 plane_switch) const { return plane_switch / group_switches; }
  u32 leaf(u32 nic) const { return nic / hosts_per_switch; }

  bool operator==(const Dragonfly&) const = default;
};

// Every leaf is connected to every spine of its group; spines have the global cables. Switches are numbered
// leaves first, group by group, then spines.
struct DragonflyPlus {
  u32 hosts_per_leaf, leaves, spines, global_ports, groups;  // leaves and spines of a group; ports of a spine
  GlobalCabling::Order order = GlobalCabling::Order::relative;
  std::vector<LinkClass> links;  // host, local, global

  u32 hosts() const { return hosts_per_leaf * leaves * groups; }
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

  bool operator==(const DragonflyPlus&) const = default;
};

}  // namespace banyan::topology
