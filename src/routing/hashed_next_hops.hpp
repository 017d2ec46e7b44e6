// Forward for equal-cost multi-path: every switch has a set of next hops to a leaf and takes one by a hash of
// the header's tag and of itself. The tag identifies the flow, so one flow takes one path.
#pragma once
#include "routing/port_sets.hpp"

namespace banyan::routing {

class HashedNextHops {
 public:
  explicit HashedNextHops(PortSets sets) : sets_(std::move(sets)) {}

  // If the NIC cannot be reached from here, the port is none<Port>.
  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return sets_.first_node() > 0; }

 private:
  PortSets sets_;
};

}  // namespace banyan::routing
