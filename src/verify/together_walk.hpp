// Follows headers that never change to several goals at once: NICs that are cabled alike. A forward that
// leads_alike() offers them the same hops up to the switches that they are cabled to, so only the last hop is
// asked for each of them. Sources enter one after the other. What the same header brings to the same second
// switch is gathered there, and followed once. Dependencies and lanes are added to Seen as they are met,
// destinations at the end.
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
    headers_.clear();
    gathered_.clear();
    goals_ = goals;
    for (Node node : attachment.at)
      if (node != none<Node> && fabric_.is_switch(node) && !is_last_[number(node)]) {
        is_last_[number(node)] = true;
        last_.push_back(node);
      }
  }

  // One more header, whose address does not matter. They are numbered from 0 on.
  void add(Header header) {
    header.to = address_of(goals_.front());
    seen_.lanes |= static_cast<u16>(1u << header.lane);
    headers_.push_back({nothing, header, ports_.row(header)});
  }

  // A source sends each of the headers to these goals. False where one is not reached on a shortest way; then
  // nothing more can be asked before begin(). The same holds for finish().
  bool enter(const Start& from, std::span<const Goals> wanted) {
    sent_.resize(wanted.size());
    std::size_t count = 0;
    for (u32 h = 0; h < wanted.size(); ++h) {  // without a branch that cannot be predicted
      sent_[count] = h;
      count += wanted[h] != 0;
    }
    if (!enter(from, wanted, std::span(sent_).first(count))) return false;
    return gathered_.size() < max_gathered || follow_gathered();
  }

  // Follows what has entered to its goals, and counts the goals that were reached over each channel.
  bool finish() {
    if (!follow_gathered()) return false;
    for (Channel c : used_) seen_.destinations[c] += static_cast<u32>(std::popcount(goals_over_[c]));
    return true;
  }

 private:
  static constexpr u32 on_path = ~u32{0}, nothing = ~u32{0};
  static constexpr std::size_t max_gathered = 1 << 16;

  struct alignas(64) Sent {  // what enter() reads is in one line of the cache
    u32 gathered;            // the last of its Gathered
    Header header;
    typename HeaderPorts<F>::Row row;
  };
  struct Gathered {  // of one header
    Node at;
    u32 distance;  // in channels, from there to the goals
    Goals goals;
    Channel held;  // over which they came; none where that does not matter
    u32 port;      // that the header takes there, if it goes on to another switch
    u32 before;    // the next one of the header
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

  u32 number(Node node) const { return index(node) - fabric_.nics(); }

  Step by_port(Node node, u32 port) const {
    return take<true>(fabric_, node, {.port = Port{port}}, fabric_.node(goals_.front()));
  }
  Step next(Node node, const Sent& sent) const {
    return by_port(node, ports_.at(ports_.place(node), sent.row));
  }

  // The first two steps of a source with each header: the first switch is rarely on the way of another.
  bool enter(const Start& from, std::span<const Goals> wanted, std::span<const u32> sent) {
    const Node nic = fabric_.node(from.nic);
    const auto nic_place = ports_.place(nic);
    auto entry_place = nic_place;
    u32 entry_port = nothing;
    Step entry;
    for (const u32 h : sent) {
      if (const u32 port = ports_.at(nic_place, headers_[h].row); port != entry_port) {
        entry = by_port(nic, entry_port = port);
        if (!entry.leads_on()) return false;
        entry_place = ports_.place(entry.node);
      }
      if (is_last_[number(entry.node)])
        gather(headers_[h], {entry.node, from.distance - 1, wanted[h], none<Channel>, 0, 0});
      else if (!leave(from, headers_[h], wanted[h], entry.node, ports_.at(entry_place, headers_[h].row)))
        return false;
    }
    return true;
  }

  // Goes from the first switch to the second.
  [[gnu::always_inline]] bool leave(const Start& from, Sent& sent, Goals goals, Node entry, u32 port) {
    const Step onward = by_port(entry, port);
    if (!onward.leads_on()) return false;
    add(onward.channel, goals);
    if (is_last_[number(onward.node)]) {
      gather(sent, {onward.node, from.distance - 2, goals, onward.channel, 0, 0});
      return true;
    }
    if (sent.gathered == nothing || gathered_[sent.gathered].at != onward.node) [[unlikely]] {
      const Step third = next(onward.node, sent);
      if (!third.leads_on()) return false;
      const u32 wanted_port = index(fabric_.port(third.channel));
      gather(sent, {onward.node, from.distance - 2, 0, none<Channel>, wanted_port, 0});
    }
    Gathered& there = gathered_[sent.gathered];
    there.goals |= goals;
    seen_.waits.plane(sent.header.lane, sent.header.lane).add(onward.channel, there.port);
    return there.distance + 2 == from.distance;
  }

  void gather(Sent& sent, Gathered gathered) {
    gathered.before = sent.gathered;
    sent.gathered = static_cast<u32>(gathered_.size());
    gathered_.push_back(gathered);
  }

  bool follow_gathered() {
    for (Sent& sent : headers_) {
      if (sent.gathered != nothing && !follow(sent)) return false;
      sent.gathered = nothing;
    }
    gathered_.clear();
    return true;
  }

  // Follows a header from where it was gathered.
  bool follow(const Sent& sent) {
    ++walk_;
    auto waits = seen_.waits.plane(sent.header.lane, sent.header.lane);
    arrivals_.clear();
    for (auto& nodes : by_length_) nodes.clear();
    for (u32 g = sent.gathered; g != nothing; g = gathered_[g].before) {
      const Gathered& from = gathered_[g];
      Known& here = known_[number(from.at)];
      if (here.walk != walk_ && !explore(from.at, sent)) return false;
      if (here.length != from.distance) return false;
      here.goals |= from.goals;
      if (from.held != none<Channel>) arrivals_.push_back({from.held, from.at, from.goals});
    }
    for (std::size_t length = by_length_.size(); length-- > 0;)
      for (Node node : by_length_[length]) {
        const Known& here = known_[number(node)];
        pass(here.out, here.next, here.goals, waits);
      }
    return arrive(sent.header, waits);
  }

  // Finds the way from a switch to the goals. False if there is none.
  bool explore(Node node, const Sent& sent) {
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
      const Step onward = next(node, sent);
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
  bool arrive(Header header, Dependencies::Plane waits) {
    for (Node node : last_) {
      const Known& here = known_[number(node)];
      if (here.walk != walk_) continue;
      for (Goals left = here.goals; left; left &= left - 1) {
        const u32 goal = static_cast<u32>(std::countr_zero(left));
        header.to = address_of(goals_[goal]);
        const Step step = routing::step(fabric_, forward_, node, header, fabric_.node(goals_[goal]));
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
  std::vector<Sent> headers_;
  std::vector<Gathered> gathered_;
  std::vector<u32> sent_;  // headers of a source
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
