// mVMC, job_middle: every rank samples for itself; then the derivatives by 1,000 parameters and their
// products are summed, and the new parameters spread. Ours: the number of parameters, 50 steps, one second of
// sampling each.
#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile mvmc(u32 ranks, u32 size) {
  const u64 vector = 8 * u64{size};
  ProfileMaker out(ranks);
  std::vector<Demand> next;
  for (u32 i = 0; i < ranks; ++i) next.push_back(message(i, (i + 1) % ranks, vector));
  out.phase("start", 1).collective(scatter(ranks, ScatterOptions{.bytes = 4096}));
  out.phase("step", 50, 1.0);
  out.round(next).collective(allreduce_of(ranks, 2 * vector));
  out.collective(reduce(ranks, ReduceOptions{.bytes = vector * size}))
      .collective(broadcast_of(ranks, vector));
  return out.take();
}

}  // namespace

Application mvmc_application() {
  return {"mvmc", "variational Monte Carlo: sums of derivatives and their products, spread again",
          "parameters", 1000, mvmc};
}

}  // namespace banyan::traffic
