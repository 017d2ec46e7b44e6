// NTChem, taxol: second-order perturbation theory, the same molecule for any number of ranks. Integrals with
// three indices, 164 occupied x 800 virtual x 4000 auxiliary orbitals, are dealt out and go once around.
// Ours: these numbers, which taxol has in a double-zeta basis; o^2 v^2 a operations.
#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile ntchem(u32 ranks, u32 size) {
  const double occupied = size, virtual_ = 800, auxiliary = 4000;
  const double bytes = 8 * occupied * virtual_ * auxiliary;
  const double operations = occupied * occupied * virtual_ * virtual_ * auxiliary;
  ProfileMaker out(ranks);
  out.phase("start", 1).collective(broadcast_of(ranks, 65536)).collective(barrier(ranks, {}));
  std::vector<Demand> next;
  for (u32 i = 0; i < ranks; ++i)
    next.push_back(message(i, (i + 1) % ranks, static_cast<u64>(bytes / ranks)));
  out.phase("shift", ranks - 1, ranks == 1 ? 0 : operations / dense_rate / ranks / (ranks - 1)).round(next);
  out.phase("energy", 1, ranks == 1 ? operations / dense_rate : 0).collective(allreduce_of(ranks, 8));
  return out.take();
}

}  // namespace

Application ntchem_application() {
  return {"ntchem", "perturbation theory: blocks of integrals go around a ring; the problem does not grow",
          "occupied orbitals", 164, ntchem};
}

}  // namespace banyan::traffic
