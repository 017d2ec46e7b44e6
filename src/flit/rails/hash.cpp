// Hash: all messages of a flow (source process, destination host) take the rail that its hash names, as
// switches and drivers spread flows over equal links.
#include "base/random.hpp"
#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

u32 rail_of(const RailRules& rules, Host from, u32 process, Host to) {
  const auto drawn = philox({index(from), process, index(to), 0}, {0x7261696c, 0});
  return static_cast<u32>(u64{drawn[0]} * rules.rails >> 32);
}

void hash_posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  send_from(host, rules, process, rail_of(rules, host.self, process, host.processes[process].to), out);
}

std::vector<RailShare> hash_split(const RailRules& rules, Host from, u32 process, Host to) {
  u32 first = rail_of(rules, from, process, to);
  return shares_from(rules, from, first, rules.between(from, to));
}

}  // namespace

RailPolicy hash_rail_policy() {
  return {.name = "hash",
          .summary = "the hash of source process and destination picks the rail",
          .split = hash_split,
          .in_turn = false,
          .posted = hash_posted};
}

}  // namespace banyan::flit
