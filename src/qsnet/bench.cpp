#include "qsnet/bench.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace banyan::qsnet {

const Registry<Bench>& benches() {
  static const Registry<Bench> all{
      "benchmark",
#define BENCH(name) BANYAN_PLUGIN(Bench, name##_bench),
#include "qsnet/benches.def"
#undef BENCH
  };
  return all;
}

std::vector<u64> message_sizes(const BenchSetting& s) {
  std::vector<u64> out;
  if (s.smallest == 0) out.push_back(0);
  for (u64 size = 1; size <= s.largest && size != 0; size *= 2)
    if (size >= s.smallest) out.push_back(size);
  if (out.empty())
    throw InputError(
        fmt::format("no messages of {} to {} bytes; sizes are 0 and powers of two", s.smallest, s.largest));
  return out;
}

std::vector<u32> host_counts(u32 least, u32 maximum) {
  std::vector<u32> out;
  for (u32 n = least; n < maximum; n = n < 8 ? n + 1 : 2 * n) out.push_back(n);
  if (maximum >= least) out.push_back(maximum);
  return out;
}

}  // namespace banyan::qsnet
