// MiniFE: finite elements on a cube of (100^3 ranks)^(1/3) elements an edge, solved by conjugate gradients.
// Ours: 200 iterations (its own limit), the cube cut as a grid of ranks (it bisects recursively), 27 entries
// a row.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile minife(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 3)};
  const double edge = std::round(std::cbrt(std::pow(size, 3) * ranks));
  std::vector<double> n;  // points of a rank, by dimension
  for (u32 width : grid.dims) n.push_back(std::ceil((edge + 1) / width));
  const double rows = n[0] * n[1] * n[2];
  ProfileMaker out(ranks);
  out.phase("setup", 1)
      .collective(broadcast_of(ranks, 32))
      .collective(allgather(ranks, AllgatherOptions{.bytes = 4}));
  out.phase("iteration", 200, rows * (27 * 12 + 5 * 24) / memory_rate);
  out.halo(grid, box_steps(3), false, [&](const auto& step) { return 8 * boundary(n, step); });
  for (int i = 0; i < 2; ++i) out.collective(allreduce_of(ranks, 8));
  return out.take();
}

}  // namespace

Application minife_application() {
  return {"minife", "finite elements: conjugate gradients, a halo and two dot products an iteration",
          "elements along the edge of one rank's cube", 100, minife};
}

}  // namespace banyan::traffic
