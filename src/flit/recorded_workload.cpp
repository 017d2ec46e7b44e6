#include "flit/recorded_workload.hpp"

#include <numeric>

#include "base/error.hpp"

namespace banyan::flit {

Workload Workload::recorded(const Fabric& fabric, const std::function<MessageTrace()>& open,
                            const Placement& placement, const MessageOptions& options, u32 processes,
                            const std::vector<bool>& mine) {
  check_sizes(options);
  const Traffic ranks_only{.ranks = static_cast<u32>(placement.size()), .list = {}};
  Workload out;
  out.recorded_ = std::make_unique<Recorded>(
      Recorded{open(), seats_of(fabric, ranks_only, placement, processes, mine), mine, options.flit_bytes});
  Recorded& own = *out.recorded_;
  if (processes > 0) own.hosts = fabric.hosts();
  own.waiting.resize(own.seats.count);
  own.senders.resize(own.seats.count);
  MessageTrace whole = open();
  while (const auto message = whole.next()) {  // every line is looked at before the first cycle
    if (own.stays_inside(*message)) continue;
    const u32 sender = index(own.seats.of[message->from]);
    if (!own.senders[sender]) check_sender(fabric, placement[message->from], processes);
    own.senders[sender] = true;
    own.common_flits = std::gcd(own.common_flits, own.flits_of(message->bytes));
    ++own.messages;
  }
  if (own.messages == 0) throw InputError("no rank sends anything to another");
  own.ahead = own.trace.next();
  out.next_.resize(own.seats.count);
  out.read_until(1);
  return out;
}

void Workload::read_until(u64 cycle) {
  if (!recorded_ || cycle <= recorded_->horizon) return;
  Recorded& own = *recorded_;
  own.horizon = (cycle + Recorded::window - 1) / Recorded::window * Recorded::window;
  for (; own.ahead && own.ahead->time < own.horizon; own.ahead = own.trace.next()) {
    const Seat from = own.seats.of[own.ahead->from];
    if (own.stays_inside(*own.ahead) || !own.is_mine(from)) continue;
    own.waiting[from].push(
        {own.ahead->time, own.seats.of[own.ahead->to], own.flits_of(own.ahead->bytes), 0, own.ahead->bytes});
  }
  for (const Seat seat : next_.ids()) next_[seat] = own.next_time(seat);
}

u64 Workload::horizon() const { return recorded_ && recorded_->ahead ? recorded_->horizon : never; }

}  // namespace banyan::flit
