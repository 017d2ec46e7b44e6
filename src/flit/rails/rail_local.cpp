// Rail-local: the sender hands a message over inside its host to the NIC on the rail of the receiver's own
// NIC, so that no message crosses rails, as NCCL's PXN does.
#include "flit/rails/own_nic.hpp"

namespace banyan::flit {
namespace {

std::vector<RailPair> rail_local(const RailRules& rules, const RankPair& ranks, u32 flits) {
  if (auto out = by_rail_of_receiver(rules, ranks, flits); !out.empty()) return out;
  if (auto out = own_to_own(rules, ranks, flits); !out.empty()) return out;
  return rails_from(rules, ranks, rules.own(ranks.to, ranks.to_process).value_or(0), flits);
}

}  // namespace

RailPolicy rail_local_rail_policy() {
  return choosing<rail_local>(
      {.name = "rail-local", .summary = "the rail of the receiver's own NIC, as NCCL's PXN"});
}

}  // namespace banyan::flit
