#include "traffic/rank_grid.hpp"

#include <algorithm>

namespace banyan::traffic {
namespace {

std::vector<std::vector<int>> steps(u32 dimensions, u32 max_moved) {
  u32 box = 1;
  for (u32 i = 0; i < dimensions; ++i) box *= 3;
  std::vector<std::vector<int>> out;
  for (u32 code = 0; code < box; ++code) {
    std::vector<int> step;
    for (u32 i = 0, rest = code; i < dimensions; ++i, rest /= 3)
      step.push_back(static_cast<int>(rest % 3) - 1);
    const auto moved = dimensions - static_cast<u32>(std::count(step.begin(), step.end(), 0));
    if (moved >= 1 && moved <= max_moved) out.push_back(std::move(step));
  }
  return out;
}

}  // namespace

std::vector<u32> even_dims(u32 ranks, u32 dimensions) {
  std::vector<u32> factors, dims(dimensions, 1);
  for (u32 f = 2; u64{f} * f <= ranks; ++f)
    for (; ranks % f == 0; ranks /= f) factors.push_back(f);
  if (ranks > 1) factors.push_back(ranks);
  for (auto f = factors.rbegin(); f != factors.rend(); ++f) *std::min_element(dims.begin(), dims.end()) *= *f;
  std::sort(dims.rbegin(), dims.rend());
  return dims;
}

u32 RankGrid::size() const {
  u32 out = 1;
  for (u32 width : dims) out *= width;
  return out;
}

u32 RankGrid::neighbour(u32 rank, const std::vector<int>& step, bool periodic) const {
  u32 out = 0, stride = 1, rest = rank;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const u32 width = dims[d], at = rest % width;
    rest /= width;
    if (!periodic && ((step[d] < 0 && at == 0) || (step[d] > 0 && at + 1 == width))) return rank;
    out += (at + width + static_cast<u32>(step[d])) % width * stride;
    stride *= width;
  }
  return out;
}

std::vector<std::vector<u32>> RankGrid::lines(u32 dimension) const {
  u32 stride = 1;
  for (u32 d = 0; d < dimension; ++d) stride *= dims[d];
  std::vector<std::vector<u32>> out;
  for (u32 rank = 0; rank < size(); ++rank) {
    if (rank / stride % dims[dimension] != 0) continue;
    std::vector<u32>& line = out.emplace_back();
    for (u32 i = 0; i < dims[dimension]; ++i) line.push_back(rank + i * stride);
  }
  return out;
}

std::vector<std::vector<int>> star_steps(u32 dimensions) { return steps(dimensions, 1); }
std::vector<std::vector<int>> box_steps(u32 dimensions) { return steps(dimensions, dimensions); }

}  // namespace banyan::traffic
