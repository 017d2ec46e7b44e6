// Shared by gather and scatter: the binomial tree whose subtrees are intervals, where everything below a rank
// travels in one message.
#pragma once
#include <algorithm>

#include "traffic/collectives/schedule.hpp"

namespace banyan::traffic {

// Calls f(v, v + 2^t, bytes) for each pair of step t (from 0), where v is a multiple of 2^(t+1) and bytes is
// the size of the blocks from v + 2^t on.
template <class F>
void binomial_step(u32 ranks, u32 step, u64 block, F&& f) {
  const u64 stride = u64{1} << step;
  for (u64 v = 0; v + stride < ranks; v += 2 * stride)
    f(static_cast<u32>(v), static_cast<u32>(v + stride), std::min(stride, ranks - v - stride) * block);
}

}  // namespace banyan::traffic
