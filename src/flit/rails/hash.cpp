// Hash: all messages of a flow (source process, destination host) take the rail that its hash names, as
// switches and drivers spread flows over equal links.
#include "base/random.hpp"
#include "flit/rails/own_nic.hpp"

namespace banyan::flit {
namespace {

u32 rail_of(const RailRules& rules, const RankPair& ranks) {
  const auto drawn = philox({index(ranks.from), ranks.process, index(ranks.to), 0}, {0x7261696c, 0});
  return static_cast<u32>(u64{drawn[0]} * rules.rails >> 32);
}

std::vector<RailPair> by_hash(const RailRules& rules, const RankPair& ranks, u32 flits) {
  return rails_from(rules, ranks, rail_of(rules, ranks), flits);
}

}  // namespace

RailPolicy hash_rail_policy() {
  return choosing<by_hash>(
      {.name = "hash", .summary = "the hash of source process and destination picks the rail"});
}

}  // namespace banyan::flit
