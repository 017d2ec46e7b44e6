#include <fmt/format.h>

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "fabric/names.hpp"
#include "flit/inspect.hpp"

namespace banyan::flit {
namespace {

// A packet in a node, wherever that is: by node and its place there.
using Key = u64;

struct PacketName {
  u32 source;
  u64 number;  // of those its NIC has sent
  auto operator<=>(const PacketName&) const = default;
};
struct Front {  // of a lane
  u32 lane;
  Key key;
};

// What one process must tell the others of a packet that may be stuck.
struct Stuck {
  Key key;
  u64 packet_number;     // with the source: which packet
  u32 source, to, exit;  // NICs; the channel that it wants
  u32 lane;              // buffer or output queue it stands in; absent: a NIC
  bool in_queue;
  bool awaits_itself;  // its flits are behind, in other nodes
};
// What stands in its way: a packet here, or those at the front of a lane elsewhere.
struct Obstacle {
  Key key;
  u32 lane;  // absent: the key counts
};

// What waits for what in the nodes of this process.
class WaitGraph {
 public:
  WaitGraph(const Machine& machine, const Parts& parts, bool is_alone)
      : parts_(parts),
        state_(machine.state),
        layout_(machine.state.layout),
        lmc_(machine.setting.lmc),
        is_alone_(is_alone),
        is_moving_(layout_.lane_count()) {
    mark_moving();
    for (u32 v = 0; v < layout_.nodes; ++v)
      if (layout_.is_own(v)) add_node(v);
    for (u32 i = 0; i < waits_.size(); ++i) find_obstacles(i);
    spread();
  }

  u64 size() const { return waits_.size(); }
  // f(wait, its obstacles) for those that cannot move as far as this process knows.
  template <class F>
  void each_stuck(F&& f) const {
    for (const Wait& wait : waits_) {
      if (wait.can_move) continue;
      const Packet& packet = packet_of(wait);
      f(Stuck{wait.key, packet.number, index(packet.source), index(nic_of(packet.header.to, lmc_)),
              entry_of(wait.node, wait.entry).exit, wait.lane, wait.in_queue, wait.awaits_itself},
        wait.obstacles);
    }
  }
  bool has_moving(u32 source, u64 number) const {
    return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& wait) {
      return wait.can_move && index(packet_of(wait).source) == source && packet_of(wait).number == number;
    });
  }
  // Who stands at the front of a lane of this process; nobody: what waits for it may move.
  std::vector<Key> in_front(u32 lane) const {
    std::vector<Key> out;
    if (is_moving_[lane]) return out;
    bool moves = false;
    each_front(lane, [&](u32 front) {
      const Wait& wait = waits_[number_.at(name(layout_.node_of(lane), front))];
      out.push_back(wait.key);
      moves |= wait.can_move;
    });
    if (moves) out.clear();
    return out;
  }

 private:
  struct Wait {
    Key key;
    u32 node, entry, ahead;  // entry in front of it in its queue, or absent
    u32 lane;                // buffer or output queue it stands in; absent: a NIC
    bool in_queue, can_move = false, awaits_itself = false;
    std::vector<Obstacle> obstacles{};  // it can move if one of them can
  };

  const Entry& entry_of(u32 node, u32 i) const { return parts_[layout_.part_of[node]].entries()[i]; }
  const Packet& packet_of(const Wait& wait) const {
    return state_.packets[entry_of(wait.node, wait.entry).packet];
  }
  u64 name(u32 node, u32 entry) const { return u64{layout_.part_of[node]} << 32 | entry; }

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
      number_[name(node, i)] = static_cast<u32>(waits_.size());
      of_packet_[entry_of(node, i).packet].push_back(static_cast<u32>(waits_.size()));
      waits_.push_back({u64{node} << 32 | in_node_++, node, i, ahead, lane, in_queue});
    }
  }
  void add_node(u32 v) {
    in_node_ = 0;
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

  void find_obstacles(u32 n) {
    Wait& wait = waits_[n];
    const Entry& entry = entry_of(wait.node, wait.entry);
    if (wait.ahead != absent) {
      add_obstacle(wait, wait.ahead);
    } else if (wait.lane != absent && entry.there == 0) {  // its flits are behind
      wait.can_move = is_moving_[wait.lane] != 0;
      wait.awaits_itself = true;
      for (const u32 other : of_packet_.at(entry.packet))
        if (other != n) wait.obstacles.push_back({waits_[other].key, absent});
      if (wait.obstacles.empty() && is_alone_) wait.can_move = true;
    } else if (wait.in_queue) {
      look_at_channel(wait, wait.lane, state_.mode == Mode::wormhole ? 1 : entry.left);
    } else {
      for (u32 l = 0; l < layout_.lanes; ++l)
        if (entry.lane == no_lane ? entry.lanes >> l & 1 : entry.lane == l)
          look_at_lane(wait, entry, (entry.exit << layout_.shift) + l);
    }
  }
  void add_obstacle(Wait& wait, u32 entry) {
    wait.obstacles.push_back({waits_[number_.at(name(wait.node, entry))].key, absent});
  }
  // What keeps an entry from crossing to a lane.
  void look_at_lane(Wait& wait, const Entry& entry, u32 lane) {
    const Output& out = state_.outputs[entry.exit];
    const u32 needed = state_.mode == Mode::wormhole ? 1 : entry.left, owner = state_.lanes[lane].owner;
    if (state_.mode != Mode::wormhole && (out.writing > 0 || entry.lane != no_lane)) wait.can_move = true;
    if (owner != absent && owner != wait.entry)
      add_obstacle(wait, owner);
    else if (state_.lanes[lane].room >= needed || (out.has_queue && state_.queues[lane].front == absent))
      wait.can_move = true;  // the second: the room of what has left comes back
    else if (out.has_queue)
      add_obstacle(wait, state_.queues[lane].front);
    else
      look_at_channel(wait, lane, ~u32{0});
  }
  // What keeps a packet from entering the channel on a lane; `needed`: credits, where they were not looked
  // at.
  void look_at_channel(Wait& wait, u32 lane, u32 needed) {
    const Output& out = state_.outputs[lane >> layout_.shift];
    const u32 end = far(lane);
    if (is_moving_[lane] || layout_.exits[lane >> layout_.shift].to_nic || out.is_endless ||
        (needed != ~u32{0} && state_.lanes[lane].credits >= needed)) {
      wait.can_move = true;
      return;
    }
    if (u32{out.far_part} - layout_.first_part >= layout_.own_parts) {
      wait.obstacles.push_back({0, end});
      return;
    }
    const std::size_t before = wait.obstacles.size();
    const u32 node = layout_.node_of(end);
    if (is_moving_[end]) wait.can_move = true;
    each_front(end, [&](u32 front) {
      wait.obstacles.push_back({waits_[number_.at(name(node, front))].key, absent});
    });
    if (wait.obstacles.size() == before) wait.can_move = true;  // what was there is crossing
  }

  // Whoever waits for one that can move can move.
  void spread() {
    std::unordered_map<Key, u32> by_key;
    std::vector<std::vector<u32>> waiting(waits_.size());
    std::vector<u32> queue;
    for (u32 i = 0; i < waits_.size(); ++i) by_key[waits_[i].key] = i;
    for (u32 i = 0; i < waits_.size(); ++i) {
      for (const Obstacle& o : waits_[i].obstacles)
        if (o.lane == absent) waiting[by_key.at(o.key)].push_back(i);
      if (waits_[i].can_move) queue.push_back(i);
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const u32 other : waiting[queue[i]])
        if (!waits_[other].can_move) waits_[other].can_move = true, queue.push_back(other);
  }

  const Parts& parts_;
  const State& state_;
  const Layout& layout_;
  const u32 lmc_;
  const bool is_alone_;
  std::vector<u8> is_moving_;
  std::vector<Wait> waits_;
  u32 in_node_ = 0;
  std::unordered_map<u64, u32> number_;
  std::unordered_map<u32, std::vector<u32>> of_packet_;
};

// What all processes have found, put together: each of them comes to the same answer.
class Judgement {
 public:
  Judgement(const WaitGraph& graph, const Fabric& fabric, const Exchange* exchange, const Layout& layout)
      : fabric_(fabric), shift_(layout.shift) {
    std::string asked, told;
    const auto all = [&](const std::string& bytes) {
      return exchange ? exchange->to_all(bytes) : std::vector<std::string_view>{bytes};
    };
    ask(graph, asked);
    std::set<u32> lanes;  // of this process, that others ask about
    std::set<PacketName> packets;
    for (std::string_view in : all(asked)) {
      for (const u32 lane : take_all<u32>(in))
        if (layout.is_own_exit(lane >> layout.shift)) lanes.insert(lane);
      for (const auto& [source, number] : take_all<PacketName>(in)) packets.insert({source, number});
    }
    tell(graph, lanes, packets, told);
    for (const std::string_view in : all(told)) hear(in);
  }

  std::optional<std::string> circle();

 private:
  struct Case {
    Stuck stuck;
    std::vector<Obstacle> obstacles;
    bool can_move = false;
    std::vector<Key> blockers{};
  };

  static void ask(const WaitGraph& graph, std::string& out) {
    std::vector<u32> lanes;
    std::vector<PacketName> packets;
    graph.each_stuck([&](const Stuck& stuck, const std::vector<Obstacle>& obstacles) {
      for (const Obstacle& o : obstacles)
        if (o.lane != absent) lanes.push_back(o.lane);
      if (stuck.awaits_itself) packets.emplace_back(stuck.source, stuck.packet_number);
    });
    put_all(out, lanes);
    put_all(out, packets);
  }

  static void tell(const WaitGraph& graph, const std::set<u32>& lanes, const std::set<PacketName>& packets,
                   std::string& out) {
    put(out, graph.size());
    std::vector<PacketName> moving;
    for (const auto& [source, number] : packets)
      if (graph.has_moving(source, number)) moving.emplace_back(source, number);
    put_all(out, moving);
    std::vector<Front> fronts;
    for (const u32 lane : lanes)
      for (const Key key : graph.in_front(lane)) fronts.emplace_back(lane, key);
    put_all(out, fronts);
    std::string stuck_ones;
    u64 count = 0;
    graph.each_stuck([&](const Stuck& stuck, const std::vector<Obstacle>& obstacles) {
      ++count;
      put(stuck_ones, stuck);
      put_all(stuck_ones, obstacles);
    });
    put(out, count);
    out += stuck_ones;
  }

  void hear(std::string_view in) {
    all_ += take<u64>(in);
    for (const auto& packet : take_all<PacketName>(in)) moving_.insert(packet);
    for (const auto& [lane, key] : take_all<Front>(in)) fronts_[lane].push_back(key);
    for (u64 count = take<u64>(in); count > 0; --count) {
      const auto stuck = take<Stuck>(in);
      cases_[stuck.key] = {stuck, take_all<Obstacle>(in)};
    }
  }

  void resolve();
  void find_blockers(Case& c, const std::map<PacketName, std::vector<Key>>& of_packet) const;
  std::string told(const Case& c) const;

  const Fabric& fabric_;
  const u32 shift_;
  u64 all_ = 0;
  std::map<Key, Case> cases_;
  std::set<PacketName> moving_;
  std::unordered_map<u32, std::vector<Key>> fronts_;
};

void Judgement::find_blockers(Case& c, const std::map<PacketName, std::vector<Key>>& of_packet) const {
  const PacketName packet{c.stuck.source, c.stuck.packet_number};
  if (c.stuck.awaits_itself) {
    for (const Key other : of_packet.at(packet))
      if (other != c.stuck.key) c.blockers.push_back(other);
    c.can_move = c.blockers.empty() || moving_.contains(packet);
    return;
  }
  for (const Obstacle& o : c.obstacles) {
    if (o.lane == absent) {
      c.blockers.push_back(o.key);
      continue;
    }
    const auto found = fronts_.find(o.lane);
    if (found == fronts_.end())
      c.can_move = true;
    else
      c.blockers.insert(c.blockers.end(), found->second.begin(), found->second.end());
  }
}

void Judgement::resolve() {
  std::map<PacketName, std::vector<Key>> of_packet;
  for (const auto& [key, c] : cases_) of_packet[{c.stuck.source, c.stuck.packet_number}].push_back(key);
  std::unordered_map<Key, std::vector<Case*>> waiting;
  std::vector<Case*> queue;
  for (auto& [key, c] : cases_) {
    find_blockers(c, of_packet);
    for (const Key blocker : c.blockers) waiting[blocker].push_back(&c);
    if (c.can_move) queue.push_back(&c);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Case* other : waiting[queue[i]->stuck.key])
      if (!other->can_move) other->can_move = true, queue.push_back(other);
  std::erase_if(cases_, [](const auto& c) { return c.second.can_move; });
}

std::string Judgement::told(const Case& c) const {
  const Channel exit{c.stuck.exit};
  std::string where = fabric_.name(Node{static_cast<u32>(c.stuck.key >> 32)});
  if (c.stuck.lane != absent)
    where = fmt::format("{}:{} lane {}{}", where, fabric_.port_label(Channel{c.stuck.lane >> shift_}),
                        c.stuck.lane & ((1u << shift_) - 1), c.stuck.in_queue ? " (output queue)" : "");
  return fmt::format("a packet from {} to {} waits at {} for {} to {}",
                     fabric_.name(fabric_.node(Nic{c.stuck.source})),
                     fabric_.name(fabric_.node(Nic{c.stuck.to})), where, port_name(fabric_, exit),
                     fabric_.name(fabric_.to(exit)));
}

std::optional<std::string> Judgement::circle() {
  resolve();
  if (cases_.empty()) return std::nullopt;
  std::vector<const Case*> path;
  std::unordered_map<Key, std::size_t> place;
  Key at = cases_.begin()->first;
  for (; !place.contains(at); at = cases_.at(at).blockers.front()) {
    place[at] = path.size();
    path.push_back(&cases_.at(at));
  }
  std::string out = fmt::format(
      "{} of {} packets in nodes can never move; these wait for each other:", cases_.size(), all_);
  for (std::size_t i = place[at]; i < path.size(); ++i) out += "\n  " + told(*path[i]);
  return out;
}

}  // namespace

std::optional<std::string> find_deadlock(const Machine& machine, const Parts& parts,
                                         const Exchange* exchange) {
  const bool crosses = std::any_of(parts.begin(), parts.end(), [](const auto& part) {
    return std::any_of(part->wheels().releases.bags().begin(), part->wheels().releases.bags().end(),
                       [](const auto& bag) { return !bag.empty(); });
  });
  // packets as the unit: something is crossing; ask again later
  if (sum_of(exchange, crosses) > 0) return std::nullopt;
  const WaitGraph graph(machine, parts, exchange == nullptr);
  return Judgement(graph, machine.setting.fabric, exchange, machine.state.layout).circle();
}

}  // namespace banyan::flit
