// Rank i sends to rank i + S, around the end.
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct ShiftOptions {
  u32 by = 1;
  static void fields(auto& self, auto&& f) { f("by", self.by, "how far"); }
};

Traffic shift(const PatternSetting& setting, const ShiftOptions& options) {
  const auto list = [n = setting.ranks, by = options.by](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{static_cast<u32>((u64{i} + by) % n)}});
  };
  return {.ranks = setting.ranks, .list = list};
}

}  // namespace

Pattern shift_pattern() {
  return make_pattern<shift>("shift", "zahavi10", "rank i sends to rank i + S, around the end");
}

}  // namespace banyan::traffic
