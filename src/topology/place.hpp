// Where the nodes and channels of a topology stand in its shape: plane, level, coordinates, group, and what a
// channel is for. For everybody who describes, draws, counts or exports by place: who asks here needs no test
// on the alternatives of Shape, and a new family is known to all of them.
//
// A shape says where its switches stand by members of its own, each optional:
//   u32 level(u32 s) const    of switch s of a plane, from 1; one level otherwise
//   u32 group(u32 s) const    no groups otherwise
//   Grid grid                 no coordinates otherwise
//   u32 leaf(u32 nic) const   the switch that a NIC of a plane is planned at; required
// Places are read once from the shape into flat arrays: to make them costs as much as to visit the nodes of a
// plane, to ask them a few instructions. The fabric must outlive them.
#pragma once
#include <optional>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::topology {

// What a channel is for in its shape. In trees the channels of hosts go up and down like all others.
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
  bool has(Node node) const { return planes_.has(node); }  // false: found besides the shape

  // NICs have level 0, leaves 1. A switch found besides the shape counts as one of the top level.
  u32 level(Node node) const {
    return planes_.is_nic(node) ? 0 : has(node) ? level_[planes_.switch_number(node)] : top_;
  }
  u32 top() const { return top_; }
  bool is_tree() const { return is_tree_; }  // a shape with levels and without groups

  // Of a switch, or of the switch that a NIC is planned at.
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

// By node. In a fat-tree the levels of the shape, whatever is missing; elsewhere those counted from the
// hosts.
IdVector<Node, u32> levels(const Topology& topology);

}  // namespace banyan::topology
