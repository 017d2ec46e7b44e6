// The first two steps of sources that send many headers, none of which ever changes, to goals that are cabled
// alike. Headers that leave a source by the same ports, on the same lane, share a lead: what they have in
// common is done once for all of them. Where the next source's nodes offer every header the same ports, the
// leads are kept, and no header is asked for again. What sources bring to the same second switch is gathered.
#pragma once
#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "fabric/attachments.hpp"
#include "verify/tree_walk.hpp"

namespace banyan::verify {

using Goals = u64;  // a set of them, by their places in the list

// The goals, and the headers that are sent to them.
template <class F>
struct GoalHeaders {
  using Row = typename HeaderPorts<F>::Row;

  GoalHeaders(const Fabric& of, const F& forward) : fabric(of), ports(forward), is_last_(of.switches()) {}

  void begin(const Attachment& attachment, std::span<const Nic> to) {
    for (Node node : last) is_last_[number(node)] = false;
    last.clear();
    headers.clear();
    rows.clear();
    goals = to;
    for (Node node : attachment.at)
      if (node != none<Node> && fabric.is_switch(node) && !is_last(node)) {
        is_last_[number(node)] = true;
        last.push_back(node);
      }
  }
  void add(Header header) {
    header.to = address_of(goals.front());
    headers.push_back(header);
    rows.push_back(ports.row(header));
  }

  u32 number(Node node) const { return index(node) - fabric.nics(); }
  bool is_last(Node node) const { return is_last_[number(node)]; }  // a switch that the goals are cabled to
  u32 port(Node node, u32 header) const { return ports.at(ports.place(node), rows[header]); }
  Step by_port(Node node, u32 port) const {
    return take<true>(fabric, node, {.port = Port{port}}, fabric.node(goals.front()));
  }
  // Whether the two nodes offer the same port, whatever the header.
  bool alike(Node a, Node b) const { return ports.alike(ports.place(a), ports.place(b), rows.front()); }

  const Fabric& fabric;
  HeaderPorts<F> ports;
  std::span<const Nic> goals;
  std::vector<Node> last;
  std::vector<Header> headers;
  std::vector<Row> rows;  // by header

 private:
  std::vector<u8> is_last_;  // by switch
};

template <class F>
class FirstSteps {
 public:
  struct Gathered {  // what sources bring to a switch with one header
    Node at;
    u32 distance;  // in channels, from there to the goals
    Goals goals;
    Channel held;  // over which they came; none where that does not matter any more
  };

  FirstSteps(const GoalHeaders<F>& to, Seen& seen) : to_(to), seen_(seen) {
    for (u32 s = 0; s < to.fabric.switches(); ++s)
      words_ = std::max(words_, words_of(Node{to.fabric.nics() + s}));
  }

  void begin() {
    forget();
    lead_of_.clear();
    gathered_.clear();
  }

  // A source, at this distance from the goals, sends each of the headers to those wanted. Calls
  // cross(channel, goals) for its second channels. False where a header does not lead on; then only begin()
  // may follow.
  bool enter(Nic from, u32 distance, std::span<const Goals> wanted, auto&& cross, auto&& gather) {
    nic_ = to_.fabric.node(from);
    lead_of_.resize(wanted.size(), unknown);
    slot_.resize(wanted.size());
    bit_.resize(wanted.size());
    gathered_.resize(wanted.size());
    if (!open_leads(distance, gather)) return false;
    list_sent(wanted);
    for (const u32 h : sent_) {
      if (lead_of_[h] == unknown && !ask(h)) [[unlikely]]
        return false;
      goals_[lead_of_[h]] |= wanted[h];
      wants_[slot_[h]] |= bit_[h];
    }
    for (const u32 h : sent_) gathered_[h] |= wanted[h];
    leave(cross);
    return true;
  }

  // Calls gather(header, Gathered) for all that has entered since it was called last.
  void hand_over(auto&& gather) {
    for (u32 h = 0; h < gathered_.size(); ++h) {
      if (gathered_[h] == 0) continue;
      const Exit& by = leads_[lead_of_[h]].exit;
      const u32 steps = by.channel == none<Channel> ? 1 : 2;
      gather(h, Gathered{by.at, distance_ - steps, gathered_[h], by.is_last ? by.channel : none<Channel>});
      gathered_[h] = 0;
    }
  }

 private:
  static constexpr u32 unknown = ~u32{0};

  struct Exit {                       // where the current source's first steps lead
    Node entry = none<Node>;          // the first switch
    Channel channel = none<Channel>;  // from there on; none where goals are cabled to it
    Node at = none<Node>;             // where it leads; none where it does not lead on
    bool is_last = false;             // goals are cabled there
  };
  struct Lead {
    u32 nic_port, port;
    u8 lane;
    Exit exit;
  };

  u32 words_of(Node node) const { return (to_.fabric.ports(node) + 63) / 64; }

  void forget() {
    leads_.clear();
    goals_.clear();
    wants_.clear();
    thirds_.clear();
    std::fill(lead_of_.begin(), lead_of_.end(), unknown);
  }

  // Headers with something to send, found without a branch that cannot be predicted.
  void list_sent(std::span<const Goals> wanted) {
    sent_.resize(wanted.size());
    std::size_t count = 0;
    for (u32 h = 0; h < wanted.size(); ++h) {
      sent_[count] = h;
      count += wanted[h] != 0;
    }
    sent_.resize(count);
  }

  // Turns the leads to the current source, or forgets them. False where a header that had one does not lead
  // on from its second switch.
  bool open_leads(u32 distance, auto&& gather) {
    exits_.clear();
    bool is_alike = !leads_.empty() && to_.alike(asked_nic_, nic_), is_same = distance == distance_;
    for (u32 l = 0; l < leads_.size() && is_alike; ++l) {
      exits_.push_back(exit(leads_[l].nic_port, leads_[l].port));
      is_alike = goes_alike(leads_[l].exit, exits_[l]);
      is_same &= leads_[l].exit.at == exits_[l].at;
    }
    if (!is_alike || !is_same) hand_over(gather);
    distance_ = distance;
    asked_nic_ = nic_;
    if (!is_alike) forget();
    for (u32 l = 0; l < leads_.size(); ++l) {
      const bool is_new = leads_[l].exit.at != exits_[l].at;
      leads_[l].exit = exits_[l];
      if (is_new && !thirds_lead_on(l)) return false;
    }
    return true;
  }

  Exit exit(u32 nic_port, u32 port) const {
    const Step entry = to_.by_port(nic_, nic_port);
    if (!entry.leads_on()) return {};
    if (to_.is_last(entry.node)) return {entry.node, none<Channel>, entry.node, true};
    const Step onward = to_.by_port(entry.node, port);
    if (!onward.leads_on()) return {};
    return {entry.node, onward.channel, onward.node, to_.is_last(onward.node)};
  }

  // Whether every header is offered the same at the nodes of two exits. Near the goals they are not compared.
  bool goes_alike(const Exit& a, const Exit& b) const {
    return b.at != none<Node> && !a.is_last && !b.is_last && to_.alike(a.entry, b.entry) &&
           to_.alike(a.at, b.at);
  }

  bool thirds_lead_on(u32 lead) const {
    for (u32 w = 0; w < words_; ++w)
      for (u64 left = thirds_[lead * words_ + w]; left; left &= left - 1)
        if (!to_.by_port(leads_[lead].exit.at, 64 * w + static_cast<u32>(std::countr_zero(left))).leads_on())
          return false;
    return true;
  }

  // Finds the lead of a header. False where it does not lead on.
  bool ask(u32 header) {
    const u32 nic_port = to_.port(nic_, header);
    const Step entry = to_.by_port(nic_, nic_port);
    if (!entry.leads_on()) return false;
    const u32 lead = lead_by(nic_port, to_.is_last(entry.node) ? 0 : to_.port(entry.node, header),
                             to_.headers[header].lane);
    if (lead == unknown) return false;
    const Exit& by = leads_[lead].exit;
    slot_[header] = lead * words_;
    bit_[header] = 0;
    if (!by.is_last) {
      const u32 third = to_.port(by.at, header);
      if (!to_.by_port(by.at, third).leads_on()) return false;
      slot_[header] += third / 64;
      bit_[header] = u64{1} << third % 64;
      thirds_[slot_[header]] |= bit_[header];
    }
    lead_of_[header] = lead;
    return true;
  }

  // The lead by these ports on this lane, or unknown where it does not lead on.
  u32 lead_by(u32 nic_port, u32 port, u8 lane) {
    for (u32 l = 0; l < leads_.size(); ++l)
      if (leads_[l].nic_port == nic_port && leads_[l].port == port && leads_[l].lane == lane) return l;
    const Exit by = exit(nic_port, port);
    if (by.at == none<Node>) return unknown;
    seen_.lanes |= static_cast<u16>(1u << lane);
    leads_.push_back({nic_port, port, lane, by});
    goals_.push_back(0);
    wants_.resize(wants_.size() + words_);
    thirds_.resize(thirds_.size() + words_);
    return static_cast<u32>(leads_.size() - 1);
  }

  // Adds the second channels of the current source, and what waits for the third ones.
  void leave(auto&& cross) {
    for (u32 l = 0; l < leads_.size(); ++l) {
      if (goals_[l] == 0) continue;
      const auto& [nic_port, port, lane, by] = leads_[l];
      if (by.channel != none<Channel>) cross(by.channel, goals_[l]);
      if (!by.is_last)
        seen_.waits.plane(lane, lane).add(by.channel, std::span(wants_).subspan(l * words_, words_of(by.at)));
    }
    std::fill(goals_.begin(), goals_.end(), 0);
    std::fill(wants_.begin(), wants_.end(), 0);
  }

  const GoalHeaders<F>& to_;
  Seen& seen_;
  u32 words_ = 1;  // for a set of a switch's ports
  Node nic_{}, asked_nic_{};
  u32 distance_ = 0;  // of the sources whose headers are gathered
  std::vector<Lead> leads_;
  std::vector<Exit> exits_;      // by lead, of the next source
  std::vector<Goals> goals_;     // by lead, of the current source
  std::vector<u64> wants_;       // by lead: third ports that the current source's headers take, a set
  std::vector<u64> thirds_;      // by lead: those of all headers that have it
  std::vector<u32> lead_of_;     // by header
  std::vector<u32> slot_;        // by header: the word in wants_ where its third port is
  std::vector<u64> bit_;         // by header: its bit there; 0 where it has no third port
  std::vector<Goals> gathered_;  // by header
  std::vector<u32> sent_;        // headers of the current source
};

}  // namespace banyan::verify
