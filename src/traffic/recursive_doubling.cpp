// In round r rank i and rank i xor 2^r send to each other. With other numbers than powers of two the ranks
// are folded as MPI does it (Thakur, Rabenseifner, Gropp 2005): see Folded.
#include "traffic/folded.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

Traffic recursive_doubling(const PatternSetting& setting, const NoOptions&) {
  const Folded folded(setting.ranks);
  const auto list = [folded](u64, u64, u64 round, std::vector<Demand>& out) {
    if (folded.extra > 0) {
      if (round == 0) return folded.fold(1, out);
      if (--round == folded.steps()) return folded.unfold(1, out);
    }
    for (u32 i = 0; i < folded.core; ++i) out.push_back({folded.rank(i), folded.rank(i ^ (u32{1} << round))});
  };
  return {.ranks = setting.ranks, .list = list, .rounds = folded.steps() + (folded.extra > 0 ? 2 : 0)};
}

}  // namespace

Pattern recursive_doubling_pattern() {
  return make_pattern<recursive_doubling>("recursive-doubling", "zahavi10",
                                          "round r: ranks i and i xor 2^r send to each other");
}

}  // namespace banyan::traffic
