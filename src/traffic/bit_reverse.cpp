// The bits of the rank's number in reverse order name the rank it sends to.
#include <bit>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic bit_reverse(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  if (!std::has_single_bit(n))
    throw InputError(fmt::format("bit-reverse: expected a power of two, not {} ranks", n));
  const auto list = [n](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) {
      u32 to = 0;
      for (u32 bit = 1; bit < n; bit <<= 1) to = to << 1 | ((i & bit) != 0);
      out.push_back({Rank{i}, Rank{to}});
    }
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern bit_reverse_pattern() {
  return make_pattern<bit_reverse>("bit-reverse", "",
                                   "the bits of a rank's number, reversed, name its target");
}

}  // namespace banyan::traffic
