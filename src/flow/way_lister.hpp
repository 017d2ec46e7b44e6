// The channels of one way of a flow, and its share on each. Loads, rates and bounds are sums over these. An
// adaptive routing is assumed to use the hops it offers evenly.
#pragma once
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "routing/tree_channels.hpp"
#include "routing/walk.hpp"

namespace banyan::flow {

// A channel and how much of the way passes it: all, unless the routing is adaptive.
struct Passage {
  Channel channel;
  double share = 1;
};

// One way, and the memory it takes to find it.
struct FlowWay {
  struct Place {
    Node node;
    u8 state;
    double share;
    auto key() const { return std::tuple(node, state); }
  };

  std::vector<Passage> parts;  // adaptive paths may meet a channel more than once
  u32 hops = 0;                // channels of the longest path
  Loss loss = Loss::none;      // why it does not arrive, and where
  Node at{};
  std::vector<Place> here, there;  // of an adaptive routing: what is under way, and a hop later
  std::optional<Hops> offers;      // likewise: what a node offers; some kilobytes, made where it is needed

  bool ends(Loss why, Node node) {
    loss = why;
    at = node;
    return why == Loss::none;
  }
};

std::string why_lost(const FlowWay& way, const Fabric& fabric);

inline void join_equal(std::vector<FlowWay::Place>& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const FlowWay::Place& a, const FlowWay::Place& b) { return a.key() < b.key(); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (kept && places[kept - 1].key() == places[i].key())
      places[kept - 1].share += places[i].share;
    else
      places[kept++] = places[i];
  places.resize(kept);
}

// The rule against loops of routing/walk.hpp, for many paths at once: those that are longer than there are
// switches have met a place twice if they then go on for more hops than they meet places.
class SpreadLoopRule {
 public:
  explicit SpreadLoopRule(const Fabric& fabric) : switches_(fabric.switches()) {}

  bool closes(u32 hops, const std::vector<FlowWay::Place>& here) {
    if (hops <= switches_) return false;
    for (const FlowWay::Place& place : here) places_.insert(place.key());
    return hops - switches_ > places_.size();
  }

 private:
  u32 switches_;
  std::set<std::tuple<Node, u8>> places_;
};

// All that is under way moves one hop at a time, so that paths that meet again are followed once.
template <class F>
bool spread_way(const Fabric& fabric, const F& forward, Node start, Header header, Node goal, FlowWay& out) {
  SpreadLoopRule rule(fabric);
  if (!out.offers) out.offers.emplace();
  Hops& offers = *out.offers;
  out.here.assign(1, {start, header.state, 1});
  for (; !out.here.empty(); ++out.hops) {
    if (rule.closes(out.hops, out.here)) return out.ends(Loss::circles, out.here[0].node);
    out.there.clear();
    for (const FlowWay::Place& place : out.here) {
      header.state = place.state;
      offered(forward, place.node, header, offers);
      if (offers.size() == 0) return out.ends(Loss::no_hop, place.node);
      const double share = place.share / static_cast<double>(offers.size());
      for (const Hop& hop : offers) {
        const Step step = take(fabric, place.node, hop, goal);
        if (step.lost()) return out.ends(step.why, step.node);
        out.parts.push_back({step.channel, share});
        if (step.leads_on()) out.there.push_back({step.node, step.state, share});
      }
    }
    join_equal(out.there);
    std::swap(out.here, out.there);
  }
  return true;
}

// By asking at every node. False where some of it does not arrive.
template <class F>
bool follow_way(const Fabric& fabric, const F& forward, Nic from, Nic to, const Header& header,
                FlowWay& out) {
  out.parts.clear();
  out.hops = 0;
  out.loss = Loss::none;
  const Node start = fabric.node(from), goal = fabric.node(to);
  if constexpr (Deterministic<F>) {
    const Step end = walk(fabric, forward, start, header, goal, [&](Channel c) { out.parts.push_back({c}); });
    out.hops = static_cast<u32>(out.parts.size());
    return out.ends(end.why, end.node);
  } else {
    return start == goal || spread_way(fabric, forward, start, header, goal, out);
  }
}

// Whether every cable of the form's tree is there; then its channels can be told without asking.
bool is_complete(const Fabric& fabric, const TreeForm& form);

// The same for a routing, and without asking where there is a formula.
class WayLister {
 public:
  WayLister(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {
    const auto* form = std::get_if<TreeForm>(&routing.forward);
    if (form && is_complete(fabric, *form)) tree_.emplace(fabric, *form);
  }

  const Fabric& fabric() const { return fabric_; }
  const Source& source() const { return routing_.source; }
  const Forward& forward() const { return routing_.forward; }
  const Routing& routing() const { return routing_; }

  // F is what forward() holds.
  template <class F>
  bool list(const F& forward, Nic from, Nic to, const Header& header, FlowWay& out) const {
    if constexpr (std::is_same_v<F, TreeForm>)
      if (tree_) {
        out.parts.clear();
        tree_->each(from, to, header.tag, [&](Channel c) { out.parts.push_back({c}); });
        out.hops = static_cast<u32>(out.parts.size());
        return true;
      }
    return follow_way(fabric_, forward, from, to, header, out);
  }

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  std::optional<TreeChannels> tree_;
};

}  // namespace banyan::flow
