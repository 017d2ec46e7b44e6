// Messages for ever: a random process for each seat. Private to Workload.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/logarithm.hpp"
#include "flit/post_queue.hpp"
#include "flit/workload.hpp"
#include "flit/zero_pages.hpp"

namespace banyan::flit {

// The random numbers of a seat: a function of its key and a counter (Steele, Lea and Flood's SplitMix64,
// OOPSLA 2014); cheaper than Random, of which the key is one.
class SeatRandom {
 public:
  explicit SeatRandom(u64 key) : key_(key) {}
  u64 operator()() {
    u64 x = key_ += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  double unit() { return unit((*this)()); }
  u64 below(u32 bound) { return below((*this)(), bound); }
  u64 state() const { return key_; }

  static double unit(u64 drawn) { return static_cast<double>(static_cast<i64>(drawn >> 11)) * 0x1.0p-53; }
  static u64 below(u64 drawn, u32 bound) {  // uniform but for one part in 2^32
    return (drawn >> 32) * bound >> 32;
  }

 private:
  u64 key_;
};

struct Workload::Open {
  struct alignas(64) Sender {
    SeatRandom random{0};
    double time = 0;          // of the last arrival
    double rate = 0;          // messages a cycle, while it is on
    double scale = 0;         // of the exponential variates that times are made from
    u32 first = 0, last = 0;  // its targets
    Rank rank{};
    Post pending{};
    u64 drawn = 0;  // flits of all its messages, the pending one included
  };
  // Of a source that is on and off in turn. Sender::time then counts only the time that it is on.
  struct Periods {
    double on_until = 0;  // in that time
    double off = 0;       // cycles that it has been off until then
  };
  struct Target {
    Seat to;
    double until;  // share of this and all before it
  };

  // Of a seat whose messages are requests, and that answers those of others.
  struct Answering {
    PostQueue replies;   // that it has not begun to send
    u32 unanswered = 0;  // requests that it has sent
    u64 replied = 0;     // flits of all its replies
  };

  MessageOptions options;
  std::vector<PacketLength> lengths;  // of packets, where they are drawn
  double mean_flits = 0;              // of a message
  u32 fixed_flits = 0;                // of every message; 0: they are drawn
  double size_scale = 0;              // of the exponential variates that sizes are made from
  std::vector<Answering> answering;   // by seat; empty: there are no replies
  PagedVector<Sender> senders;        // by seat
  PagedVector<Periods> periods;       // likewise; empty: sources are always on
  Burst burst;
  double on_share = 1;
  std::vector<Target> targets;
  IdVector<Rank, Seat> everyone;  // of uniform traffic, which lists no targets
  u32 hosts = 0;                  // several processes to a host: those of one do not send each other

  void begin(const MessageOptions& the_options, u32 seats);  // nobody sends yet
  std::vector<bool> answering_seats() const;                 // those that listed requests go to

  [[gnu::always_inline]] Seat draw_target(Sender& sender) {
    if (!everyone.empty()) {
      for (;;) {
        const u64 other = sender.random.below(static_cast<u32>(everyone.size()) - 1);
        const Seat to = everyone[Rank{static_cast<u32>(other + (other >= index(sender.rank)))}];
        if (hosts == 0 || index(to) % hosts != index(everyone[sender.rank]) % hosts) return to;
      }
    }
    if (sender.last - sender.first == 1) return targets[sender.first].to;
    const double at = sender.random.unit();
    const auto begin = targets.begin() + sender.first, end = targets.begin() + sender.last;
    const auto found =
        std::upper_bound(begin, end, at, [](double x, const Target& t) { return x < t.until; });
    return (found == end ? end - 1 : found)->to;
  }

  // Of demands in the order of who sends them; what each rank sends in all. The demands of the first of
  // `alike` ranks in a row are those of all of these.
  std::vector<double> list_targets(const std::vector<Demand>& demands, const IdVector<Rank, Seat>& seats,
                                   u32 alike) {
    std::vector<double> row(seats.size(), 0);
    for (const Demand& demand : demands) {
      Sender& sender = senders[index(seats[demand.from])];
      if (row[index(demand.from)] == 0) sender.first = static_cast<u32>(targets.size());
      row[index(demand.from)] += demand.amount;
      targets.push_back({seats[demand.to], row[index(demand.from)]});
      sender.last = static_cast<u32>(targets.size());
    }
    for (const Rank rank : seats.ids()) {
      Sender& sender = senders[index(seats[rank])];
      const Rank first{index(rank) / alike * alike};
      if (rank == first) {
        for (u32 i = sender.first; i < sender.last; ++i) targets[i].until /= row[index(rank)];
        continue;
      }
      row[index(rank)] = row[index(first)];
      sender.first = senders[index(seats[first])].first, sender.last = senders[index(seats[first])].last;
    }
    return row;
  }

  [[gnu::always_inline]] u32 draw_flits(Sender& sender) const {
    return fixed_flits > 0 ? fixed_flits : draw_size(sender);
  }
  [[gnu::noinline]] u32 draw_size(Sender& sender) const {
    if (!lengths.empty()) return draw_length(sender.random.unit());
    const double drawn = minus_log(1 - sender.random.unit()) * size_scale;
    return 1 + static_cast<u32>(static_cast<i64>(drawn));
  }

  u32 draw_length(double at) const {
    for (const PacketLength& length : lengths)
      if (at < length.until) return length.flits;
    return lengths.back().flits;
  }

  // --- requests and replies: state of the seat alone
  u64 next_answered(Seat seat) const {
    const Answering& own = answering[index(seat)];
    const Sender& sender = senders[index(seat)];
    const bool may_ask =
        sender.rate > 0 && (options.max_requests == 0 || own.unanswered < options.max_requests);
    const u64 request = may_ask ? sender.pending.created : never;
    return own.replies.empty() ? request : std::min(request, own.replies.front().created);
  }
  Post take_answered(Seat seat, u64 now) {
    Answering& own = answering[index(seat)];
    if (!own.replies.empty() && own.replies.front().created <= now) return own.replies.take();
    Post out = senders[index(seat)].pending;
    if (options.arrivals == Arrivals::back_to_back) out.created = now;
    out.round = 1 + index(seat);
    ++own.unanswered;
    draw(seat);
    return out;
  }
  // Of replies. Several requests may arrive in one cycle, through several ports: engines do not hear of them
  // in the same order.
  static bool is_sent_before(const Post& a, const Post& b) {
    return a.created != b.created ? a.created < b.created : a.to < b.to;
  }
  // A request, or a reply, has arrived.
  void hear(Seat at, u32 round, u64 now) {
    Answering& own = answering[index(at)];
    if (round == 0) {
      --own.unanswered;
      return;
    }
    const Post reply{now + options.reply_cycles, Seat{round - 1}, options.reply_flits, 0,
                     u64{options.reply_flits} * options.flit_bytes};
    own.replies.insert(reply, is_sent_before);
    own.replied += options.reply_flits;
  }

  // A sender's rate was set.
  void set_scale(Sender& sender) const {
    if (options.arrivals == Arrivals::bernoulli)
      sender.scale = sender.rate >= 1 ? 0 : 1 / minus_log1p(sender.rate);
    else
      sender.scale = 1 / sender.rate;
  }
  // The cycle in which the next message is created. A geometric variate is an exponential one, rounded down.
  u64 draw_time(Sender& sender) {
    const double drawn = minus_log(1 - sender.random.unit()) * sender.scale;
    if (options.arrivals == Arrivals::bernoulli) {
      sender.time += 1 + std::floor(drawn);
      return static_cast<u64>(sender.time) - 1;
    }
    sender.time += drawn;
    return static_cast<u64>(static_cast<i64>(sender.time));
  }

  // Of an on or off period: exponential, or geometric from 1 on where messages come by whole cycles.
  double draw_period(Sender& sender, double mean) const {
    const double drawn = minus_log(1 - sender.random.unit());
    if (options.arrivals != Arrivals::bernoulli) return drawn * mean;
    return mean > 1 ? 1 + std::floor(drawn / minus_log1p(1 / mean)) : 1;
  }
  // A source is in a period that has begun before cycle 0.
  void begin_periods(Seat seat) {
    Sender& sender = senders[index(seat)];
    if (sender.random.unit() < on_share) periods[index(seat)].on_until = draw_period(sender, burst.on);
  }
  // The cycle in which the source has been on for its present time. Where messages come by whole cycles, that
  // time is the end of one.
  u64 after_periods(Seat seat, Sender& sender) {
    Periods& period = periods[index(seat)];
    const bool by_cycles = options.arrivals == Arrivals::bernoulli;
    while (by_cycles ? sender.time > period.on_until : sender.time >= period.on_until) {
      period.off += draw_period(sender, burst.off);
      period.on_until += draw_period(sender, burst.on);
    }
    return static_cast<u64>(sender.time + period.off) - (by_cycles ? 1 : 0);
  }

  // What most simulations draw: Poisson arrivals of uniform traffic, one process to a host, one size of
  // messages. The sender's pending message has been drawn before, so that its size is there.
  [[gnu::noinline]] u64 draw_simply(Sender& sender) {
    const u64 first = sender.random(), second = sender.random();
    sender.time += minus_log(1 - SeatRandom::unit(first)) * sender.scale;
    const u64 created = static_cast<u64>(static_cast<i64>(sender.time));
    const u64 other = SeatRandom::below(second, static_cast<u32>(everyone.size()) - 1);
    sender.pending.to = everyone[Rank{static_cast<u32>(other + (other >= index(sender.rank)))}];
    sender.pending.created = created;
    sender.drawn += sender.pending.flits;
    return created;
  }
  [[gnu::always_inline]] u64 draw(Seat seat) {
    Sender& sender = senders[index(seat)];
    if (sender.rate <= 0) return never;
    u64 created = options.arrivals == Arrivals::back_to_back ? 0 : draw_time(sender);
    if (!periods.empty()) [[unlikely]]
      created = after_periods(seat, sender);
    const Seat to = draw_target(sender);
    const u32 flits = draw_flits(sender);
    sender.pending = {created, to, flits, 0, u64{flits} * options.flit_bytes};
    sender.drawn += sender.pending.flits;
    return created;
  }
};

[[gnu::always_inline]] inline Workload::Post Workload::take_next(Seat seat, u64 now) {
  if (!takes_simply_) [[unlikely]]
    return take(seat, now);
  Open::Sender& sender = open_->senders[index(seat)];
  const Post out = sender.pending;
  next_[seat] = open_->draw_simply(sender);
  return out;
}

[[gnu::always_inline]] inline void Workload::ask_ahead(Seat seat) const {
  if (!takes_simply_) return;
  const Open::Sender& sender = open_->senders[index(seat)];
  __builtin_prefetch(&next_[seat], 1);
  __builtin_prefetch(&sender, 1);
  __builtin_prefetch(&sender.drawn, 1);
}

}  // namespace banyan::flit
