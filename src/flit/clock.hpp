// The clock of a part of the fabric: the present cycle, what is due in the next ones, and mail for other
// parts, which is handed over when their threads meet. It knows neither switches nor NICs: whoever runs the
// part (engine.hpp) takes out what is due.
#pragma once
#include <array>

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
  const u32 farthest;                 // cycles ahead that something can be due
  Wheel<Arrival> arrivals{farthest};  // in switches
  Wheel<Arrival> at_nics{farthest};   // in NICs
  Wheel<LaneId> credits{farthest};
  Wheel<Node> wakes{farthest};
  // Packets as the unit:
  Wheel<Release> releases{farthest};
  Wheel<LaneId> sent{farthest};      // its output queue has sent a packet
  Wheel<LaneId> trickles{farthest};  // a packet's credits begin to come to it
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

// Where something goes that is due after one of the delays that most channels have, from the first delay on.
// Place 0 is for the others, and has no bag.
template <class T>
using UsualBags = std::array<Bag<T>*, Layout::max_usual + 1>;

class Clock {
 public:
  // Mail is for all parts, and for the border.
  explicit Clock(const Layout& layout, u32 farthest) : wheels{farthest}, layout_(layout) {
    for (auto& set : mail_) set.resize(layout.parts + 1);
  }

  u64 now = 0;
  Wheels wheels;
  UsualBags<Arrival> usual_arrivals{};  // of this cycle, as Output::usual says
  UsualBags<LaneId> usual_credits{};    // as Input::usual says

  // A cycle begins.
  void begin(u64 cycle) {
    now = cycle;
    for (u32 i = 0; i < layout_.usual_flights.size(); ++i) {
      const u32 kind = layout_.usual_flights[i];
      usual_arrivals[i + 1] = &((kind & 1) != 0 ? wheels.at_nics : wheels.arrivals).at(now + kind / 2);
    }
    for (u32 i = 0; i < layout_.usual_latencies.size(); ++i)
      usual_credits[i + 1] = &wheels.credits.at(now + layout_.usual_latencies[i]);
  }
  void arrive(u64 due, const Arrival& arrival) {
    (index(arrival.lane) < layout_.nic_lanes() ? wheels.at_nics : wheels.arrivals).push(due, arrival);
  }

  // Mail of two sets that take turns, so that one can be read while the other is written.
  Mail& mail_to(u16 part) { return mail_[writing_][part]; }
  Mail& written_to(u16 part, u32 set) { return mail_[set][part]; }
  u32 swap_mail() {  // the set that was written until now
    writing_ ^= 1;
    return writing_ ^ 1;
  }
  void receive(const Mail& from) {
    for (const Mail::LateArrival& late : from.arrivals) arrive(late.due, late.arrival);
    for (const Mail::LateCredit& late : from.credits) wheels.credits.push(late.due, late.lane);
    for (const Mail::LateCredit& late : from.trickles) wheels.trickles.push(late.due, late.lane);
  }

 private:
  const Layout& layout_;
  std::vector<Mail> mail_[2];
  u32 writing_ = 0;
};

}  // namespace banyan::flit
