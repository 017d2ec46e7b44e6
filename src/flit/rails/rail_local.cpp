// Rail-local: process i of a host uses NIC i, so that it only ever talks to NICs i of other hosts, as GPUs
// with a NIC each do on rail-optimised fabrics.
#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

void own_rail_posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  send_from(host, rules, process, process % rules.rails, out);
}

std::vector<RailShare> own_rail_split(const RailRules& rules, Host from, u32 process, Host to) {
  u32 first = process % rules.rails;
  return shares_from(rules, from, first, rules.between(from, to));
}

}  // namespace

RailPolicy rail_local_rail_policy() {
  return {.name = "rail-local",
          .summary = "process i of a host uses its NIC i",
          .split = own_rail_split,
          .in_turn = false,
          .posted = own_rail_posted};
}

}  // namespace banyan::flit
