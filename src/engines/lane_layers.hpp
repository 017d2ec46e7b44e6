// Lanes for tables that could deadlock (Domke, Hoefler, Nagel, IPDPS 2011): all paths start in lane 0; while
// the channel dependency graph of a lane has a cycle, the dependency of the cycle with the fewest paths is
// broken by moving these paths to the next lane. Paths that close no cycle with what is left then come back,
// which the paper does not do and which saves lanes.
//
// A path here is a source switch and an address: what all NICs of the switch share.
#pragma once
#include <variant>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

struct Layers {
  u32 lanes = 1;              // how many are used
  IdVector<Switch, u32> row;  // its row below, if NICs hang on it
  std::vector<u8> lane;       // by row and address
};

// The tables must lead every packet to its destination or have no entry at its first switch. At most `limit`
// lanes, or the reason why these are too few.
std::variant<Layers, NotApplicable> layer_paths(const PortGraph& graph, const Tables& tables, u32 limit);

// Spreads the paths over so many lanes: layers are split, and what is free of cycles stays so.
void spread_layers(Layers& layers, u32 lanes);

// How messages start: in the lane of the switch where they enter.
TableWays lane_ways(const PortGraph& graph, const Tables& tables, const Layers& layers, u32 lmc);

}  // namespace banyan::engines
