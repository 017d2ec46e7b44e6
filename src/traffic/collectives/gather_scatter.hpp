// What gather and scatter share: the binomial tree whose subtrees are intervals, with everything below a rank
// in one message.
#pragma once
#include <algorithm>

#include "traffic/collectives/schedule.hpp"

namespace banyan::traffic {

// Step t, from 0: numbers v, v + 2^t, 2^t dividing v to the odd, and the bytes of the blocks v + 2^t ...
template <class F>
void binomial_step(u32 ranks, u32 step, u64 block, F&& f) {
  const u64 stride = u64{1} << step;
  for (u64 v = 0; v + stride < ranks; v += 2 * stride)
    f(static_cast<u32>(v), static_cast<u32>(v + stride), std::min(stride, ranks - v - stride) * block);
}

}  // namespace banyan::traffic
