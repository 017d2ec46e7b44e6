// A graph that lacks some edges of another: which vertex is which. For families whose members are known edge
// by edge, of which a few cables are missing and none is wrong.
#pragma once
#include <optional>
#include <vector>

#include "topology/recognise/hyperx_planes.hpp"

namespace banyan::topology {

// Vertices of several kinds, such as switches with hosts and without.
struct KindsOfSwitches {
  const SwitchNeighbours& near;
  std::vector<u32> kinds;  // by vertex
};

// By vertex of `part` that of `whole`, which has as many: of the same kind, and neighbours there wherever
// they are here. Vertices are placed one by one; the neighbours of a placed one can only be neighbours of its
// place, and where one place is left the next follows. None: there is no such map, or it was not found within
// `steps`, which are taken off, or the edges that would be missing are not spread but lie at few vertices.
std::optional<std::vector<u32>> embed(const KindsOfSwitches& part, const KindsOfSwitches& whole, u64& steps);

}  // namespace banyan::topology
