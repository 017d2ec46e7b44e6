// The proof that no shift loads a channel with more than one flow: for every channel out of a switch an
// interval that contains its sources, and the minimum distance of its destinations. A NIC sends one flow in a
// shift, so channels out of NICs need no proof.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "routing/routing.hpp"

namespace banyan::verify {

// The sources are among the hosts first, first + 1, ..., first + length - 1. Any two destinations are at
// least `gap` apart on the ring of host numbers; for a single one, gap is the length of the ring. A channel
// with gap >= length carries at most one flow; any other has to be counted, shift by shift.
struct ChannelSpan {
  u32 first = 0, length = 0, gap = 0;  // length 0: no flow takes it
  bool suffices() const { return gap >= length; }
  bool operator==(const ChannelSpan&) const = default;
};

struct ShiftCertificate {
  u32 hosts = 0;
  // One part for each message size that makes a difference.
  struct Part {
    u64 bytes = 0;
    u64 per = 1;  // every way of every pair carries a multiple of 1/per of a flow
    IdVector<Channel, ChannelSpan> spans;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;
  bool operator==(const ShiftCertificate&) const = default;
};

// Whether sources and destinations are as stated, and channels that this does not settle carry at most one
// flow. It asks the routing again for every pair, and shares no code with the judge of shifts.
bool recheck_shifts(const ShiftCertificate& certificate, const Fabric& fabric, const Routing& routing);

// The file has a line for each channel in use: its number, the three numbers of its span, and its name.
void write_shift_certificate(std::ostream& out, const ShiftCertificate& certificate, const Fabric& fabric);
ShiftCertificate read_shift_certificate(std::istream& in, const std::string& file, const Fabric& fabric);

}  // namespace banyan::verify
