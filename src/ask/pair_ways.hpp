// The paths of a pair of NICs: what each channel carries of it.
#pragma once
#include <utility>
#include <vector>

#include "flow/way_lister.hpp"

namespace banyan::ask {

class PairWays {
 public:
  // Both must outlive it.
  PairWays(const Fabric& fabric, const Routing& routing) : lister_(fabric, routing) {}

  // In order of the channels, each once. Empty where a way does not arrive.
  std::vector<std::pair<Channel, double>> parts(Nic from, Nic to);

 private:
  flow::WayLister lister_;
  std::vector<Header> ways_{};
  flow::FlowWay way_{};
};

}  // namespace banyan::ask
