// Ranks in a grid of any number of dimensions, the first of which varies fastest.
#pragma once
#include <vector>

#include "base/types.hpp"

namespace banyan::traffic {

// As even as it can be: the largest prime factors first, each to the smallest dimension so far; largest
// dimension first.
std::vector<u32> even_dims(u32 ranks, u32 dimensions);

struct RankGrid {
  std::vector<u32> dims;

  u32 size() const;
  // The rank one step away, the step being -1, 0 or 1 in each dimension; itself where the grid ends.
  u32 neighbour(u32 rank, const std::vector<int>& step, bool periodic) const;
  // The ranks that differ in one coordinate only, all such lines.
  std::vector<std::vector<u32>> lines(u32 dimension) const;
};

// All steps to neighbours in so many dimensions: along one dimension, or to all 3^d - 1.
std::vector<std::vector<int>> star_steps(u32 dimensions);
std::vector<std::vector<int>> box_steps(u32 dimensions);

}  // namespace banyan::traffic
