// Everyone sends to everyone else alike; each rank sends 1 in all.
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic uniform(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  const auto list = [n](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i)
      for (u32 j = 0; j < n; ++j)
        if (i != j) out.push_back({Rank{i}, Rank{j}, 1.0 / (n - 1)});
  };
  return {.ranks = n, .list = list, .draw = Traffic::Draw::uniform};
}

}  // namespace

Pattern uniform_pattern() { return make_pattern<uniform>("uniform", "", "everyone to everyone else alike"); }

}  // namespace banyan::traffic
