// Duato's condition as one would write it first: all places and hops of every pair as sets, the places that
// can be reached outside the escape by Warshall's closure, and cycles by taking away what waits for nothing.
#pragma once
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"

namespace banyan::tests {

template <class F>
class PlainEscape {
 public:
  PlainEscape(const Fabric& fabric, const F& forward, const Source& source)
      : fabric_(fabric), forward_(forward) {
    for (u32 from = 0; from < fabric.nics(); ++from)
      for (u32 to = 0; to < fabric.nics(); ++to) {
        if (from == to || fabric.plane(Nic{from}) != fabric.plane(Nic{to})) continue;
        for (u64 bytes : source.sizes())
          for (u32 i = 0; i < source.count(Nic{from}, Nic{to}, bytes); ++i)
            follow(fabric.node(Nic{from}), fabric.node(Nic{to}), source.way(Nic{from}, Nic{to}, bytes, i));
      }
  }

  bool holds() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = waits_.begin(); at != waits_.end();) {
        std::erase_if(at->second, [&](const Laned& next) { return !waits_.contains(next); });
        changed |= at->second.empty();
        at = at->second.empty() ? waits_.erase(at) : std::next(at);
      }
    }
    return !has_dead_end_ && waits_.empty();
  }

 private:
  using Place = std::pair<Node, u8>;
  using Laned = std::pair<Channel, u32>;
  struct Edge {
    Place from, to;
    Laned channel;
    bool escapes, arrives, lost;
  };

  void follow(Node from, Node goal, const Header& start) {
    std::vector<Edge> edges;
    std::set<Place> places = {{from, start.state}};
    std::vector<Place> queue(places.begin(), places.end());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      Header header = start;
      header.state = queue[i].second;
      Hops hops;
      forward_.hops(queue[i].first, header, hops);
      for (const Hop& hop : hops) list(queue[i], hop, goal, edges);
      for (const Edge& edge : edges)
        if (!edge.arrives && !edge.lost && places.insert(edge.to).second) queue.push_back(edge.to);
    }
    for (const Place& place : queue)
      if (fabric_.is_switch(place.first)) has_dead_end_ |= !escapes(place, edges, {});
    add_waits(queue, edges);
  }

  void list(const Place& place, const Hop& hop, Node goal, std::vector<Edge>& edges) const {
    if (index(hop.port) >= fabric_.ports(place.first)) return;
    const Channel c = fabric_.channel(place.first, hop.port);
    if (!fabric_.cabled(c)) return;
    const bool arrives = fabric_.to(c) == goal, lost = !arrives && !fabric_.is_switch(fabric_.to(c));
    for (u32 lane = 0; lane < 16; ++lane)
      if (hop.lanes >> lane & 1)
        edges.push_back({place,
                         {fabric_.to(c), hop.state},
                         {c, lane},
                         arrives || forward_.is_escape(hop),
                         arrives,
                         lost});
  }

  bool escapes(const Place& place, const std::vector<Edge>& edges, std::set<Place> been) const {
    if (!been.insert(place).second) return false;
    bool any = false, all = true;
    for (const Edge& edge : edges) {
      if (edge.from != place || !edge.escapes) continue;
      any = true;
      all &= edge.arrives || (!edge.lost && escapes(edge.to, edges, been));
    }
    return any && all;
  }

  void add_waits(const std::vector<Place>& places, const std::vector<Edge>& edges) {
    std::map<Place, std::set<Place>> reach;  // outside the escape
    for (const Place& place : places) reach[place].insert(place);
    for (const Edge& edge : edges)
      if (!edge.escapes && !edge.lost) reach[edge.from].insert(edge.to);
    for (const Place& by : places)
      for (const Place& place : places)
        if (reach[place].contains(by)) reach[place].insert(reach[by].begin(), reach[by].end());
    for (const Edge& held : edges)
      for (const Edge& wanted : edges)
        if (is_inner(held) && is_inner(wanted) && wanted.escapes && reach[held.to].contains(wanted.from))
          waits_[held.channel].insert(wanted.channel);
  }
  bool is_inner(const Edge& edge) const {
    return !edge.arrives && !edge.lost && fabric_.is_switch(edge.from.first);
  }

  const Fabric& fabric_;
  const F& forward_;
  bool has_dead_end_ = false;
  std::map<Laned, std::set<Laned>> waits_;
};

// False for a forward without an escape.
template <class F>
bool plain_escape(const Fabric& fabric, const F& forward, const Source& source) {
  if constexpr (MayHaveEscape<F>)
    if (forward.has_escape()) return PlainEscape<F>(fabric, forward, source).holds();
  return false;
}

}  // namespace banyan::tests
