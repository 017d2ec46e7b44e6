// Follows headers that never change to several goals at once: NICs that are cabled alike. A forward that
// leads_alike() offers them the same hops up to the switches that they are cabled to, so only the last hop is
// asked for each of them. Sources enter one after the other. What the same header brings to the same second
// switch is gathered there, and followed once. Dependencies and lanes are added to Seen as they are met,
// destinations at the end.
#pragma once
#include <bit>
#include <span>
#include <vector>

#include "verify/first_steps.hpp"

namespace banyan::verify {

template <class F>
class TogetherWalker {
 public:
  struct Start {
    Nic nic;       // one that is asked for all of its attachment
    u32 distance;  // in channels, to each of the goals
  };

  TogetherWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric),
        forward_(forward),
        seen_(seen),
        to_(fabric, forward),
        first_steps_(to_, seen),
        known_(fabric.switches()),
        goals_over_(fabric.channels().size()) {}

  // Begins with goals that are attached like this.
  void begin(const Attachment& attachment, std::span<const Nic> goals) {
    for (Channel c : used_) goals_over_[c] = 0;
    used_.clear();
    to_.begin(attachment, goals);
    first_steps_.begin();
    gathered_.clear();
    last_gathered_.clear();
  }

  // One more header, whose address does not matter. They are numbered from 0 on.
  void add(const Header& header) {
    to_.add(header);
    last_gathered_.push_back(nothing);
  }

  // A source sends each of the headers to these goals. False where one is not reached on a shortest way; then
  // nothing more can be asked before begin(). The same holds for finish().
  bool enter(const Start& from, std::span<const Goals> wanted) {
    const auto cross = [&](Channel channel, Goals goals) { add(channel, goals); };
    if (!first_steps_.enter(from.nic, from.distance, wanted, cross, gather())) return false;
    return gathered_.size() < max_gathered || follow_gathered();
  }

  // Follows what has entered to its goals, and counts the goals that were reached over each channel.
  bool finish() {
    first_steps_.hand_over(gather());
    if (!follow_gathered()) return false;
    for (Channel c : used_) seen_.destinations[c] += static_cast<u32>(std::popcount(goals_over_[c]));
    return true;
  }

 private:
  static constexpr u32 on_path = ~u32{0}, nothing = ~u32{0};
  static constexpr std::size_t max_gathered = 1 << 16;

  struct Gathered : FirstSteps<F>::Gathered {
    u32 before;  // the next one of the header
  };
  struct Known {
    u32 walk = 0;    // walk in which this was found
    u32 length = 0;  // channels to the goals
    Channel out = none<Channel>;
    Node next = none<Node>;
    Goals goals = 0;  // that are reached through this switch
  };
  struct Arrival {  // over a channel to a switch that the goals are cabled to
    Channel held;
    Node at;
    Goals goals;
  };

  auto gather() {
    return [&](u32 header, const typename FirstSteps<F>::Gathered& what) {
      gathered_.push_back({what, last_gathered_[header]});
      last_gathered_[header] = static_cast<u32>(gathered_.size() - 1);
    };
  }

  bool follow_gathered() {
    for (u32 h = 0; h < last_gathered_.size(); ++h) {
      if (last_gathered_[h] != nothing && !follow(h)) return false;
      last_gathered_[h] = nothing;
    }
    gathered_.clear();
    return true;
  }

  // Follows a header from where it was gathered.
  bool follow(u32 h) {
    ++walk_;
    const Header& header = to_.headers[h];
    auto waits = seen_.waits.plane(header.lane, header.lane);
    arrivals_.clear();
    for (auto& nodes : by_length_) nodes.clear();
    for (u32 g = last_gathered_[h]; g != nothing; g = gathered_[g].before) {
      const Gathered& from = gathered_[g];
      Known& here = known(from.at);
      if (here.walk != walk_ && !explore(from.at, h)) return false;
      if (here.length != from.distance) return false;
      here.goals |= from.goals;
      if (from.held != none<Channel>) arrivals_.push_back({from.held, from.at, from.goals});
    }
    for (std::size_t length = by_length_.size(); length-- > 0;)
      for (Node node : by_length_[length]) {
        const Known& here = known(node);
        pass(here.out, here.next, here.goals, waits);
      }
    return arrive(header, waits);
  }

  // Finds the way from a switch to the goals. False if there is none.
  bool explore(Node node, u32 header) {
    path_.clear();
    u32 length = 1;
    for (;;) {
      Known& here = known(node);
      if (here.walk == walk_) {
        if (here.length == on_path) return false;
        length = here.length;
        break;
      }
      here = {.walk = walk_, .length = length};
      if (to_.is_last(node)) break;
      const Step onward = to_.by_port(node, to_.port(node, header));
      if (!onward.leads_on()) return false;
      here.length = on_path;
      here.out = onward.channel;
      here.next = onward.node;
      path_.push_back(node);
      node = onward.node;
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      known(*at).length = ++length;
      if (length >= by_length_.size()) by_length_.resize(length + 1);
      by_length_[length].push_back(*at);
    }
    return true;
  }

  // Goals are reached over a channel to a switch that is known.
  void pass(Channel channel, Node to, Goals goals, Dependencies::Plane waits) {
    add(channel, goals);
    Known& there = known(to);
    there.goals |= goals;
    if (there.out == none<Channel>)
      arrivals_.push_back({channel, to, goals});
    else
      waits.add(channel, index(there.out) - index(fabric_.channel(to, Port{0})));
  }

  // The last hops. False where one does not lead to its goal.
  bool arrive(Header header, Dependencies::Plane waits) {
    for (Node node : to_.last) {
      const Known& here = known(node);
      if (here.walk != walk_) continue;
      for (Goals left = here.goals; left; left &= left - 1) {
        const u32 goal = static_cast<u32>(std::countr_zero(left));
        header.to = address_of(to_.goals[goal]);
        const Step step = routing::step(fabric_, forward_, node, header, fabric_.node(to_.goals[goal]));
        if (!step.arrived()) return false;
        add(step.channel, Goals{1} << goal);
        for (const Arrival& arrival : arrivals_)
          if (arrival.at == node && arrival.goals >> goal & 1)
            waits.add(arrival.held, index(fabric_.port(step.channel)));
      }
    }
    return true;
  }

  void add(Channel channel, Goals goals) {
    if (goals_over_[channel] == 0) used_.push_back(channel);
    goals_over_[channel] |= goals;
  }

  Known& known(Node node) { return known_[to_.number(node)]; }

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  GoalHeaders<F> to_;
  FirstSteps<F> first_steps_;
  std::vector<Gathered> gathered_;
  std::vector<u32> last_gathered_;  // by header
  u32 walk_ = 0;
  std::vector<Known> known_;  // by switch
  std::vector<Node> path_;
  std::vector<std::vector<Node>> by_length_;  // switches that were explored
  std::vector<Arrival> arrivals_;
  IdVector<Channel, Goals> goals_over_;
  std::vector<Channel> used_;
};

}  // namespace banyan::verify
