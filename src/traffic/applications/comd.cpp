// CoMD: molecular dynamics of 64^3 atoms a rank, Lennard-Jones, copper (face-centred, 3.615 Angstrom, cut off
// at 5.79). Every step each rank sends the atoms of its outermost boxes, 56 bytes each, along x, then y, then
// z, each time with what came before. Ours: 100 steps, the energy every 10, 20 operations for each pair of
// atoms in neighbouring boxes.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile comd(u32 ranks, u32 size) {
  const RankGrid grid{even_dims(ranks, 3)};
  const double atoms = std::pow(size, 3), length = std::cbrt(atoms / 4) * 3.615;
  const double boxes = std::max(1.0, std::floor(length / 5.7875)), in_box = atoms / std::pow(boxes, 3);
  const double pairs = atoms * 27 * in_box;
  ProfileMaker out(ranks);
  out.phase("start", 1).collective(broadcast_of(ranks, 64)).collective(barrier(ranks, {}));
  out.phase("step", 100, 20 * pairs / sparse_rate);
  for (u32 d = 0; d < 3; ++d) {
    const double side = boxes + 2;  // of the dimensions that were exchanged before
    const double cells = d == 0 ? boxes * boxes : d == 1 ? boxes * side : side * side;
    std::vector<std::vector<int>> both(2, std::vector<int>(3, 0));
    both[0][d] = -1;
    both[1][d] = 1;
    out.halo(grid, both, true, [&](const auto&) { return 56 * in_box * cells; });
  }
  out.phase("energy", 10).collective(allreduce_of(ranks, 16));
  return out.take();
}

}  // namespace

Application comd_application() {
  return {"comd", "molecular dynamics: atoms of the faces, dimension by dimension",
          "cube root of a rank's atoms", 64, comd};
}

}  // namespace banyan::traffic
