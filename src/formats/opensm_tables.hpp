// OpenSM's forwarding tables as text, as it dumps them and loads them with -R file -U. For each switch:
//   Unicast lids [0-8] of switch Lid 5 guid 0x0002c90200000000 ('s1-0'):
//   0x0001 001 # Channel Adapter portguid 0x0002c90300000001: 'h0 HCA-1'
// LIDs are hexadecimal, ports decimal; port 0 is the switch itself. The reader also accepts the output of
// dump_lfts and ibroute, which differ slightly.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "formats/subnet.hpp"
#include "routing/routing.hpp"
#include "routing/switch_tables.hpp"

namespace banyan::formats {

// The node of each LID, up to the highest one; none<Node> where no node has it.
std::vector<Node> nodes_by_lid(const Subnet& subnet);

// The forwarding table of a switch by LID, up to the highest one: ports as InfiniBand numbers them, 255 for
// none.
std::vector<u8> forwarding_table(const Subnet& subnet, const Tables& tables, const SwitchTables& to_switches,
                                 Node at);

void write_lfts(std::ostream& out, const Subnet& subnet, const Tables& tables,
                const SwitchTables& to_switches);

// The routing of a dump, on one lane, and the LIDs that were used. Switches are identified by GUID; where no
// ids are known, switches and NICs are identified by the names in the dump. LIDs are the given ones,
// otherwise those in the comments of the dump, otherwise those of `ids`. Throws InputError.
struct TablesRead {
  Routing routing;
  Subnet subnet;
  std::vector<std::string> remarks;  // switches without tables, and with torn ones
};
enum class Unknown : u8 { refused, ignored };  // ports and LIDs that the fabric does not have
TablesRead read_lfts(std::istream& in, const std::string& file, const Fabric& fabric,
                     const InfinibandIds& ids, const std::optional<LidsByGuid>& lids = std::nullopt,
                     Unknown unknown = Unknown::refused);

// The same from a file for each switch, as ibroute writes them one by one.
TablesRead read_lft_files(const std::vector<std::string>& files, const Fabric& fabric,
                          const InfinibandIds& ids, const std::optional<LidsByGuid>& lids = std::nullopt,
                          Unknown unknown = Unknown::refused);
bool holds_lfts(const std::string& file);  // whether a file begins as such tables do

}  // namespace banyan::formats
