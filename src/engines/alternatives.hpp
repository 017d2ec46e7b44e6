// What each switch of a ranked tree may do for one group of destinations: down where they are below, else up
// by the shortest ways. Switches with the same alternatives share a kind, so that a choice is made once for
// all of them.
#pragma once
#include <bitset>
#include <deque>
#include <map>
#include <vector>

#include "engines/ranked_tree.hpp"

namespace banyan::engines {

using PortSet = std::bitset<256>;

// Ports in a fixed order: the next nodes by number, the cables to each by port. What is missing keeps its
// place.
struct PortOrder {
  u32 rank = 0;
  std::vector<std::vector<u8>> to;
  auto operator<=>(const PortOrder&) const = default;
};

// What is left of a layout when not all of its ports are useful.
struct Rest {
  PortSet useful;
  std::vector<bool> some;  // by node of the layout: a cable to it is useful
};

// D-mod-k: index q names the node q mod n and there the cable floor(q / n) mod c.
u8 named_port(const PortOrder& layout, u32 q);

// The port for index q when the one it names is useless: another cable to the same node if there is one, else
// another node. The rest r of the division names one of the others, r mod their number; if that is useless
// too, one of those not yet named, and so on. So the indices that lost their port spread evenly over what is
// left, and none moves that has not lost its own.
u8 other_port(const PortOrder& layout, const Rest& rest, u32 q);

class Alternatives {
 public:
  struct Kind {
    const PortOrder* layout = nullptr;  // nullptr: no way at all
    const Rest* rest = nullptr;         // nullptr: every port is useful
    u32 whole = 0;                      // the kind with the same layout where every port is useful
    u32 turn = 0;                       // the rank where the way ends to go up; that of the switch: goes down
    bool down = false;
  };
  static constexpr u32 no_way = ~u32{0};

  explicit Alternatives(const RankedTree& tree);

  void explore(u32 start);  // a leaf, or a NIC of several ports

  // By node: its kind, an index into kinds(). Kind 0 has no way; a kind comes after its whole.
  const std::vector<u32>& kind_of() const { return kind_of_; }
  const std::vector<Kind>& kinds() const { return kinds_; }
  u32 cost(u32 v) const { return cost_[v]; }                                // channels to the start; no_way
  bool is_above(u32 v) const { return via_[v] != none_ || cost_[v] == 0; }  // or the start itself

 private:
  static constexpr u32 none_ = ~u32{0}, several_ = none_ - 1;

  void make_layouts();
  void note_ascent(u32 v);
  u32 intern(PortOrder layout);
  const Rest* rest_of(u32 layout, const PortSet& useful);
  void reach_upwards();
  u32 descend(u32 v);
  u32 descend_several(u32 v);
  u32 ascend(u32 v);
  u32 find_ascent(u32 v);
  u32 kind(u32 layout, u32 turn, bool down, const Rest* rest);

  const RankedTree& tree_;
  std::map<PortOrder, u32> layout_numbers_;
  std::vector<const PortOrder*> layouts_;
  std::vector<std::deque<Rest>> rests_;       // by layout
  std::vector<u32> up_layout_, down_layout_;  // by node; by uplink
  std::vector<const Rest*> live_up_;          // by node: without the cables that are missing
  std::vector<u32> parents_;                  // by uplink

  // Complete switches with the same parents behind the same ports ascend alike.
  struct Ascent {
    bool asked = false;  // in this exploration
    u32 cost = 0, turn = 0, kind = 0;
  };
  std::map<std::pair<u32, std::vector<u32>>, u32> ascent_numbers_;  // by layout and parents
  std::vector<Ascent> ascents_;
  std::vector<u32> ascent_of_;  // by node; none_ where a cable is missing

  std::vector<u32> cost_, turn_, via_, kind_of_;
  std::vector<Kind> kinds_;
  std::vector<u32> kind_number_, numbered_;  // whole kinds by layout, turn and direction
};

}  // namespace banyan::engines
