// The sum over the lanes of a warp, for kernels that count.
#pragma once
#include "gpu/kernel.hpp"

namespace banyan::gpu {

// Every lane of x is the sum of all of them afterwards, which is returned.
template <class T, class Warp>
BANYAN_KERNEL T sum_over_lanes(const Warp& warp, typename Warp::template PerLane<T>& x) {
  for (u32 step = lanes / 2; step > 0; step /= 2) {
    typename Warp::template PerLane<u32> from;
    warp.compute([&](u32 lane) { from[lane] = lane ^ step; });
    const auto other = warp.shuffled(x, from);
    warp.compute([&](u32 lane) { x[lane] += other[lane]; });
  }
  return warp.from(x, 0);
}

}  // namespace banyan::gpu
