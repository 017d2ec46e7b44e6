// HPCG: conjugate gradients with four levels of multigrid on 192^3 points a rank, a stencil of 27. An
// iteration has a halo for its product, on each level but the coarsest one each for smoothing before, the
// residual and smoothing after, on the coarsest one, and three dot products. Ours: 50 iterations (a set of
// the benchmark's), 12 bytes of memory traffic a matrix entry, smoothing twice that.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile hpcg(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 3)};
  ProfileMaker out(ranks);
  out.phase("setup", 1).collective(broadcast_of(ranks, 64));
  out.collective(alltoall(ranks, AlltoallOptions{.bytes = 4})).collective(barrier(ranks, {}));
  double entries = 27 * std::pow(size, 3);
  for (u32 level = 0; level < 4; ++level)
    entries += (level < 3 ? 5 : 2) * 27 * std::pow(std::floor(size / std::exp2(level)), 3);
  out.phase("iteration", 50, 12 * entries / memory_rate);
  const auto exchange = [&](double n) {
    out.halo(grid, box_steps(3), false, [n](const auto& step) { return 8 * boundary({n, n, n}, step); });
  };
  exchange(size);
  for (u32 level = 0; level < 4; ++level)
    for (u32 i = 0; i < (level < 3 ? 3u : 1u); ++i) exchange(std::floor(size / std::exp2(level)));
  for (int i = 0; i < 3; ++i) out.collective(allreduce_of(ranks, 8));
  return out.take();
}

}  // namespace

Application hpcg_application() {
  return {"hpcg", "conjugate gradients with multigrid: eleven halos and three sums an iteration",
          "points along an edge of a rank's cube", 192, hpcg};
}

}  // namespace banyan::traffic
