#include "flow/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/progress.hpp"

namespace banyan::flow {
namespace {

constexpr double sum_rounding = 1e-9;  // differences below are those of sums in another order

class OrderMeter {
 public:
  explicit OrderMeter(const PairPaths& paths) : paths_(paths), load_(paths.channels()) {}

  double max_load(const OrderRound& round, const Seats& seats) {
    double out = 0;
    for (const Demand& demand : round.demands)
      for (const auto& [channel, share] : paths_.parts(seats[index(demand.from)], seats[index(demand.to)]))
        out = std::max(out, load_[channel] += demand.amount * share);
    for (const Demand& demand : round.demands)
      for (const auto& part : paths_.parts(seats[index(demand.from)], seats[index(demand.to)]))
        load_[part.channel] = 0;
    return out;
  }

  double mean(std::span<const OrderRound> rounds, const Seats& seats) {
    double sum = 0, times = 0;
    for (const OrderRound& round : rounds) {
      sum += round.times * max_load(round, seats);
      times += round.times;
    }
    return times > 0 ? sum / times : 0;
  }

 private:
  const PairPaths& paths_;
  std::vector<double> load_;
};

// The loads of all rounds in units of their lower bounds, changed swap by swap.
class SwapState {
 public:
  SwapState(const PairPaths& paths, std::span<const OrderRound> rounds, Seats seats)
      : paths_(paths), rounds_(rounds), seats_(std::move(seats)), of_rank_(seats_.size()) {
    double most = 0;
    for (const OrderRound& round : rounds) most = std::max(most, round.times);
    for (u32 r = 0; r < rounds.size(); ++r) {
      weight_.push_back(rounds[r].times / most);
      for (u32 i = 0; i < rounds[r].demands.size(); ++i) {
        const Demand& demand = rounds[r].demands[i];
        of_rank_[index(demand.from)].push_back({r, i});
        of_rank_[index(demand.to)].push_back({r, i});
      }
    }
    load_.resize(std::size_t{paths.channels()} * rounds.size());
    for (u32 r = 0; r < rounds.size(); ++r)
      for (const Demand& demand : rounds[r].demands) add(r, demand, 1);
  }

  const Seats& seats() const { return seats_; }
  double excess() const { return excess_; }
  bool is_free() const { return excess_ < sum_rounding; }

  // Twice gives what was there before.
  void swap(u32 a, u32 b) {
    each_of(a, b, [&](u32 r, const Demand& demand) { add(r, demand, -1); });
    std::swap(seats_[a], seats_[b]);
    each_of(a, b, [&](u32 r, const Demand& demand) { add(r, demand, 1); });
  }

  // One end of a flow on a channel with too much, if a few draws find one.
  u32 draw_rank(Random& random) const {
    constexpr u32 draws = 16;
    for (u32 i = 0; i < draws; ++i) {
      const u32 r = static_cast<u32>(random.below(rounds_.size()));
      if (rounds_[r].demands.empty()) continue;
      const Demand& demand = rounds_[r].demands[random.below(rounds_[r].demands.size())];
      const double* load = &load_[std::size_t{r} * paths_.channels()];
      for (const auto& part : parts(demand))
        if (load[part.channel] > 1 + sum_rounding) return index(random.below(2) ? demand.from : demand.to);
    }
    return static_cast<u32>(random.below(seats_.size()));
  }

 private:
  struct Entry {
    u32 round, demand;
  };

  std::span<const PairPaths::Part> parts(const Demand& demand) const {
    return paths_.parts(seats_[index(demand.from)], seats_[index(demand.to)]);
  }
  static double too_much(double load) { return load > 1 + sum_rounding ? (load - 1) * (load - 1) : 0; }

  void add(u32 r, const Demand& demand, double sign) {
    if (rounds_[r].least <= 0) return;
    double* load = &load_[std::size_t{r} * paths_.channels()];
    const double amount = sign * demand.amount / rounds_[r].least;
    for (const auto& [channel, share] : parts(demand)) {
      excess_ -= weight_[r] * too_much(load[channel]);
      load[channel] += amount * share;
      excess_ += weight_[r] * too_much(load[channel]);
    }
  }

  void each_of(u32 a, u32 b, auto&& f) {
    for (const auto& [r, i] : of_rank_[a]) f(r, rounds_[r].demands[i]);
    for (const auto& [r, i] : of_rank_[b]) {
      const Demand& demand = rounds_[r].demands[i];
      if (index(demand.from) != a && index(demand.to) != a) f(r, demand);
    }
  }

  const PairPaths& paths_;
  std::span<const OrderRound> rounds_;
  Seats seats_;
  std::vector<std::vector<Entry>> of_rank_;
  std::vector<double> weight_;  // by round
  std::vector<double> load_;    // by round and channel
  double excess_ = 0;
};

}  // namespace

double mean_max_load(const PairPaths& paths, std::span<const OrderRound> rounds, const Seats& seats) {
  return OrderMeter(paths).mean(rounds, seats);
}

Seats best_of_all_orders(const PairPaths& paths, std::span<const OrderRound> rounds) {
  OrderMeter meter(paths);
  Seats seats(paths.hosts());
  std::iota(seats.begin(), seats.end(), 0);
  Seats best = seats;
  double least = meter.mean(rounds, seats);
  while (std::next_permutation(seats.begin(), seats.end())) {
    if (interrupted()) throw Interrupted();
    const double load = meter.mean(rounds, seats);
    if (load < least - sum_rounding * least) least = load, best = seats;
  }
  return best;
}

Seats search_order(const PairPaths& paths, std::span<const OrderRound> rounds, Seats seats, Random random,
                   const SwapOptions& options) {
  constexpr double hottest = 1, coldest = 0.02;  // in squares of what is too much, of a round's lower bound
  if (seats.size() < 2) return seats;
  OrderMeter meter(paths);
  SwapState state(paths, rounds, seats);
  Seats best = std::move(seats);
  double least = meter.mean(rounds, best), least_excess = state.excess();
  u64 next_look = 0;  // to measure all rounds costs about as much as swapping a quarter of the ranks
  const auto look = [&] {
    if (state.excess() >= least_excess) return;
    least_excess = state.excess();
    const double load = meter.mean(rounds, state.seats());
    if (load < least) least = load, best = state.seats();
  };
  for (u64 i = 0; i < options.swaps && !state.is_free(); ++i) {
    if (i % 64 == 0 && interrupted()) throw Interrupted();
    const u32 a = state.draw_rank(random);
    u32 b = static_cast<u32>(random.below(best.size() - 1));
    b += b >= a;
    const double before = state.excess();
    state.swap(a, b);
    const double worse = state.excess() - before;
    const double heat =
        hottest * std::pow(coldest / hottest, static_cast<double>(i) / static_cast<double>(options.swaps));
    if (worse > 0 && random.unit() >= std::exp(-worse / heat)) {
      state.swap(a, b);
    } else if (i >= next_look) {
      look();
      next_look = i + best.size() / 4;
    }
  }
  look();
  return best;
}

}  // namespace banyan::flow
