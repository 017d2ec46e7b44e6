// Every bit of the rank's number inverted: rank i sends to n - 1 - i.
#include <bit>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic bit_complement(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  if (!std::has_single_bit(n))
    throw InputError(fmt::format("bit-complement: expected a power of two, not {} ranks", n));
  const auto list = [n](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{n - 1 - i}});
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern bit_complement_pattern() {
  return make_pattern<bit_complement>("bit-complement", "Dally and Towles 2004, section 3.2",
                                      "the bits of a rank's number, inverted, name its target");
}

}  // namespace banyan::traffic
