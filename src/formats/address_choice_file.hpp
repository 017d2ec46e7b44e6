// Writes and reads the choice among the addresses of a host as a text file for the message layer, which
// chooses because a subnet manager cannot (domke19, section 3.2.4). docs/opensm.md describes the file.
#pragma once
#include <iosfwd>
#include <string>

#include "formats/subnet.hpp"
#include "routing/routing.hpp"

namespace banyan::formats {

// The routing must choose among addresses.
void write_address_choice(std::ostream& out, const Subnet& subnet, const Routing& routing);

// Makes a routing with tables choose as the file specifies; lanes stay as they are. Throws InputError if the
// file describes other addresses or does not name all hosts.
void read_address_choice(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing);

}  // namespace banyan::formats
