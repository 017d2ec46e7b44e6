// Assigns lanes to tables that could deadlock (Domke, Hoefler, Nagel, IPDPS 2011). All paths start in lane 0.
// While the channel dependency graph of a lane has a cycle, the dependency of the cycle with the fewest paths
// is broken by moving these paths to the next lane. Then, if asked for, paths that close no cycle with the
// remaining ones return, which the paper does not do and which saves lanes.
//
// A path is a source switch and an address; all NICs of the switch share it.
#pragma once
#include <variant>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

struct Layers {
  u32 lanes = 1;              // how many are used
  IdVector<Switch, u32> row;  // its row in `lane`, if it has NICs
  std::vector<u8> lane;       // by row and address
};

// Assigns at most `limit` lanes, or returns the reason why these are too few. The tables must lead every
// packet to its destination or have no entry at its first switch. Without `returns` paths stay where they
// were moved, as in the paper.
std::variant<Layers, NotApplicable> layer_paths(const PortGraph& graph, const Tables& tables, u32 limit,
                                                bool returns = true);

// Spreads the paths over this many lanes by splitting layers; parts of an acyclic layer are acyclic.
void spread_layers(Layers& layers, u32 lanes);

// The source of the routing: messages start in the lane of the switch where they enter.
TableWays lane_ways(const PortGraph& graph, const Tables& tables, const Layers& layers, u32 lmc);

}  // namespace banyan::engines
