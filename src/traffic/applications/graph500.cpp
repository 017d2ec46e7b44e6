// Graph500: 16 breadth-first searches in a graph of 1 GiB a rank, 16 edges a vertex, so 2^22 vertices a rank,
// on a grid of ranks. At each level the frontier is gathered along columns as a bit map and what was found is
// sent along rows. Ours: 7 levels; an optimised search follows a tenth of the edges; 8 bytes for each found;
// 1 ns of memory an edge.
#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile graph500(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 2)};
  const double vertices = 4096.0 * size, edges = 16 * vertices / 10;
  const u64 levels = 7;
  const u64 bitmap = static_cast<u64>(vertices / 8);
  const u64 found = static_cast<u64>(8 * edges / levels / grid.dims[0]);
  ProfileMaker out(ranks);
  out.phase("level", 16 * levels, edges / levels * 1e-9);
  out.in_groups(grid.lines(1),
                [&](u32 group) { return allgather(group, AllgatherOptions{.bytes = bitmap}); });
  out.in_groups(grid.lines(0), [&](u32 group) { return alltoall(group, AlltoallOptions{.bytes = found}); });
  out.collective(allreduce_of(ranks, 8));
  out.phase("search", 16).in_groups(grid.lines(1), [&](u32 group) {
    return reduce_scatter(group, ReduceScatterOptions{.bytes = bitmap});
  });
  out.collective(reduce(ranks, ReduceOptions{.bytes = 8}));
  return out.take();
}

}  // namespace

Application graph500_application() {
  return {"graph500", "breadth-first search: bit maps along columns, finds along rows", "MiB of graph a rank",
          1024, graph500};
}

}  // namespace banyan::traffic
