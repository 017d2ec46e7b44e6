// The model of docs/rails.md, as plainly as it can be written: the reference simulator with other NICs. What
// is due at a host is a list of functions; every flit in a NIC's buffer is a value; policies are those of
// plain_rail_policy.hpp. For holding the fast engine against.
#pragma once
#include "support/plain_rail_policy.hpp"
#include "support/reference_simulator.hpp"

namespace banyan::tests {

class ReferenceRails final : public ReferenceSimulator {
 public:
  ReferenceRails(const SimulationSetup& setup, ReferenceWorkload workload);

 private:
  struct Cargo {  // a message
    u64 created;
    u32 flits_left, round;
    Seat seat;  // where it goes
  };
  struct Parcel {  // a stripe or a control packet
    bool is_control;
    ControlKind kind;
    int priority;
    bool is_reserved;
    u32 rail, to_rail, process;
    Host from, to;
    u32 flits, missing;
    std::shared_ptr<Cargo> cargo;
    bool has_begun = false;  // to arrive
  };
  using ParcelPtr = std::shared_ptr<Parcel>;
  struct RailPacket : Packet {
    ParcelPtr parcel;
  };
  struct Port {                               // a NIC
    std::deque<ParcelPtr> controls, stripes;  // that wait
    ParcelPtr cut;                            // of this stripe packets are being made
    u32 flits_cut = 0, packets_cut = 0;
    u64 first_number = 0;                      // of its packets
    u64 numbers = 0;                           // of packets taken up
    std::vector<std::deque<Transit>> buffers;  // by slot
    u32 slot_pointer = 0, in_a_row = 0;
    bool was_inward = false;
    u64 processor_free = 0;
    std::vector<ParcelPtr> unsettled;  // stripes put on a rail that will die
  };
  struct Process {
    std::shared_ptr<Cargo> cargo;  // of what it finds rails for
    std::deque<ParcelPtr> lost;    // to be sent again
    RailSet sending;               // sends that are awaited: rails on which its message has not left yet
    u64 post_due = Workload::never, post_number = 0;
  };
  struct HostState {
    std::shared_ptr<PlainPolicy> policy;
    std::vector<Process> processes;
    std::multimap<u64, std::function<void()>> due;  // of one cycle in the order in which they were planned
  };

  void consume(const Transit& flit) override;
  void serve_nics() override;
  void send_from(Node nic) override;
  bool holds_data(const Packet& packet) const override {
    return !static_cast<const RailPacket&>(packet).parcel->is_control;
  }

  PlainOrders orders_of(Host host);
  bool is_alive(Host host, u32 rail) const;
  bool is_dead(u32 rail) const { return rail == dying_ && now_ >= dies_at_; }
  // One of its ends has died.
  bool is_lost(const Parcel& parcel) const { return is_dead(parcel.rail) || is_dead(parcel.to_rail); }
  u32 rail_of(Nic nic) const { return setup_.fabric.column(nic); }
  Host host_of(Nic nic) const { return setup_.fabric.host(nic); }
  Host host_of(Seat seat) const { return Host{index(seat) % setup_.fabric.hosts()}; }

  void plan(Host host, u64 due, std::function<void()> what);
  void plan_post(Host host, u32 process, u64 from);
  void post(Host host, u32 process);
  void has_left(Host host, u32 process, u32 rail);
  void put(Nic nic, const ParcelPtr& parcel);
  void take_up_parcels(Nic nic);
  void take_up_packet(Nic nic, const ParcelPtr& parcel, u32 flits, u32 place);
  bool can_send(const Place& place, const Held& held) const;
  void send_flit(Nic nic, u32 which);
  void look(Nic nic);
  void take_flit(Nic nic, u32 slot);
  void finish_packet(Nic nic, Parcel& parcel, u32 flits);
  void finish_stripe(const Parcel& parcel);
  void rail_dies(Host host);
  void drop_lost(Nic nic);
  void settle(Host host);

  const RailOptions rails_;
  u32 dying_ = ~u32{0};
  u64 dies_at_ = Workload::never;
  IdVector<Host, HostState> hosts_;
  IdVector<Nic, Port> ports_;
};

}  // namespace banyan::tests
