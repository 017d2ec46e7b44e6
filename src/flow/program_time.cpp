#include "flow/program_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "flow/linear_program.hpp"
#include "flow/program_network.hpp"

namespace banyan::flow {
namespace {

using Kind = Program::Kind;

// A network in which messages do not meet.
class OpenNetwork {
 public:
  // How a message travels that meets no other.
  struct Alone {
    double latency, bytes;  // seconds: of the first byte, from the first byte to the last
  };

  OpenNetwork(const Program& program, const ProgramOptions& options, std::vector<Alone> alone,
              bool uncontended, bool receives_are_known = true)
      : is_uncontended(uncontended),
        knows_receives(receives_are_known),
        program_(program),
        gap_(options.network.gap),
        alone_(std::move(alone)),
        receiving_(program, &Program::Where::nic) {}

  const bool is_uncontended, knows_receives;

  double occupies(Op send) const { return alone_[send].bytes; }
  double next() const {
    return under_way_.empty() ? std::numeric_limits<double>::infinity() : under_way_.front().time;
  }
  template <class Run>
  void send(Run& run, Op op, double time) {
    run.left(op, time + alone_[op].bytes);
    under_way_.push_back({time + alone_[op].latency, order_++, op});
    std::push_heap(under_way_.begin(), under_way_.end(), std::greater<>());
  }
  // The first byte is there: the receiver's NIC takes one message after another.
  template <class Run>
  void step(Run& run) {
    const Head head = under_way_.front();
    std::pop_heap(under_way_.begin(), under_way_.end(), std::greater<>());
    under_way_.pop_back();
    const double bytes = alone_[head.op].bytes;
    double start = head.time;
    if (!is_uncontended) {
      double& free = receiving_.free(program_.partner[head.op]);
      start = std::max(start, free);
      free = start + gap_ + bytes;
    }
    run.arrives(head.op, start + bytes, bytes);
  }

 private:
  struct Head {
    double time;
    u32 order;
    Op op;
    bool operator>(const Head& o) const { return time > o.time || (time == o.time && order > o.order); }
  };

  const Program& program_;
  double gap_;
  std::vector<Alone> alone_;
  Resources receiving_;
  std::vector<Head> under_way_;  // a heap, the first on top
  u32 order_ = 0;
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

double longest_chain(const Program& program, const ProgramOptions& options,
                     std::vector<OpenNetwork::Alone> alone, bool knows_receives = true) {
  OpenNetwork network(program, options, std::move(alone), true, knows_receives);
  return run_program(program, options, network);
}

// By operation that sends, how its message travels if it has the fabric to itself.
std::vector<OpenNetwork::Alone> alone_in(const Fabric& fabric, const Program& program,
                                         const ProgramFlows& flows, const ProgramOptions& options) {
  const RateSolver solver(fabric, options.network.rates);
  const Incidence& listed = flows.carried.listed;
  std::vector<OpenNetwork::Alone> out(program.size());
  for (u32 f = 0; f < flows.carried.flows.size(); ++f) {
    double rate = unlimited;
    for (u64 i = listed.first[f]; i < listed.first[f + 1]; ++i)
      rate = std::min(rate, solver.capacity(listed.channels[i]) / listed.shares[i]);
    OpenNetwork::Alone& one = out[flows.sends[flows.carried.message[f]]];
    one.bytes = std::max(one.bytes, flows.carried.flows[f].demand / rate);
    if (listed.hops[f] > 0)
      one.latency = std::max(one.latency, options.latency + options.network.latency_of(listed.hops[f]));
  }
  return out;
}

}  // namespace

ProgramTime loggops_time(const Fabric& fabric, const Routing& routing, const Program& program,
                         const Placement& placement, const ProgramOptions& options, ProgramLog* log) {
  check_program(program, placement, options);
  const bool has_latencies = options.network.latency > 0 || options.network.switch_latency > 0;
  std::optional<ProgramFlows> flows;
  if (has_latencies) flows.emplace(fabric, routing, program, placement, options);
  std::vector<OpenNetwork::Alone> alone(program.size());
  for (Op op = 0; op < program.size(); ++op) {
    if (program.kind[op] != Kind::send) continue;
    const double bytes = std::max(0.0, program.amount[op] - 1);
    const Host from = placement[Rank{program.rank[op]}],
               to = placement[Rank{program.rank[program.partner[op]]}];
    if (from == to) {
      const Inside& inside = options.network.rates.inside;
      const bool stays = program.rank[op] == program.rank[program.partner[op]];
      alone[op] = {0, stays || !inside.limits() ? 0 : bytes / inside.bandwidth};
      continue;
    }
    const u32 hops = flows ? flows->carried.listed.hops[flows->first[flows->message_of[op]]] : 0;
    alone[op] = {options.latency + options.network.latency_of(hops), bytes * options.byte_gap};
  }
  ProgramTime out;
  out.critical_path = longest_chain(program, options, alone);
  OpenNetwork network(program, options, std::move(alone), false);
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
