// Same slot: a rank sends by its own NIC, to the NIC of the other host on the same rail; the receiver takes
// the message over inside its host.
#include "flit/rails/own_nic.hpp"

namespace banyan::flit {
namespace {

std::vector<RailPair> same_slot(const RailRules& rules, const RankPair& ranks, u32 flits) {
  return rails_from(rules, ranks, rules.own(ranks.from, ranks.process).value_or(0), flits);
}

}  // namespace

RailPolicy same_slot_rail_policy() {
  return choosing<same_slot>({.name = "same-slot", .summary = "the rail of the sender's own NIC"});
}

}  // namespace banyan::flit
