// Hosts with several NICs inside the simulator: what RailNics keep for them, in flat arrays. A host and all
// its NICs belong to one part; only parcels travel.
#pragma once
#include <array>
#include <deque>

#include "fabric/fabric.hpp"
#include "flit/ids.hpp"
#include "flit/pool.hpp"
#include "flit/rails/options.hpp"
#include "flit/rails/policy.hpp"
#include "flit/workload.hpp"

namespace banyan::flit {

// What packets carry: a stripe of a message, or a control packet.
struct Parcel {
  enum class Kind : u8 { stripe, control } kind;
  ControlKind control{};
  bool is_reserved = false;
  u16 rail = 0, to_rail = 0;  // of the NICs that send and receive it
  u16 process = 0;            // of the source
  Host from{}, to{};
  MessageId message{};
  Seat seat{};                 // of the destination
  u32 flits = 0, missing = 0;  // all of them; those that have not arrived
  int counter = 0;
  bool has_begun = false;    // to arrive
  bool has_arrived = false;  // as a whole, of a stripe on a rail that will die; its source knows
};

// A NIC: what it sends, and the bus behind it.
struct RailPort {
  // A stripe that is being cut into packets.
  struct Stream {
    EntryId data = none<EntryId>;  // the packet at the front
    ParcelId parcel{};             // none: its rail died at the other end
    u32 to_cut = 0, place = 0;     // of it: flits left, packets so far
    u64 first = 0;                 // packets before that parcel
  };
  std::array<Stream, max_nic_messages> streams;
  EntryId control = none<EntryId>;         // the packet at the front
  u64 sent = 0;                            // packets
  std::deque<ParcelId> stripes, controls;  // that wait
  // Stripes sent on a rail that will die, in order; those that have arrived are forgotten when there are so
  // many.
  std::vector<ParcelId> unsettled;
  std::size_t forgets_at = 64;
  u64 processor_free = 0;
  u32 burst = 0;   // flits of the present way in a row
  u32 turned = 0;  // cycles of the turn that is under way
  bool is_inward = false;
  u8 next_stream = 0;  // that is asked first
  u8 lane_pointer = 0;
};

// The buffer of a lane at a NIC: packets in order, of the first one what has not left it.
struct RailLane {
  u32 held = 0;                 // flits that are there
  u32 left = 0;                 // of the first packet; 0: there is none
  PacketId packet{};            // the first
  bool needs_no_bus = false;    // it is for the processor
  std::deque<PacketId> behind;  // whose head is there too
};

struct RailProcess {
  MessageId message{};  // of what it is finding rails for
  Seat seat{};          // likewise
  u64 post_due = Workload::never;
  u32 post_order = 0;         // of the event
  u64 sending = 0;            // rails on which its message has not left yet; of sends that are awaited
  std::deque<ParcelId> lost;  // stripes to send again
};

// Something that happens at a host in a cycle to come. Those of one cycle have an order that does not depend
// on threads: by host, and there as they were planned.
struct RailEvent {
  enum class Kind : u8 { post, control, arriving, begun, sent, received, expired, dies, settle } kind;
  u64 due;
  Host host;
  u32 order = 0;  // among those of the host
  u16 rail = 0, process = 0;
  bool is_reserved = false;   // arriving, sent, received: the stripe
  ParcelId parcel{};          // control
  u32 ticket = 0, round = 0;  // expired
  bool operator>(const RailEvent& other) const {
    if (due != other.due) return due > other.due;
    return host != other.host ? host > other.host : order > other.order;
  }
};

struct RailMachine {
  RailMachine(const Fabric& fabric, const RailOptions& options, u32 lane_count);

  // By the cycle: a rail that has died is on nobody's list any more.
  const RailRules& rules(u64 now) const { return now >= dies_at ? after.rules : before.rules; }
  bool is_dead(u32 rail, u64 now) const { return rail == dying && now >= dies_at; }
  bool is_dead(Nic nic, u64 now) const { return is_dead(endpoints.column(nic), now); }
  // Whether what goes from one to the other is lost when the rail dies.
  bool will_die(const Parcel& parcel) const { return parcel.rail == dying || parcel.to_rail == dying; }
  Seat seat(Host host, u32 process) const { return Seat{process * host_count + index(host)}; }
  u32 process_of(Seat seat) const { return index(seat) / host_count; }
  // none<Nic> if the host has no NIC there.
  Nic nic(Host host, u32 rail) const { return endpoints.in_column(host, rail); }
  RailProcess& process(Host host, u32 number) {
    return processes[std::size_t{index(host)} * options.processes + number];
  }

  RailOptions options;
  Endpoints endpoints;
  u32 host_count, rails;
  u32 dying = ~u32{0};  // rail
  u64 dies_at = Workload::never;
  ReadyPolicy before, after;
  IdVector<Host, RailHost> hosts;
  std::vector<RailProcess> processes;   // by host and process
  IdVector<Host, u32> orders, tickets;  // of events and messages: how many so far
  IdVector<Nic, RailPort> ports;
  IdVector<LaneId, RailLane> lanes;  // of NICs
  SharedPool<ParcelId, Parcel> parcels;
};

}  // namespace banyan::flit
