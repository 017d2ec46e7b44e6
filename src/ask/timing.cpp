#include "ask/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ask/cycles.hpp"
#include "ask/simulate.hpp"
#include "flit/rails/policy.hpp"

namespace banyan::ask {
namespace {

double limit(Speed speed) { return speed.value > 0 ? speed.value : std::numeric_limits<double>::infinity(); }

void check(const Fabric& fabric, const TimingOptions& options, bool is_program) {
  if (!(options.link.value > 0)) throw InputError("link is 0; expected a speed such as 400G");
  if (options.accelerators == 0) throw InputError("accelerators is 0; expected at least 1");
  if (options.stripe != 0 && fabric.columns() == 1)
    throw InputError("stripe is for several rails, and this fabric has one");
  const bool has_flow_options = options.inside.value > 0 || options.nic.value > 0 ||
                                options.resolution.value > 0 || (options.gap.value > 0 && !is_program) ||
                                options.model != RateModel::max_min || options.sharing != Sharing::fluid;
  if (options.level == TimeLevel::flit && has_flow_options)
    throw InputError("inside, nic, gap, model, sharing and resolution are for level=fluid");
  if (options.flit_bytes == 0) throw InputError("flit-bytes is 0; expected at least 1");
}

std::string policy_of(const Fabric& fabric, const TimingOptions& options) {
  if (!options.rails_policy.empty()) return options.rails_policy;
  if (fabric.columns() == 1) return "";
  return options.accelerators > 1 ? "rail-local" : "basic";
}

// What the flow level knows of it, in seconds and bytes.
flow::TimeOptions flow_options(const Fabric& fabric, const TimingOptions& options,
                               const std::string& policy) {
  flow::TimeOptions out;
  out.rates = {options.model,
               options.link.value,
               limit(options.nic),
               DemandUse::weight,
               {options.accelerators, limit(options.inside)}};
  out.overhead = options.overhead.value;
  out.gap = options.gap.value;
  out.latency = seconds_per_metre * options.cable.value;
  out.switch_latency = options.switch_delay.value;
  out.sharing = options.sharing;
  out.rounds = options.rounds;
  out.resolution = options.resolution.value;
  if (!policy.empty())
    out.rails =
        message_split(prepare_policy(policy, rail_rules(fabric, options.stripe, options.accelerators)));
  return out;
}

// What the slowest NIC sends: as its link, or less where that is its limit.
double nic_speed(const Fabric& fabric, const TimingOptions& options) {
  double capacity = std::numeric_limits<double>::infinity();
  for (const Node node : fabric.nic_nodes())
    for (const Channel c : fabric.channels(node))
      if (fabric.cabled(c)) capacity = std::min(capacity, fabric.link_class(c).capacity);
  return std::min(limit(options.nic), options.link.value * (std::isfinite(capacity) ? capacity : 1));
}

ProgramOptions program_options(const Fabric& fabric, const TimingOptions& options,
                               const std::string& policy) {
  return {.network = flow_options(fabric, options, policy),
          .latency = options.latency.value,
          .byte_gap = options.byte_gap.value > 0 ? options.byte_gap.value : 1 / nic_speed(fabric, options),
          .byte_overhead = options.byte_overhead.value,
          .eager_bytes = static_cast<double>(options.eager)};
}

}  // namespace

Timing::Timing(const Fabric& fabric, const TimingOptions& options, bool is_program)
    : policy((check(fabric, options, is_program), policy_of(fabric, options))),
      program(program_options(fabric, options, policy)) {}

u32 ranks_for(const Situation& at, u32 accelerators) {
  constexpr u64 max_ranks = u64{1} << 28;
  const u32 hosts = static_cast<u32>(traffic_hosts(at.topology.fabric).size());
  if (accelerators == 0 || u64{hosts} * accelerators > max_ranks)
    throw InputError(
        fmt::format("accelerators is {}; expected 1 to {}", accelerators, max_ranks / std::max(1u, hosts)));
  return at.ranks > 0 ? at.ranks : hosts * accelerators;
}

Placement Timing::placed(const Situation& at, u32 ranks) const {
  Situation there = at;
  there.traffic = "barrier";  // for its placement
  there.ranks = ranks;
  return there.job(ShorterJobs::end, program.network.rates.inside.accelerators).placement;
}

}  // namespace banyan::ask
