// Which channels the traffic of one pair uses, and with what share of it, in whole parts: loads add up
// exactly.
#pragma once
#include <span>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"

namespace banyan {

struct Use {
  Channel channel;
  u32 weight;  // parts of the pair's traffic
};

template <class F>
class PairUses {
 public:
  // A pair's traffic is `whole` parts, shared evenly by its ways and by the hops offered to it.
  PairUses(const Fabric& fabric, const F& forward, const Source& source, u32 whole)
      : fabric_(fabric),
        forward_(forward),
        source_(source),
        whole_(whole),
        longest_(2 * fabric.nodes().size() + 2),
        weight_(fabric.channels().size()) {}

  // Every channel once, in the order met: the first is the source's own if it has one port. What does not
  // arrive loads nothing.
  std::span<const Use> operator()(Nic from, Nic to) {
    for (const Use& use : uses_) weight_[use.channel] = 0;
    uses_.clear();
    from_ = fabric_.node(from);
    const u32 ways = source_.count(from, to, long_message);
    for (u32 i = 0; i < ways; ++i) {
      path_.clear();
      if (follow(fabric_.node(from), source_.way(from, to, long_message, i), fabric_.node(to), whole_ / ways))
        add();
    }
    for (Use& use : uses_) use.weight = weight_[use.channel];
    return uses_;
  }

 private:
  bool follow(Node node, Header header, Node goal, u32 part) {
    if constexpr (Deterministic<F>) {
      for (; node != goal; node = fabric_.to(path_.back().channel)) {
        const Hop hop = forward_.next(node, header);
        if (!take(node, hop, part)) return false;
        header.state = hop.state;
      }
      return true;
    } else {
      if (node == goal) return true;
      Hops hops;
      forward_.hops(node, header, hops);
      for (const Hop& hop : hops) {
        if (!take(node, hop, part / static_cast<u32>(hops.size()))) return false;
        header.state = hop.state;
        if (!follow(fabric_.to(path_.back().channel), header, goal, path_.back().weight)) return false;
      }
      return hops.size() > 0;
    }
  }

  bool take(Node node, const Hop& hop, u32 part) {
    const bool strays = node != from_ && !fabric_.is_switch(node);  // hosts do not forward
    if (strays || index(hop.port) >= fabric_.ports(node)) return false;
    const Channel c = fabric_.channel(node, hop.port);
    if (!fabric_.cabled(c) || (Deterministic<F> && path_.size() > longest_)) return false;
    path_.push_back({c, part});
    return true;
  }

  void add() {
    for (const Use& step : path_) {
      if (weight_[step.channel] == 0) uses_.push_back(step);
      weight_[step.channel] += step.weight;
    }
  }

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  u32 whole_;
  Node from_{};
  std::size_t longest_;  // without coming back to where it was; a state may allow it once or twice
  std::vector<Use> path_, uses_;
  IdVector<Channel, u32> weight_;
};

}  // namespace banyan
