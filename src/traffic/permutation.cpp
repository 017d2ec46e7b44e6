// A uniform random permutation: every rank sends to one and receives from one, some from themselves.
#include <numeric>

#include "base/shuffle.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic permutation(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  const auto list = [n](u64 seed, u64 sample, u64, std::vector<Demand>& out) {
    std::vector<u32> from(n);
    std::iota(from.begin(), from.end(), 0);
    shuffle(std::span(from), seed, sample);
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{from[i]}, Rank{i}});
  };
  return {.ranks = n, .list = list, .is_random = true, .draw = Traffic::Draw::permutation};
}

}  // namespace

Pattern permutation_pattern() {
  return make_pattern<permutation>("permutation", "mahapatra",
                                   "a random permutation, another for every sample");
}

}  // namespace banyan::traffic
