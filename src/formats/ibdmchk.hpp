// Writes the files that ibdmchk, an independent judge of routes, reads: the subnet and its forwarding tables
// as OpenSM dumps them under -D 0x43.
#pragma once
#include <iosfwd>

#include "formats/opensm_tables.hpp"

namespace banyan::formats {

void write_opensm_subnet(std::ostream& out, const Subnet& subnet);  // opensm-subnet.lst
void write_opensm_fdbs(std::ostream& out, const Subnet& subnet, const Tables& tables,
                       const SwitchTables& to_switches);  // opensm.fdbs

}  // namespace banyan::formats
