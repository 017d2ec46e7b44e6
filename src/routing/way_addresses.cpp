#include "routing/way_addresses.hpp"

#include <algorithm>

#include "routing/tree_form.hpp"

namespace banyan::routing {
namespace {

constexpr u32 nobody = ~u32{0};

class Matching {
 public:
  Matching(const Pgft& tree, const WaysByLevel& ways, u32 addresses)
      : tree_(tree), ways_(ways), on_(addresses) {}

  // The addresses of one level's ways, given those of the levels above it; empty if there are too few.
  std::vector<u8> add(u32 level) {
    const u32 count = static_cast<u32>(ways_[level].size()), addresses = static_cast<u32>(on_.size());
    way_of_.assign(addresses, nobody);
    for (u32 way = 0; way < count; ++way) {
      tried_.assign(addresses, false);
      if (!place(level, way)) return {};
    }
    std::vector<u8> out(count);
    for (u32 a = 0; a < addresses; ++a) {
      if (way_of_[a] == nobody) continue;
      out[way_of_[a]] = static_cast<u8>(a);
      on_[a].push_back(ways_[level][way_of_[a]]);
    }
    return out;
  }

 private:
  // Its own number first; then any, where need be by moving who is there (an augmenting path).
  bool place(u32 level, u32 way) {
    const u32 addresses = static_cast<u32>(on_.size());
    for (u32 i = 0; i < addresses; ++i) {
      const u32 a = (way + i) % addresses;
      if (tried_[a] || !may_share(a, level, ways_[level][way])) continue;
      tried_[a] = true;
      if (way_of_[a] != nobody && !place(level, way_of_[a])) continue;
      way_of_[a] = way;
      return true;
    }
    return false;
  }

  bool may_share(u32 address, u32 level, u64 tag) const {
    return std::all_of(on_[address].begin(), on_[address].end(), [&](u64 other) {
      for (u32 l = 0; l < level; ++l) {
        const u32 x = TreeForm::up_port(tag, l), y = TreeForm::up_port(other, l);
        if (x != y) return x % tree_.w[l] != y % tree_.w[l];
      }
      return true;
    });
  }

  const Pgft& tree_;
  const WaysByLevel& ways_;
  std::vector<std::vector<u64>> on_;  // by address: the tags of higher levels
  std::vector<u32> way_of_;           // by address, at this level
  std::vector<bool> tried_;
};

}  // namespace

AddressesByLevel share_addresses(const Pgft& tree, const WaysByLevel& ways, u32 addresses) {
  AddressesByLevel out(ways.size());
  Matching matching(tree, ways, addresses);
  for (u32 level = static_cast<u32>(ways.size()); level-- > 1;) {
    if (ways[level].empty()) continue;
    out[level] = matching.add(level);
    if (out[level].empty()) return {};
  }
  return out;
}

bool ways_share_freely(const Pgft& tree) {
  u32 top = tree.h();
  while (top > 1 && tree.m[top - 1] == 1) --top;
  return std::all_of(tree.p.begin(), tree.p.begin() + (top - 1), [](u32 p) { return p == 1; });
}

}  // namespace banyan::routing
