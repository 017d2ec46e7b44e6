// Overview: a fabric seen from afar, on a sheet of a given size. A group whose members would be too close is
// one node, and all cables between two nodes are one cable.
#pragma once
#include "topology/map/fabric_map.hpp"

namespace banyan::topology {

struct Overview {
  Fabric fabric;  // the visible nodes and cables; removed cables are in place
  FabricMap map;
  std::vector<u32>
      cables;  // number of cables that each cable of `fabric` represents, in the order of each_link()
  IdVector<Channel, Channel> seen_as;  // by channel of the whole fabric; none<Channel>: an empty port
};

// Gives the same nodes and cables whichever cables were removed, unless their removal moves something.
Overview overview(const Topology& topology, const FabricMap& map, double width, double height);

// The number of removed cables, by cable of the overview.
std::vector<u32> missing_cables(const Overview& seen, const Fabric& fabric);
// The maximum over the channels that are shown as one.
std::vector<double> heaviest(const Overview& seen, const IdVector<Channel, double>& load);

}  // namespace banyan::topology
