// What is due in each of the next cycles: a ring of flat vectors, emptied in turn.
#pragma once
#include <bit>
#include <vector>

#include "base/types.hpp"

namespace banyan {

// A flit enters the buffer of a lane; the packet, for its first flit, else absent. With packets as the unit:
// a packet.
struct Arrival {
  u32 lane, packet;
};

// Packets as the unit: an input port of a switch and an output are free again; one of them may be absent.
struct Release {
  u32 input, output;  // exits
};

class Wheel {
 public:
  struct Slot {
    std::vector<Arrival> arrivals;
    std::vector<u32> credits;  // lanes
    std::vector<u32> wakes;    // nodes
    std::vector<Release> releases;
    std::vector<u32> sent;      // lanes whose output queue has sent a packet
    std::vector<u32> trickles;  // lanes to which a packet's credits begin to come
    std::vector<Arrival> consumed;
  };

  explicit Wheel(u32 farthest) : slots_(std::bit_ceil(farthest + 2)) {}

  Slot& at(u64 cycle) { return slots_[cycle & (slots_.size() - 1)]; }
  const Slot& at(u64 cycle) const { return slots_[cycle & (slots_.size() - 1)]; }
  u64 reach() const { return slots_.size() - 1; }  // cycles ahead that can be named
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  std::vector<Slot> slots_;
};

}  // namespace banyan
