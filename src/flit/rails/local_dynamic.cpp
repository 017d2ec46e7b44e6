// Local-dynamic allocation (Coll et al. 2001, Algorithm 1): only rails that neither send nor receive here; a
// process waits until there is one.
#include <bit>

#include "flit/rails/policy.hpp"

namespace banyan::flit {
namespace {

void attempt_locally(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  const Allocation& wish = host.processes[process];
  u64 free = 0;
  for (u64 bits = rules.between(host.self, wish.to); bits != 0; bits &= bits - 1) {
    const RailNic& nic = host.nics[static_cast<u32>(std::countr_zero(bits))];
    if (nic.sends == 0 && nic.receives == 0) free |= bits & -bits;
  }
  if (free == 0) return;
  host.turn = (process + 1) % static_cast<u32>(host.processes.size());
  send_on(host, rules, process, select_rails(host, rules, process, free, wish.flits), false, out);
}

void local_posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  host.processes[process].phase = Allocation::Phase::wants;
  attempt_locally(host, rules, process, out);
}

void serve_all(RailHost& host, const RailRules& rules, RailActions& out) {
  serve(host, [&](u32 process) { attempt_locally(host, rules, process, out); });
}

void local_data(RailHost& host, const RailRules& rules, u32 rail, const DataEvent& event, RailActions& out) {
  note(host.nics[rail], event);
  serve_all(host, rules, out);
}

void local_died(RailHost& host, const RailRules& rules, u32 rail, RailActions& out) {
  host.nics[rail] = RailNic{};
  serve_all(host, rules, out);
}

}  // namespace

RailPolicy local_dynamic_rail_policy() {
  return {.name = "local-dynamic",
          .summary = "rails that neither send nor receive here",
          .source = "Coll et al. 2001, Algorithm 1",
          .posted = local_posted,
          .data = local_data,
          .died = local_died};
}

}  // namespace banyan::flit
