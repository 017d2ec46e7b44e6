// The clock of a part of the fabric: the present cycle, what is due in the next ones, and mail for other
// parts, which is handed over when their threads meet. It knows neither switches nor NICs: whoever runs the
// part (engine.hpp) takes out what is due.
#pragma once
#include <vector>

#include "flit/ids.hpp"
#include "flit/layout.hpp"
#include "flit/wheel.hpp"

namespace banyan::flit {

// A flit enters the buffer of a lane; the packet, for its first flit, else none. With packets as the unit:
// a packet.
struct Arrival {
  LaneId lane;
  PacketId packet;
};

// Packets as the unit: an input port of a switch and an output are free again.
struct Release {
  Channel input, output;
};

// For a NIC: a packet of its own was consumed. All bytes have values.
struct Acknowledgement {
  u64 due, packet;  // cycle; number among those its NIC has sent
  Nic source, to;
  u32 path, is_marked;
};

struct Wheels {
  const u32
      near;  // cycles ahead that something can be due in a lane: few, so that their bags stay in a cache
  const u32 farthest;                     // that anything can
  const u32 blocks;                       // of the fabric
  Wheel<Arrival> arrivals{near, blocks};  // in switches
  Wheel<Arrival> at_nics{near};           // in NICs
  Wheel<LaneId> credits{near, blocks};
  Wheel<Node> wakes{farthest};
  // Packets as the unit:
  Wheel<Release> releases{farthest};
  Wheel<LaneId> sent{farthest};  // its output queue has sent a packet
  Wheel<LaneId> trickles{near};  // a packet's credits begin to come to it
  Wheel<Arrival> consumed{farthest};
};

// From one part to another.
struct Mail {
  struct LateArrival {
    u64 due;
    Arrival arrival;
  };
  struct LateCredit {
    u64 due;
    LaneId lane;
    u32 unused = 0;  // no byte without a value goes to another process
  };
  Bag<LateArrival> arrivals;
  Bag<LateCredit> credits, trickles;
  Bag<Acknowledgement> acknowledgements;
  // Numbers that come home:
  Bag<PacketId> packets;
  Bag<MessageId> messages;
  Bag<ParcelId> parcels;

  void clear() {
    arrivals.clear(), credits.clear(), trickles.clear(), acknowledgements.clear();
    packets.clear(), messages.clear(), parcels.clear();
  }
};

// Where something goes that is due after one of the delays that most channels have: the bags of the blocks of
// the fabric, for the first delay and then the next ones (Layout::usual_place). Place 0 is for the others,
// and has no bag.
template <class T>
using UsualBags = std::vector<Bag<T>*>;

class Clock {
 public:
  // Mail is for all parts, and for the border.
  Clock(const Layout& layout, u32 near, u32 farthest)
      : wheels{near, farthest, layout.blocks},
        usual_arrivals(1 + layout.usual_flights.size() * layout.blocks),
        usual_credits(1 + layout.usual_latencies.size() * layout.blocks),
        layout_(layout) {
    for (auto& set : mail_) set.resize(layout.parts + 1);
  }

  u64 now = 0;
  Wheels wheels;
  UsualBags<Arrival> usual_arrivals;  // of this cycle, as Output::usual says
  UsualBags<LaneId> usual_credits;    // as Input::usual says

  // A cycle begins.
  void begin(u64 cycle) {
    now = cycle;
    u32 place = 0;
    for (const u32 kind : layout_.usual_flights)
      for (u32 block = 0; block < layout_.blocks; ++block)
        usual_arrivals[++place] =
            (kind & 1) != 0 ? &wheels.at_nics.at(now + kind / 2) : &wheels.arrivals.at(now + kind / 2, block);
    place = 0;
    for (const u32 latency : layout_.usual_latencies)
      for (u32 block = 0; block < layout_.blocks; ++block)
        usual_credits[++place] = &wheels.credits.at(now + latency, block);
  }
  void arrive(u64 due, const Arrival& arrival) {
    if (index(arrival.lane) < layout_.nic_lanes())
      wheels.at_nics.push(due, arrival);
    else
      wheels.arrivals.at(due, layout_.block(arrival.lane)).push(arrival);
  }
  void give_credit(u64 due, LaneId lane) { wheels.credits.at(due, layout_.block(lane)).push(lane); }

  // Mail of two sets that take turns, so that one can be read while the other is written.
  Mail& mail_to(u16 part) { return mail_[writing_][part]; }
  Mail& written_to(u16 part, u32 set) { return mail_[set][part]; }
  u32 swap_mail() {  // the set that was written until now
    writing_ ^= 1;
    return writing_ ^ 1;
  }
  void receive(const Mail& from) {
    for (const Mail::LateArrival& late : from.arrivals) arrive(late.due, late.arrival);
    for (const Mail::LateCredit& late : from.credits) give_credit(late.due, late.lane);
    for (const Mail::LateCredit& late : from.trickles) wheels.trickles.push(late.due, late.lane);
  }

 private:
  const Layout& layout_;
  std::vector<Mail> mail_[2];
  u32 writing_ = 0;
};

}  // namespace banyan::flit
