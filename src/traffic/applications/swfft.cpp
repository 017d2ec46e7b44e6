// SWFFT: 16 Fourier transforms of a cube there and back. Blocks become pencils along each dimension and
// blocks again: each rank exchanges with the ranks of its line in the grid. Ours: 256^3 complex numbers a
// rank (the paper's size is in another one), 5 N log2 N operations.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile swfft(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 3)};
  const double points = std::pow(size, 3);
  ProfileMaker out(ranks);
  out.phase("transform", 32, 5 * points * std::log2(points * ranks) / sparse_rate);
  for (u32 d = 0; d < 3; ++d) {
    const u64 each = static_cast<u64>(16 * points / grid.dims[d]);
    for (int there_and_back = 0; there_and_back < 2; ++there_and_back)
      out.in_groups(grid.lines(d), [&](u32 group) {
        return alltoall(group, AlltoallOptions{.bytes = each, .algorithm = "pairwise"});
      });
  }
  out.phase("check", 16).collective(allreduce_of(ranks, 8)).collective(barrier(ranks, {}));
  return out.take();
}

}  // namespace

Application swfft_application() {
  return {"swfft", "Fourier transforms: all-to-all along the lines of a grid of ranks",
          "points along an edge of a rank's block", 256, swfft};
}

}  // namespace banyan::traffic
