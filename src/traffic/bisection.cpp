// A random half of the ranks sends to the other half, one to one: the pattern of effective bisection
// bandwidth.
#include <numeric>

#include "base/shuffle.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic bisection(const PatternSetting& setting, const NoOptions&) {
  const u32 n = setting.ranks;
  const auto list = [n](u64 seed, u64 sample, u64, std::vector<Demand>& out) {
    std::vector<u32> p(n);
    std::iota(p.begin(), p.end(), 0);
    shuffle(std::span(p), seed, sample);
    for (u32 i = 0; i < n / 2; ++i) out.push_back({Rank{p[i]}, Rank{p[i + n / 2]}});
  };
  return {.ranks = n, .list = list, .is_random = true, .draw = Traffic::Draw::bisection};
}

}  // namespace

Pattern bisection_pattern() {
  return make_pattern<bisection>("bisection", "Hoefler, Schneider, Lumsdaine 2008",
                                 "a random half sends to the other half, another for every sample");
}

}  // namespace banyan::traffic
