// The routes of one Ethernet switch, as its own program prints them: FRR's `show ip route json` and
// `show bgp ipv4 unicast json`, or a dump of SONiC's ROUTE_TABLE. next_hop_tables.hpp puts the switches of a
// fabric together. Promises that every route names its line, so that a caller can refuse it with its place.
#pragma once
#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "formats/ip_address.hpp"

namespace banyan::formats {

struct NextHop {
  std::string interface {};  // or the neighbour that it leads to
  u64 weight = 1;
  bool is_neighbour = false;
};

struct IpRoute {
  std::vector<NextHop> hops{};  // none: what goes there is dropped
  bool is_connected = false;
  u64 line = 0;
};

struct SwitchRoutes {
  std::string file{};
  std::map<IpPrefix, IpRoute> routes{};
  std::set<u32, std::greater<>> lengths{};                     // of prefixes
  std::map<std::string, std::vector<std::string>> channels{};  // port channels: their members

  void add(const IpPrefix& prefix, IpRoute route);
  // The longest prefix that matches; null: there is none.
  const IpRoute* find(const IpAddress& address) const;
};

// Throws InputError with file and line.
SwitchRoutes read_switch_routes(std::istream& in, const std::string& file);

}  // namespace banyan::formats
