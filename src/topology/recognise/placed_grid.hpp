// Places the switches of one HyperX plane of a raw graph on a grid.
#pragma once
#include <optional>
#include <vector>

#include "topology/hyperx.hpp"

namespace banyan::topology {

constexpr u32 nowhere = ~u32{0};

struct SwitchNeighbour {
  u32 to, cables;
};
using SwitchNeighbours =
    std::vector<std::vector<SwitchNeighbour>>;  // by switch; neighbours in ascending order

struct PlacedGrid {
  Grid grid;
  std::vector<u32> trunk;      // by dimension
  std::vector<u32> place;      // by switch: a number on the grid, or nowhere
  std::vector<u32> switch_at;  // by place: a switch, or nowhere
  std::vector<u32> hold;       // by switch: how many cables fewer its best exchange would explain; 3 for more

  // The dimension in which two places differ, if it is the only one; else `nowhere`.
  u32 dimension_between(u32 x, u32 y) const;
  // How many cables of a switch would be right if it stood at x and all others stayed where they are.
  u32 explained(const SwitchNeighbours& graph, u32 sw, u32 x) const;
  void put(u32 sw, u32 x);
  void remove(u32 sw);
};

// How well the cables of all placed switches fit the grid.
struct GridFit {
  u64 missing = 0;     // cables of the grid that the graph does not have
  u64 wrong_ends = 0;  // ends at placed switches of cables that the grid does not have; most have two
};
GridFit fit(const SwitchNeighbours& graph, const PlacedGrid& grid);

// Places `count` of the free switches; none if they form no grid. Cables may be missing and a few may be
// wrong.
std::optional<PlacedGrid> place_on_grid(const SwitchNeighbours& graph, u32 count,
                                        const std::vector<bool>& free);

}  // namespace banyan::topology
