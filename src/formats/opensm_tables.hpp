// OpenSM's forwarding tables as text: what it dumps, and loads with -R file -U. For each switch
//   Unicast lids [0-8] of switch Lid 5 guid 0x0002c90200000000 ('s1-0'):
//   0x0001 001 # Channel Adapter portguid 0x0002c90300000001: 'h0 HCA-1'
// LIDs in hexadecimal, ports in decimal digits, port 0 being the switch itself. dump_lfts and ibroute write
// nearly the same, and are read as well.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "formats/subnet.hpp"
#include "routing/routing.hpp"
#include "routing/switch_tables.hpp"

namespace banyan::formats {

// The node that each LID belongs to, up to the top one; none<Node> where no node has it.
std::vector<Node> nodes_by_lid(const Subnet& subnet);

// The forwarding table of a switch by LID, up to the top one: ports as InfiniBand numbers them, 255 for none.
std::vector<u8> forwarding_table(const Subnet& subnet, const Tables& tables, const SwitchTables& to_switches,
                                 Node at);

void write_lfts(std::ostream& out, const Subnet& subnet, const Tables& tables,
                const SwitchTables& to_switches);

// The routing that a dump describes, on one lane, and the LIDs that it was read with. Switches are told by
// their GUIDs. LIDs are those given, otherwise those that the comments of the dump give to GUIDs, otherwise
// those of `ids`. Throws InputError.
struct TablesRead {
  Routing routing;
  Subnet subnet;
};
TablesRead read_lfts(std::istream& in, const std::string& file, const Fabric& fabric,
                     const InfinibandIds& ids, const std::optional<LidsByGuid>& lids = std::nullopt);

}  // namespace banyan::formats
