// FFVC: cavity flow by finite volumes on 128^3 cells a rank (64^3 above 64 ranks, as the paper has it). Ours:
// 50 time steps with 20 iterations for the pressure each; two layers of single-precision cells are exchanged
// with six neighbours; 40 bytes of memory traffic a cell and iteration.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile ffvc(u32 ranks, u32 size) {
  if (ranks > 64) size = std::max(1u, size / 2);
  const RankGrid grid{even_dims(ranks, 3)};
  const double n = size, face = n * n * 2 * 4, sweep = n * n * n * 40 / memory_rate;
  const auto exchange = [&](ProfileMaker& out, double values) {
    out.halo(grid, star_steps(3), false, [&](const auto&) { return values * face; });
  };
  ProfileMaker out(ranks);
  out.phase("velocity", 50, 6 * sweep);
  exchange(out, 3);
  out.collective(reduce(ranks, ReduceOptions{.bytes = 8}));
  out.phase("pressure", 50 * 20, sweep);
  exchange(out, 1);
  out.collective(allreduce_of(ranks, 8));
  out.phase("end", 1).collective(gather(ranks, GatherOptions{.bytes = 1024}));
  return out.take();
}

}  // namespace

Application ffvc_application() {
  return {"ffvc", "finite volumes: six faces and a sum for each iteration of the pressure",
          "cells along an edge of a rank's block, halved above 64 ranks", 128, ffvc};
}

}  // namespace banyan::traffic
