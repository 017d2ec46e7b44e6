#include "flit/program_workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "flit/seats.hpp"

namespace banyan::flit {
namespace {

// A message without bytes is one flit.
u32 flits_of(double bytes, u32 flit_bytes) {
  return static_cast<u32>(std::clamp(std::ceil(bytes / flit_bytes), 1.0, 4e9));
}

u64 cycle_at(double time) { return static_cast<u64>(std::ceil(time)); }

}  // namespace

Workload Workload::program(const Fabric& fabric, const Program& program, const Placement& placement,
                           const MessageOptions& options, const ProgramCosts& costs, double latency,
                           u32 processes) {
  check_sizes(options);
  const Traffic ranks_only{.ranks = program.ranks, .list = {}};
  const Seats seats = seats_of(fabric, ranks_only, placement, processes, {});
  Workload out;
  out.running_ = std::make_unique<Running>(program, costs);
  Running& running = *out.running_;
  running.latency = latency;
  running.flit_bytes = options.flit_bytes;
  running.seat_of = seats.of;
  running.members = std::vector<Running::Member>(seats.count);
  for (const Rank rank : seats.of.ids()) {
    Running::Member& member = running.members[index(seats.of[rank])];
    if (member.run) throw InputError("level=flit needs a host for each rank, or --accelerators");
    member.network = std::make_unique<Running::Network>(Running::Network{program, member});
    member.run = std::make_unique<ProgramRun<Running::Network>>(program, running.costs, running.state,
                                                                *member.network);
  }
  for (Op op = 0; op < program.size(); ++op) {
    const Rank from{program.rank[op]};
    if (running.state.may_begin(op)) running.members[index(seats.of[from])].run->start(op);
    if (program.kind[op] != Program::Kind::send) continue;
    const Rank to{program.rank[program.partner[op]]};
    if (to == from) continue;
    if (placement[from] == placement[to])
      throw InputError("level=flit does not know the inside of a host: " + program.name(op) +
                       " stays in its host");
    check_sender(fabric, placement[from], processes);
    running.members[index(seats.of[from])].sends = true;
    running.common_flits = std::gcd(running.common_flits, flits_of(program.amount[op], options.flit_bytes));
    ++running.messages;
  }
  for (Running::Member& member : running.members) {
    if (member.run) member.run->begin();
    out.next_.push_back(running.next_time(member));
  }
  return out;
}

void Workload::Running::Network::send(ProgramRun<Network>& run, Op op, double time) {
  if (program.rank[program.partner[op]] == program.rank[op]) {
    run.left(op, time);
    run.arrives(op, time, 0);
    return;
  }
  member.waiting.push_back({time, op});
  std::push_heap(member.waiting.begin(), member.waiting.end(), std::greater<>());
}

u64 Workload::Running::next_time(const Member& member) const {
  if (!member.run) return never;
  if (member.sending != none_sent) return 0;  // it is asked as soon as the message has left
  const double event = member.run->next();
  const u64 own = event < std::numeric_limits<double>::infinity() ? cycle_at(event) : never;
  return member.waiting.empty() ? own : std::min(own, cycle_at(member.waiting.front().time));
}

u64 Workload::Running::settle(Seat seat, u64 now) {
  Member& member = members[index(seat)];
  if (!member.run) return never;
  hear(member);
  if (member.sending != none_sent) {
    const Op sent = member.sending;
    member.sending = none_sent;
    member.run->left(sent, static_cast<double>(now));
  }
  while (member.run->next() <= static_cast<double>(now)) member.run->step();
  return next_time(member);
}

u64 Workload::Running::arrived(Seat seat, Op op, u64 now) {
  Member& member = members[index(seat)];
  if (member.arrived_at != now) hear(member);
  member.arrived_at = now;
  member.arrived.insert(std::upper_bound(member.arrived.begin(), member.arrived.end(), op), op);
  return std::min(now, next_time(member));
}

void Workload::Running::hear(Member& member) {
  const double time = static_cast<double>(member.arrived_at);
  for (const Op op : member.arrived) {
    while (member.run->next() < time) member.run->step();
    member.run->arrives(op, time + latency, 0);
    while (member.run->next() <= time) member.run->step();
  }
  member.arrived.clear();
}

Workload::Post Workload::Running::take(Seat seat) {
  Member& member = members[index(seat)];
  std::pop_heap(member.waiting.begin(), member.waiting.end(), std::greater<>());
  const auto [time, op] = member.waiting.back();
  member.waiting.pop_back();
  member.sending = op;
  const double bytes = program.amount[op];
  return {cycle_at(time), seat_of[Rank{program.rank[program.partner[op]]}], flits_of(bytes, flit_bytes), op,
          static_cast<u64>(std::ceil(bytes))};
}

double Workload::Running::finish() {
  double out = 0;
  u64 ended = 0;
  for (Member& member : members) {
    if (!member.run) continue;
    hear(member);
    while (member.run->next() < std::numeric_limits<double>::infinity()) member.run->step();
    out = std::max(out, member.run->end());
    ended += member.run->ended();
  }
  if (ended < program.size()) throw std::logic_error("a program did not end although its messages arrived");
  return out;
}

}  // namespace banyan::flit
