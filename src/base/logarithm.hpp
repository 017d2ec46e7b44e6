// The natural logarithm from additions and multiplications of doubles and a table made of integers: every
// compiler, processor and device computes the same bits, which libm's do not. Where a logarithm decides a
// result, it is this one.
//
// x = c (1 - s) / 2^e with c = i / 256 in [1/2, 1] and |s| <= 1/256, so
// -ln x = e ln 2 - ln c + s + s^2 / 2 + s^3 / 3 + ... The terms do not cancel, so the error is below 3 units
// in the last place.
#pragma once
#include <array>
#include <bit>

#include "base/types.hpp"

namespace banyan::base {

struct LogarithmTable {
  static constexpr u32 first = 128, last = 256;  // values of i

  std::array<double, last - first + 1> minus_log;  // by i - first: -ln c
  std::array<double, last - first + 1> inverse;    // 1 / c
};
extern const LogarithmTable logarithm_table;  // a device has a copy

// -ln x, for 2^-1022 <= x <= 1.
constexpr double minus_log(double x, const LogarithmTable& table = logarithm_table) {
  constexpr double ln_2 = 0x1.62e42fefa39efp-1;
  const u64 bits = std::bit_cast<u64>(x);
  const i32 e = 1022 - static_cast<i32>(bits >> 52);
  const u32 i =
      (static_cast<u32>(bits >> 44 & 255) + 257) / 2;  // 256 times the mantissa in [1/2, 1), rounded
  const double mantissa = std::bit_cast<double>((bits & ((u64{1} << 52) - 1)) | u64{1022} << 52);
  const double s = (i * (1.0 / 256) - mantissa) * table.inverse[i - LogarithmTable::first];
  const double sum = ((((1.0 / 7 * s + 1.0 / 6) * s + 1.0 / 5) * s + 1.0 / 4) * s + 1.0 / 3) * s + 1.0 / 2;
  return (e * ln_2 + table.minus_log[i - LogarithmTable::first]) + (s + s * s * sum);
}

// -ln(1 - y), for 0 <= y < 1, without loss where y is small: the error of 1 - y is divided out (Kahan). Its
// error is below 4 units in the last place.
constexpr double minus_log1p(double y, const LogarithmTable& table = logarithm_table) {
  const double x = 1 - y;
  return x == 1 ? y : minus_log(x, table) * (y / (1 - x));
}

}  // namespace banyan::base
