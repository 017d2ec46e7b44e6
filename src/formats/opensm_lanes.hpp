// Lanes as a subnet manager configures them: service level k of a path is lane k.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "formats/subnet.hpp"
#include "routing/routing.hpp"

namespace banyan::formats {

// The reason why OpenSM's quality-of-service policy cannot express the lanes of a routing, or none if it can.
// A policy distinguishes ports, but not the addresses of one port.
std::optional<NotApplicable> no_policy_for(const Subnet& subnet, const Routing& routing);

// Writes the policy file: port groups by GUID, and for each lane the pairs of groups that use it.
void write_qos_policy(std::ostream& out, const Subnet& subnet, const Routing& routing);

// Writes a line for each pair: node GUID of the source, LID, service level. ibdmchk -c reads it.
void write_service_levels(std::ostream& out, const Subnet& subnet, const Routing& routing);

// Reads such a file and sets the lanes of tables: level k is lane k, and pairs that it does not name use lane
// 0, as in OpenSM. Lines from and to switches are ignored. Throws InputError.
void read_service_levels(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing);

}  // namespace banyan::formats
