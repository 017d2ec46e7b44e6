#include "flit/rail_machine.hpp"

namespace banyan::flit {
namespace {

void read_death(const RailOptions& options, u32 rails, u32& rail, u64& cycle) {
  if (options.dies.empty()) return;
  const auto parts = split(options.dies, '@');
  const auto which = parts.size() == 2 ? parse_unsigned(parts[0]) : std::nullopt;
  const auto when = parts.size() == 2 ? parse_unsigned(parts[1]) : std::nullopt;
  if (!which || !when || *which >= rails)
    throw InputError(
        fmt::format("rail-dies is '{}'; expected RAIL@CYCLE with a rail below {}", options.dies, rails));
  rail = static_cast<u32>(*which);
  cycle = *when;
}

void check(const RailOptions& options) {
  const auto at_least_one = [](std::string_view key, u32 value) {
    if (value == 0) throw InputError(fmt::format("{} is 0; expected at least 1", key));
  };
  at_least_one("processes", options.processes);
  at_least_one("bus-burst", options.bus_burst);
  at_least_one("control-flits", options.control_flits);
  at_least_one("timeout-cycles", options.timeout_cycles);
  at_least_one("nic-messages", options.nic_messages);
  if (options.nic_messages > max_nic_messages)
    throw InputError(fmt::format("nic-messages is {}; expected 1 or 2", options.nic_messages));
}

}  // namespace

RailMachine::RailMachine(const Fabric& fabric, const RailOptions& the_options, u32 lane_count)
    : options(the_options),
      endpoints(fabric.endpoints()),
      host_count(fabric.hosts()),
      rails(fabric.columns()),
      processes(std::size_t{fabric.hosts()} * the_options.processes),
      orders(fabric.hosts()),
      tickets(fabric.hosts()),
      ports(fabric.nics()),
      lanes(lane_count) {
  check(options);
  read_death(options, rails, dying, dies_at);
  const auto ready = [&](u32 dead) {
    RailRules rules = rail_rules(fabric, options.stripe, options.processes, dead);
    rules.own_turns = options.turns == Turns::process;
    return prepare_policy(options.policy, std::move(rules));
  };
  before = ready(~u32{0});
  after = ready(dying);
  for (const Host h : IdRange<Host>(host_count)) hosts.push_back({h, rails, options.processes});
}

}  // namespace banyan::flit
