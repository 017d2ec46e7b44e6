// Every shift once, in N - 1 rounds: round r is the shift by r + 1. The sequence of zahavi10's theorems, and
// of mpiGraph, which measures the bandwidth of every pair that way.
#include <algorithm>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct AllShiftsOptions {
  u32 rounds = 0;
  u64 bytes = 0;
  static void fields(auto& self, auto&& f) {
    f("rounds", self.rounds, "so many of the shifts, spread evenly; 0: all");
    f("bytes", self.bytes, "of a message; 0: not said");
  }
};

Traffic all_shifts(const PatternSetting& setting, const AllShiftsOptions& options) {
  const u32 n = setting.ranks;
  const u64 rounds = options.rounds ? std::min<u64>(options.rounds, n - 1) : n - 1;
  const double amount = options.bytes ? static_cast<double>(options.bytes) : 1;
  const auto list = [=](u64, u64, u64 round, std::vector<Demand>& out) {
    const u64 by = 1 + round * (n - 1) / rounds;
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{static_cast<u32>((i + by) % n)}, amount});
  };
  return {.ranks = n,
          .list = list,
          .rounds = rounds,
          .in_bytes = options.bytes > 0,
          .draw = options.bytes == 0 && rounds == n - 1 ? Traffic::Draw::shifts : Traffic::Draw::listed};
}

Traffic mpigraph(const PatternSetting& setting, const NoOptions&) { return all_shifts(setting, {}); }

}  // namespace

Pattern all_shifts_pattern() {
  return make_pattern<all_shifts>("all-shifts", "zahavi10", "shift:1, shift:2, ... one after another");
}

Pattern mpigraph_pattern() {
  return make_pattern<mpigraph>("mpigraph", "LLNL mpiGraph; domke19",
                                "the rounds of mpiGraph: rank i sends to i + d, for every distance d");
}

}  // namespace banyan::traffic
