// The two walkers that follow routes, built on the step in step.hpp: one path, or all permitted paths.
//
// Both have one rule against loops: a header that returns to a node in the same state loops and is lost.
// Nothing else counts as a loop; in particular, the length of a path does not.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "routing/step.hpp"

namespace banyan::routing {

// The rule for one path, in constant memory: it compares with one place of the path, and replaces it by a
// later one whenever the path has doubled its length (Brent 1980). A loop is found within three times its
// length.
class LoopRule {
 public:
  // Whether the path was at this place before. Call it once for each place, in order.
  bool closes(Node node, u8 state) {
    if (node == node_ && state == state_) return true;
    if (++steps_ == renewal_) {
      renewal_ *= 2;
      node_ = node;
      state_ = state;
    }
    return false;
  }

 private:
  Node node_ = none<Node>;
  u8 state_ = 0;
  u64 steps_ = 0, renewal_ = 1;
};

// Follows a header along one path: step(node, header) is the step that it takes, visit(channel) is called for
// every channel. Returns the last step; one that has no channel where the walk starts at its goal. Of a path
// that goes in circles some channels are visited several times.
template <class NextStep, class Visit>
[[gnu::always_inline]] inline Step walk_by(NextStep&& step, Node from, Header header, Node goal,
                                           Visit&& visit) {
  Step at{.kind = from == goal ? Step::Kind::arrived : Step::Kind::next, .node = from};
  for (LoopRule rule; at.leads_on();) {
    at = step(at.node, header);
    if (at.lost()) return at;
    visit(at.channel);
    header.state = at.state;
    if (at.leads_on() && rule.closes(at.node, at.state)) {
      at.kind = Step::Kind::lost;
      at.why = Loss::circles;
    }
  }
  return at;
}

// The path of a deterministic forward.
template <Deterministic F, class Visit>
[[gnu::always_inline]] inline Step walk(const Fabric& fabric, const F& forward, Node from,
                                        const Header& header, Node goal, Visit&& visit) {
  return walk_by([&](Node node, const Header& h) { return step(fabric, forward, node, h, goal); }, from,
                 header, goal, visit);
}

// What a visitor of all paths wants next: continue after the step, turn back from it, or stop.
enum class Then : u8 { on, back, stop };

// Follows a header from a node along all hops that are offered, depth first, in their order. visit(steps) is
// called after each step, with the steps from the start; the last one may be lost. It follows each path
// separately, so it is slow where there are many.
template <class F, class Visit>
class PathsWalk {
 public:
  PathsWalk(const Fabric& fabric, const F& forward, Node goal, Visit visit)
      : fabric_(fabric), forward_(forward), goal_(goal), visit_(std::move(visit)) {}

  // Whether the visitor stopped the walk.
  bool from(Node node, Header header) {
    Hops hops;
    offered(forward_, node, header, hops);
    if (hops.size() == 0)
      return enter({.kind = Step::Kind::lost, .why = Loss::no_hop, .offers = 0, .node = node}, header);
    places_.emplace_back(node, header.state);
    for (const Hop& hop : hops) {
      Step step = take(fabric_, node, hop, goal_);
      step.offers = static_cast<u16>(hops.size());
      if (enter(step, header)) return true;
    }
    places_.pop_back();
    return false;
  }

 private:
  bool enter(Step step, Header header) {
    const std::pair place(step.node, step.state);
    if (step.leads_on() && std::find(places_.begin(), places_.end(), place) != places_.end()) {
      step.kind = Step::Kind::lost;
      step.why = Loss::circles;
    }
    header.state = step.state;
    steps_.push_back(step);
    const Then then = visit_(std::span<const Step>(steps_));
    if (then == Then::stop || (then == Then::on && step.leads_on() && from(step.node, header))) return true;
    steps_.pop_back();
    return false;
  }

  const Fabric& fabric_;
  const F& forward_;
  Node goal_;
  Visit visit_;
  std::vector<Step> steps_;
  std::vector<std::pair<Node, u8>> places_;  // places that the path has left
};

}  // namespace banyan::routing
