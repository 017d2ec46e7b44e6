// The clock of a part of the fabric: the present cycle, what is due in the next ones, and mail for other
// parts, which is handed over when their threads meet. It knows neither switches nor NICs: whoever runs the
// part (engine.hpp) takes out what is due.
#pragma once
#include "flit/ids.hpp"
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
  const u32 farthest;  // cycles ahead that something can be due
  Wheel<Arrival> arrivals{farthest};
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

class Clock {
 public:
  // Mail is for `parts` parts, and for the border.
  Clock(u32 farthest, u32 parts) : wheels{farthest} {
    for (auto& set : mail_) set.resize(parts + 1);
  }

  u64 now = 0;
  Wheels wheels;

  // Mail of two sets that take turns, so that one can be read while the other is written.
  Mail& mail_to(u16 part) { return mail_[writing_][part]; }
  Mail& written_to(u16 part, u32 set) { return mail_[set][part]; }
  u32 swap_mail() {  // the set that was written until now
    writing_ ^= 1;
    return writing_ ^ 1;
  }
  void receive(const Mail& from) {
    for (const Mail::LateArrival& late : from.arrivals) wheels.arrivals.push(late.due, late.arrival);
    for (const Mail::LateCredit& late : from.credits) wheels.credits.push(late.due, late.lane);
    for (const Mail::LateCredit& late : from.trickles) wheels.trickles.push(late.due, late.lane);
  }

 private:
  std::vector<Mail> mail_[2];
  u32 writing_ = 0;
};

}  // namespace banyan::flit
