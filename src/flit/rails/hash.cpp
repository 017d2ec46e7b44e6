// Hash: all messages of a flow (source process, destination host) take the rail that its hash names, as
// switches and drivers spread flows over equal links.
#include "base/random.hpp"
#include "flit/rails/policy.hpp"

namespace banyan {
namespace {

u32 rail_of(const RailRules& rules, Host from, u32 process, Host to) {
  const auto drawn = philox({index(from), process, index(to), 0}, {0x7261696c, 0});
  return static_cast<u32>(u64{drawn[0]} * rules.rails >> 32);
}

void posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  send_from(host, rules, process, rail_of(rules, host.self, process, host.processes[process].to), out);
}

// Of the first process of a host: flow level knows no other.
std::vector<RailShare> split(const RailRules& rules, Host from, Host to, u64 bytes) {
  RailHost host(from, rules.rails, 1);
  host.processes[0] = {.to = to, .flits = rules.rails, .bytes = bytes};
  RailActions out;
  posted(host, rules, 0, out);
  std::vector<RailShare> shares;
  for (const RailAction& action : out)
    if (action.kind == RailAction::Kind::send)
      shares.push_back({action.rail, static_cast<double>(action.flits) / rules.rails});
  return shares;
}

}  // namespace

RailPolicy hash_rail_policy() {
  return {"hash",
          "the hash of source process and destination picks the rail",
          "",
          {},
          refuse_options,
          split,
          posted,
          nullptr,
          only_count,
          nullptr,
          nullptr};
}

}  // namespace banyan
