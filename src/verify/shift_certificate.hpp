// What proves that no shift loads a channel with more than one flow: for every channel out of a switch an
// interval that its sources lie in, and how far apart its destinations are at least. A NIC sends one flow in
// a shift, so channels out of NICs need no proof.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "routing/routing.hpp"

namespace banyan::verify {

// Sources are hosts first, first + 1, ..., first + length - 1; of the destinations, as host numbers on a
// ring, any two are at least `gap` apart; a single one is as far from itself as the ring is long. A channel
// with gap >= length carries one flow at most. One with less has to be counted, shift by shift.
struct ChannelSpan {
  u32 first = 0, length = 0, gap = 0;  // length 0: no flow takes it
  bool suffices() const { return gap >= length; }
  bool operator==(const ChannelSpan&) const = default;
};

struct ShiftCertificate {
  u32 hosts = 0;
  // For each size of messages that makes a difference.
  struct Part {
    u64 bytes = 0;
    u64 per = 1;  // every way of every pair is worth a whole number of this share of a flow
    IdVector<Channel, ChannelSpan> spans;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;
  bool operator==(const ShiftCertificate&) const = default;
};

// Whether sources and destinations are as stated, and what is not stated well enough counts to one flow at
// most. Asks the routing anew for every pair, and shares no code with the judge of shifts.
bool recheck_shifts(const ShiftCertificate& certificate, const Fabric& fabric, const Routing& routing);

// A line for each channel in use: its number, the three of its span, and its name.
void write_shift_certificate(std::ostream& out, const ShiftCertificate& certificate, const Fabric& fabric);
ShiftCertificate read_shift_certificate(std::istream& in, const std::string& file, const Fabric& fabric);

}  // namespace banyan::verify
