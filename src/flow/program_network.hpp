// The network of a program at level fluid: its messages as flows. Shared by those that run one program or
// many.
#pragma once
#include <algorithm>
#include <vector>

#include "flow/carrier.hpp"
#include "flow/fluid.hpp"
#include "flow/program_time.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::flow {

// Throws InputError for options that are no times, a placement that is too short, and a program that never
// ends.
void check_program(const Program& program, const Placement& placement, const ProgramOptions& options);

inline ProgramCosts costs_of(const ProgramOptions& options) {
  return {.overhead = options.network.overhead / 2,
          .byte_overhead = options.byte_overhead,
          .gap = options.network.gap,
          .eager_bytes = options.eager_bytes};
}

// The messages of a program as the flows that carry them.
struct ProgramFlows {
  std::vector<Op> sends;          // by message
  std::vector<u32> message_of;    // by operation that sends
  std::vector<u32> first, parts;  // by message: its flows
  std::vector<Demand> demands;    // by message
  Carried carried;
  std::vector<double> weights;  // by flow; empty: all are 1

  // The flows lose their ends and sizes, which a fluid has taken over: less memory.
  void forget_sizes();

  ProgramFlows(const Fabric& fabric, const Routing& routing, const Program& program,
               const Placement& placement, const ProgramOptions& options);
};

// Messages as flows that share channels. A NIC of a rank sends one message after another.
class FluidNetwork {
 public:
  // The flows have numbers from `first` in the fluid. All must outlive it.
  FluidNetwork(Fluid& fluid, const Program& program, const ProgramFlows& flows, const ProgramOptions& options,
               u32 first = 0)
      : is_uncontended(options.network.rates.is_alone),
        flows_(flows),
        options_(options),
        fluid_(fluid),
        first_(flows.first),
        messages_(flows.sends.size()),
        nic_(program, &Program::Where::nic),
        nics_(nic_.count()) {
    for (u32& flow : first_) flow += first;
  }

  const bool is_uncontended;  // flows meet nobody: nor do messages of one NIC
  static constexpr bool knows_receives = true;
  static double occupies(Op) { return 0; }
  double next() { return fluid_.next(); }
  template <class Run>
  void send(Run&, Op op, double time) {
    const u32 message = flows_.message_of[op];
    messages_[message].enters = time;
    if (is_uncontended) return start(message, time);
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
      done(run, flows_.carried.message[flow], flows_.carried.listed.hops[flow], time);
    });
  }
  // A flow of a message is done, whose longest way has so many hops.
  template <class Run>
  void done(Run& run, u32 message, u32 hops, double time) {
    Message& state = messages_[message];
    const double latency = hops == 0 ? 0 : options_.latency + options_.network.latency_of(hops);
    state.left = std::max(state.left, time);
    state.arrives = std::max(state.arrives, time + latency);
    if (--state.open == 0) leave(run, message);
  }

  // Of a message: whether its last byte has left; the first of its flows; that its flows are others now.
  bool has_left(u32 message) const { return messages_[message].is_over; }
  u32 first(u32 message) const { return first_[message]; }
  void set_first(u32 message, u32 flow) { first_[message] = flow; }
  double entered(u32 message) const { return messages_[message].enters; }  // the network, after its NIC

 private:
  static constexpr u32 nobody = ~u32{0};
  struct Message {
    double enters = 0, left = 0, arrives = 0;
    u32 open = 0, next = nobody;  // flows that have not left; the message behind it
    bool is_over = false;
  };
  struct Nic {
    u32 last = nobody;  // of the messages that it has
  };

  void start(u32 message, double time) {
    Message& state = messages_[message];
    state.enters = time;
    state.open = flows_.parts[message];
    for (u32 part = 0; part < state.open; ++part) fluid_.begin(first_[message] + part, time);
  }

  template <class Run>
  void leave(Run& run, u32 message) {
    Message& state = messages_[message];
    const Op op = flows_.sends[message];
    state.is_over = true;
    if (state.next == nobody)
      nics_[nic_.number(op)].last = nobody;
    else
      start(state.next, std::max(state.left, messages_[state.next].enters));
    run.left(op, state.left);
    run.arrives(op, state.arrives, state.left - state.enters);
  }

  const ProgramFlows& flows_;
  const ProgramOptions& options_;
  Fluid& fluid_;
  std::vector<u32> first_;  // by message: the first of its flows
  std::vector<Message> messages_;
  Resources nic_;
  std::vector<Nic> nics_;
};

}  // namespace banyan::flow
