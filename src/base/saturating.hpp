// Addition and multiplication that stop at 2^64 - 1, for counts of paths and hosts, which can exceed 64 bits.
#pragma once
#include "base/types.hpp"

namespace banyan::base {

constexpr u64 saturating_multiply(u64 a, u64 b) {
  u64 out = 0;
  return __builtin_mul_overflow(a, b, &out) ? ~u64{0} : out;
}

constexpr u64 saturating_add(u64 a, u64 b) {
  u64 out = 0;
  return __builtin_add_overflow(a, b, &out) ? ~u64{0} : out;
}

}  // namespace banyan::base
