#include "flit/wait_graph.hpp"

namespace banyan::flit {
namespace {

constexpr u32 not_asked = ~u32{0};  // credits that a packet needs, where they were looked at before

}  // namespace

WaitGraph::WaitGraph(const Machine& machine, const Parts& parts, bool is_alone)
    : machine_(machine),
      parts_(parts),
      state_(machine.state),
      layout_(machine.state.layout),
      lmc_(machine.setting.lmc),
      is_alone_(is_alone),
      is_moving_(layout_.lane_count()) {
  mark_moving();
  for (const Node v : IdRange<Node>(layout_.nodes))
    if (layout_.is_own(v)) add_node(v);
  for (u32 i = 0; i < waits_.size(); ++i) find_obstacles(i);
  spread();
}

Stuck WaitGraph::told(const Wait& wait) const {
  const Packet& packet = packet_of(wait);
  return {.key = wait.key,
          .packet_number = packet.number,
          .source = packet.source,
          .to = nic_of(packet.header.to, lmc_),
          .exit = entry_of(wait.node, wait.entry).exit,
          .lane = wait.lane,
          .in_queue = wait.in_queue,
          .awaits_itself = wait.awaits_itself};
}

bool WaitGraph::has_moving(const PacketName& name) const {
  return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& wait) {
    const Packet& packet = packet_of(wait);
    return wait.can_move && packet.source == name.source && packet.number == name.number;
  });
}

std::vector<WaitKey> WaitGraph::in_front(LaneId lane) const {
  std::vector<WaitKey> out;
  if (is_moving_[lane]) return out;
  bool moves = false;
  each_front(lane, [&](EntryId front) {
    const Wait& wait = wait_of(layout_.node_of(lane), front);
    out.push_back(wait.key);
    moves |= wait.can_move;
  });
  if (moves) out.clear();
  return out;
}

// Lanes at whose ends something is on its way: whoever waits there may move soon.
void WaitGraph::mark_moving() {
  const auto mark = [&](LaneId lane) { is_moving_[lane] = 1; };
  for (const auto& part : parts_) {
    const Wheels& wheels = part->clock.wheels;
    for (const auto* wheel : {&wheels.arrivals, &wheels.at_nics})
      for (const auto& bag : wheel->bags())
        for (const Arrival& a : bag) mark(layout_.far(a.lane)), mark(a.lane);
    for (const auto* wheel : {&wheels.credits, &wheels.sent, &wheels.trickles})
      for (const auto& bag : wheel->bags())
        for (const LaneId lane : bag) mark(lane);
  }
}

// f(entry) for those at the front of a switch's input buffer.
template <class F>
void WaitGraph::each_front(LaneId lane, F&& f) const {
  const auto show = [&](const Queue& queue) {
    if (!queue.is_empty()) f(queue.front);
  };
  if (state_.voq.empty()) return show(state_.inputs[index(lane)]);
  const Node v = layout_.node_of(lane);
  const u32 slot = index(lane) - index(layout_.first_lane(v));
  for (u32 port = 0; port < layout_.ports(v); ++port) show(state_.voq[state_.voq_place(v, slot, port)]);
}

void WaitGraph::add_queue(Node node, EntryId front, LaneId lane, bool in_queue) {
  for (EntryId id = front, ahead = none<EntryId>; id != none<EntryId>;
       ahead = id, id = entry_of(node, id).next) {
    number(node, id) = static_cast<u32>(waits_.size());
    of_packet_[entry_of(node, id).packet].push_back(static_cast<u32>(waits_.size()));
    waits_.push_back({u64{index(node)} << 32 | in_node_++, node, id, ahead, lane, in_queue});
  }
}

void WaitGraph::add_node(Node v) {
  in_node_ = 0;
  if (layout_.is_nic(v)) {
    for (u32 k = 0; k <= max_nic_messages; ++k)
      add_queue(v, parts_[layout_.part(v)].front(Nic{index(v)}, k), none<LaneId>, false);
    return;
  }
  for (const LaneId lane : layout_.lanes_of(v)) {
    each_front(lane, [&](EntryId front) { add_queue(v, front, lane, false); });
    if (!state_.queues.empty()) add_queue(v, state_.queue(lane).front, lane, true);
  }
}

// In virtual cut-through a packet whose head has left a node has room for all of its flits in the next one:
// they follow, even where a NIC's bus or a slow channel lets none pass for a while. The same holds of a
// packet whose next flit is behind: its head has left the node before.
bool WaitGraph::has_begun(const Wait& wait, const Entry& entry) const {
  if (state_.mode == Mode::wormhole) return false;
  const bool is_behind = wait.lane != none<LaneId> && entry.there == 0;
  return is_behind || entry.lane != none<Lane>;
}

// Its flits are behind, in other nodes or on their way.
void WaitGraph::await_itself(u32 n) {
  Wait& wait = waits_[n];
  wait.can_move = is_moving_[wait.lane] != 0;
  wait.awaits_itself = true;
  for (const u32 other : of_packet_.at(entry_of(wait.node, wait.entry).packet))
    if (other != n) wait.obstacles.push_back({waits_[other].key, none<LaneId>});
  if (wait.obstacles.empty() && is_alone_) wait.can_move = true;
}

void WaitGraph::find_obstacles(u32 n) {
  Wait& wait = waits_[n];
  const Entry& entry = entry_of(wait.node, wait.entry);
  if (wait.ahead != none<EntryId>) {
    add_obstacle(wait, wait.ahead);
  } else if (has_begun(wait, entry)) {
    wait.can_move = true;
  } else if (wait.lane != none<LaneId> && entry.there == 0) {
    await_itself(n);
  } else if (wait.in_queue) {
    look_at_channel(wait, wait.lane, state_.mode == Mode::wormhole ? 1 : entry.left);
  } else if (machine_.chooses_again && wait.lane != none<LaneId> && entry.lane == none<Lane>) {
    const Packet& packet = state_.packets[entry.packet];
    for (const PermittedExit& choice : choices_of(machine_.any_forward, machine_.setting, wait.node, packet))
      look_at_lanes(wait, entry, choice.exit, choice.lanes);
  } else {
    look_at_lanes(wait, entry, entry.exit,
                  entry.lane == none<Lane> ? entry.lanes : u32{1} << index(entry.lane));
  }
}

void WaitGraph::look_at_lanes(Wait& wait, const Entry& entry, Channel exit, u32 lanes) {
  for (u32 l = 0; l < layout_.lanes; ++l)
    if (lanes >> l & 1) look_at_lane(wait, entry, layout_.lane(exit, l));
}

void WaitGraph::add_obstacle(Wait& wait, EntryId entry) {
  wait.obstacles.push_back({wait_of(wait.node, entry).key, none<LaneId>});
}

// What keeps an entry from crossing to a lane.
void WaitGraph::look_at_lane(Wait& wait, const Entry& entry, LaneId place) {
  const Output& out = state_.output(layout_.exit_of(place));
  const OutLane& lane = state_.out_lane(place);
  const u32 needed = state_.mode == Mode::wormhole ? 1 : state_.is_staged ? state_.packet_flits : entry.left;
  if (state_.mode != Mode::wormhole && out.writing > 0) wait.can_move = true;
  if (lane.owner != none<EntryId> && lane.owner != wait.entry)
    add_obstacle(wait, lane.owner);
  else if (lane.room >= needed || (out.has_queue && state_.queue(place).is_empty()))
    wait.can_move = true;  // the second: the room of what has left comes back
  else if (out.has_queue)
    add_obstacle(wait, state_.queue(place).front);
  else
    look_at_channel(wait, place, not_asked);
}

// What keeps a packet from entering the channel on a lane; `needed`: credits.
void WaitGraph::look_at_channel(Wait& wait, LaneId lane, u32 needed) {
  const Channel exit = layout_.exit_of(lane);
  const Output& out = state_.output(exit);
  const LaneId end = layout_.far(lane);
  if (is_moving_[lane] || layout_.exits[index(exit)].to_nic || out.is_endless ||
      (needed != not_asked && state_.out_lane(lane).credits >= needed)) {
    wait.can_move = true;
    return;
  }
  if (!layout_.is_own_part(out.far_part)) {
    wait.obstacles.push_back({0, end});
    return;
  }
  const std::size_t before = wait.obstacles.size();
  if (is_moving_[end]) wait.can_move = true;
  each_front(end, [&](EntryId front) {
    wait.obstacles.push_back({wait_of(layout_.node_of(end), front).key, none<LaneId>});
  });
  if (wait.obstacles.size() == before) wait.can_move = true;  // what was there is crossing
}

// Whoever waits for one that can move can move.
void WaitGraph::spread() {
  std::unordered_map<WaitKey, u32> by_key;
  std::vector<std::vector<u32>> waiting(waits_.size());
  std::vector<u32> queue;
  for (u32 i = 0; i < waits_.size(); ++i) by_key[waits_[i].key] = i;
  for (u32 i = 0; i < waits_.size(); ++i) {
    for (const Obstacle& o : waits_[i].obstacles)
      if (o.lane == none<LaneId>) waiting[by_key.at(o.key)].push_back(i);
    if (waits_[i].can_move) queue.push_back(i);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const u32 other : waiting[queue[i]])
      if (!waits_[other].can_move) waits_[other].can_move = true, queue.push_back(other);
}

}  // namespace banyan::flit
