#include "topology/recognise/stand_ins.hpp"

#include <algorithm>
#include <tuple>
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

// What a switch asks for: the vacant place that explains most of its cables.
struct PlaceClaim {
  Node sw = none<Node>, where = none<Node>;
  u32 cables = 0;        // that the place explains
  bool is_only = false;  // no other place explains as many
  bool is_near = false;  // a stand-in is beside the switch

  auto rank() const { return std::tuple(is_only, is_near, cables); }
};

class StandIns {
 public:
  StandIns(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node> place)
      : raw_(raw),
        ideal_(ideal),
        place_(std::move(place)),
        is_vacant_(ideal.nodes().size(), false),
        explained_(ideal.nodes().size(), 0),
        is_stand_in_(raw.nodes().size(), false) {
    for (const Node x : ideal.switch_nodes()) is_vacant_[x] = true;
    for (const Node v : raw.switch_nodes())
      if (place_[v] == none<Node>)
        open_.push_back(v);
      else
        is_vacant_[place_[v]] = false;
  }

  IdVector<Node, Node> run() && {
    while (grant()) {
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

  // Grants every claim to an only place. If there is none, one claim is granted: a subtree whose switches all
  // lack a place grows from one of them, so that they stand together. Whether there was a claim.
  bool grant() {
    std::vector<PlaceClaim> claims;
    for (const Node v : open_)
      if (const PlaceClaim one = claim(v); one.cables > 0) claims.push_back(one);
    std::stable_sort(claims.begin(), claims.end(),
                     [](const PlaceClaim& a, const PlaceClaim& b) { return a.rank() > b.rank(); });
    for (const PlaceClaim& one : claims) {
      const bool is_sure = one.is_only || one.sw == claims.front().sw || looks_left_ == 0;
      if (is_sure && is_vacant_[one.where]) put(one.sw, one.where), is_stand_in_[one.sw] = true;
    }
    std::erase_if(open_, [&](Node v) { return place_[v] != none<Node>; });
    return !claims.empty();
  }

  PlaceClaim claim(Node sw) {
    std::vector<Node> touched;
    for (const NodeCount& beside : places_beside(sw))
      for (const NodeCount& vacant : vacant_beside(beside.node)) {
        if (explained_[vacant.node] == 0) touched.push_back(vacant.node);
        explained_[vacant.node] += std::min(beside.count, vacant.count);
      }
    PlaceClaim out{sw};
    for (const Node x : touched) {
      const u32 cables = explained_[x];
      out.is_only = cables > out.cables || (cables < out.cables && out.is_only);
      if (cables > out.cables || (cables == out.cables && x < out.where)) out.where = x;
      out.cables = std::max(out.cables, cables);
    }
    for (const Node x : touched) explained_[x] = 0;
    for (const Channel c : raw_.channels(sw))
      out.is_near = out.is_near || (raw_.cabled(c) && is_stand_in_[raw_.to(c)]);
    return out;
  }

  std::vector<NodeCount> places_beside(Node sw) const {
    std::vector<Node> out;
    for (const Channel c : raw_.channels(sw))
      if (raw_.cabled(c) && place_[raw_.to(c)] != none<Node>) out.push_back(place_[raw_.to(c)]);
    return counted(std::move(out));
  }
  std::vector<NodeCount> vacant_beside(Node where) {
    looks_left_ -= std::min<u64>(looks_left_, ideal_.ports(where));
    std::vector<Node> out;
    for (const Channel c : ideal_.channels(where))
      if (ideal_.cabled(c) && is_vacant_[ideal_.to(c)]) out.push_back(ideal_.to(c));
    return counted(std::move(out));
  }

  const Fabric &raw_, &ideal_;
  IdVector<Node, Node> place_;
  IdVector<Node, bool> is_vacant_;  // of switches of the ideal fabric
  IdVector<Node, u32> explained_;   // by place: cables, while claim() runs
  IdVector<Node, bool> is_stand_in_;
  std::vector<Node> open_{};
  u64 looks_left_ = 20'000'000;  // at ports; then all claims are granted at once
};

}  // namespace

IdVector<Node, Node> with_stand_ins(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node> place) {
  return StandIns(raw, ideal, std::move(place)).run();
}

}  // namespace banyan::topology
