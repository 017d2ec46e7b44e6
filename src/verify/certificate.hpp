// Certificate: the proof that packets never wait for each other in a cycle, as numbers that only rise along
// routes.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "routing/routing.hpp"

namespace banyan::verify {

struct Certificate {
  u32 lanes = 1;
  // By channel * lanes + lane, for channels between switches. Channels from hosts come before all of them,
  // channels to hosts after all.
  std::vector<u32> number;
  bool operator==(const Certificate&) const = default;
};

// Whether the numbers rise along every route. It asks the routing again and shares no code with the judge.
bool recheck(const Certificate& certificate, const Fabric& fabric, const Routing& routing);

// The file has a line for each channel and lane: its number, the number in the certificate, and its name.
void write_certificate(std::ostream& out, const Certificate& certificate, const Fabric& fabric);
Certificate read_certificate(std::istream& in, const std::string& file, const Fabric& fabric);

}  // namespace banyan::verify
