// In round r rank i and rank i xor 2^r send to each other. With other numbers than powers of two the ranks
// are folded as MPI does it (Thakur, Rabenseifner, Gropp 2005): see Folded.
#include "traffic/folded.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct DoublingOptions {
  u32 fold = 1;
  u64 bytes = 0;
  static void fields(auto& self, auto&& f) {
    f("fold", self.fold, "0: with other numbers than powers of two, i sends where there is an i xor 2^r");
    f("bytes", self.bytes, "of a message; 0: not said");
  }
};

Traffic unfolded(u32 ranks, double amount) {
  const auto list = [=](u64, u64, u64 round, std::vector<Demand>& out) {
    for (u32 i = 0; i < ranks; ++i)
      if (const u32 to = i ^ (u32{1} << round); to < ranks) out.push_back({Rank{i}, Rank{to}, amount});
  };
  return {.ranks = ranks, .list = list, .rounds = static_cast<u64>(std::bit_width(ranks - 1))};
}

Traffic doubling_rounds(const PatternSetting& setting, const DoublingOptions& options) {
  const double amount = options.bytes ? static_cast<double>(options.bytes) : 1;
  Traffic out = unfolded(setting.ranks, amount);
  out.in_bytes = options.bytes > 0;
  if (options.fold == 0) return out;
  const Folded folded(setting.ranks);
  out.rounds = folded.steps() + (folded.extra > 0 ? 2 : 0);
  out.list = [folded, amount](u64, u64, u64 round, std::vector<Demand>& list) {
    if (folded.extra > 0) {
      if (round == 0) return folded.fold(amount, list);
      if (--round == folded.steps()) return folded.unfold(amount, list);
    }
    for (u32 i = 0; i < folded.core; ++i)
      list.push_back({folded.rank(i), folded.rank(i ^ (u32{1} << round)), amount});
  };
  return out;
}

}  // namespace

Pattern recursive_doubling_pattern() {
  return make_pattern<doubling_rounds>("recursive-doubling", "zahavi10",
                                       "round r: ranks i and i xor 2^r send to each other");
}

}  // namespace banyan::traffic
