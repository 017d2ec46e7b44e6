#include "flow/group_traffic.hpp"

#include <algorithm>

namespace banyan::flow {
namespace {

constexpr double nothing = 1e-12;

// Member by member until it has sent all it may; what is left over at the end goes nowhere.
std::vector<Flow> poured(std::span<const Nic> members, double each, std::span<const HostShare> shares) {
  std::vector<Flow> flows;
  std::size_t m = 0;
  double room = each;
  const auto pour = [&](Nic to, double amount) {
    while (amount > nothing && m < members.size()) {
      const double part = std::min(amount, room);
      if (part > 0) flows.push_back({members[m], to, part});
      amount -= part;
      room -= part;
      if (room <= nothing) ++m, room = each;
    }
  };
  for (const HostShare& share : shares) pour(share.to, share.amount);
  pour(none<Nic>, each * static_cast<double>(members.size()));
  return flows;
}

}  // namespace

void share_among(std::span<const Nic> members, double each, std::span<const HostShare> shares,
                 std::vector<Flow>& out) {
  std::vector<Flow> flows = poured(members, each, shares);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const Nic self = flows[i].from;
    for (std::size_t j = 0; flows[i].to == self && flows[i].demand > nothing && j < flows.size(); ++j) {
      if (flows[j].from == self || flows[j].to == self) continue;  // j: another one that sends elsewhere
      const double part = std::min(flows[i].demand, flows[j].demand);
      const Flow swapped{flows[j].from, self, part}, instead{self, flows[j].to, part};
      flows[i].demand -= part;
      flows[j].demand -= part;
      flows.push_back(swapped);
      flows.push_back(instead);
    }
  }
  for (const Flow& flow : flows)
    if (flow.to != none<Nic> && flow.to != flow.from && flow.demand > nothing) out.push_back(flow);
}

}  // namespace banyan::flow
