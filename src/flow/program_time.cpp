#include "flow/program_time.hpp"

#include <algorithm>
#include <map>

#include "flow/linear_program.hpp"
#include "flow/loggops_network.hpp"
#include "flow/program_network.hpp"

namespace banyan::flow {
namespace {

// A network in which nothing waits for anything.
class OpenNetwork {
 public:
  OpenNetwork(const std::vector<Alone>& alone, bool receives_are_known)
      : knows_receives(receives_are_known), alone_(alone) {}

  static constexpr bool is_uncontended = true;
  const bool knows_receives;

  static double occupies(Op) { return 0; }
  static double next() { return unlimited; }
  template <class Run>
  void send(Run& run, Op op, double time) {
    run.left(op, time + alone_[op].lasts);
    run.arrives(op, time + alone_[op].arrives, alone_[op].lasts);
  }
  template <class Run>
  static void step(Run&) {}

 private:
  const std::vector<Alone>& alone_;
};

// Until the last operation has ended. `before` gets the time of each event, when all earlier ones have
// happened.
template <class Network, class Before>
double run_program(const Program& program, const ProgramOptions& options, Network& network, ProgramLog* log,
                   Before before) {
  const ProgramCosts costs = costs_of(options);
  ProgramState state(program);
  ProgramRun<Network> run(program, costs, state, network);
  if (log) run.keep(*log);
  for (Op op = 0; op < program.size(); ++op)
    if (state.may_begin(op)) run.start(op);
  run.begin();
  for (;;) {
    const double own = run.next(), other = network.next();
    if (own == unlimited && other == unlimited) break;
    before(std::min(own, other));
    if (own <= other)
      run.step();
    else
      network.step(run);
  }
  if (run.ended() < program.size()) refuse_run(program, options.eager_bytes);
  return run.end();
}

template <class Network>
double run_program(const Program& program, const ProgramOptions& options, Network& network,
                   ProgramLog* log = nullptr) {
  return run_program(program, options, network, log, [](double) {});
}

Moment moment_of(const Fabric& fabric, const Fluid& fluid, double time) {
  Moment out{time, fluid.active(), {}, {}};
  if (out.flows == 0) return out;
  for (u32 c = 0; c < fabric.channels().size(); ++c)
    if (const double rate = fluid.rates().carried(c); rate > 0) {
      out.channels.push_back(Channel{c});
      out.rates.push_back(rate);
    }
  return out;
}

double longest_chain(const Program& program, const ProgramOptions& options, const std::vector<Alone>& alone,
                     bool knows_receives = true) {
  OpenNetwork network(alone, knows_receives);
  return run_program(program, options, network);
}

// By operation that sends, how its message travels if it has the fabric to itself.
std::vector<Alone> alone_in(const Fabric& fabric, const Program& program, const ProgramFlows& flows,
                            const ProgramOptions& options) {
  const RateSolver solver(fabric, options.network.rates);
  const Incidence& listed = flows.carried.listed;
  std::vector<Alone> out(program.size());
  for (u32 f = 0; f < flows.carried.flows.size(); ++f) {
    double rate = unlimited;
    for (u64 i = listed.first[f]; i < listed.first[f + 1]; ++i)
      rate = std::min(rate, solver.capacity(listed.channels[i]) / listed.shares[i]);
    Alone& one = out[flows.sends[flows.carried.message[f]]];
    const double lasts = flows.carried.flows[f].demand / rate;
    const double latency =
        listed.hops[f] == 0 ? 0 : options.latency + options.network.latency_of(listed.hops[f]);
    one.lasts = std::max(one.lasts, lasts);
    one.arrives = std::max(one.arrives, lasts + latency);
  }
  return out;
}

}  // namespace

ProgramTime loggops_time(const Fabric& fabric, const Routing& routing, const Program& program,
                         const Placement& placement, const ProgramOptions& options, ProgramLog* log) {
  check_program(program, placement, options);
  const LogGopsFlows flows(fabric, routing, program, placement, options);
  ProgramTime out;
  out.critical_path = longest_chain(program, options, flows.alone);
  LogGopsNetwork network(program, flows);
  out.total = run_program(program, options, network, log);
  return out;
}

ProgramTime fluid_time(const Fabric& fabric, const Routing& routing, const Program& program,
                       const Placement& placement, const ProgramOptions& options, ProgramLog* log) {
  check_program(program, placement, options);
  ProgramFlows flows(fabric, routing, program, placement, options);
  ProgramTime out;
  out.critical_path = longest_chain(program, options, alone_in(fabric, program, flows, options));
  Fluid fluid(fabric, options.network.rates, flows.carried.listed, flows.carried.flows,
              options.network.resolution, flows.weights);
  flows.forget_sizes();
  FluidNetwork network(fluid, program, flows, options);
  out.total = run_program(program, options, network, log);
  out.flow_events = fluid.events();
  return out;
}

std::vector<HeldUp> held_up(const Fabric& fabric, const Routing& routing, const Program& program,
                            const Placement& placement, const ProgramOptions& options,
                            std::span<const Op> sends) {
  const ProgramFlows flows(fabric, routing, program, placement, options);
  Fluid fluid(fabric, options.network.rates, flows.carried.listed, flows.carried.flows,
              options.network.resolution, flows.weights);
  std::vector<u32> watched;
  for (const Op send : sends) {
    const u32 message = flows.message_of[send];
    for (u32 part = 0; part < flows.parts[message]; ++part) watched.push_back(flows.first[message] + part);
  }
  fluid.watch(watched);
  FluidNetwork network(fluid, program, flows, options);
  run_program(program, options, network);
  std::map<u32, double> by_channel;
  for (const Fluid::Held& held : fluid.held()) by_channel[held.channel] += held.seconds;
  std::vector<HeldUp> out;
  for (const auto& [channel, seconds] : by_channel) out.push_back({Channel{channel}, seconds});
  std::stable_sort(out.begin(), out.end(),
                   [](const HeldUp& a, const HeldUp& b) { return a.seconds > b.seconds; });
  return out;
}

std::vector<Moment> moments(const Fabric& fabric, const Routing& routing, const Program& program,
                            const Placement& placement, const ProgramOptions& options,
                            std::span<const double> times) {
  constexpr double has_happened = 1 + 1e-9;
  const ProgramFlows flows(fabric, routing, program, placement, options);
  Fluid fluid(fabric, options.network.rates, flows.carried.listed, flows.carried.flows,
              options.network.resolution, flows.weights);
  FluidNetwork network(fluid, program, flows, options);
  std::vector<Moment> out;
  const auto look_before = [&](double event) {
    while (out.size() < times.size() && times[out.size()] * has_happened < event)
      out.push_back(moment_of(fabric, fluid, times[out.size()]));
  };
  run_program(program, options, network, nullptr, look_before);
  while (out.size() < times.size()) out.push_back({times[out.size()], 0, {}, {}});
  return out;
}

double critical_path(const Fabric& fabric, const Routing& routing, const Program& program,
                     const Placement& placement, const ProgramOptions& options) {
  check_program(program, placement, options);
  const ProgramFlows flows(fabric, routing, program, placement, options);
  return longest_chain(program, options, alone_in(fabric, program, flows, options), false);
}

}  // namespace banyan::flow
