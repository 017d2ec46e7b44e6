// NodeDemands: how much hosts send each other, as integer weights for engines that balance (domke19,
// Algorithm 1). The file has a line for each source,
//   SOURCE DESTINATION WEIGHT DESTINATION WEIGHT ...
// with host names and weights from 0 to 255; # begins a comment. The weights of a pair that is named several
// times add up, as those of several jobs do.
#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::routing {

struct HostDemand {
  Host from, to;
  u64 weight = 0;
  bool operator==(const HostDemand&) const = default;
};

class NodeDemands {
 public:
  struct Sender {
    Host from;
    u64 weight;
  };

  NodeDemands() = default;
  NodeDemands(u32 hosts, std::vector<HostDemand> demands);  // equal pairs add up; zeros are left out

  bool empty() const { return senders_.empty(); }
  // The sources that send to a host, in order of numbers.
  std::span<const Sender> to(Host host) const {
    if (first_.empty()) return {};
    return {senders_.data() + first_[index(host)], first_[index(host) + 1] - first_[index(host)]};
  }

 private:
  std::vector<u32> first_;  // by destination, with one entry more at the end
  std::vector<Sender> senders_;
};

// Turns amounts into weights: equal pairs are added up, the largest becomes 255, the others are scaled in
// proportion and are at least 1. A host that sends to itself is left out.
struct HostAmount {
  Host from, to;
  double amount;
};
std::vector<HostDemand> normalised(std::vector<HostAmount> amounts);

// Reads demands. Hosts that the fabric does not have are ignored, since a host that is down must not prevent
// others from being routed; `unknown` counts their names. Throws InputError if the fabric has none of the
// named hosts.
struct HostDemandsRead {
  std::vector<HostDemand> demands;
  u64 unknown = 0;
};
HostDemandsRead read_host_demands(std::istream& in, const std::string& file, const Fabric& fabric);
void write_host_demands(std::ostream& out, const std::vector<HostDemand>& demands, const Fabric& fabric);

// Reads a file, or all files in a folder, which add up. A folder may be empty. Throws InputError.
NodeDemands open_node_demands(const std::string& path, const Fabric& fabric);

}  // namespace banyan::routing
