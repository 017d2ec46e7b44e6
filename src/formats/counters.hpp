// Counters of ports: what perfquery or ibqueryerrors print for many ports one behind the other, or CSV with
// what ethtool -S and its like say (node,port,counter,value; or node,port and a column for each counter).
#pragma once
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"
#include "formats/infiniband_ids.hpp"

namespace banyan::formats {

enum class CounterKind : u8 { error, sent, received, other };
// What a counter counts, by its name: errors that a cable or its ends make, bytes, or something else, such as
// packets, congestion, or errors that were made elsewhere.
CounterKind counter_kind(std::string_view name);
u64 counter_bytes(std::string_view name);  // of a unit: 4 of InfiniBand's data counters

using CounterValues = std::map<std::string, u64>;
using PortCounters = std::map<Channel, CounterValues>;  // by the channel that leaves the port

// Adds to `out`; a counter that is there already is replaced by the greater value. InfiniBand's ports are
// found by LID or GUID, those of CSV by the name of the node and the label or number of the port. Throws
// InputError.
void read_counters(std::istream& in, const std::string& file, const Fabric& fabric, const InfinibandIds& ids,
                   PortCounters& out);
// A file, or all files of a folder.
PortCounters open_counters(const std::string& path, const Fabric& fabric, const InfinibandIds& ids);

}  // namespace banyan::formats
