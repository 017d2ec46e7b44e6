// Addresses of hosts, as /etc/hosts has them: ADDRESS NAME... in a line. A name is that of a host, with or
// without its domain, or of a NIC; a host of several rails has a line for each, of
// each version of IP. Lines of switches and of
// special addresses, such as localhost, say nothing of hosts.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"
#include "formats/ip_address.hpp"

namespace banyan::formats {

using HostAddresses = std::vector<std::optional<IpAddress>>;  // by NIC

// Which address of a NIC counts that has one of IPv4 and one of IPv6: that which comes first, or that of
// IPv4.
enum class IpVersion : u8 { first, v4 };

// Throws InputError with file and line where a line names nobody, two NICs have one address, or a NIC has two
// of one version.
HostAddresses read_host_addresses(std::istream& in, const std::string& file, const Fabric& fabric,
                                  IpVersion version = IpVersion::first);

// Of all NICs, as numbers. Throws InputError also where a NIC has none, or one of IPv6.
std::vector<u32> open_ipv4_addresses(const std::string& file, const Fabric& fabric);

std::string_view without_domain(std::string_view name);

}  // namespace banyan::formats
