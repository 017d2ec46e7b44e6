// Own: a rank sends by its own NIC to the receiver's own NIC, across rails where they differ, as MPI and NCCL
// without PXN do.
#include "flit/rails/own_nic.hpp"

namespace banyan::flit {
namespace {

std::vector<RailPair> own(const RailRules& rules, const RankPair& ranks, u32 flits) {
  if (auto out = own_to_own(rules, ranks, flits); !out.empty()) return out;
  if (auto out = by_rail_of_receiver(rules, ranks, flits); !out.empty()) return out;
  return rails_from(rules, ranks, rules.own(ranks.to, ranks.to_process).value_or(0), flits);
}

}  // namespace

RailPolicy own_rail_policy() {
  return choosing<own>(
      {.name = "own", .summary = "from the sender's own NIC to the receiver's own, across rails"});
}

}  // namespace banyan::flit
