// Next-hop groups of Ethernet switches: a folder with a file for each switch, called like it, with what FRR's
// `show ip route json` says there, or SONiC's ROUTE_TABLE (sonic-db-dump -n APPL_DB). Each switch takes the
// longest prefix that matches the address of a NIC, and may leave by any port of its group.
//
// Addresses are those of a file as /etc/hosts is (ADDRESS NAME...), else what the leaf says: a prefix that it
// sends out at the port of the NIC and nowhere else, or the one prefix of its VLAN. Interfaces are ports by
// their labels; a port channel is the ports that LAG_MEMBER_TABLE lists.
#pragma once
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/port_sets.hpp"

namespace banyan::formats {

struct NextHopsRead {
  PortSets sets;
  std::vector<std::string> remarks{};  // what of the tables is not used
};

class NextHopReader {
 public:
  explicit NextHopReader(const Fabric& fabric);  // which must outlive it
  ~NextHopReader();

  // Both throw InputError with file and line.
  void read(std::istream& in, const std::string& file);  // of the switch that the file is called after
  void read_addresses(std::istream& in, const std::string& file);
  // Throws InputError where a switch with cables has no table, or a NIC with a cable no address.
  NextHopsRead run(const std::string& folder);

 private:
  struct Data;
  void check(const std::string& folder) const;

  std::unique_ptr<Data> data_;
};

// Whether the folder holds such tables and none of InfiniBand.
bool is_next_hop_folder(const std::string& folder);
// `addresses` may be empty: then the file `addresses` in the folder, if it is there.
NextHopsRead read_next_hops(const std::string& folder, const Fabric& fabric, const std::string& addresses);

}  // namespace banyan::formats
