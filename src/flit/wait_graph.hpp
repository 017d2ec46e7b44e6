// Which packets in the nodes of this process wait for which others, between two cycles: what find_deadlock()
// asks of each process.
#pragma once
#include <unordered_map>
#include <vector>

#include "flit/parts.hpp"

namespace banyan::flit {

// A packet in a node, wherever that is: by node and its place there.
using WaitKey = u64;

struct PacketName {
  Nic source;
  u64 number;  // of those its NIC has sent
  auto operator<=>(const PacketName&) const = default;
};

// What one process must tell the others of a packet that may be stuck.
struct Stuck {
  WaitKey key;
  u64 packet_number;  // with the source: which packet
  Nic source, to;
  Channel exit;  // that it wants
  LaneId lane;   // buffer or output queue it stands in; none: a NIC
  bool in_queue;
  bool awaits_itself;  // its flits are behind, in other nodes

  PacketName name() const { return {source, packet_number}; }
};
// What stands in its way: a packet here, or those at the front of a lane elsewhere.
struct Obstacle {
  WaitKey key;
  LaneId lane;  // none: the key counts
};

class WaitGraph {
 public:
  WaitGraph(const Machine& machine, const Parts& parts, bool is_alone);  // alone: there is no other process

  u64 size() const { return waits_.size(); }  // packets in nodes
  // f(stuck, its obstacles) for those that cannot move as far as this process knows.
  template <class F>
  void each_stuck(F&& f) const {
    for (const Wait& wait : waits_)
      if (!wait.can_move) f(told(wait), wait.obstacles);
  }
  bool has_moving(const PacketName& name) const;
  // Who stands at the front of a lane of this process; nobody: what waits for it may move.
  std::vector<WaitKey> in_front(LaneId lane) const;

 private:
  struct Wait {
    WaitKey key;
    Node node;
    EntryId entry, ahead;  // ahead: in front of it in its queue, or none
    LaneId lane;           // buffer or output queue it stands in; none: a NIC
    bool in_queue, can_move = false, awaits_itself = false;
    std::vector<Obstacle> obstacles{};  // it can move if one of them can
  };

  const Entry& entry_of(Node node, EntryId id) const { return parts_[layout_.part(node)].entries[id]; }
  const Packet& packet_of(const Wait& wait) const {
    return state_.packets[entry_of(wait.node, wait.entry).packet];
  }
  u32& number(Node node, EntryId id) { return number_[u64{layout_.part(node)} << 32 | index(id)]; }
  const Wait& wait_of(Node node, EntryId id) const {
    return waits_[number_.at(u64{layout_.part(node)} << 32 | index(id))];
  }
  Stuck told(const Wait& wait) const;
  template <class F>
  void each_front(LaneId lane, F&& f) const;

  void mark_moving();
  void add_queue(Node node, EntryId front, LaneId lane, bool in_queue);
  void add_node(Node v);
  bool has_begun(const Wait& wait, const Entry& entry) const;
  void await_itself(u32 n);
  void find_obstacles(u32 n);
  void add_obstacle(Wait& wait, EntryId entry);
  void look_at_lanes(Wait& wait, const Entry& entry, Channel exit, u32 lanes);
  void look_at_lane(Wait& wait, const Entry& entry, LaneId lane);
  void look_at_channel(Wait& wait, LaneId lane, u32 needed);
  void spread();

  const Machine& machine_;
  const Parts& parts_;
  const State& state_;
  const Layout& layout_;
  const u32 lmc_;
  const bool is_alone_;
  IdVector<LaneId, u8> is_moving_;
  std::vector<Wait> waits_;
  u32 in_node_ = 0;
  std::unordered_map<u64, u32> number_;  // by part and entry
  std::unordered_map<PacketId, std::vector<u32>> of_packet_;
};

}  // namespace banyan::flit
