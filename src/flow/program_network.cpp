#include "flow/program_network.hpp"

#include <fmt/format.h>

namespace banyan::flow {

void check_program(const Program& program, const Placement& placement, const ProgramOptions& options) {
  for (const double value : {options.network.overhead, options.network.gap, options.network.latency,
                             options.network.switch_latency, options.latency, options.byte_gap,
                             options.byte_overhead, options.eager_bytes})
    if (!(value >= 0)) throw InputError(fmt::format("a time or size of {}: expected 0 or more", value));
  if (placement.size() < program.ranks)
    throw InputError(fmt::format("{} ranks are placed: expected {}, as many as the program has",
                                 placement.size(), program.ranks));
  require_end(program);
}

ProgramFlows::ProgramFlows(const Fabric& fabric, const Routing& routing, const Program& program,
                           const Placement& placement, const ProgramOptions& options)
    : message_of(program.size()) {
  for (Op op = 0; op < program.size(); ++op) {
    if (program.kind[op] != Program::Kind::send) continue;
    message_of[op] = static_cast<u32>(sends.size());
    sends.push_back(op);
    demands.push_back({Rank{program.rank[op]}, Rank{program.rank[program.partner[op]]}, program.amount[op]});
  }
  const Carrier carrier(fabric, routing, placement, options.network.rails, options.network.rates.inside);
  RailTurns turns = carrier.turns();
  carrier.carry(demands, turns, carried);
  first.assign(sends.size(), 0);
  parts.assign(sends.size(), 0);
  for (u32 f = 0; f < carried.flows.size(); ++f)
    if (const u32 message = carried.message[f]; parts[message]++ == 0) first[message] = f;
  if (program.weight.empty()) return;
  for (const u32 message : carried.message) weights.push_back(program.weight[sends[message]]);
}

void ProgramFlows::forget_sizes() {
  demands = decltype(demands)();  // = {} would keep the memory
  carried.flows = decltype(carried.flows)();
}

}  // namespace banyan::flow
