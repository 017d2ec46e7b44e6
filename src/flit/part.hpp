// A part of the fabric and all that happens in it: one thread advances it. What leaves it for another part
// goes by mail, which is handed over when the threads meet.
#pragma once
#include <memory>
#include <queue>

#include "flit/rails/machine.hpp"
#include "flit/router.hpp"
#include "flit/simulation.hpp"
#include "flit/tally.hpp"
#include "flit/wheel.hpp"

namespace banyan::flit {

// Everything a part is made from; shared by all.
struct Machine {
  Machine(const SimulationSetup& setup, Workload load, Mode mode, const Share& share, bool equal);

  State state;
  Workload workload;
  RouteSetting setting;
  RouteFunction route;
  const void* forward;
  const Source& source;
  u32 flit_bytes;
  bool is_adaptive;
  bool knows_way;                      // packets carry their ports
  bool even;                           // all packets have the largest size
  std::unique_ptr<RailMachine> rails;  // of hosts with several NICs
};

// From one part to another.
struct Mail {
  struct Late {
    u64 due;
    Arrival arrival;
  };
  Bag<Late> arrivals, credits, trickles;  // of the last two only the lane counts
  Bag<u32> packets, messages, parcels;    // that come home

  void clear() {
    arrivals.clear(), credits.clear(), trickles.clear();
    packets.clear(), messages.clear(), parcels.clear();
  }
};

class Part {
 public:
  Part(Machine& machine, u16 number);
  virtual ~Part() = default;

  virtual void run(u64 first, u64 last) = 0;  // cycles first .. last-1
  void receive(Mail& mail);                   // takes all of it

  // Mail for each part, and for the border. Two sets take turns, so that one can be read while the other is
  // written.
  std::vector<Mail> mail[2];
  u32 writing = 0;

  Tally tally;          // without channels
  u64 flits_taken = 0;  // by NICs, in packets that came to the front
  const std::vector<Entry>& entries() const { return entries_; }
  const Wheels& wheels() const { return wheels_; }
  void start(u64 first);  // wakes all NICs

 protected:
  u32 new_entry() {
    if (free_entry_ == absent) more_entries();
    const u32 i = free_entry_;
    free_entry_ = entries_[i].next;
    return i;
  }
  void reserve_entry() {  // the next new one moves none
    if (free_entry_ == absent) more_entries();
  }
  void free_entry(u32 i) { free_entry(i, entries_[i]); }
  void free_entry(u32 i, Entry& entry) {
    entry.next = free_entry_;
    free_entry_ = i;
  }
  void free_packet(u32 i) {
    const u16 owner = state_.packets.owner(i);
    (owner == number_ ? packets_.free : mail[writing][owner].packets).push(i);
  }
  void free_message(u32 i) {
    const u16 owner = state_.messages.owner(i);
    (owner == number_ ? messages_.free : mail[writing][owner].messages).push(i);
  }
  void free_parcel(u32 i) {
    const u16 owner = machine_.rails->parcels.owner(i);
    (owner == number_ ? parcels_.free : mail[writing][owner].parcels).push(i);
  }

  Machine& machine_;
  State& state_;
  const Layout& layout_;
  const u16 number_;
  Wheels wheels_;
  std::vector<Entry> entries_;
  u32 free_entry_ = absent;
  std::vector<u64> active_;    // nodes to visit, a bit each: NICs, and switches with packets as the unit
  std::vector<u32> switches_;  // of this part
  Bag<RouteJob> jobs_;
  SharedPool<Packet>::Stock packets_;
  SharedPool<Message>::Stock messages_;
  SharedPool<Parcel>::Stock parcels_;
  std::priority_queue<RailEvent, std::vector<RailEvent>, std::greater<>> rail_events_;
  RailActions rail_actions_;

 private:
  [[gnu::noinline]] void more_entries();
};

std::unique_ptr<Part> make_wormhole_part(Machine& machine, u16 number);
std::unique_ptr<Part> make_vct_part(Machine& machine, u16 number);
std::unique_ptr<Part> make_packets_part(Machine& machine, u16 number);
std::unique_ptr<Part> make_wormhole_rails_part(Machine& machine, u16 number);
std::unique_ptr<Part> make_vct_rails_part(Machine& machine, u16 number);

}  // namespace banyan::flit
