// Messages for ever: a random process for each seat. Private to Workload.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/logarithm.hpp"
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
  double unit() { return static_cast<double>(static_cast<i64>((*this)() >> 11)) * 0x1.0p-53; }
  u64 below(u32 bound) {  // uniform but for one part in 2^32
    return ((*this)() >> 32) * bound >> 32;
  }

 private:
  u64 key_;
};

struct Workload::Open {
  struct Sender {
    SeatRandom random{0};
    double time = 0;          // of the last arrival
    double rate = 0;          // messages a cycle
    double scale = 0;         // of the exponential variates that times are made from
    u32 first = 0, last = 0;  // its targets
    Rank rank{};
    Post pending{};
    u64 drawn = 0;  // flits of all its messages, the pending one included
  };
  struct Target {
    Seat to;
    double until;  // share of this and all before it
  };

  MessageOptions options;
  PagedVector<Sender> senders;  // by seat
  std::vector<Target> targets;
  IdVector<Rank, Seat> everyone;  // of uniform traffic, which lists no targets
  u32 hosts = 0;                  // several processes to a host: those of one do not send each other

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

  // Of demands in the order of who sends them; what each rank sends in all.
  std::vector<double> list_targets(const std::vector<Demand>& demands, u32 ranks,
                                   const IdVector<Rank, Seat>& seats) {
    std::vector<double> row(ranks, 0);
    for (const Demand& demand : demands) {
      Sender& sender = senders[index(seats[demand.from])];
      if (row[index(demand.from)] == 0) sender.first = static_cast<u32>(targets.size());
      row[index(demand.from)] += demand.amount;
      targets.push_back({seats[demand.to], row[index(demand.from)]});
      sender.last = static_cast<u32>(targets.size());
    }
    return row;
  }

  u32 draw_flits(Sender& sender) {
    const u32 mean = options.packet_flits * options.message_packets;
    if (options.sizes == Sizes::fixed) return mean;
    const double drawn = minus_log(1 - sender.random.unit()) * mean;
    return static_cast<u32>(std::clamp(std::ceil(drawn), 1.0, 1e9));
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

  [[gnu::always_inline]] u64 draw(Seat seat) {
    Sender& sender = senders[index(seat)];
    if (sender.rate <= 0) return never;
    const u64 created = options.arrivals == Arrivals::back_to_back ? 0 : draw_time(sender);
    const Seat to = draw_target(sender);
    const u32 flits = draw_flits(sender);
    sender.pending = {created, to, flits, 0, u64{flits} * options.flit_bytes};
    sender.drawn += sender.pending.flits;
    return created;
  }
};

}  // namespace banyan::flit
