#include "flit/rails/own_nic.hpp"

namespace banyan::flit {
namespace {

// The rails of a host on which it has a NIC that is alive, in order of slots from the own NIC of a process
// on.
std::vector<u16> rails_from_own(const RailRules& rules, Host host, u32 process) {
  std::vector<u16> out;
  const auto own = rules.own(host, process);
  if (!own) return out;
  const u32 count = rules.nics.count(host), first = rules.nics.position(host, *own);
  for (u32 i = 0; i < count; ++i)
    if (const u32 rail = rules.nics.column(host, (first + i) % count); rules.live[index(host)] >> rail & 1)
      out.push_back(static_cast<u16>(rail));
  return out;
}

}  // namespace

std::vector<RailPair> rails_from(const RailRules& rules, const RankPair& ranks, u32 first, u32 flits) {
  return pairs_of(rules, ranks, select_rails(rules, rules.between(ranks.from, ranks.to), flits, first));
}

std::vector<RailPair> own_to_own(const RailRules& rules, const RankPair& ranks, u32 flits) {
  const auto from = rules.own(ranks.from, ranks.process), to = rules.own(ranks.to, ranks.to_process);
  if (!from || !to || !rules.are_joined(ranks.from, *from, ranks.to, *to)) return {};
  std::vector<u16> free = rails_from_own(rules, ranks.to, ranks.to_process);
  std::vector<RailPair> out;
  for (const u16 rail : rails_from_own(rules, ranks.from, ranks.process))
    for (auto other = free.begin(); other != free.end(); ++other)
      if (rules.are_joined(ranks.from, rail, ranks.to, *other)) {
        out.push_back({rail, *other});
        free.erase(other);
        break;
      }
  out.resize(stripes(rules.stripe, static_cast<u32>(out.size()), flits));
  return out;
}

std::vector<RailPair> by_rail_of_receiver(const RailRules& rules, const RankPair& ranks, u32 flits) {
  const auto to = rules.own(ranks.to, ranks.to_process);
  if (!to || !rules.are_joined(ranks.from, *to, ranks.to, *to)) return {};
  return rails_from(rules, ranks, *to, flits);
}

}  // namespace banyan::flit
