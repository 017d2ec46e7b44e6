// Certificate: the proof that packets never wait for each other for ever, as numbers that only rise along
// routes, or along the escape of a routing that has one.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "fabric/attachments.hpp"
#include "routing/routing.hpp"

namespace banyan::verify {

struct Certificate {
  u32 lanes = 1;
  // By channel * lanes + lane, for channels between switches. Channels from hosts come before all of them,
  // channels to hosts after all.
  std::vector<u32> number;
  // The numbers are of the escape's channels, from 1 on, and 0 for all others: the number of a channel that a
  // packet may take as an escape is above those of all channels of the escape that it may hold.
  bool of_escape = false;
  PairScope scope = PairScope::all;  // the pairs that it speaks of
  bool operator==(const Certificate&) const = default;
};

// Whether the numbers rise along every route of the pairs in its scope; of an escape's also whether every
// switch that a packet may come to offers an escape. It asks the routing again and shares no code with the
// judge.
bool recheck(const Certificate& certificate, const Fabric& fabric, const Routing& routing);

// The file has a line for each channel and lane: its number, the number in the certificate, and its name.
void write_certificate(std::ostream& out, const Certificate& certificate, const Fabric& fabric);
Certificate read_certificate(std::istream& in, const std::string& file, const Fabric& fabric);

}  // namespace banyan::verify
