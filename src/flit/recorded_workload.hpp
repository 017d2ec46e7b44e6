// Messages that were recorded, once: read as time goes on. Private to Workload.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "flit/post_queue.hpp"
#include "flit/seats.hpp"
#include "flit/workload.hpp"
#include "traffic/message_trace.hpp"

namespace banyan::flit {

struct Workload::Recorded {
  static constexpr u64 window = 1024;  // cycles that are read at once

  MessageTrace trace;
  Seats seats;
  std::vector<bool> mine;  // by seat; empty: all
  u32 flit_bytes = 1;
  u32 hosts = 0;                           // several processes to a host: messages inside one are left out
  std::optional<RecordedMessage> ahead{};  // read, and not handed to its seat yet; none: the file has ended
  u64 horizon = 0;                         // all before this cycle has been handed over
  IdVector<Seat, PostQueue> waiting{};     // what each has to send, as far as it was read
  std::vector<bool> senders{};             // by seat
  u64 messages = 0;
  u32 common_flits = 0;  // the largest number that divides the size of every message

  // A message without bytes is one flit.
  u32 flits_of(u32 bytes) const { return std::max(1u, bytes / flit_bytes + (bytes % flit_bytes != 0)); }
  bool stays_inside(const RecordedMessage& message) const {
    if (hosts == 0) return message.from == message.to;
    return index(seats.of[message.from]) % hosts == index(seats.of[message.to]) % hosts;
  }
  bool is_mine(Seat seat) const { return mine.empty() || mine[index(seat)]; }
  u64 next_time(Seat seat) const {
    const PostQueue& own = waiting[seat];
    return !own.empty() ? own.front().created : ahead ? horizon : never;
  }
};

}  // namespace banyan::flit
