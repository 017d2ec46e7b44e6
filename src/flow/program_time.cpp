#include "flow/program_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "flow/carrier.hpp"
#include "flow/fluid.hpp"
#include "flow/linear_program.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::flow {
namespace {

using Kind = Program::Kind;

void check_program(const Program& program, const Placement& placement, const ProgramOptions& options) {
  for (const double value : {options.network.overhead, options.network.gap, options.network.latency,
                             options.network.switch_latency, options.latency, options.byte_gap,
                             options.byte_overhead, options.eager_bytes})
    if (!(value >= 0)) throw InputError(fmt::format("a time or size of {}: expected 0 or more", value));
  if (placement.size() < program.ranks)
    throw InputError(fmt::format("{} ranks are placed: expected {}, as many as the program has",
                                 placement.size(), program.ranks));
}

// The messages of a program as the flows that carry them.
struct ProgramFlows {
  std::vector<Op> sends;          // by message
  std::vector<u32> message_of;    // by operation that sends
  std::vector<u32> first, parts;  // by message: its flows
  Carried carried;

  ProgramFlows(const Fabric& fabric, const Routing& routing, const Program& program,
               const Placement& placement, const ProgramOptions& options)
      : message_of(program.size()) {
    std::vector<Demand> demands;
    for (Op op = 0; op < program.size(); ++op) {
      if (program.kind[op] != Kind::send) continue;
      message_of[op] = static_cast<u32>(sends.size());
      sends.push_back(op);
      demands.push_back(
          {Rank{program.rank[op]}, Rank{program.rank[program.partner[op]]}, program.amount[op]});
    }
    const Carrier carrier(fabric, routing, placement, options.network.rails, options.network.rates.inside);
    RailTurns turns = carrier.turns();
    carrier.carry(demands, turns, carried);
    first.assign(sends.size(), 0);
    parts.assign(sends.size(), 0);
    for (u32 f = 0; f < carried.flows.size(); ++f)
      if (const u32 message = carried.message[f]; parts[message]++ == 0) first[message] = f;
  }
};

// A network in which messages do not meet.
class OpenNetwork {
 public:
  // How a message travels that meets no other.
  struct Alone {
    double latency, bytes;  // seconds: of the first byte, from the first byte to the last
  };

  OpenNetwork(const Program& program, const ProgramOptions& options, std::vector<Alone> alone,
              bool is_unlimited)
      : unlimited(is_unlimited),
        program_(program),
        gap_(options.network.gap),
        alone_(std::move(alone)),
        receiving_(program, &Program::Where::nic) {}

  const bool unlimited;
  static constexpr bool knows_receives = true;

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
    if (!unlimited) {
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

// Messages as flows that share channels. A NIC of a rank sends one message after another.
class FluidNetwork {
 public:
  FluidNetwork(const Fabric& fabric, const Program& program, const ProgramFlows& flows,
               const ProgramOptions& options)
      : flows_(flows),
        options_(options),
        fluid_(fabric, options.network.rates, flows.carried.listed, flows.carried.flows,
               options.network.resolution),
        messages_(flows.sends.size()),
        nic_(program, &Program::Where::nic),
        nics_(nic_.count()) {}

  static constexpr bool unlimited = false, knows_receives = true;
  static double occupies(Op) { return 0; }
  double next() { return fluid_.next(); }
  template <class Run>
  void send(Run&, Op op, double time) {
    const u32 message = flows_.message_of[op];
    messages_[message].enters = time;
    Nic& nic = nics_[nic_.number(op)];
    if (nic.last == nobody)
      start(message, time);
    else
      messages_[nic.last].next = message;
    nic.last = message;
  }
  template <class Run>
  void step(Run& run) {
    fluid_.step([&](u32 flow, double time) {
      const u32 message = flows_.carried.message[flow];
      Message& state = messages_[message];
      const u32 hops = flows_.carried.listed.hops[flow];
      const double latency = hops == 0 ? 0 : options_.latency + options_.network.latency_of(hops);
      state.left = std::max(state.left, time);
      state.arrives = std::max(state.arrives, time + latency);
      if (--state.open == 0) leave(run, message);
    });
  }
  u64 events() const { return fluid_.events(); }

 private:
  static constexpr u32 nobody = ~u32{0};
  struct Message {
    double enters = 0, left = 0, arrives = 0;
    u32 open = 0, next = nobody;  // flows that have not left; the message behind it
  };
  struct Nic {
    u32 last = nobody;  // of the messages that it has
  };

  void start(u32 message, double time) {
    Message& state = messages_[message];
    state.enters = time;
    state.open = flows_.parts[message];
    for (u32 part = 0; part < state.open; ++part) fluid_.begin(flows_.first[message] + part, time);
  }

  template <class Run>
  void leave(Run& run, u32 message) {
    const Message& state = messages_[message];
    const Op op = flows_.sends[message];
    if (state.next == nobody)
      nics_[nic_.number(op)].last = nobody;
    else
      start(state.next, std::max(state.left, messages_[state.next].enters));
    run.left(op, state.left);
    run.arrives(op, state.arrives, state.left - state.enters);
  }

  const ProgramFlows& flows_;
  const ProgramOptions& options_;
  Fluid fluid_;
  std::vector<Message> messages_;
  Resources nic_;
  std::vector<Nic> nics_;
};

// Until the last operation has ended.
template <class Network>
double run_program(const Program& program, const ProgramOptions& options, Network& network) {
  const ProgramCosts costs{.overhead = options.network.overhead / 2,
                           .byte_overhead = options.byte_overhead,
                           .gap = options.network.gap,
                           .eager_bytes = options.eager_bytes};
  ProgramState state(program);
  ProgramRun<Network> run(program, costs, state, network);
  for (Op op = 0; op < program.size(); ++op)
    if (state.may_begin(op)) run.start(op);
  run.begin();
  for (;;) {
    const double own = run.next(), other = network.next();
    if (own == unlimited && other == unlimited) break;
    if (own <= other)
      run.step();
    else
      network.step(run);
  }
  if (run.ended() < program.size()) refuse_run(program, options.eager_bytes);
  return run.end();
}

double longest_chain(const Program& program, const ProgramOptions& options,
                     std::vector<OpenNetwork::Alone> alone) {
  OpenNetwork network(program, options, std::move(alone), true);
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
                         const Placement& placement, const ProgramOptions& options) {
  check_program(program, placement, options);
  require_end(program);
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
  out.total = run_program(program, options, network);
  return out;
}

ProgramTime fluid_time(const Fabric& fabric, const Routing& routing, const Program& program,
                       const Placement& placement, const ProgramOptions& options) {
  check_program(program, placement, options);
  require_end(program);
  const ProgramFlows flows(fabric, routing, program, placement, options);
  ProgramTime out;
  out.critical_path = longest_chain(program, options, alone_in(fabric, program, flows, options));
  FluidNetwork network(fabric, program, flows, options);
  out.total = run_program(program, options, network);
  out.flow_events = network.events();
  return out;
}

double critical_path(const Fabric& fabric, const Routing& routing, const Program& program,
                     const Placement& placement, const ProgramOptions& options) {
  check_program(program, placement, options);
  require_end(program);
  const ProgramFlows flows(fabric, routing, program, placement, options);
  return longest_chain(program, options, alone_in(fabric, program, flows, options));
}

}  // namespace banyan::flow
