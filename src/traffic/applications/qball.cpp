// qb@ll, gold: density functional theory with plane waves. Ranks form rows and columns; the columns share out
// the states, the ranks of a column a state's plane waves, so that each transform is an all-to-all in the
// column. 32 atoms on one host (half of it from 672 ranks on, as the paper has it), the work growing with the
// ranks: 32 ranks^(1/3) atoms, since it grows with their third power. Ours: 9 states an atom, a grid of 24
// points an atom^(1/3), 10 iterations.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile qball(u32 ranks, u32 size) {
  if (ranks >= 672) size = std::max(1u, size / 2);
  const double atoms = std::round(size * std::cbrt(ranks)), states = 9 * atoms;
  const double points = std::pow(std::round(24 * std::cbrt(atoms)), 3);
  const RankGrid grid{even_dims(ranks, 2)};  // a column: the first dimension
  const u32 rows = grid.dims[0], columns = grid.dims[1];
  const u64 each = static_cast<u64>(16 * points / rows / rows);
  const u64 transforms = 10 * static_cast<u64>(std::ceil(states / columns));
  ProfileMaker out(ranks);
  out.phase("start", 1).collective(broadcast_of(ranks, 4096));
  out.phase("transform", transforms, 5 * points * std::log2(points) / rows / sparse_rate);
  for (int there_and_back = 0; there_and_back < 2; ++there_and_back)
    out.in_groups(grid.lines(0), [&](u32 group) { return alltoall(group, AlltoallOptions{.bytes = each}); });
  out.phase("orthogonalise", 10, 2 * states * states * points / 8 / ranks / dense_rate);
  const u64 overlap = static_cast<u64>(8 * states * states / columns);
  out.in_groups(grid.lines(0), [&](u32 group) { return allreduce_of(group, overlap); });
  out.in_groups(grid.lines(1), [&](u32 group) { return broadcast_of(group, overlap); });
  out.collective(reduce(ranks, ReduceOptions{.bytes = 8}));
  return out.take();
}

}  // namespace

Application qball_application() {
  return {"qball", "plane waves: all-to-all in columns, sums and broadcasts of overlaps",
          "atoms of one host's problem", 32, qball};
}

}  // namespace banyan::traffic
