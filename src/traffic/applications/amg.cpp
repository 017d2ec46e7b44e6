// AMG (hypre), problem 1: conjugate gradients, preconditioned by algebraic multigrid, on a cube of 256^3
// points a rank with a stencil of 27. Ours: 20 iterations; each level has half the points of the finer one in
// each dimension and the same stencil; on each level four exchanges with all neighbours (smoothing before and
// after, residual, interpolation); memory traffic of 12 bytes a matrix entry decides the computing.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile amg(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 3)};
  const auto steps = box_steps(3);
  std::vector<double> edges;  // of a rank's cube, level by level
  for (double n = size; n >= 2; n /= 2) edges.push_back(std::floor(n));
  double entries = 27 * std::pow(size, 3);  // of conjugate gradients, then of the levels
  for (double n : edges) entries += 4 * 27 * std::pow(n, 3);
  ProfileMaker out(ranks);
  out.phase("setup", 1).collective(broadcast_of(ranks, 64));
  for (std::size_t level = 0; level < edges.size(); ++level)
    out.collective(allgather(ranks, AllgatherOptions{.bytes = 8}));
  out.phase("iteration", 20, 12 * entries / memory_rate);
  const auto exchange = [&](double n) {
    out.halo(grid, steps, false, [n](const auto& step) { return 8 * boundary({n, n, n}, step); });
  };
  exchange(size);
  for (double n : edges)
    for (int i = 0; i < 4; ++i) exchange(n);
  for (int i = 0; i < 3; ++i) out.collective(allreduce_of(ranks, 8));
  return out.take();
}

}  // namespace

Application amg_application() {
  return {"amg", "algebraic multigrid: halos of 26 neighbours on every level, dot products",
          "points along an edge of a rank's cube", 256, amg};
}

}  // namespace banyan::traffic
