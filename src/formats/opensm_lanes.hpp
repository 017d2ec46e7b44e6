// Lanes for a subnet manager: service level k of a path is lane k, and its tables map one to the other.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "formats/subnet.hpp"
#include "routing/routing.hpp"

namespace banyan::formats {

// Why OpenSM's quality-of-service policy, which tells ports apart but not their addresses, cannot carry the
// lanes of a routing; none when it can.
std::optional<NotApplicable> no_policy_for(const Subnet& subnet, const Routing& routing);

// The policy file: port groups by GUID, and for each lane rules that say between which groups it is taken.
void write_qos_policy(std::ostream& out, const Subnet& subnet, const Routing& routing);

// A line for each pair: node GUID of the source, LID, service level. ibdmchk -c reads it.
void write_service_levels(std::ostream& out, const Subnet& subnet, const Routing& routing);

// The lanes of tables, from such a file: level k is lane k, and pairs that it does not name are on lane 0, as
// OpenSM has it. Lines of and to switches say nothing about hosts. Throws InputError.
void read_service_levels(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing);

}  // namespace banyan::formats
