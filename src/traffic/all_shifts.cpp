// Every shift once, in N - 1 rounds: round r is the shift by r + 1. The sequence of zahavi10's theorems, and
// of mpiGraph, which measures the bandwidth of every pair that way.
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic all_shifts(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  const auto list = [n](u64, u64, u64 round, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{static_cast<u32>((i + round + 1) % n)}});
  };
  return {.ranks = n, .list = list, .rounds = n - 1, .draw = Traffic::Draw::shifts};
}

}  // namespace

Pattern all_shifts_pattern() {
  return make_pattern<all_shifts>("all-shifts", "zahavi10", "shift:1, shift:2, ... one after another");
}

Pattern mpigraph_pattern() {
  return make_pattern<all_shifts>("mpigraph", "LLNL mpiGraph; domke19",
                                  "the rounds of mpiGraph: rank i sends to i + d, for every distance d");
}

}  // namespace banyan::traffic
