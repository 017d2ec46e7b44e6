// The perfect shuffle: the bits of the rank's number rotated by one.
#include <bit>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic shuffle_bits(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  if (!std::has_single_bit(n))
    throw InputError(fmt::format("shuffle: expected a power of two, not {} ranks", n));
  const auto list = [n](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{(i << 1 & (n - 1)) | i / (n / 2 + (n == 1))}});
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern shuffle_pattern() {
  return make_pattern<shuffle_bits>("shuffle", "Dally and Towles 2004, section 3.2",
                                    "the bits of a rank's number, rotated to the left, name its target");
}

}  // namespace banyan::traffic
