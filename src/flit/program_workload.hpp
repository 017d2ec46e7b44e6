// A program, once. Private to Workload.
#pragma once
#include <vector>

#include "flit/workload.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::flit {

struct Workload::Running {
  // What a seat hands to its NIC, and the clock of its rank.
  struct Member;
  // Messages go to the NIC; those of a rank to itself arrive at once.
  struct Network {
    static constexpr bool is_uncontended = false, knows_receives = false;
    static double occupies(Op) { return 0; }
    void send(ProgramRun<Network>& run, Op op, double time);

    const Program& program;
    Member& member;
  };
  struct Waiting {
    double time;
    Op op;
    bool operator>(const Waiting& o) const { return time > o.time || (time == o.time && op > o.op); }
  };
  struct Member {
    std::vector<Waiting> waiting;  // sends that entered the NIC: a heap, the first on top
    Op sending = none_sent;
    std::unique_ptr<Network> network;
    std::unique_ptr<ProgramRun<Network>> run;  // none: no rank sits here
    bool sends = false;
    std::vector<Op> arrived;  // in one cycle, in order of their numbers; the rank has not heard of them yet
    u64 arrived_at = 0;       // that cycle
  };
  static constexpr Op none_sent = ~Op{0};

  Running(const Program& p, const ProgramCosts& c) : program(p), costs(c), state(program) {}

  // Each returns the cycle from which the seat's next message is there, or in which it wants to be asked.
  u64 settle(Seat seat, u64 now);
  // Messages may arrive in one cycle, through several ports: engines do not hear of them in the same order.
  u64 arrived(Seat seat, Op op, u64 now);
  void hear(Member& member);
  Post take(Seat seat);
  bool sends(Seat seat) const { return members[index(seat)].sends; }
  double finish();
  u64 next_time(const Member& member) const;

  const Program& program;
  ProgramCosts costs;
  ProgramState state;
  double latency = 0;
  u32 flit_bytes = 1;
  IdVector<Rank, Seat> seat_of;
  std::vector<Member> members;  // by seat
  u64 messages = 0;
  u32 common_flits = 0;  // the largest number that divides the size of every message
};

}  // namespace banyan::flit
