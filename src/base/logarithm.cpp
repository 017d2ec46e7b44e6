#include "base/logarithm.hpp"

namespace banyan::base {
namespace {

__extension__ using FixedPoint = unsigned __int128;  // in units of 2^-120
constexpr u32 fraction_bits = 120;

// ln((j + 1) / j) = 2 (z + z^3 / 3 + z^5 / 5 + ...) with z = 1 / (2 j + 1).
constexpr FixedPoint log_of_step(u32 j) {
  const u64 divisor = 2 * j + 1;
  FixedPoint sum = 0, power = (FixedPoint{2} << fraction_bits) / divisor;
  for (u32 n = 1; power != 0; n += 2, power /= divisor * divisor) sum += power / n;
  return sum;
}

constexpr double rounded(FixedPoint x) {
  double unit = 1;
  for (u32 bit = 0; bit < fraction_bits; ++bit) unit /= 2;
  return static_cast<double>(x) * unit;
}

constexpr LogarithmTable make_table() {
  LogarithmTable out{};
  FixedPoint minus_log = 0;
  for (u32 i = LogarithmTable::last;; --i) {
    out.minus_log[i - LogarithmTable::first] = rounded(minus_log);
    out.inverse[i - LogarithmTable::first] = 256.0 / i;
    if (i == LogarithmTable::first) return out;
    minus_log += log_of_step(i - 1);
  }
}

}  // namespace

constinit const LogarithmTable logarithm_table = make_table();

}  // namespace banyan::base
