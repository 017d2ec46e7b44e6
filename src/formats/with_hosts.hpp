// Hosts for a graph of switches.
#pragma once
#include "formats/raw_fabric.hpp"

namespace banyan::formats {

// The same graph with so many hosts on every switch: h0, h1, ... on the ports after those of the file. Nodes
// that were only guessed to be hosts are switches. Throws InputError if the file names hosts.
FabricFile with_hosts(const FabricFile& file, u32 per_switch, const std::string& name);

}  // namespace banyan::formats
