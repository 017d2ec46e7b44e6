// The heaviest traffic on one channel of a complete fat-tree, of all traffic that can be routed with load 1:
// a linear program with a row for each subtree and direction, and a cheap bound of it.
#pragma once
#include <span>
#include <vector>

#include "flow/channel_uses.hpp"
#include "flow/measure.hpp"
#include "topology/pgft.hpp"

namespace banyan::flow {

class TreeTraffic {
 public:
  TreeTraffic(const ChannelUses& uses, const Pgft& tree, Measure measure);

  double limit(u32 height) const { return limit_[height]; }  // maximum that leaves or enters a subtree

  // Both results are in parts: demand times weight. The bound is usually attained.
  double bound(std::span<const ChannelUse> on_channel) const;
  struct Heaviest {
    double parts;
    std::vector<double> demand;  // by use
  };
  Heaviest solve(std::span<const ChannelUse> on_channel) const;

 private:
  struct Ends {
    u32 from, to;  // endpoints; for a group its first
    u32 meeting;   // level
  };
  std::vector<Ends> ends(std::span<const ChannelUse> on_channel) const;
  double side_bound(std::span<const ChannelUse> on_channel, std::span<const Ends> ends, bool leaving) const;

  const ChannelUses& uses_;
  Pgft tree_;
  std::vector<double> limit_;  // by height
};

}  // namespace banyan::flow
