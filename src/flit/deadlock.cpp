#include <fmt/format.h>

#include <unordered_map>

#include "fabric/names.hpp"
#include "flit/inspect.hpp"

namespace banyan {
namespace {

class WaitGraph {
 public:
  WaitGraph(const Machine& machine, const Parts& parts)
      : machine_(machine),
        parts_(parts),
        state_(machine.state),
        layout_(machine.state.layout),
        is_moving_(layout_.lane_count()) {
    mark_moving();
    for (u32 v = 0; v < layout_.nodes; ++v) add_node(v);
    for (u32 i = 0; i < waits_.size(); ++i) find_blockers(i);
  }
  std::optional<std::string> circle();

 private:
  struct Wait {
    u32 node, entry, ahead;  // entry in front of it in its queue, or absent
    u32 lane;                // buffer or output queue it stands in; absent: a NIC
    bool in_queue, can_move = false;
    std::vector<u32> blockers;  // it can move if one of them can
  };

  const Entry& entry_of(u32 node, u32 i) const { return parts_[layout_.part_of[node]].entries()[i]; }
  u64 key(u32 node, u32 entry) const { return u64{layout_.part_of[node]} << 32 | entry; }

  // Lanes at whose ends something is on its way: whoever waits there may move soon.
  void mark_moving() {
    const auto mark = [&](u32 lane) { is_moving_[lane] = 1; };
    for (const auto& part : parts_) {
      const Wheels& wheels = part->wheels();
      for (const auto& bag : wheels.arrivals.bags())
        for (const Arrival& a : bag) mark(far(a.lane)), mark(a.lane);
      for (const auto* wheel : {&wheels.credits, &wheels.sent, &wheels.trickles})
        for (const auto& bag : wheel->bags())
          for (const u32 lane : bag) mark(lane);
    }
  }
  u32 far(u32 lane) const {
    return layout_.exits[lane >> layout_.shift].far + (lane & ((1u << layout_.shift) - 1));
  }
  template <class F>
  void each_front(u32 lane, F&& f) const {  // of a switch's input buffer
    const u32 node = layout_.node_of(lane);
    if (state_.voq.empty()) {
      if (state_.inputs[lane].front != absent) f(state_.inputs[lane].front);
      return;
    }
    for (u32 port = 0; port < layout_.ports(node); ++port) {
      const u32 front = state_.voq[state_.voq_place(node, lane - layout_.first_lane(node), port)].front;
      if (front != absent) f(front);
    }
  }

  void add_queue(u32 node, u32 front, u32 lane, bool in_queue) {
    for (u32 i = front, ahead = absent; i != absent; ahead = i, i = entry_of(node, i).next) {
      number_[key(node, i)] = static_cast<u32>(waits_.size());
      of_packet_[entry_of(node, i).packet].push_back(static_cast<u32>(waits_.size()));
      waits_.push_back({node, i, ahead, lane, in_queue, false, {}});
    }
  }
  void add_node(u32 v) {
    if (v < layout_.nics) {
      if (state_.nics[v].entry != absent) add_queue(v, state_.nics[v].entry, absent, false);
      return;
    }
    for (u32 lane = layout_.first_lane(v); lane < layout_.first_lane(v + 1); ++lane) {
      each_front(lane, [&](u32 front) { add_queue(v, front, lane, false); });
      if (!state_.queues.empty() && state_.queues[lane].front != absent)
        add_queue(v, state_.queues[lane].front, lane, true);
    }
  }

  void find_blockers(u32 n) {
    Wait& wait = waits_[n];
    const Entry& entry = entry_of(wait.node, wait.entry);
    if (wait.ahead != absent) {
      wait.blockers.push_back(number_.at(key(wait.node, wait.ahead)));
    } else if (wait.lane != absent && entry.there == 0) {  // its flits are behind
      wait.can_move = is_moving_[wait.lane] != 0;
      for (const u32 other : of_packet_.at(entry.packet))
        if (other != n) wait.blockers.push_back(other);
      if (wait.blockers.empty()) wait.can_move = true;
    } else if (wait.in_queue) {
      look_at_channel(wait, wait.lane, state_.mode == Mode::wormhole ? 1 : entry.left);
    } else {
      for (u32 l = 0; l < layout_.lanes; ++l)
        if (entry.lane == no_lane ? entry.lanes >> l & 1 : entry.lane == l)
          look_at_lane(wait, entry, (entry.exit << layout_.shift) + l);
    }
  }
  // What keeps an entry from crossing to a lane.
  void look_at_lane(Wait& wait, const Entry& entry, u32 lane) {
    const Output& out = state_.outputs[entry.exit];
    const u32 needed = state_.mode == Mode::wormhole ? 1 : entry.left, owner = state_.lanes[lane].owner;
    if (state_.mode != Mode::wormhole && (out.writing > 0 || entry.lane != no_lane)) wait.can_move = true;
    if (owner != absent && owner != wait.entry)
      wait.blockers.push_back(number_.at(key(wait.node, owner)));
    else if (state_.lanes[lane].room >= needed || (out.has_queue && state_.queues[lane].front == absent))
      wait.can_move = true;  // the second: the room of what has left comes back
    else if (out.has_queue)
      wait.blockers.push_back(number_.at(key(wait.node, state_.queues[lane].front)));
    else
      look_at_channel(wait, lane, ~u32{0});
  }
  // What keeps a packet from entering the channel on a lane; `needed`: credits, where they were not looked
  // at.
  void look_at_channel(Wait& wait, u32 lane, u32 needed) {
    const Output& out = state_.outputs[lane >> layout_.shift];
    const u32 end = far(lane);
    if (is_moving_[lane] || is_moving_[end] || layout_.node_of(end) < layout_.nics || out.is_endless ||
        (needed != ~u32{0} && state_.lanes[lane].credits >= needed)) {
      wait.can_move = true;
      return;
    }
    const u32 node = layout_.node_of(end);
    each_front(end, [&](u32 front) { wait.blockers.push_back(number_.at(key(node, front))); });
    if (wait.blockers.empty()) wait.can_move = true;  // what was there is crossing
  }

  std::string told(u32 n) const;

  const Machine& machine_;
  const Parts& parts_;
  const State& state_;
  const Layout& layout_;
  std::vector<u8> is_moving_;
  std::vector<Wait> waits_;
  std::unordered_map<u64, u32> number_;
  std::unordered_map<u32, std::vector<u32>> of_packet_;
};

std::string WaitGraph::told(u32 n) const {
  const Wait& wait = waits_[n];
  const Entry& entry = entry_of(wait.node, wait.entry);
  const Fabric& fabric = machine_.setting.fabric;
  const Packet& packet = state_.packets[entry.packet];
  const Nic to = nic_of(packet.header.to, machine_.setting.lmc);
  std::string where = fabric.name(Node{wait.node});
  if (wait.lane != absent)
    where = fmt::format("{}:{} lane {}{}", where, fabric.port_label(Channel{wait.lane >> layout_.shift}),
                        wait.lane & ((1u << layout_.shift) - 1), wait.in_queue ? " (output queue)" : "");
  return fmt::format("a packet from {} to {} waits at {} for {} to {}",
                     fabric.name(fabric.node(packet.source)), fabric.name(fabric.node(to)), where,
                     port_name(fabric, Channel{entry.exit}), fabric.name(fabric.to(Channel{entry.exit})));
}

std::optional<std::string> WaitGraph::circle() {
  std::vector<std::vector<u32>> waiting(waits_.size());
  std::vector<u32> queue;
  for (u32 i = 0; i < waits_.size(); ++i) {
    for (const u32 blocker : waits_[i].blockers) waiting[blocker].push_back(i);
    if (waits_[i].can_move) queue.push_back(i);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const u32 other : waiting[queue[i]])
      if (!waits_[other].can_move) waits_[other].can_move = true, queue.push_back(other);
  if (queue.size() == waits_.size()) return std::nullopt;
  u32 at = 0;
  while (waits_[at].can_move) ++at;
  std::vector<u32> path, place(waits_.size(), absent);
  for (; place[at] == absent; at = waits_[at].blockers.front()) {
    place[at] = static_cast<u32>(path.size());
    path.push_back(at);
  }
  std::string out = fmt::format("{} of {} packets in nodes can never move; these wait for each other:",
                                waits_.size() - queue.size(), waits_.size());
  for (std::size_t i = place[at]; i < path.size(); ++i) out += "\n  " + told(path[i]);
  return out;
}

}  // namespace

std::optional<std::string> find_deadlock(const Machine& machine, const Parts& parts) {
  if (std::any_of(parts.begin(), parts.end(), [](const auto& part) {
        return std::any_of(part->wheels().releases.bags().begin(), part->wheels().releases.bags().end(),
                           [](const auto& bag) { return !bag.empty(); });
      }))
    return std::nullopt;  // packets as the unit: something is crossing; ask again later
  return WaitGraph(machine, parts).circle();
}

}  // namespace banyan
