// Follows a header that never changes to several goals at once: NICs that are cabled alike. A forward that
// leads_alike() offers them the same hops up to the switches that they are cabled to, so only the last hop is
// asked for each of them. Dependencies and lanes are added to Seen as they are met, destinations at the end.
#pragma once
#include <bit>
#include <span>
#include <vector>

#include "fabric/attachments.hpp"
#include "verify/tree_walk.hpp"

namespace banyan::verify {

template <class F>
class TogetherWalker {
 public:
  using Goals = u64;  // a set of them, by their places in the list

  struct Start {
    Nic nic;       // one that is asked for all of its attachment
    u32 distance;  // in channels, to each of the goals
  };

  TogetherWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric),
        forward_(forward),
        seen_(seen),
        ports_(forward),
        known_(fabric.switches()),
        is_last_(fabric.switches()),
        goals_over_(fabric.channels().size()) {}

  // Begins with goals that are attached like this.
  void begin(const Attachment& attachment, std::span<const Nic> goals) {
    for (Node node : last_) is_last_[number(node)] = false;
    last_.clear();
    for (Channel c : used_) goals_over_[c] = 0;
    used_.clear();
    goals_ = goals;
    for (Node node : attachment.at)
      if (node != none<Node> && fabric_.is_switch(node) && !is_last_[number(node)]) {
        is_last_[number(node)] = true;
        last_.push_back(node);
      }
  }

  // Follows a header, whose address does not matter, from each start to its goals. False where one of the
  // goals is not reached on a shortest way; then nothing more can be asked before begin().
  bool follow(Header header, std::span<const Start> starts, const Goals* wanted) {
    header_ = header;
    header_.to = address_of(goals_.front());
    ports_.set(header_);
    ++walk_;
    seen_.lanes |= static_cast<u16>(1u << header.lane);
    auto waits = seen_.waits.plane(header.lane, header.lane);
    arrivals_.clear();
    for (auto& nodes : by_length_) nodes.clear();
    for (std::size_t s = 0; s < starts.size(); ++s)
      if (wanted[s] && !start(starts[s], wanted[s], waits)) return false;
    for (std::size_t length = by_length_.size(); length-- > 0;)
      for (Node node : by_length_[length]) {
        const Known& here = known_[number(node)];
        pass(here.out, here.next, here.goals, waits);
      }
    return arrive(waits);
  }

  // Counts the goals that were reached over each channel.
  void count() {
    for (Channel c : used_) seen_.destinations[c] += static_cast<u32>(std::popcount(goals_over_[c]));
  }

 private:
  static constexpr u32 on_path = ~u32{0};
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

  u32 number(Node node) const { return index(node) - fabric_.nics(); }

  Step next(Node node) const {
    const Hop hop{.port = Port{ports_.at(node)}, .lanes = static_cast<u16>(1u << header_.lane)};
    return take<true>(fabric_, node, hop, fabric_.node(goals_.front()));
  }

  // The first switch is rarely on the way of another start, so it is not remembered.
  bool start(const Start& from, Goals goals, Dependencies::Plane waits) {
    const Step entry = next(fabric_.node(from.nic));
    if (!entry.leads_on()) return false;
    if (is_last_[number(entry.node)]) {
      explore(entry.node);
      known_[number(entry.node)].goals |= goals;
      return from.distance == 2;
    }
    const Step onward = next(entry.node);
    if (!onward.leads_on()) return false;
    if (known_[number(onward.node)].walk != walk_ && !explore(onward.node)) return false;
    pass(onward.channel, onward.node, goals, waits);
    return from.distance == known_[number(onward.node)].length + 2;
  }

  // Finds the way from a switch to the goals. False if there is none.
  bool explore(Node node) {
    path_.clear();
    u32 length = 1;
    for (;;) {
      Known& here = known_[number(node)];
      if (here.walk == walk_) {
        if (here.length == on_path) return false;
        length = here.length;
        break;
      }
      here = {.walk = walk_, .length = length};
      if (is_last_[number(node)]) break;
      const Step onward = next(node);
      if (!onward.leads_on()) return false;
      here.length = on_path;
      here.out = onward.channel;
      here.next = onward.node;
      path_.push_back(node);
      node = onward.node;
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      known_[number(*at)].length = ++length;
      if (length >= by_length_.size()) by_length_.resize(length + 1);
      by_length_[length].push_back(*at);
    }
    return true;
  }

  // Goals are reached over a channel to a switch that is known.
  void pass(Channel channel, Node to, Goals goals, Dependencies::Plane waits) {
    add(channel, goals);
    Known& there = known_[number(to)];
    there.goals |= goals;
    if (there.out == none<Channel>)
      arrivals_.push_back({channel, to, goals});
    else
      waits.add(channel, index(there.out) - index(fabric_.channel(to, Port{0})));
  }

  // The last hops. False where one does not lead to its goal.
  bool arrive(Dependencies::Plane waits) {
    for (Node node : last_) {
      const Known& here = known_[number(node)];
      if (here.walk != walk_) continue;
      for (Goals left = here.goals; left; left &= left - 1) {
        const u32 goal = static_cast<u32>(std::countr_zero(left));
        header_.to = address_of(goals_[goal]);
        const Step step = routing::step(fabric_, forward_, node, header_, fabric_.node(goals_[goal]));
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

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  HeaderPorts<F> ports_;
  Header header_;
  std::span<const Nic> goals_;
  std::vector<Node> last_;  // switches that the goals are cabled to
  u32 walk_ = 0;
  std::vector<Known> known_;  // by switch
  std::vector<u8> is_last_;   // by switch
  std::vector<Node> path_;
  std::vector<std::vector<Node>> by_length_;  // switches that were explored
  std::vector<Arrival> arrivals_;
  IdVector<Channel, Goals> goals_over_;
  std::vector<Channel> used_;
};

}  // namespace banyan::verify
