// Follows all that a forward permits to one header, from any NIC, and remembers what was found at each node:
// what many sources share is walked once.
#pragma once
#include <algorithm>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"
#include "verify/dependencies.hpp"

namespace banyan {

// What becomes of a packet, over all that is permitted to it.
struct Outcome {
  bool lost = false, loops = false;  // it may be
  u32 longest = 0;                   // channels, of the paths that arrive
  double average = 0;                // every hop offered being equally likely
  bool arrives() const { return !lost && !loops; }
};

// What was seen on the channels, by all headers. Everything can be merged in any order.
struct Seen {
  explicit Seen(const Fabric& fabric)
      : waits(fabric), destinations(fabric.channels().size()), last(fabric.channels().size(), none<Nic>) {}

  void visit(Channel c, Nic goal) {
    if (last[c] == goal) return;
    last[c] = goal;
    ++destinations[c];
  }
  void merge(const Seen& other) {
    waits.merge(other.waits);
    for (Channel c : destinations.ids()) destinations[c] += other.destinations[c];
    lanes |= other.lanes;
  }

  Dependencies waits;
  IdVector<Channel, u32> destinations;  // NICs that channels out of switches lead to
  IdVector<Channel, Nic> last;          // that was counted there
  u16 lanes = 0;                        // used, as a mask
};

// The channel behind a port, or none<Channel> if there is no such port or no cable in it.
inline Channel cabled_channel(const Fabric& fabric, Node node, Port port) {
  if (index(port) >= fabric.ports(node)) return none<Channel>;
  const Channel c = fabric.channel(node, port);
  return fabric.cabled(c) ? c : none<Channel>;
}

// A header that never changes has one way out of every switch: what it leaves behind is a tree.
template <KeepsHeader F>
class TreeWalker {
 public:
  TreeWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric), forward_(forward), seen_(seen), known_(fabric.switches()) {}

  void begin(const Header& header, Nic goal) {
    header_ = header;
    goal_ = goal;
    ++walk_;
    seen_.lanes |= static_cast<u16>(1u << header.lane);
  }

  Outcome from(Nic nic) {
    const Node node = fabric_.node(nic);
    const Channel c = cabled_channel(fabric_, node, forward_.next(node, header_).port);
    const u32 length = c == none<Channel> ? lost : length_from(fabric_.to(c));
    if (length >= on_path) return {.lost = length == lost, .loops = length == loops};
    return {.longest = length + 1, .average = length + 1.0};
  }

 private:
  static constexpr u32 on_path = ~u32{0} - 2, lost = ~u32{0} - 1, loops = ~u32{0};
  struct Known {
    u32 walk = 0;    // when it was found out
    u32 length = 0;  // channels to the goal
    Channel out = none<Channel>;
  };

  u32 length_from(Node node) {
    auto waits = seen_.waits.plane(header_.lane, header_.lane);
    path_.clear();
    u32 length = 0;
    for (Channel held = none<Channel>; node != fabric_.node(goal_); node = fabric_.to(held)) {
      if (!fabric_.is_switch(node)) {
        length = lost;
        break;
      }
      Known& here = known_[index(node) - fabric_.nics()];
      const bool is_new = here.walk != walk_;
      if (is_new) here = {walk_, on_path, cabled_channel(fabric_, node, forward_.next(node, header_).port)};
      if (here.out == none<Channel>) {
        length = here.length = lost;
        break;
      }
      if (held != none<Channel>) waits.add(held, index(fabric_.port(here.out)));
      if (!is_new) {
        length = here.length == on_path ? loops : here.length;
        break;
      }
      held = here.out;
      seen_.visit(held, goal_);
      path_.push_back(&here);
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at)
      (*at)->length = length >= on_path ? length : ++length;
    return length;
  }

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  Header header_;
  Nic goal_{};
  u32 walk_ = 0;
  std::vector<Known> known_;  // by switch
  std::vector<Known*> path_;
};

// Any forward: what can happen to a header is a graph of places, a node and the header's state there.
template <class F>
class GraphWalker {
 public:
  GraphWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric),
        forward_(forward),
        seen_(seen),
        slot_(fabric.nics() + std::size_t{fabric.switches()} * 256) {}

  void begin(const Header& header, Nic goal) {
    header_ = header;
    goal_ = goal;
    places_.clear();
    edges_.clear();
    exits_.clear();
    words_.clear();
  }

  Outcome from(Nic nic) {
    const std::size_t first_new = places_.size();
    const u32 start = place_at(fabric_.node(nic), header_.state);
    if (places_[start].mark == Mark::unseen) explore(start);
    for (std::size_t p = first_new; p < places_.size(); ++p) record(places_[p]);
    return places_[start].outcome;
  }

 private:
  enum class Mark : u8 { unseen, on_path, done };
  static constexpr u32 astray = ~u32{0} - 1, arrived = ~u32{0};  // instead of a place
  struct Place {
    Node node;
    u8 state;
    Mark mark = Mark::unseen;
    bool is_lost = false;     // a hop leads nowhere
    u32 first = 0, last = 0;  // its edges
    u32 next = 0;             // edge to look at
    u32 first_exits = 0, last_exits = 0;
    Outcome outcome{};
  };
  // The ports by which a place is left on some lanes, as a set.
  struct Exits {
    u16 lanes;
    u32 first, count;  // of words_
  };
  struct Edge {
    Channel channel;
    u16 lanes;
    u32 to;  // place, astray or arrived
    bool leads_on() const { return to < astray; }
  };

  u32 place_at(Node node, u8 state) {
    const std::size_t number =
        fabric_.is_switch(node) ? index(node) + std::size_t{state} * fabric_.switches() : index(node);
    u32& slot = slot_[number];  // holds anything until it was written
    if (slot >= places_.size() || places_[slot].node != node || places_[slot].state != state) {
      slot = static_cast<u32>(places_.size());
      places_.push_back({node, state});
    }
    return slot;
  }

  u32 target(Node node, u8 state) {
    if (node == fabric_.node(goal_)) return arrived;
    return fabric_.is_switch(node) ? place_at(node, state) : astray;
  }

  void open(u32 p) {
    Header header = header_;
    const Node node = places_[p].node;
    header.state = places_[p].state;
    offered(forward_, node, header, hops_);
    bool is_lost = hops_.size() == 0;
    const u32 first = static_cast<u32>(edges_.size());
    for (const Hop& hop : hops_) {
      const Channel c = hop.lanes ? cabled_channel(fabric_, node, hop.port) : none<Channel>;
      const u32 to = c == none<Channel> ? astray : target(fabric_.to(c), hop.state);
      is_lost |= to == astray;
      if (c != none<Channel>) edges_.push_back({c, hop.lanes, to});
    }
    collect_exits(places_[p], first);
    places_[p].mark = Mark::on_path;
    places_[p].is_lost = is_lost;
    places_[p].first = places_[p].next = first;
    places_[p].last = static_cast<u32>(edges_.size());
  }

  void collect_exits(Place& place, u32 first) {
    place.first_exits = static_cast<u32>(exits_.size());
    const u32 count = (fabric_.ports(place.node) + 63) / 64,
              base = index(fabric_.channel(place.node, Port{0}));
    for (u32 e = first; e < edges_.size(); ++e) {
      u32 x = place.first_exits;
      while (x < exits_.size() && exits_[x].lanes != edges_[e].lanes) ++x;
      if (x == exits_.size()) {
        exits_.push_back({edges_[e].lanes, static_cast<u32>(words_.size()), count});
        words_.resize(words_.size() + count);
      }
      const u32 port = index(edges_[e].channel) - base;
      words_[exits_[x].first + port / 64] |= u64{1} << port % 64;
    }
    place.last_exits = static_cast<u32>(exits_.size());
  }

  // Depth first; a place that is met again on the way down closes a loop.
  void explore(u32 start) {
    open(start);
    path_.assign(1, start);
    while (!path_.empty()) {
      Place& here = places_[path_.back()];
      if (here.next == here.last) {
        conclude(here);
        path_.pop_back();
        continue;
      }
      const Edge& edge = edges_[here.next++];
      if (!edge.leads_on() || places_[edge.to].mark != Mark::unseen) continue;
      path_.push_back(edge.to);
      open(edge.to);
    }
  }

  void conclude(Place& here) {
    u32 ways = 0;
    Outcome sum{.lost = here.is_lost};
    for (u32 e = here.first; e < here.last; ++e) {
      const Edge& edge = edges_[e];
      if (edge.to == astray) continue;
      const bool closes = edge.leads_on() && places_[edge.to].mark == Mark::on_path;
      const Outcome behind = edge.leads_on() && !closes ? places_[edge.to].outcome : Outcome{.loops = closes};
      sum.lost |= behind.lost;
      sum.loops |= behind.loops;
      if (edge.leads_on() && behind.longest == 0) continue;  // nothing arrives that way
      ++ways;
      sum.longest = std::max(sum.longest, behind.longest + 1);
      sum.average += behind.average + 1;
    }
    if (ways) sum.average /= ways;
    here.outcome = sum;
    here.mark = Mark::done;
  }

  // Who holds a channel into a place may wait for every channel out of it.
  void record(const Place& place) {
    for (u32 e = place.first; e < place.last; ++e) {
      const Edge& edge = edges_[e];
      seen_.lanes |= edge.lanes;
      if (!fabric_.is_switch(place.node)) continue;
      seen_.visit(edge.channel, goal_);
      if (!edge.leads_on()) continue;
      const Place& next = places_[edge.to];
      for (u32 x = next.first_exits; x < next.last_exits; ++x)
        seen_.waits.add(edge.channel, edge.lanes, {&words_[exits_[x].first], exits_[x].count},
                        exits_[x].lanes);
    }
  }

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  Header header_;
  Nic goal_{};
  Hops hops_;
  std::vector<u32> slot_;  // by NIC, then by state and switch: its place, if that place says so too
  std::vector<Place> places_;
  std::vector<Edge> edges_;
  std::vector<Exits> exits_;
  std::vector<u64> words_;  // 64 ports each
  std::vector<u32> path_;
};

template <class F>
struct WalkerOf {
  using type = GraphWalker<F>;
};
template <KeepsHeader F>
struct WalkerOf<F> {
  using type = TreeWalker<F>;
};

}  // namespace banyan
