// HPL: a dense matrix of 1 GiB a rank (0.25 GiB from 224 ranks on, as the paper has it), in panels of 192
// columns on P x Q ranks. A panel goes along the rows as a ring, swapped rows around the columns. Ours: the
// panel width; panels are taken in 16 stages of equal size, each with the matrix that is left in its middle.
#include <cmath>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile hpl(u32 ranks, u32 size) {
  const double quarter = ranks >= 224 ? 0.25 : 1, wide = 192;
  const double n = std::floor(std::sqrt(size * 1048576.0 * quarter * ranks / 8));
  const auto dims = even_dims(ranks, 2);
  const u32 q = dims[0], p = dims[1];  // rank = column + q * row
  const u32 stages = 16;
  const u64 panels = std::max<u64>(1, static_cast<u64>(n / wide / stages));
  ProfileMaker out(ranks);
  for (u32 stage = 0; stage < stages; ++stage) {
    const double left = n * (stages - stage - 0.5) / stages;
    out.phase("stage " + std::to_string(stage), panels, 2 * wide * left * left / ranks / dense_rate);
    const u64 panel = static_cast<u64>(8 * wide * left / p), rows = static_cast<u64>(8 * wide * left / q / p);
    for (u32 step = 0; step + 1 < q; ++step) {
      std::vector<Demand> messages;
      for (u32 row = 0; row < p; ++row)
        messages.push_back(message(row * q + (stage + step) % q, row * q + (stage + step + 1) % q, panel));
      out.round(std::move(messages));
    }
    for (u32 step = 0; step + 1 < p; ++step) {
      std::vector<Demand> messages;
      for (u32 i = 0; i < ranks; ++i) messages.push_back(message(i, (i + q) % ranks, rows));
      out.round(std::move(messages));
    }
  }
  return out.take();
}

}  // namespace

Application hpl_application() {
  return {"hpl", "dense linear equations: panels along rows, swapped rows around columns",
          "MiB of matrix a rank, a quarter from 224 ranks on", 1024, hpl};
}

}  // namespace banyan::traffic
