#include "ask/any_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engines/open_ways.hpp"

namespace banyan::ask {
namespace {

u64 offers_of(const PortSets& sets, const PortSets::Exits& exits, NextHopWeights weights) {
  u32 count = 0;
  for (u32 i = 0; exits.words && i < sets.words(); ++i)
    count += static_cast<u32>(std::popcount(exits.words[i]));
  return weights == NextHopWeights::kept && exits.sums && count > 0 ? exits.sums[count - 1] : count;
}

// The maximum that a switch of the fabric offers for a destination.
u64 max_offers(const Fabric& fabric, const PortSets& sets, NextHopWeights weights) {
  u32 max_ports = 0;
  for (const Node node : fabric.nodes()) max_ports = std::max(max_ports, fabric.ports(node));
  if (max_ports <= Hops::maximum && weights == NextHopWeights::ignored) return max_ports;
  u64 out = 0;
  for (u32 nic = 0; nic < fabric.nics(); ++nic)
    for (const Node node : fabric.nodes())
      out = std::max(out, offers_of(sets, sets.exits(node, Nic{nic}), weights));
  return out;
}

// As many as `of` has, by another hash.
struct OtherHash {
  FlowHash hash;
  Source of;

  u32 count(Nic from, Nic to, u64 bytes) const { return of.count(from, to, bytes); }
  Header way(Nic from, Nic to, u64, u32 i) const { return hash.header(from, to, i); }
};

}  // namespace

FlowHash hash_of(const Routing& routing, u64 seed) {
  const u8 state = routing.source.way(Nic{0}, Nic{0}, long_message, 0).state;  // headers say which hash
  return {static_cast<HashKind>(state / 2), static_cast<HashSeeds>(state % 2), seed};
}

u64 other_seed(const Routing& routing, u64 seed, u32 count) {
  const Header own = routing.source.way(Nic{0}, Nic{0}, long_message, 0);  // headers say which seed
  const auto is_own = [&] { return hash_of(routing, seed).header(Nic{0}, Nic{0}, 0) == own; };
  for (; count > 0; --count) {
    ++seed;
    while (is_own()) ++seed;
  }
  return seed;
}

Routing with_hash(const Routing& routing, u64 seed) {
  Routing out = routing;
  out.source = Source(OtherHash{hash_of(routing, seed), routing.source});
  return out;
}

bool hashes(const Routing& routing) { return std::holds_alternative<HashedNextHops>(routing.forward); }

std::optional<RouteResult> any_hash(const Fabric& fabric, const Routing& routing, NextHopWeights weights) {
  const auto* hashed = std::get_if<HashedNextHops>(&routing.forward);
  if (!hashed) return std::nullopt;
  if (const u64 offers = max_offers(fabric, hashed->sets(), weights); offers > Hops::maximum)
    return NotApplicable{fmt::format("all next hops of a group are looked at, at most {}; one has {}{}",
                                     Hops::maximum, offers,
                                     weights == NextHopWeights::kept ? " by their weights" : "")};
  const OpenNextHops open(fabric, hashed->sets());
  return Routing{weights == NextHopWeights::kept ? open.by_weight() : open, Source(engines::OpenWays{})};
}

}  // namespace banyan::ask
