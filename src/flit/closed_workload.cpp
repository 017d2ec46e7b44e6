#include "flit/closed_workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "flit/seats.hpp"

namespace banyan::flit {

Workload Workload::closed(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                          const MessageOptions& options, u64 seed, u32 processes,
                          const std::vector<bool>& mine) {
  check_sizes(options);
  const Seats seats = seats_of(fabric, traffic, placement, processes, mine);
  const auto is_mine = [&](Seat seat) { return mine.empty() || mine[index(seat)]; };
  if (options.rounds == Rounds::barrier && traffic.rounds > 1)
    throw InputError("one workload cannot have barriers between its rounds; expected a single round");
  Workload out;
  out.closed_ = std::make_unique<Closed>();
  Closed& closed = *out.closed_;
  closed.members.resize(seats.count);
  closed.reaction_cycles = options.reaction_cycles;
  closed.waits = options.rounds != Rounds::independent;
  const double unit = static_cast<double>(options.packet_flits) * options.message_packets;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    const u32 r = static_cast<u32>(round);
    std::vector<Demand> demands;
    traffic.list(seed, 0, round, demands);
    for (const Demand& demand : demands) {
      if (demand.from == demand.to) continue;
      if (processes > 0 && placement[demand.from] == placement[demand.to]) continue;  // inside a host
      const Seat from = seats.of[demand.from], to = seats.of[demand.to];
      check_sender(fabric, placement[demand.from], processes);
      const double amount = traffic.in_bytes ? demand.amount / options.flit_bytes : demand.amount * unit;
      // a message without bytes is one flit
      const u32 flits = static_cast<u32>(std::clamp(std::ceil(amount), 1.0, 4e9));
      const u64 bytes =
          traffic.in_bytes ? static_cast<u64>(std::ceil(demand.amount)) : u64{flits} * options.flit_bytes;
      if (is_mine(from)) closed.members[from].posts.push_back({0, to, flits, r, bytes});
      closed.common_flits = std::gcd(closed.common_flits, flits);
      ++closed.messages;
      if (!closed.waits || !is_mine(to)) continue;
      auto& awaited = closed.members[to].awaited;
      if (awaited.empty() || awaited.back().round != r) awaited.push_back({r, 0});
      ++awaited.back().messages;
    }
  }
  for (Closed::Member& member : closed.members) {
    member.open(0);
    out.next_.push_back(member.next_time());
  }
  return out;
}

}  // namespace banyan::flit
