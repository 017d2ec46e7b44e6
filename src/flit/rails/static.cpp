// Static allocation (Coll et al. 2001, section 1): a NIC only ever sends or only ever receives. Host h sends
// on the h-th subset of floor(r/2) of its r rails; no subset contains another, so that for every pair there
// is a rail on which the one sends and the other receives. By Sperner's theorem there can be no more than
// C(r, floor(r/2)) hosts.
#include <bit>

#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

u64 max_hosts(u32 rails) {
  u64 out = 1;
  for (u32 i = 1; i <= rails / 2 && out < u64{1} << 40; ++i) out = out * (rails + 1 - i) / i;
  return out;
}

u32 least_rails(u64 hosts) {
  u32 rails = 1;
  while (max_hosts(rails) < hosts) ++rails;
  return rails;
}

void prepare_static(const PluginText&, RailRules& rules) {
  if (!rules.nics.is_even())
    throw InputError(
        "static allocation divides the rails of every host alike: expected hosts with the same NICs");
  const u64 maximum = max_hosts(rules.rails);
  if (rules.hosts > maximum)
    throw InputError(
        fmt::format("static allocation connects no more than C(r, floor(r/2)) hosts by r rails: "
                    "{} by {}; expected at least {} rails for {} hosts",
                    maximum, rules.rails, least_rails(rules.hosts), rules.hosts));
}

// The rails that a host sends on: subsets of one size in order of their bits, from the smallest number on.
u64 sends_on(u32 rails, Host host) {
  if (rails == 1) return 1;
  u64 subset = (u64{1} << rails / 2) - 1;
  for (u32 i = 0; i < index(host); ++i) {
    const u64 low = subset & -subset, ripple = subset + low;
    subset = ripple | (subset ^ ripple) / low >> 2;
  }
  return subset;
}

u64 rails_between(const RailRules& rules, Host from, Host to) {
  return rules.between(from, to) & sends_on(rules.rails, from) & ~sends_on(rules.rails, to);
}

std::vector<RailShare> static_split(const RailRules& rules, const RankPair& ranks) {
  return equal_shares(rules, ranks, rails_between(rules, ranks.from, ranks.to));
}

void static_posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  const Allocation& wish = host.processes[process];
  const u64 rails = rails_between(rules, host.self, wish.to);
  if (rails == 0)
    throw InputError(fmt::format("static allocation has no rail left from host {} to host {}",
                                 index(host.self), index(wish.to)));
  send_on(host, rules, process, select_rails(host, rules, process, rails, wish.flits), false, out);
}

}  // namespace

RailPolicy static_rail_policy() {
  return {.name = "static",
          .summary = "a NIC only sends or only receives",
          .source = "Coll et al. 2001, section 1",
          .prepare = prepare_static,
          .split = static_split,
          .posted = static_posted};
}

}  // namespace banyan::flit
