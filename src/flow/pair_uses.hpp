// The channels that the traffic of one pair uses, with the share on each in integer parts, so that loads add
// up exactly.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "flow/way_lister.hpp"

namespace banyan::flow {

struct Use {
  Channel channel;
  u32 weight;  // parts of the pair's traffic
};

template <class F>
class PairUses {
 public:
  // A pair's traffic has `whole` parts, divided evenly over its ways and over the hops offered; shares of
  // adaptive paths are rounded.
  PairUses(const WayLister& lister, const F& forward, u32 whole)
      : lister_(lister),
        forward_(forward),
        whole_(whole),
        weight_(lister.fabric().channels().size()),
        share_(Deterministic<F> ? 0 : lister.fabric().channels().size()) {}

  // Lists every channel once, in the order met: the first is the source's own if it has one port. Ways that
  // do not arrive load nothing.
  std::span<const Use> operator()(Nic from, Nic to) {
    for (const Use& use : uses_) weight_[use.channel] = 0;
    uses_.clear();
    lister_.source().ways(from, to, long_message, ways_);
    const u32 part = whole_ / static_cast<u32>(std::max<std::size_t>(1, ways_.size()));
    for (const Header& header : ways_)
      if (lister_.list(forward_, from, to, header, way_)) add(part);
    for (Use& use : uses_) use.weight = weight_[use.channel];
    return uses_;
  }

 private:
  void add(u32 part) {
    if constexpr (Deterministic<F>) {
      for (const Passage& step : way_.parts) add(step.channel, part);
    } else {
      for (const Passage& step : way_.parts) share_[step.channel] += step.share;
      for (const Passage& step : way_.parts)
        if (const double share = std::exchange(share_[step.channel], 0.0); share > 0)
          add(step.channel, static_cast<u32>(std::lround(share * part)));
    }
  }
  void add(Channel c, u32 part) {
    if (part == 0) return;
    if (weight_[c] == 0) uses_.push_back({c, 0});
    weight_[c] += part;
  }

  const WayLister& lister_;
  const F& forward_;  // what the lister's routing holds, or another for the same fabric and source
  u32 whole_;
  std::vector<Header> ways_;
  FlowWay way_;
  std::vector<Use> uses_;
  IdVector<Channel, u32> weight_;
  IdVector<Channel, double> share_;  // of one adaptive way
};

}  // namespace banyan::flow
