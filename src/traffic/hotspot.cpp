// Some ranks are more popular: everyone sends a share of its traffic to them, evenly, and the rest to
// everyone alike. Each rank sends 1 in all, unless it has nobody to send to.
#include <algorithm>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct HotspotOptions {
  double share = 1;
  u32 targets = 1;
  static void fields(auto& self, auto&& f) {
    f("share", self.share, "of each rank's traffic, what goes to the targets");
    f("targets", self.targets, "how many: ranks 0, N/T, 2N/T, ...");
  }
};

Traffic hotspot(const PatternSetting& setting, const HotspotOptions& options) {
  const u32 n = setting.ranks;
  if (options.share < 0 || options.share > 1)
    throw InputError(fmt::format("hotspot: share must be from 0 to 1, not {}", options.share));
  if (options.targets < 1 || options.targets > n)
    throw InputError(fmt::format("hotspot: targets must be from 1 to {} ranks, not {}", n, options.targets));
  std::vector<bool> hot(n);
  for (u32 i = 0; i < options.targets; ++i) hot[static_cast<u32>(u64{i} * n / options.targets)] = true;
  const auto list = [n, hot, options](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) {
      const u32 targets = options.targets - hot[i];  // nobody sends to itself
      const double to_all = n > 1 ? (1 - options.share) / (n - 1) : 0;
      const double to_hot = targets > 0 ? options.share / targets : 0;
      for (u32 j = 0; j < n; ++j) {
        const double amount = to_all + (hot[j] ? to_hot : 0);
        if (i != j && amount > 0) out.push_back({Rank{i}, Rank{j}, amount});
      }
    }
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern hotspot_pattern() {
  return make_pattern<hotspot>("hotspot", "petrini01", "everyone sends a share of its traffic to a few");
}

}  // namespace banyan::traffic
