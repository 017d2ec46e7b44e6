// Lists the channels of a path in a PGFT without asking at every node. The result equals following TreeForm
// step by step.
#pragma once
#include <array>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/tree_form.hpp"

namespace banyan::routing {

class TreeChannels {
 public:
  TreeChannels(const Fabric& fabric, const TreeForm& form);

  // Calls f(Channel) for every channel from one NIC to another of its plane along the up ports in the tag.
  template <class F>
  void each(Nic from, Nic to, u64 tag, F&& f) const {
    if (from == to) return;
    const Below* a = &below_[std::size_t{index(from)} * height_];
    const Below* b = &below_[std::size_t{index(to)} * height_];
    std::array<u32, TreeForm::max_levels> at;  // first channel of the switch on the way, by level - 1
    f(Channel{index(from) * nic_ports_ + TreeForm::up_port(tag, 0)});
    u32 x = 0, l = 0;
    for (;; ++l) {
      x = x * levels_[l].w + levels_[l].parent[TreeForm::up_port(tag, l)];
      at[l] = x * levels_[l].ports;
      if (a[l].subtree == b[l].subtree) break;
      f(Channel{a[l].subtree + at[l] + levels_[l].down_ports + TreeForm::up_port(tag, l + 1)});
    }
    for (u32 k = l + 1; k-- > 0;)
      f(Channel{b[k].subtree + at[k] + b[k].digit + levels_[k].cable[TreeForm::up_port(tag, k)]});
  }

 private:
  struct Below {
    u32 subtree;  // the first channel of the first switch of this level above the NIC
    u32 digit;    // the port down to the NIC, by the first cable
  };
  struct Level {
    u32 w, ports, down_ports;
    std::array<u8, TreeForm::max_up_ports> parent;  // by up port of the level below
    std::array<u32, TreeForm::max_up_ports> cable;  // offset of that cable in the port down
  };

  u32 height_, nic_ports_;
  std::vector<Below> below_;  // by NIC and level - 1
  std::vector<Level> levels_;
};

}  // namespace banyan::routing
