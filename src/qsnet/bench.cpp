#include "qsnet/bench.hpp"

#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::qsnet {

#define BENCH(name) Bench name##_bench();
#include "qsnet/benches.def"
#undef BENCH

const std::vector<Bench>& benches() {
  static const std::vector<Bench> all = {
#define BENCH(name) name##_bench(),
#include "qsnet/benches.def"
#undef BENCH
  };
  return all;
}

const Bench& bench_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Bench& bench : benches()) {
    if (bench.name == name) return bench;
    known.push_back(bench.name);
  }
  throw InputError(fmt::format("unknown benchmark '{}': did you mean '{}'? There are {}", name,
                               nearest(name, known), fmt::join(known, ", ")));
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
