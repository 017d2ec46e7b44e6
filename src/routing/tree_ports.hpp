// The port that every node of a PGFT offers to one header: the same as TreeForm::next(), with the divisions
// done once for each header.
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

  void set(const Header& header) {
    const u32 nic = form_.planes().number(Nic{index(header.to) >> form_.lmc()});
    const u32 to = tree_.rails == 1 ? nic : tree_.endpoint_of_nic(Nic{nic});
    for (u32 l = 0; l < height_; ++l) up_[l] = level_[l].down_ports + TreeForm::up_port(header.tag, l);
    for (u32 l = 1; l <= height_; ++l) {
      const Level& here = level_[l];
      subtree_[l] = to / here.M;
      down_[l] = to / here.M_below % here.m + TreeForm::up_port(header.tag, l - 1) / here.w * here.stride;
    }
  }

  u32 at(Node node) const {
    if (form_.planes().is_nic(node)) return up_[0];
    const Place place = places_[form_.planes().switch_number(node)];
    return place.subtree == subtree_[place.level] ? down_[place.level] : up_[place.level];
  }

 private:
  struct Level {
    u32 M = 1, M_below = 1, m = 1, w = 1, stride = 0, down_ports = 0;
  };
  struct Place {
    u32 level, subtree;
  };
  template <class T>
  using ByLevel = std::array<T, TreeForm::max_levels + 1>;

  const TreeForm& form_;
  const Pgft& tree_;
  u32 height_;
  ByLevel<Level> level_{};
  std::vector<Place> places_;               // by switch of a plane
  ByLevel<u32> subtree_{}, up_{}, down_{};  // of the header
};

}  // namespace banyan::routing
