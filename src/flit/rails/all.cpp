// All: every message in equal stripes over all rails that connect the two hosts, whatever the striping ratio.
#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

std::vector<RailPair> all(const RailRules& rules, const RankPair& ranks, u32 flits) {
  auto out = pairs_of(rules, ranks, rules.between(ranks.from, ranks.to));
  if (out.empty()) return out;
  out.resize(stripes(1, static_cast<u32>(out.size()), flits));
  return out;
}

}  // namespace

RailPolicy all_rail_policy() {
  return choosing<all>({.name = "all", .summary = "every message over all rails in equal parts"});
}

}  // namespace banyan::flit
