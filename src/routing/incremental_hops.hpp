// Forward that decides hop by hop, by the distances of the neighbours from the source and to the destination
// (Omni-WAR: McDonald et al., SC 2019; Polarized: Camarero et al., HotI 2021), whatever is cabled, with or
// without an escape by Up*/Down* (SurePath: Cano et al. 2024; TERA: Cano et al. 2025).
//
// The state of a packet counts its hops between switches; a hop is offered only if the packet can still
// arrive with `max_hops`. A packet that took the escape stays there, but for a cable that leads directly to
// its goal where the escape has cables of its own.
#pragma once
#include <memory>

#include "routing/header.hpp"
#include "routing/up_down_escape.hpp"

namespace banyan::routing {

// Which neighbours are offered. `no_farther`: all from which the goal is not farther than from here.
// `polarized`: by how the distances from the source (s) and to the goal (t) change, those with s - t rising;
// those with both one more while the source is nearer than the goal, and both one less when it is not. Where
// this leaves no shortest hop, the shortest hops are offered too.
enum class IncrementalRule : u8 { no_farther, polarized };

struct IncrementalOptions {
  IncrementalRule rule = IncrementalRule::no_farther;
  u32 max_hops = 1;        // between switches, outside the escape
  u32 adaptive_lanes = 0;  // for all hops; 0: each hop has a lane, the first the lowest
};

class IncrementalHops {
 public:
  // Without an escape: free of deadlock by a lane for each hop, if no distance is above max_hops.
  IncrementalHops(SwitchCables graph, const IncrementalOptions& options);
  // The escape has the lane behind the adaptive ones, or, where it has cables of its own, their lanes.
  IncrementalHops(SwitchCables graph, const IncrementalOptions& options, UpDownEscape escape,
                  bool has_own_cables);

  // The header's tag is the source's switch; only `polarized` reads it.
  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }
  bool has_escape() const { return escape_ != nullptr; }
  bool is_escape(const Hop& hop) const { return hop.state >= descends; }
  u32 lanes() const { return lanes_; }

 private:
  static constexpr u8 descends = 254, ascends = 255;  // states on the escape: may it go up?

  u8 distance(u32 goal, u32 v) const { return distance_[std::size_t{goal} * graph_.switches() + v]; }
  bool permits(u32 v, u32 next, u32 goal, u32 source) const;
  void offer(u32 v, u32 goal, const Header& header, Hops& out) const;  // at a switch that is not the goal's
  void offer_adaptive(u32 v, u32 goal, u32 source, u32 used, Hops& out) const;
  u16 all_lanes() const { return static_cast<u16>((1u << lanes_) - 1); }

  SwitchCables graph_;
  IncrementalOptions options_;
  std::shared_ptr<const UpDownEscape> escape_;
  bool own_cables_ = false;
  u32 lanes_;
  std::vector<u8> distance_;  // by goal and switch
};

}  // namespace banyan::routing
