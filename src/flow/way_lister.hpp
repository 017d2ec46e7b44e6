// The channels of one way of a flow, and how much of it passes each: loads, rates and bounds are sums over
// these. An adaptive routing is taken to use the hops it offers evenly.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "routing/routing.hpp"
#include "routing/tree_channels.hpp"

namespace banyan::flow {

// A channel and how much of the way passes it: all, unless the routing is adaptive.
struct Passage {
  Channel channel;
  double share = 1;
};

// One way, and the memory it takes to find it.
struct FlowWay {
  enum class Stray : u8 { none, no_hop, no_port, other_host, circles };
  struct Place {
    Node node;
    u8 state;
    double share;
    auto key() const { return std::tuple(node, state); }
  };

  std::vector<Passage> parts;  // adaptive paths may meet a channel more than once
  u32 hops = 0;                // channels of the longest path
  Stray stray = Stray::none;   // why it does not arrive, and where
  Node at{};
  std::vector<Place> here, there;  // of an adaptive routing: what is under way, and a hop later
  Hops offers;

  bool lost(Stray why, Node node) {
    stray = why;
    at = node;
    return false;
  }
};

std::string why_lost(const FlowWay& way, const Fabric& fabric);

// Appends the channel of a hop; none where the way ends there.
inline Channel take_hop(const Fabric& fabric, Node node, const Hop& hop, Node goal, double share,
                        FlowWay& out) {
  const bool exists = index(hop.port) < fabric.ports(node);
  const Channel channel = exists ? fabric.channel(node, hop.port) : none<Channel>;
  if (!exists || !fabric.cabled(channel)) {
    out.lost(FlowWay::Stray::no_port, node);
    return none<Channel>;
  }
  const Node next = fabric.to(channel);
  if (!fabric.is_switch(next) && next != goal) {  // hosts do not forward
    out.lost(FlowWay::Stray::other_host, next);
    return none<Channel>;
  }
  out.parts.push_back({channel, share});
  return channel;
}

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

// All that is under way moves one hop at a time, so that paths that meet again are followed once.
template <class F>
bool spread_way(const Fabric& fabric, const F& forward, Node start, Header header, Node goal, FlowWay& out) {
  const std::size_t maximum = 2 * fabric.nodes().size() + 2;
  out.here.assign(1, {start, header.state, 1});
  for (; !out.here.empty(); ++out.hops) {
    if (out.hops == maximum) return out.lost(FlowWay::Stray::circles, out.here[0].node);
    out.there.clear();
    for (const FlowWay::Place& place : out.here) {
      header.state = place.state;
      offered(forward, place.node, header, out.offers);
      if (out.offers.size() == 0) return out.lost(FlowWay::Stray::no_hop, place.node);
      const double share = place.share / static_cast<double>(out.offers.size());
      for (const Hop& hop : out.offers) {
        const Channel c = take_hop(fabric, place.node, hop, goal, share, out);
        if (c == none<Channel>) return false;
        if (fabric.to(c) != goal) out.there.push_back({fabric.to(c), hop.state, share});
      }
    }
    join_equal(out.there);
    std::swap(out.here, out.there);
  }
  return true;
}

// By asking at every node. False where some of it does not arrive: hosts do not forward, and a path that goes
// on longer than through every node twice never ends.
template <class F>
bool follow_way(const Fabric& fabric, const F& forward, Nic from, Nic to, Header header, FlowWay& out) {
  out.parts.clear();
  out.hops = 0;
  out.stray = FlowWay::Stray::none;
  Node node = fabric.node(from);
  const Node goal = fabric.node(to);
  if constexpr (!Deterministic<F>) {
    return node == goal || spread_way(fabric, forward, node, header, goal, out);
  } else {
    const std::size_t maximum = 2 * fabric.nodes().size() + 2;
    while (node != goal) {
      if (out.parts.size() == maximum) return out.lost(FlowWay::Stray::circles, node);
      const Hop hop = forward.next(node, header);
      const Channel c = take_hop(fabric, node, hop, goal, 1, out);
      if (c == none<Channel>) return false;
      header.state = hop.state;
      node = fabric.to(c);
    }
    out.hops = static_cast<u32>(out.parts.size());
    return true;
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
