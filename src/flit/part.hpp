// A part of the fabric and all that happens in it: one thread advances it. What it is made of: a clock
// (clock.hpp), switches (candidates.hpp and on), a NIC model (plain_nics.hpp, rail_nics.hpp); engine.hpp puts
// them together.
#pragma once
#include <memory>

#include "flit/clock.hpp"
#include "flit/lane_order.hpp"
#include "flit/router.hpp"
#include "flit/simulation.hpp"
#include "flit/tally.hpp"

namespace banyan::flit {

struct RailMachine;
using Entries = IdVector<EntryId, Entry>;

// Everything a part is made from; shared by all.
struct Machine {
  Machine(const SimulationSetup& setup, Workload load, Mode mode, const Share& share, bool equal);
  ~Machine();

  State state;
  Workload workload;
  RouteSetting setting;
  RouteFunction route;
  const void* forward;
  const Source& source;
  u32 flit_bytes;
  bool is_adaptive;
  bool recycles;                   // NICs remember paths that were acknowledged,
  bool has_flowlets;               // or those of their last packets
  bool in_order;                   // packets are routed in order of their lanes
  bool orders_lanes;               // they stand in Part::lane_order_ until then
  bool follows_lists;              // they are adaptive and their hops are listed: they need no RouteJob
  const TreeForm* tree = nullptr;  // the forward, if it knows the whole way: packets carry their ports
  bool chooses_again;              // packets that wait are routed in every cycle
  const Forward& any_forward;
  // Those of one packet have a record too: something reacts to them, or they may leave the process.
  bool keeps_messages;
  bool is_large;                       // larger than a cache
  bool even;                           // all packets have the largest size
  std::unique_ptr<RailMachine> rails;  // what RailNics of all parts share
};

class Part {
 public:
  Part(Machine& machine, u16 number);
  virtual ~Part() = default;

  virtual void run(u64 first, u64 last) = 0;  // cycles first .. last-1
  virtual void receive(Mail& mail) = 0;       // takes all of it
  // Of its NICs, for those who inspect a simulation between two cycles:
  // The packet with data that leaves next; of NICs that send several messages at once, of the k-th; with
  // k = max_nic_messages the control packet.
  virtual EntryId front(Nic nic, u32 k) const = 0;
  virtual EntryId sending(Nic nic, Channel exit) const = 0;  // that has begun to leave through there
  virtual u32 held(LaneId lane) const = 0;                   // flits that stand in a buffer

  // What was counted since the last call, without channels. Until then `tally` has messages, and the last
  // packet of each, only in its latencies of messages.
  Tally take_tally();

  // Nodes that have something to do. A bit each: for NICs, and for switches with packets as the unit.
  void wake(Node v) { active_[index(v) / 64] |= u64{1} << (index(v) % 64); }
  void sleep(Node v) { active_[index(v) / 64] &= ~(u64{1} << (index(v) % 64)); }
  // A packet whose head is visible is routed in this cycle, after all else that is due.
  void route_soon(LaneId lane, PacketId packet) { add_job(jobs_, lane, packet); }
  // The same for a packet in its NIC, where a NIC routes one at a time: none of them waits for another.
  void start_soon(LaneId lane, PacketId packet) { add_job(starts_, lane, packet); }
  // Entries: a new one may move the others, so that references to them do not outlast it. Free ones are
  // linked by `next`; their first is a member of the part, so that no pointer to a list is ever needed.
  [[gnu::always_inline]] EntryId new_entry(const Entry& value) {
    reserve_entry();
    const EntryId id = free_;
    Entry& entry = entries[id];
    free_ = entry.next;
    entry = value;
    return id;
  }
  void reserve_entry() {  // the next new one moves none
    if (free_ == none<EntryId>) add_entries();
  }
  void free_entry(EntryId id) { free_entry(id, entries[id]); }
  void free_entry(EntryId id, Entry& entry) {
    entry.next = free_;
    free_ = id;
  }
  // The head of a packet leaves its NIC, if it does so in this cycle; its last flit has arrived.
  void enter_network(PacketId id) { state.packets[id].entered = static_cast<u32>(clock.now); }
  void count_packet(const Packet& packet) {
    ++tally.packets;
    tally.network_cycles += static_cast<u32>(clock.now) - packet.entered;
    presence.leave(clock.now);
  }
  PacketId new_packet() { return state.packets.take(number, packets_); }
  MessageId new_message() { return state.messages.take(number, messages_); }
  void free_packet(PacketId id) {
    const u16 owner = state.packets.owner(id);
    (owner == number ? packets_.free : clock.mail_to(owner).packets).push(id);
  }
  void free_message(MessageId id) {
    const u16 owner = state.messages.owner(id);
    (owner == number ? messages_.free : clock.mail_to(owner).messages).push(id);
  }

  Machine& machine;
  State& state;
  const Layout& layout;
  const u16 number;
  Clock clock;
  Entries entries;      // packets in its nodes
  Tally tally;          // see take_tally()
  Presence presence;    // of packets with data
  u64 flits_taken = 0;  // by NICs, in packets that came to the front

 protected:
  void take_mail(const Mail& from);  // but for what is the NIC model's
  // Sorts the jobs by lane. Of one lane, packets that choose again come first, then control packets if there
  // are any.
  void sort_jobs(bool has_control_packets);

  std::vector<u64> active_;
  Bag<RouteJob> jobs_, starts_;
  LaneOrder lane_order_;  // of those to be routed, where they come one from a lane and in order

 private:
  [[gnu::always_inline]] static void add_job(Bag<RouteJob>& jobs, LaneId lane, PacketId packet) {
    RouteJob& job = jobs.add();
    job.lane = lane;
    job.packet = packet;
    job.again = false;
  }
  [[gnu::noinline]] void add_entries();

  EntryId free_ = none<EntryId>;
  SharedPool<PacketId, Packet>::Stock packets_;
  SharedPool<MessageId, Message>::Stock messages_;
};

// The NIC models. A file part_NAME.cpp has the engines of a mode and a model.
template <Mode mode>
class PlainNics;
class RailNics;
template <Mode mode, class Nics>
std::unique_ptr<Part> make_part(Machine& machine, u16 number);

}  // namespace banyan::flit
