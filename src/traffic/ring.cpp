// Every rank sends to the next, the last to the first.
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct RingOptions {
  u32 ways = 1;
  static void fields(auto& self, auto&& f) { f("ways", self.ways, "1: to the next; 2: to both neighbours"); }
};

Traffic ring(const PatternSetting& setting, const RingOptions& options) {
  if (options.ways < 1 || options.ways > 2)
    throw InputError(fmt::format("ring: ways must be 1 or 2, not {}", options.ways));
  const auto list = [n = setting.ranks, ways = options.ways](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) {
      out.push_back({Rank{i}, Rank{(i + 1) % n}});
      if (ways == 2) out.push_back({Rank{i}, Rank{(i + n - 1) % n}});
    }
  };
  return {.ranks = setting.ranks, .list = list};
}

}  // namespace

Pattern ring_pattern() {
  return make_pattern<ring>("ring", "zahavi10", "every rank sends to the next, the last to the first");
}

}  // namespace banyan::traffic
