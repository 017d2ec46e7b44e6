// Follows everything that a forward permits to one header, from any NIC, and remembers what was found at each
// node. For the next NIC of the same leaf most of it is the same: then hops are asked and compared, not
// followed.
#pragma once
#include <algorithm>
#include <vector>

#include "verify/tree_walk.hpp"

namespace banyan::verify {

// For any forward: the possible fates of a header form a graph of places, each a node and the header's state
// there.
template <class F>
class GraphWalker {
 public:
  GraphWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric),
        forward_(forward),
        seen_(seen),
        slot_(fabric.nics() + std::size_t{fabric.switches()} * 256) {}

  void forget() { kept_ = {}; }

  // The same sources will be asked again for the next goal.
  void keep() { kept_ = {places_.size(), edges_.size(), exits_.size(), words_.size()}; }

  void begin(const Header& header, Nic goal) {
    const bool same_state = header.state == header_.state;
    header_ = header;
    goal_ = goal;
    places_.resize(kept_.places);
    edges_.resize(kept_.edges);
    exits_.resize(kept_.exits);
    words_.resize(kept_.words);
    if (kept_.places == 0) return;
    if (same_state && offered_again()) {
      for (Place& place : places_) record_again(place);
    } else {
      forget();
      begin(header, goal);
    }
  }

  WalkOutcome from(Nic nic) {
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
    bool is_other = false;    // has other edges than for the goal before
    u32 first = 0, last = 0;  // its edges
    u32 next = 0;             // edge to look at
    u32 first_exits = 0, last_exits = 0;
    WalkOutcome outcome{};
  };
  // The ports by which a place is left on some lanes, as a set; only where there are several edges.
  struct Exits {
    u16 lanes;
    u32 first, count;  // of words_
  };
  struct Edge {
    Channel channel;
    u16 lanes;
    u8 state;
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

  u32 target(const Step& step) {
    if (step.lost()) return astray;
    return step.arrived() ? arrived : place_at(step.node, step.state);
  }

  void open(u32 p) {
    Header header = header_;
    const Node node = places_[p].node;
    header.state = places_[p].state;
    offered(forward_, node, header, hops_);
    bool is_lost = hops_.size() == 0;
    const u32 first = static_cast<u32>(edges_.size());
    for (const Hop& hop : hops_) {
      const Step step = take(fabric_, node, hop, fabric_.node(goal_));
      is_lost |= step.lost();
      if (step.channel != none<Channel>)
        edges_.push_back({step.channel, step.lanes, step.state, target(step)});
    }
    Place& place = places_[p];
    place.mark = Mark::on_path;
    place.is_lost = is_lost;
    place.first = place.next = first;
    place.last = static_cast<u32>(edges_.size());
    collect_exits(place);
  }

  // What a single edge leaves by needs no set.
  void collect_exits(Place& place) {
    place.first_exits = place.last_exits = static_cast<u32>(exits_.size());
    if (place.last - place.first < 2) return;
    const u32 count = (fabric_.ports(place.node) + 63) / 64;
    for (u32 e = place.first; e < place.last; ++e) {
      u32 x = place.first_exits;
      while (x < exits_.size() && exits_[x].lanes != edges_[e].lanes) ++x;
      if (x < exits_.size()) continue;
      exits_.push_back({edges_[e].lanes, static_cast<u32>(words_.size()), count});
      words_.resize(words_.size() + count);
    }
    place.last_exits = static_cast<u32>(exits_.size());
    fill_exits(place);
  }

  void fill_exits(const Place& place) {
    const u32 base = index(fabric_.channel(place.node, Port{0}));
    for (u32 x = place.first_exits; x < place.last_exits; ++x) {
      u64* const words = &words_[exits_[x].first];
      std::fill_n(words, exits_[x].count, 0);
      for (u32 e = place.first; e < place.last; ++e) {
        const u32 port = index(edges_[e].channel) - base;
        if (edges_[e].lanes == exits_[x].lanes) words[port / 64] |= u64{1} << port % 64;
      }
    }
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
    WalkOutcome sum{.lost = here.is_lost};
    for (u32 e = here.first; e < here.last; ++e) {
      const Edge& edge = edges_[e];
      if (edge.to == astray) continue;
      const bool closes = edge.leads_on() && places_[edge.to].mark == Mark::on_path;
      const WalkOutcome behind =
          edge.leads_on() && !closes ? places_[edge.to].outcome : WalkOutcome{.loops = closes};
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
      if (edge.leads_on()) add_waits(edge);
    }
  }

  void add_waits(const Edge& edge) {
    const Place& next = places_[edge.to];
    if (next.last - next.first == 1) {
      const Edge& only = edges_[next.first];
      const u32 port = index(only.channel) - index(fabric_.channel(next.node, Port{0}));
      seen_.waits.add(edge.channel, edge.lanes, port, only.lanes);
      return;
    }
    for (u32 x = next.first_exits; x < next.last_exits; ++x)
      seen_.waits.add(edge.channel, edge.lanes, {&words_[exits_[x].first], exits_[x].count}, exits_[x].lanes);
  }

  // Whether this header is offered what the last one was, everywhere, but for channels to the goal itself,
  // which are put in the place of those to the goal before. Then everything else is as it was.
  bool offered_again() {
    for (Place& place : places_) {
      if (!place.outcome.arrives()) return false;
      Header header = header_;
      header.state = place.state;
      offered(forward_, place.node, header, hops_);
      if (hops_.size() != place.last - place.first) return false;
      place.is_other = false;
      const u32 base = index(fabric_.channel(place.node, Port{0})), ports = fabric_.ports(place.node);
      Edge* edge = &edges_[place.first];
      for (const Hop& hop : hops_) {
        const u32 port = index(hop.port);
        if (port >= ports || hop.lanes != edge->lanes) return false;
        if (edge->to == arrived) {
          const Channel c{base + port};
          if (fabric_.to(c) != fabric_.node(goal_)) return false;
          place.is_other |= edge->channel != c;
          edge->channel = c;
        } else if (index(edge->channel) != base + port || hop.state != edge->state) {
          return false;
        }
        ++edge;
      }
      if (place.is_other) fill_exits(place);
    }
    return true;
  }

  void record_again(const Place& place) {
    if (!fabric_.is_switch(place.node)) return;
    for (u32 e = place.first; e < place.last; ++e) {
      seen_.visit(edges_[e].channel, goal_);
      if (edges_[e].leads_on() && places_[edges_[e].to].is_other) add_waits(edges_[e]);
    }
  }

  struct Sizes {  // of what is kept for the next goal
    std::size_t places = 0, edges = 0, exits = 0, words = 0;
  };

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  Sizes kept_;
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

}  // namespace banyan::verify
