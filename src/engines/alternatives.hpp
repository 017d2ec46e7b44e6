// The ports that each switch of a ranked tree may use for one group of destinations: down where they are
// below, else up along shortest ways. Switches with the same alternatives share a kind, so a choice is made
// once for all of them. `dmodc` uses it.
#pragma once
#include <bitset>
#include <deque>
#include <map>
#include <vector>

#include "engines/ranked_tree.hpp"

namespace banyan::engines {

using PortSet = std::bitset<256>;

// Ports in a fixed order: the next nodes by number, the cables to each by port. Missing cables keep their
// position.
struct PortOrder {
  u32 rank = 0;
  std::vector<std::vector<u8>> to;
  auto operator<=>(const PortOrder&) const = default;
};

// The useful part of a layout, when not all of its ports are useful.
struct UsefulPorts {
  PortSet ports;
  std::vector<bool> nodes;  // by node of the layout: a cable to it is useful
};

// D-mod-k: index q selects node q mod n and there cable floor(q / n) mod c.
u8 named_port(const PortOrder& layout, u32 q);

// The port for index q when the selected one is useless: another cable to the same node if there is one, else
// another node. The remainder r of the division selects one of the others, r mod their number; if that is
// useless too, one of those not yet selected, and so on. So indices that lost their port spread evenly over
// the remaining ports, and all other indices keep theirs.
u8 other_port(const PortOrder& layout, const UsefulPorts& useful, u32 q);

class Alternatives {
 public:
  struct Kind {
    const PortOrder* layout = nullptr;    // nullptr: no way at all
    const UsefulPorts* useful = nullptr;  // nullptr: every port is useful
    u32 whole = 0;                        // the kind with the same layout where every port is useful
    u32 turn = 0;  // the rank where the way stops going up; the switch's own rank if it goes down
    bool down = false;
  };
  static constexpr u32 no_way = ~u32{0};

  explicit Alternatives(const RankedTree& tree);

  void explore(TreeNode start);  // start: a leaf, or a NIC with several ports

  // The kind of each node, an index into kinds(). Kind 0 has no way; a kind comes after its whole.
  const IdVector<TreeNode, u32>& kind_of() const { return kind_of_; }
  const std::vector<Kind>& kinds() const { return kinds_; }
  u32 cost(TreeNode v) const { return cost_[v]; }  // channels to the start, or no_way
  bool is_above(TreeNode v) const { return via_[v] != none_ || cost_[v] == 0; }  // or the start itself

 private:
  static constexpr u32 none_ = ~u32{0}, several_ = none_ - 1;

  void make_layouts();
  void note_ascent(TreeNode v);
  u32 intern(PortOrder layout);
  const UsefulPorts* useful_ports(u32 layout, const PortSet& ports);
  void reach_upwards();
  u32 descend(TreeNode v);
  u32 descend_several(TreeNode v);
  u32 ascend(TreeNode v);
  u32 find_ascent(TreeNode v);
  u32 kind(u32 layout, u32 turn, bool down, const UsefulPorts* useful);

  const RankedTree& tree_;
  std::map<PortOrder, u32> layout_numbers_;
  std::vector<const PortOrder*> layouts_;
  std::vector<std::deque<UsefulPorts>> useful_ports_;  // by layout
  IdVector<TreeNode, u32> up_layout_;
  std::vector<u32> down_layout_;                    // by uplink
  IdVector<TreeNode, const UsefulPorts*> live_up_;  // without the cables that are missing
  std::vector<TreeNode> parents_;                   // by uplink

  // Complete switches with the same parents behind the same ports have the same ways up.
  struct Ascent {
    bool asked = false;  // in this exploration
    u32 cost = 0, turn = 0, kind = 0;
  };
  std::map<std::pair<u32, std::vector<TreeNode>>, u32> ascent_numbers_;  // by layout and parents
  std::vector<Ascent> ascents_;
  IdVector<TreeNode, u32> ascent_of_;  // none_ where a cable is missing

  IdVector<TreeNode, u32> cost_, turn_, via_, kind_of_;
  std::vector<Kind> kinds_;
  std::vector<u32> kind_number_, numbered_;  // whole kinds by layout, turn and direction
};

}  // namespace banyan::engines
