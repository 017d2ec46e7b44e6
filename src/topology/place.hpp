// Places: the positions of the nodes and channels of a topology in its shape, namely plane, level,
// coordinates, group, and the role of a channel. Code that describes, draws, counts or exports by position
// asks here; then it needs no test on the alternatives of Shape, and a new family works everywhere.
//
// A shape gives the positions of its switches by members of its own, each optional:
//   u32 level(u32 s) const    level of switch s of a plane, from 1; default: one level
//   u32 group(u32 s) const    default: no groups
//   Grid grid                 default: no coordinates
//   u32 leaf(u32 nic) const   the switch at which a NIC of a plane is planned; required
// Positions are read once from the shape into flat arrays: making them costs one visit of the nodes of a
// plane, asking costs a few instructions. The fabric must outlive them.
#pragma once
#include <optional>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::topology {

// The role of a channel in its shape. In trees the channels of hosts go up and down like all others.
struct ChannelRole {
  enum class Is : u8 { from_host, to_host, up, down, dimension, local, global, other };
  Is is = Is::other;
  u32 which = 0;  // up, down: the level it leaves; dimension: its number, from 0

  bool operator==(const ChannelRole&) const = default;
};

class Places {
 public:
  explicit Places(const Topology& topology);

  const Planes& planes() const { return planes_; }
  u32 plane(Node node) const { return planes_.plane(node); }
  bool has(Node node) const { return planes_.has(node); }  // false: not part of the shape

  // NICs have level 0, leaves 1. A switch that is not part of the shape counts as one of the top level.
  u32 level(Node node) const {
    return planes_.is_nic(node) ? 0 : has(node) ? level_[planes_.switch_number(node)] : top_;
  }
  u32 top() const { return top_; }
  bool is_tree() const { return is_tree_; }  // a shape with levels and without groups

  // For a switch, or for the switch at which a NIC is planned.
  bool has_groups() const { return !group_.empty(); }
  u32 group(Node node) const { return group_[number_at(node)]; }
  const Grid* grid() const { return grid_ ? &*grid_ : nullptr; }
  u32 coordinate(Node node, u32 dimension) const { return grid_->coordinate(number_at(node), dimension); }

  ChannelRole role(Channel c) const;  // of a channel with a cable

 private:
  u32 number_at(Node node) const {
    return planes_.is_nic(node) ? leaf_[planes_.number(fabric_->nic(node))] : planes_.switch_number(node);
  }

  const Fabric* fabric_;
  Planes planes_;
  bool is_tree_ = false;
  u32 top_ = 1;
  std::vector<u32> level_;  // by switch of a plane
  std::vector<u32> group_;  // the same; empty without groups
  std::vector<u32> leaf_;   // by NIC of a plane; empty without a shape
  std::optional<Grid> grid_;
};

// By node: in a fat-tree the levels of the shape, even if cables are missing; elsewhere those counted from
// the hosts.
IdVector<Node, u32> levels(const Topology& topology);

}  // namespace banyan::topology
