// Ranks arranged in a grid of any number of dimensions; the first dimension varies fastest.
#pragma once
#include <vector>

#include "base/types.hpp"

namespace banyan::traffic {

// Dimensions that are as equal as possible, largest first: prime factors are assigned from the largest on,
// each to the smallest dimension so far.
std::vector<u32> even_dims(u32 ranks, u32 dimensions);

struct RankGrid {
  std::vector<u32> dims;

  u32 size() const;
  // The rank one step away, where a step is -1, 0 or 1 in each dimension; the rank itself beyond the end of
  // the grid.
  u32 neighbour(u32 rank, const std::vector<int>& step, bool periodic) const;
  // All lines of ranks that differ only in this coordinate.
  std::vector<std::vector<u32>> lines(u32 dimension) const;
};

// All steps to neighbours: along one dimension (star), or to all 3^d - 1 (box).
std::vector<std::vector<int>> star_steps(u32 dimensions);
std::vector<std::vector<int>> box_steps(u32 dimensions);

}  // namespace banyan::traffic
