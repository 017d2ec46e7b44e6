// The network of a program at level loggops. Messages do not meet in the fabric. The NICs of hosts, and
// accelerators where the inside of hosts has a speed, carry one message after another.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "flow/program_time.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::flow {

// How a message travels that meets no other.
struct Alone {
  double arrives = 0;  // seconds after it has entered the network
  double lasts = 0;    // from its first byte to its last
};

// The flows of a program's messages, and the ports that each needs: a port of a NIC, the whole NIC where it
// has a limit, what an accelerator sends to others of its host or receives. A port carries one flow at a
// time.
struct LogGopsFlows {
  struct Use {
    u32 port;
    double seconds;  // until the next flow may begin
  };
  struct Flow {
    Op send;
    double latency;  // until its first byte begins to arrive
    double seconds;  // of all bytes
    double lasts;    // from the first byte to the last
    u32 sending;     // the first of its uses at the sender; those at the receiver follow
    u32 receiving;   // the first of its uses at the receiver; those of the next flow follow
  };
  std::vector<Flow> flows;  // with one more at the end
  std::vector<u32> first;   // by operation, with one more at the end: its flows
  std::vector<Use> uses;
  std::vector<Alone> alone;  // by operation that sends
  u32 ports = 0;

  // Throws InputError for messages that cannot arrive.
  LogGopsFlows(const Fabric& fabric, const Routing& routing, const Program& program,
               const Placement& placement, const ProgramOptions& options);
};

// `flows` must outlive it.
class LogGopsNetwork {
 public:
  LogGopsNetwork(const Program& program, const LogGopsFlows& flows)
      : flows_(flows),
        queues_(program, &Program::Where::nic),
        free_(flows.ports, 0),
        arrives_(program.size(), 0),
        open_(program.size()) {
    for (Op op = 0; op < program.size(); ++op) open_[op] = flows.first[op + 1] - flows.first[op];
  }

  static constexpr bool is_uncontended = false, knows_receives = true;
  double occupies(Op send) const { return flows_.alone[send].lasts; }
  double next() const {
    return agenda_.empty() ? std::numeric_limits<double>::infinity() : agenda_.front().time;
  }
  // Ports are taken in the order of time, and sends may be told of in another.
  template <class Run>
  void send(Run&, Op op, double time) {
    push(time, Event::enters, op);
  }
  template <class Run>
  void step(Run& run) {
    const Entry entry = agenda_.front();
    std::pop_heap(agenda_.begin(), agenda_.end(), std::greater<>());
    agenda_.pop_back();
    if (entry.event == Event::enters)
      enter(run, entry.number, entry.time);
    else
      arrive(run, entry.number, entry.time);
  }

 private:
  enum class Event : u8 { enters, arrives };
  struct Entry {
    double time;
    u32 order;
    Event event;
    u32 number;  // of the operation that enters, of the flow that arrives
    bool operator>(const Entry& o) const { return time > o.time || (time == o.time && order > o.order); }
  };

  void push(double time, Event event, u32 number) {
    agenda_.push_back({time, order_++, event, number});
    std::push_heap(agenda_.begin(), agenda_.end(), std::greater<>());
  }

  // Takes ports from when all are free; returns that time.
  double take(u32 first, u32 last, double time) {
    for (u32 i = first; i < last; ++i) time = std::max(time, free_[flows_.uses[i].port]);
    for (u32 i = first; i < last; ++i) free_[flows_.uses[i].port] = time + flows_.uses[i].seconds;
    return time;
  }

  template <class Run>
  void enter(Run& run, Op op, double time) {
    double& queue = queues_.free(op);
    time = std::max(time, queue);
    for (u32 f = flows_.first[op]; f < flows_.first[op + 1]; ++f) {
      const LogGopsFlows::Flow& flow = flows_.flows[f];
      const double start = take(flow.sending, flow.receiving, time);
      queue = std::max(queue, start + flow.lasts);
      push(start + flow.latency, Event::arrives, f);
    }
    run.left(op, queue);
  }

  template <class Run>
  void arrive(Run& run, u32 f, double time) {
    const LogGopsFlows::Flow& flow = flows_.flows[f];
    const double start = take(flow.receiving, flows_.flows[f + 1].sending, time);
    double& arrives = arrives_[flow.send];
    arrives = std::max(arrives, start + flow.seconds);
    if (--open_[flow.send] == 0) run.arrives(flow.send, arrives, flows_.alone[flow.send].lasts);
  }

  const LogGopsFlows& flows_;
  traffic::Resources queues_;    // of ranks: when the last message of each has left
  std::vector<double> free_;     // by port
  std::vector<double> arrives_;  // by operation that sends: the last of its flows so far
  std::vector<u32> open_;        // likewise: flows that have not arrived
  std::vector<Entry> agenda_;    // a heap, the first on top
  u32 order_ = 0;
};

}  // namespace banyan::flow
