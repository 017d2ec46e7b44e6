// The baseline of Coll et al. 2001, section 4.2: rails in turn, whatever they are doing.
#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

void basic_posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  const Allocation& wish = host.processes[process];
  const u64 usable = rules.between(host.self, wish.to);
  send_on(host, rules, process, select_rails(host, rules, process, usable, wish.flits), false, out);
}

}  // namespace

RailPolicy basic_rail_policy() {
  return {.name = "basic",
          .summary = "rails in turn, busy or not",
          .source = "Coll et al. 2001",
          .posted = basic_posted};
}

}  // namespace banyan::flit
