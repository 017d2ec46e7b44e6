#include "flow/load.hpp"

#include "flow/load_meter.hpp"

namespace banyan::flow {

IdVector<Channel, double> loads(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows) {
  const WayLister lister(fabric, routing);
  LoadMeter meter(lister);
  meter.measure(flows);
  return meter.loads();
}

}  // namespace banyan::flow
