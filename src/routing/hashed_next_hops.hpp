// Forward for equal-cost multi-path: every switch has a set of next hops to a leaf and takes one by a hash of
// the header's tag and of itself. The tag identifies the flow, so one flow takes one path.
#pragma once
#include <string>
#include <string_view>

#include "routing/port_sets.hpp"

namespace banyan::routing {

class HashedNextHops {
 public:
  explicit HashedNextHops(PortSets sets) : sets_(std::move(sets)) {}

  // If the NIC cannot be reached from here, the port is none<Port>.
  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return sets_.first_node() > 0; }
  std::string reason(const Fabric&, Channel) const { return "chosen by a hash of the flow"; }
  static constexpr std::string_view no_tables = "every switch hashes the flow; tables cannot say that";

 private:
  PortSets sets_;
};

}  // namespace banyan::routing
