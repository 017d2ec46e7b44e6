// Everything that a forward with an escape permits to one header, as a graph of places: a node and the
// header's state there.
#pragma once
#include <unordered_map>
#include <vector>

#include "routing/step.hpp"
#include "verify/extended_dependencies.hpp"

namespace banyan::verify {

template <class F>
class EscapeWalk {
 public:
  using Vertex = ExtendedDependencies::Vertex;
  static constexpr u32 astray = ~u32{0} - 1, arrived = ~u32{0};  // instead of a place

  struct Edge {
    Channel channel;
    u16 lanes;
    bool is_escape;
    u32 to;  // place, astray or arrived
    bool leads_on() const { return to < astray; }
  };
  struct Place {
    Node node;
    u8 state;
    u32 first = 0, last = 0;  // its edges
  };

  EscapeWalk(const Fabric& fabric, const F& forward) : fabric_(fabric), forward_(forward) {}

  void begin(const Header& header, Nic goal) {
    header_ = header;
    goal_ = fabric_.node(goal);
    places_.clear();
    edges_.clear();
    place_of_.clear();
    wanted_.clear();
  }
  // Follows the header from one more source.
  void from(Nic nic) {
    std::size_t next = places_.size();
    place_at(fabric_.node(nic), header_.state);
    for (; next < places_.size(); ++next) open(static_cast<u32>(next));
  }

  const std::vector<Place>& places() const { return places_; }
  std::span<const Edge> edges(const Place& place) const {
    return {edges_.data() + place.first, edges_.data() + place.last};
  }
  bool is_between_switches(const Place& place, const Edge& edge) const {
    return edge.leads_on() && fabric_.is_switch(place.node);
  }

  // A place at a switch where a packet has no escape, or one that does not lead to the goal; null if there is
  // none.
  const Place* find_dead_end() const {
    std::vector<Mark> marks(places_.size(), Mark::unseen);
    for (u32 p = 0; p < places_.size(); ++p)
      if (fabric_.is_switch(places_[p].node) && !escapes(p, marks)) return &places_[p];
    return nullptr;
  }
  // The channels of the escape between switches for which a packet at a place may wait, there or behind
  // channels outside the escape.
  const std::vector<Vertex>& wanted(u32 start) {
    const auto [found, is_new] = wanted_.try_emplace(start);
    if (!is_new) return found->second;
    std::vector<u32> queue = {start};
    std::vector<bool> seen(places_.size());
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Edge& edge : edges(places_[queue[i]])) {
        if (!is_between_switches(places_[queue[i]], edge)) continue;
        if (edge.is_escape)
          ExtendedDependencies::each_lane(edge.channel, edge.lanes,
                                          [&](Vertex v) { found->second.push_back(v); });
        else if (!seen[edge.to])
          seen[edge.to] = true, queue.push_back(edge.to);
      }
    return found->second;
  }

 private:
  enum class Mark : u8 { unseen, on_path, yes, no };

  u32 place_at(Node node, u8 state) {
    const auto [found, is_new] =
        place_of_.try_emplace(u64{index(node)} << 8 | state, static_cast<u32>(places_.size()));
    if (is_new) places_.push_back({node, state});
    return found->second;
  }
  void open(u32 p) {
    Header header = header_;
    header.state = places_[p].state;
    const Node node = places_[p].node;
    offered(forward_, node, header, hops_);
    const u32 first = static_cast<u32>(edges_.size());
    for (const Hop& hop : hops_) {
      const Step step = take(fabric_, node, hop, goal_);
      if (step.channel == none<Channel>) continue;
      const u32 to = step.lost() ? astray : step.arrived() ? arrived : place_at(step.node, step.state);
      edges_.push_back({step.channel, step.lanes, step.arrived() || forward_.is_escape(hop), to});
    }
    places_[p].first = first;
    places_[p].last = static_cast<u32>(edges_.size());
  }
  // Whether every way by the escape alone leads to the goal, and there is one.
  bool escapes(u32 p, std::vector<Mark>& marks) const {
    if (marks[p] != Mark::unseen) return marks[p] == Mark::yes;
    marks[p] = Mark::on_path;
    bool has_one = false, all_arrive = true;
    for (const Edge& edge : edges(places_[p])) {
      if (!edge.is_escape) continue;
      has_one = true;
      all_arrive &= edge.to == arrived || (edge.leads_on() && escapes(edge.to, marks));
    }
    marks[p] = has_one && all_arrive ? Mark::yes : Mark::no;
    return marks[p] == Mark::yes;
  }

  const Fabric& fabric_;
  const F& forward_;
  Header header_;
  Node goal_{};
  Hops hops_;
  std::vector<Place> places_;
  std::vector<Edge> edges_;
  std::unordered_map<u64, u32> place_of_;
  std::unordered_map<u32, std::vector<Vertex>> wanted_;
};

}  // namespace banyan::verify
