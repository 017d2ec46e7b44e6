// MILC: lattice QCD on 16^4 sites a rank, improved staggered fermions, ranks in a torus of four dimensions.
// An application of the operator needs, of half the sites, one layer and the third one in each of eight
// directions, in single precision. Ours: the lattice, 1,000 iterations of conjugate gradients with two
// applications each, 1,146 operations a site, 20 updates of the links (72 bytes a site).
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile milc(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 4)};
  const double n = size, sites = std::pow(n, 4), face = std::pow(n, 3);
  ProfileMaker out(ranks);
  out.phase("start", 1).collective(broadcast_of(ranks, 1024)).collective(barrier(ranks, {}));
  out.phase("iteration", 1000, 1146 * sites / sparse_rate);
  for (int i = 0; i < 2; ++i)
    out.halo(grid, star_steps(4), true, [&](const auto&) { return 24 * face / 2 * (1 + 3); });
  for (int i = 0; i < 2; ++i) out.collective(allreduce_of(ranks, 8));
  out.phase("links", 20, 10 * 1146 * sites / sparse_rate);
  out.halo(grid, star_steps(4), true, [&](const auto&) { return 72 * face; });
  return out.take();
}

}  // namespace

Application milc_application() {
  return {"milc", "lattice QCD: eight neighbours in four dimensions and two sums an iteration",
          "sites along an edge of a rank's lattice", 16, milc};
}

}  // namespace banyan::traffic
