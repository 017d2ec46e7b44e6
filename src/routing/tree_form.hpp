// Routing in a PGFT with no table: up by the ports in the header's tag, a byte for each level, until the
// destination is below; then down, at each level by the cable number that the way up took.
#pragma once
#include <array>

#include "routing/header.hpp"
#include "topology/pgft.hpp"

namespace banyan {

class TreeForm {
 public:
  static constexpr u32 most_levels = 8, most_up_ports = 256;  // what fits into the tag

  TreeForm(const Pgft& tree, u32 planes, u32 lmc = 0);

  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return true; }
  const Pgft& tree() const { return tree_; }
  u32 planes() const { return nics_ / plane_nics_; }
  u32 lmc() const { return lmc_; }

  static u32 up_port(u64 tag, u32 level) { return static_cast<u32>(tag >> (8 * level)) & 0xff; }

 private:
  struct Level {
    u32 first, last;    // switches of a plane, counted from its first one
    u32 M, W;           // hosts below a switch; switches above a host
    u32 M_below, m, w;  // of the step up to this level
    u32 stride, down_ports;
  };

  Pgft tree_;
  u32 lmc_, nics_, plane_nics_, plane_switches_, height_;
  std::array<Level, most_levels + 1> levels_{};  // levels_[1] are the leaves
};

}  // namespace banyan
