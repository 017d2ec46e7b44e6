// Equal-cost multi-path: every switch knows a set of next hops to a leaf and takes one of them by a hash of
// the header's tag and itself. The tag stands for the flow: one flow, one path.
#pragma once
#include "routing/port_sets.hpp"

namespace banyan::routing {

class HashedNextHops {
 public:
  explicit HashedNextHops(PortSets sets) : sets_(std::move(sets)) {}

  // A NIC that cannot be reached from here is offered as none<Port>.
  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return sets_.first_node() > 0; }

 private:
  PortSets sets_;
};

}  // namespace banyan::routing
