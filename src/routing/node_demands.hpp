// How much hosts send each other, as engines that balance weigh it (domke19, Algorithm 1): whole numbers, in
// a file with a line for each source,
//   SOURCE DESTINATION WEIGHT DESTINATION WEIGHT ...
// hosts by name, weights from 0 to 255; # begins a comment. Where a pair is named several times its weights
// add up, as those of several jobs do.
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
  // Those that send to a host, by number.
  std::span<const Sender> to(Host host) const {
    if (first_.empty()) return {};
    return {senders_.data() + first_[index(host)], first_[index(host) + 1] - first_[index(host)]};
  }

 private:
  std::vector<u32> first_;  // by destination, and one past the last
  std::vector<Sender> senders_;
};

// Amounts of any size, equal pairs added up, as weights: the largest is 255, the others in proportion and at
// least 1. A host that sends to itself is left out.
struct HostAmount {
  Host from, to;
  double amount;
};
std::vector<HostDemand> normalised(std::vector<HostAmount> amounts);

// Hosts that the fabric does not have are passed over, since a host that is down must not keep others from
// being routed; throws InputError where it has none of those named. `unknown` is how many names it did not
// have.
struct HostDemandsRead {
  std::vector<HostDemand> demands;
  u64 unknown = 0;
};
HostDemandsRead read_host_demands(std::istream& in, const std::string& file, const Fabric& fabric);
void write_host_demands(std::ostream& out, const std::vector<HostDemand>& demands, const Fabric& fabric);

// A file, or all files in a folder, which add up. A folder may be empty.
NodeDemands open_node_demands(const std::string& path, const Fabric& fabric);

}  // namespace banyan::routing
