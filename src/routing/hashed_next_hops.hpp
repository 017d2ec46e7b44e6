// Forward for equal-cost multi-path: every switch has a set of next hops to a leaf and takes one by a hash of
// the header's tag and of itself, as often as its weight says. The tag identifies the flow, so one flow takes
// one path.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/port_sets.hpp"

namespace banyan::routing {

class HashedNextHops {
 public:
  // `addresses`: by NIC, of IPv4; empty: 10.0.0.0 + NIC. Hashes of the 5-tuple read them.
  explicit HashedNextHops(PortSets sets, std::vector<u32> addresses = {})
      : sets_(std::move(sets)), addresses_(std::move(addresses)) {}

  // If the NIC cannot be reached from here, the port is none<Port>.
  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return sets_.first_node() > 0; }
  std::string reason(const Fabric&, Channel) const { return "chosen by a hash of the flow"; }
  static constexpr std::string_view no_tables = "every switch hashes the flow; tables cannot say that";

  const PortSets& sets() const { return sets_; }

 private:
  PortSets sets_;
  std::vector<u32> addresses_;
};

}  // namespace banyan::routing
