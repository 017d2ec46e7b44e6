// The choice among the addresses of a host as a text for the message layer, which chooses where a subnet
// manager cannot (domke19, section 3.2.4). docs/formats.md describes it.
#pragma once
#include <iosfwd>
#include <string>

#include "formats/subnet.hpp"
#include "routing/routing.hpp"

namespace banyan::formats {

// `routing` chooses.
void write_address_choice(std::ostream& out, const Subnet& subnet, const Routing& routing);

// Makes a routing with tables choose as the file says; lanes stay. Throws InputError where the file is about
// other addresses or does not name all hosts.
void read_address_choice(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing);

}  // namespace banyan::formats
