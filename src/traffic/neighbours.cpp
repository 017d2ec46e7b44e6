// Halo exchange on a grid of ranks: stencils of 3 points in one dimension, 5 or 9 in two, 7 or 27 in three,
// and so on. The first dimension written varies fastest. A message of 1 goes to every neighbour; on a
// periodic dimension of 2 ranks both neighbours are the same rank, which gets both messages.
#include <algorithm>

#include "traffic/pattern.hpp"
#include "traffic/rank_grid.hpp"

namespace banyan::traffic {
namespace {

constexpr u32 max_dimensions = 8;

struct NeighboursOptions {
  std::string dims;
  u32 points = 0, periodic = 1;
  static void fields(auto& self, auto&& f) {
    f("dims", self.dims, "such as 4x4x2; none given: as even as it can be");
    f("points", self.points, "of the stencil, 2d+1 or 3^d in d dimensions; 0: 2d+1");
    f("periodic", self.periodic, "1: the grid wraps around; 0: it has borders");
  }
};

std::vector<u32> grid_of(const NeighboursOptions& options, u32 ranks) {
  if (options.dims.empty()) {
    const u32 p = options.points;
    return even_dims(ranks, p == 3 ? 1 : p == 7 || p == 27 ? 3 : 2);
  }
  std::vector<u32> dims;
  u64 product = 1;
  for (const std::string_view piece : split(options.dims, 'x')) {
    const auto width = parse_unsigned(piece);
    if (!width || *width == 0 || *width > ranks)
      throw InputError(fmt::format("neighbours: dims '{}': expected widths such as 4x4x2 for {} ranks",
                                   options.dims, ranks));
    dims.push_back(static_cast<u32>(*width));
    product = std::min<u64>(product * *width, u64{1} << 32);
  }
  if (product != ranks || dims.size() > max_dimensions)
    throw InputError(
        fmt::format("neighbours: dims {} hold {} ranks in {} dimensions; expected {} ranks in at "
                    "most {}",
                    options.dims, product, dims.size(), ranks, max_dimensions));
  return dims;
}

// The steps to the neighbours: all of {-1, 0, 1}^d, or those along one dimension.
std::vector<std::vector<int>> stencil(u32 dimensions, u32 points) {
  u32 box = 1;
  for (u32 i = 0; i < dimensions; ++i) box *= 3;
  const u32 star = 2 * dimensions + 1;
  if (points != 0 && points != star && points != box)
    throw InputError(fmt::format("neighbours: a stencil in {} dimensions has {} or {} points, not {}",
                                 dimensions, star, box, points));
  return points == box ? box_steps(dimensions) : star_steps(dimensions);
}

Traffic neighbours(const PatternSetting& setting, const NeighboursOptions& options) {
  if (options.periodic > 1)
    throw InputError(fmt::format("neighbours: periodic must be 0 or 1, not {}", options.periodic));
  const RankGrid grid{grid_of(options, setting.ranks)};
  const auto steps = stencil(static_cast<u32>(grid.dims.size()), options.points);
  const auto list = [n = setting.ranks, grid, steps, periodic = options.periodic == 1](
                        u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i)
      for (const auto& step : steps)
        if (const u32 to = grid.neighbour(i, step, periodic); to != i) out.push_back({Rank{i}, Rank{to}});
  };
  return {.ranks = setting.ranks, .list = list};
}

}  // namespace

Pattern neighbours_pattern() {
  return make_pattern<neighbours>("neighbours", "",
                                  "halo exchange: every rank sends to its neighbours in a grid");
}

}  // namespace banyan::traffic
