// The port that every node of a PGFT offers to a header: the same as TreeForm::next(), with the divisions
// done once for each header, whose results are its row.
#pragma once
#include <array>
#include <vector>

#include "routing/tree_form.hpp"

namespace banyan::routing {

class TreePorts {
 public:
  explicit TreePorts(const TreeForm& form) : form_(form), tree_(form.tree()), height_(tree_.h()) {
    for (u32 l = 1; l <= height_; ++l) {
      level_[l] = {static_cast<u32>(tree_.M(l)),
                   static_cast<u32>(tree_.M(l - 1)),
                   tree_.m[l - 1],
                   tree_.w[l - 1],
                   tree_.down_stride(l),
                   tree_.down_ports(l)};
      const u32 W = static_cast<u32>(tree_.W(l));
      for (u32 i = 0; i < tree_.switches(l); ++i) places_.push_back({l, i / W});
    }
  }

  // What a header says of one level: the subtree of its destination, and the ports up and down.
  struct Choice {
    u32 subtree = 0, up = 0, down = 0;
  };
  using Row = std::array<Choice, TreeForm::max_levels + 1>;  // by level

  Row row(const Header& header) const {
    const u32 nic = form_.planes().number(Nic{index(header.to) >> form_.lmc()});
    const u32 to = tree_.nics_are_endpoints() ? nic : tree_.endpoint_of_nic(Nic{nic});
    Row out{};
    for (u32 l = 0; l < height_; ++l) out[l].up = level_[l].down_ports + TreeForm::up_port(header.tag, l);
    for (u32 l = 1; l <= height_; ++l) {
      const Level& here = level_[l];
      out[l].subtree = to / here.M;
      out[l].down = to / here.M_below % here.m + TreeForm::up_port(header.tag, l - 1) / here.w * here.stride;
    }
    return out;
  }

  // Where a node is. No destination has the subtree of a NIC.
  struct Place {
    u32 level, subtree;
  };
  Place place(Node node) const {
    return form_.planes().is_nic(node) ? Place{0, ~u32{0}} : places_[form_.planes().switch_number(node)];
  }
  u32 at(Place place, const Row& row) const {
    const Choice& here = row[place.level];
    return place.subtree == here.subtree ? here.down : here.up;
  }
  // Whether every header to the destination of this row is offered the same at two places.
  bool alike(Place a, Place b, const Row& row) const {
    const u32 above_goal = row[a.level].subtree;
    return a.level == b.level && (a.subtree == above_goal) == (b.subtree == above_goal);
  }

 private:
  struct Level {
    u32 M = 1, M_below = 1, m = 1, w = 1, stride = 0, down_ports = 0;
  };
  const TreeForm& form_;
  const Pgft& tree_;
  u32 height_;
  std::array<Level, TreeForm::max_levels + 1> level_{};
  std::vector<Place> places_;  // by switch of a plane
};

}  // namespace banyan::routing
