#include "routing/hashed_next_hops.hpp"

#include <algorithm>
#include <bit>

#include "routing/flow_hash.hpp"

namespace banyan::routing {
namespace {

// The k-th set bit of a row of words.
u32 nth_bit(const u64* words, u32 k) {
  u32 first = 0;
  for (; k >= static_cast<u32>(std::popcount(*words)); ++words, first += 64)
    k -= static_cast<u32>(std::popcount(*words));
  u64 word = *words;
  for (; k > 0; --k) word &= word - 1;
  return first + static_cast<u32>(std::countr_zero(word));
}

}  // namespace

// Asked at every hop of a packet: all that it calls is compiled into it.
[[gnu::flatten]] Hop HashedNextHops::next(Node node, const Header& header) const {
  const PortSets::Exits exits = sets_.exits(node, Nic{index(header.to)});
  Hop hop{exits.only, static_cast<u16>(1u << header.lane), header.state, exits.left};
  if (!exits.words) return hop;
  if (sets_.words() == 1 && !exits.sums) {
    u64 word = *exits.words;
    if (!std::has_single_bit(word))  // else every hash chooses it
      for (u32 k = hash_choice(header, node, static_cast<u32>(std::popcount(word)), addresses_); k > 0; --k)
        word &= word - 1;
    hop.port = Port{static_cast<u32>(std::countr_zero(word))};
    return hop;
  }
  u32 count = 0;
  for (u32 i = 0; i < sets_.words(); ++i) count += static_cast<u32>(std::popcount(exits.words[i]));
  const u32 chosen = hash_choice(header, node, exits.sums ? exits.sums[count - 1] : count, addresses_);
  const auto weighted = [&] {
    return static_cast<u32>(std::upper_bound(exits.sums, exits.sums + count, chosen) - exits.sums);
  };
  hop.port = Port{nth_bit(exits.words, exits.sums ? weighted() : chosen)};
  return hop;
}

}  // namespace banyan::routing
