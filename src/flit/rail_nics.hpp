// The NIC model of hosts with several NICs (docs/rails.md). Processes post messages; the rail policy of their
// host is told what happens and says what goes out on which NIC. A NIC sends packets of one stripe, or of
// two, and a control packet at a time, on lanes of their own; what arrives stands in its buffers until its
// bus, or its processor, takes it. As every NIC model it is called by the engine, and gets the channels of
// its part passed in.
#pragma once
#include <queue>

#include "flit/channels.hpp"
#include "flit/rail_machine.hpp"

namespace banyan::flit {

class RailNics {
  using Part = Channels<Unit::flit>;

 public:
  static constexpr bool act_after_routing = true;  // a bus decides between what was routed and what arrives

  explicit RailNics(Part& part);

  // If nothing of that kind is on its way, the next control packet and the next packet of a stripe come to
  // the front.
  void wake(Part& part, Nic nic);
  bool waits_for_room(Nic) const { return true; }  // or it sleeps again at once
  void take_exit(Part& part, Nic nic, const RouteJob& job);
  bool act(Part& part, Nic nic);  // a cycle of its bus: whether there may be more to do in the next one
  void arrive(Part& part, const Arrival& arrival);
  void run_events(Part& part);
  void take_mail(const Mail& mail);
  static constexpr bool routes_one = false;
  static constexpr bool has_control_packets = true;  // Packet::is_control: they hold no data

  EntryId front(Nic nic, u32 k) const {
    const RailPort& port = m_.ports[nic];
    return k < max_nic_messages ? port.streams[k].data : port.control;
  }
  EntryId sending(const Entries& entries, Nic nic, Channel exit) const;
  u32 held(LaneId lane) const { return m_.lanes[lane].held; }

 private:
  // --- rail_events.cpp: posts, what the policy is told and what it wants
  void plan(RailEvent event);
  void plan_post(Part& part, Host host, u32 process, u64 from);
  void run_event(Part& part, const RailEvent& event);
  template <class F>
  void ask_policy(Part& part, Host host, F&& ask);
  void control_arrives(Part& part, const RailEvent& event);
  void data_event(Part& part, const RailEvent& event, DataEvent::Kind what);
  void post(Part& part, Host host, u32 process, u32 order);
  Allocation next_message(Part& part, Host host, u32 process);
  void act_for_policy(Part& part, Host host);
  void hand_over(Part& part, Host host, const RailAction& action);
  void finish_send(Part& part, Host host, u32 process, u32 rail);
  void rail_dies(Part& part, Host host);
  void drop_lost(Part& part, Nic nic);
  void settle(Part& part, Host host);
  void take_back(ParcelId id);
  void remember(RailPort& port, ParcelId id);
  void free_parcel(Part& part, ParcelId id);

  // --- rail_sending.cpp
  EntryId begin_packet(Part& part, Nic nic, ParcelId parcel, u32 flits, u32 place, u64 first);
  void feed(Part& part, Nic nic, RailPort::Stream& stream);
  bool can_send(Part& part, const RailPort& port, EntryId id);
  RailPort::Stream* next_out(Part& part, RailPort& port);
  void send_flit(Part& part, Nic nic, EntryId& front);
  void finish_packet_out(Part& part, Nic nic, EntryId& front);

  // --- rail_receiving.cpp
  bool is_lost(Part& part, Nic nic, PacketId id) const;
  void show_packet(Part& part, Nic nic, RailLane& lane, PacketId id);
  void take_flit(Part& part, Nic nic, LaneId lane);
  void finish_packet_in(Part& part, Nic nic, PacketId id);
  void finish_stripe(Part& part, const Parcel& parcel);
  LaneId inward_lane(Part& part, Nic nic, bool& is_busy);

  RailMachine& m_;
  SharedPool<ParcelId, Parcel>::Stock parcels_;
  std::priority_queue<RailEvent, std::vector<RailEvent>, std::greater<>> events_;
  RailActions actions_;
};

}  // namespace banyan::flit
