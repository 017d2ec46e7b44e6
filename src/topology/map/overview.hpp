// A fabric as it is seen from afar, on a sheet of a given size: a group whose members would stand too close
// is one node, and all cables between two nodes are one.
#pragma once
#include "topology/map/fabric_map.hpp"

namespace banyan::topology {

struct Overview {
  Fabric fabric;  // of what is seen; cables that were taken away are in place
  FabricMap map;
  std::vector<u32> cables;  // how many each cable of `fabric` stands for, in the order of each_link()
  IdVector<Channel, Channel> seen_as;  // by channel of the whole fabric; none<Channel>: an empty port
};

// The same nodes and cables whatever was taken away, unless that moves something.
Overview overview(const Topology& topology, const FabricMap& map, double width, double height);

// Cables that were taken away, by cable of the overview.
std::vector<u32> missing_cables(const Overview& seen, const Fabric& fabric);
// The heaviest of the channels that are seen as one.
std::vector<double> heaviest(const Overview& seen, const IdVector<Channel, double>& load);

}  // namespace banyan::topology
