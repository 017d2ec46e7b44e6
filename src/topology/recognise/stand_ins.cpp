#include "topology/recognise/stand_ins.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace banyan::topology {
namespace {

struct NodeCount {
  Node node;
  u32 count;
};

// Every node once, with how often it is there.
std::vector<NodeCount> counted(std::vector<Node> nodes) {
  std::sort(nodes.begin(), nodes.end());
  std::vector<NodeCount> out;
  for (const Node v : nodes) {
    if (out.empty() || out.back().node != v) out.push_back({v, 0});
    ++out.back().count;
  }
  return out;
}

struct PlaceClaim {
  Node sw, where;
  u32 cables;  // of the switch, that the place explains
};

class StandIns {
 public:
  StandIns(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node> place)
      : raw_(raw),
        ideal_(ideal),
        place_(std::move(place)),
        is_vacant_(ideal.nodes().size(), false),
        explained_(ideal.nodes().size(), 0) {
    for (const Node x : ideal.switch_nodes()) is_vacant_[x] = true;
    for (const Node v : raw.switch_nodes())
      if (place_[v] == none<Node>)
        open_.push_back(v);
      else
        is_vacant_[place_[v]] = false;
  }

  IdVector<Node, Node> run() && {
    while (grant_best()) {
    }
    Node next{ideal_.nics()};
    for (const Node v : open_) {
      if (raw_.cabled_ports(v) > 0) continue;
      while (index(next) < ideal_.nodes().size() && !is_vacant_[next]) next = Node{index(next) + 1};
      if (index(next) == ideal_.nodes().size()) break;
      put(v, next);
    }
    return std::move(place_);
  }

 private:
  void put(Node v, Node where) {
    place_[v] = where;
    is_vacant_[where] = false;
  }

  // The claims that explain the most, and those with half as many; others may know more in the next round.
  // Whether there was one.
  bool grant_best() {
    std::vector<PlaceClaim> claims;
    for (const Node v : open_)
      if (const PlaceClaim one = claim(v); one.cables > 0) claims.push_back(one);
    std::stable_sort(claims.begin(), claims.end(),
                     [](const PlaceClaim& a, const PlaceClaim& b) { return a.cables > b.cables; });
    for (const PlaceClaim& one : claims)
      if (2 * one.cables >= claims.front().cables && is_vacant_[one.where]) put(one.sw, one.where);
    std::erase_if(open_, [&](Node v) { return place_[v] != none<Node>; });
    return !claims.empty();
  }

  // The first of the vacant places that explain the most cables.
  PlaceClaim claim(Node sw) {
    std::vector<Node> touched;
    for (const NodeCount& beside : places_beside(sw))
      for (const NodeCount& vacant : vacant_beside(beside.node)) {
        touched.push_back(vacant.node);
        explained_[vacant.node] += std::min(beside.count, vacant.count);
      }
    PlaceClaim out{sw, none<Node>, 0};
    for (const Node x : touched)
      if (explained_[x] > out.cables || (explained_[x] == out.cables && x < out.where))
        out = {sw, x, explained_[x]};
    for (const Node x : touched) explained_[x] = 0;
    return out;
  }

  std::vector<NodeCount> places_beside(Node sw) const {
    std::vector<Node> out;
    for (const Channel c : raw_.channels(sw))
      if (raw_.cabled(c) && place_[raw_.to(c)] != none<Node>) out.push_back(place_[raw_.to(c)]);
    return counted(std::move(out));
  }
  std::vector<NodeCount> vacant_beside(Node where) const {
    std::vector<Node> out;
    for (const Channel c : ideal_.channels(where))
      if (ideal_.cabled(c) && is_vacant_[ideal_.to(c)]) out.push_back(ideal_.to(c));
    return counted(std::move(out));
  }

  const Fabric &raw_, &ideal_;
  IdVector<Node, Node> place_;
  IdVector<Node, bool> is_vacant_;  // of switches of the ideal fabric
  IdVector<Node, u32> explained_;   // by place: cables, while claim() runs
  std::vector<Node> open_{};
};

}  // namespace

IdVector<Node, Node> with_stand_ins(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node> place) {
  return StandIns(raw, ideal, std::move(place)).run();
}

}  // namespace banyan::topology
