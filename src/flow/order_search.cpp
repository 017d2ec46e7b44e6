#include "flow/order_search.hpp"

#include <algorithm>
#include <limits>
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

// A chain as a processor runs it.
class SwapChain {
 public:
  SwapChain(const gpu::OrderData& data, const Seats& start)
      : data_(data), seats_(start), best_(start), loads_(std::size_t{data.rounds} * data.channels) {
    for (u32 i = 0; i < data_.first_demand[data_.rounds]; ++i) excess_ += add(data_.demand[i], 1);
    least_excess_ = excess_;
    least_ = value();
  }

  Seats run(u64 seed, u64 stream) {
    u64 next_look = 0;  // to measure all rounds costs about as much as swapping a quarter of the ranks
    for (u64 step = 0; step < data_.swaps && !data_.is_done(excess_); ++step) {
      if (step % 64 == 0 && interrupted()) throw Interrupted();
      const gpu::OrderDraws draws{seed, stream, step};
      const u32 a = drawn_rank(draws), b = gpu::OrderDraws::other_rank(data_, draws.ranks(), a);
      const i64 worse = swap(a, b);
      if (!data_.accepts(step, worse, draws.chance())) {
        swap(a, b);
        continue;
      }
      excess_ += worse;
      if (step < next_look) continue;
      look();
      next_look = step + seats_.size() / 4;
    }
    look();
    return std::move(best_);
  }

 private:
  std::span<const gpu::OrderPart> parts(const gpu::OrderDemand& demand) const {
    const u64 pair = data_.pair(demand, seats_.data());
    return {data_.part + data_.first_part[pair], data_.part + data_.first_part[pair + 1]};
  }
  u32& load(const gpu::OrderDemand& demand, u32 channel) {
    return loads_[std::size_t{demand.round} * data_.channels + channel];
  }

  // How much more is too much.
  i64 add(const gpu::OrderDemand& demand, u32 sign) {
    i64 out = 0;
    for (const auto& [channel, share] : parts(demand)) {
      u32& now = load(demand, channel);
      out -= data_.too_much(demand.round, now);
      now += sign * gpu::OrderData::load_of(demand.amount, share);
      out += data_.too_much(demand.round, now);
    }
    return out;
  }

  i64 add_all(u32 a, u32 b, u32 sign) {
    i64 out = 0;
    for (u32 i = data_.first_of_rank[a]; i < data_.first_of_rank[a + 1]; ++i)
      out += add(data_.demand[data_.of_rank[i]], sign);
    for (u32 i = data_.first_of_rank[b]; i < data_.first_of_rank[b + 1]; ++i) {
      const gpu::OrderDemand& demand = data_.demand[data_.of_rank[i]];
      if (demand.from != a && demand.to != a) out += add(demand, sign);
    }
    return out;
  }

  // Twice gives what was there before.
  i64 swap(u32 a, u32 b) {
    const i64 less = add_all(a, b, ~u32{0});
    std::swap(seats_[a], seats_[b]);
    return less + add_all(a, b, 1);
  }

  // One end of a flow on a channel with too much, if a few draws find one; where much is sought, of a flow on
  // none.
  u32 drawn_rank(const gpu::OrderDraws& draws) {
    for (u32 i = 0; i < gpu::OrderData::tries; ++i) {
      const u64 number = draws.at(i);
      const u32 drawn = gpu::OrderDraws::demand(data_, number);
      if (drawn == data_.first_demand[data_.rounds]) continue;
      const gpu::OrderDemand& demand = data_.demand[drawn];
      if ((max_met(demand) > data_.one()) != (data_.seeks_worst != 0))
        return gpu::OrderDraws::end(demand, number);
    }
    return gpu::OrderDraws::any_rank(data_, draws.ranks());
  }

  void look() {
    if (excess_ >= least_excess_) return;
    least_excess_ = excess_;
    const double found = value();
    if (found < least_) least_ = found, best_ = seats_;
  }

  // The greatest load of the channels that a flow uses.
  u32 max_met(const gpu::OrderDemand& demand) {
    u32 out = 0;
    for (const auto& part : parts(demand)) out = std::max(out, load(demand, part.channel));
    return out;
  }

  // What shall be small.
  double value() { return data_.seeks_worst ? rates() : mean(); }

  double rates() {
    u64 out = 0;
    for (u32 i = 0; i < data_.first_demand[data_.rounds]; ++i) out += data_.rate(max_met(data_.demand[i]));
    return static_cast<double>(out);
  }

  double mean() {
    double out = 0;
    for (u32 round = 0; round < data_.rounds; ++round) {
      u32 maximum = 0;
      for (u32 i = data_.first_demand[round]; i < data_.first_demand[round + 1]; ++i)
        maximum = std::max(maximum, max_met(data_.demand[i]));
      out += data_.value[round] * static_cast<double>(maximum);
    }
    return out;
  }

  const gpu::OrderData& data_;
  Seats seats_, best_;
  std::vector<u32> loads_;  // by round and channel
  i64 excess_ = 0, least_excess_ = 0;
  double least_ = 0;
};

// Of a share or an amount, rounded down: what is at the bound stays there.
u32 in_units(double value, double unit) {
  return static_cast<u32>(std::min(value * unit, static_cast<double>(std::numeric_limits<u32>::max())));
}

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

OrderSearch::OrderSearch(const PairPaths& paths, std::span<const OrderRound> rounds, u64 swaps, Aim aim) {
  data_.ranks = paths.hosts();
  data_.rounds = static_cast<u32>(rounds.size());
  data_.channels = paths.channels();
  data_.swaps = swaps;
  data_.seeks_worst = aim == Aim::worst_permutation;
  add_paths(paths);
  u32 max_share = 0;
  for (const gpu::OrderPart& part : parts_) max_share = std::max(max_share, part.share);
  add_rounds(rounds, static_cast<double>(max_share) / gpu::OrderData::whole_share);
  // From 1 to 0.02, in squares of what is too much.
  constexpr double cooler = 0.9848348273262035;  // 0.02^(1/256)
  static_assert(gpu::OrderData::stages == 256);
  double heat = 1;
  for (u32 stage = 0; stage < gpu::OrderData::stages; ++stage, heat *= cooler) heat_.push_back(heat);
}

void OrderSearch::add_paths(const PairPaths& paths) {
  for (u32 from = 0; from < data_.ranks; ++from)
    for (u32 to = 0; to < data_.ranks; ++to) {
      first_part_.push_back(parts_.size());
      for (const auto& [channel, share] : paths.parts(from, to))
        parts_.push_back({channel, in_units(share, gpu::OrderData::whole_share)});
    }
  first_part_.push_back(parts_.size());
}

// The units are as fine as they can be with sums of 31 bits.
void OrderSearch::add_rounds(std::span<const OrderRound> rounds, double max_share) {
  double most = 0, greatest = 0;  // times of a round; what a channel may carry, in lower bounds
  for (const OrderRound& round : rounds) {
    double sum = 0;
    for (const Demand& demand : round.demands) sum += demand.amount;
    most = std::max(most, round.times);
    if (round.least > 0) greatest = std::max(greatest, sum * std::max(1.0, max_share) / round.least);
  }
  data_.unit_bits = 16;
  while (data_.unit_bits > 0 && greatest * data_.one() >= 0x1p31) --data_.unit_bits;
  std::vector<std::vector<u32>> of_rank(data_.ranks);
  for (u32 r = 0; r < rounds.size(); ++r) {
    const double unit = rounds[r].least > 0 ? data_.one() / rounds[r].least : 0;
    for (const Demand& demand : rounds[r].demands) {
      of_rank[index(demand.to)].push_back(static_cast<u32>(demands_.size()));
      if (!data_.seeks_worst) of_rank[index(demand.from)].push_back(static_cast<u32>(demands_.size()));
      demands_.push_back({r, index(demand.from), index(demand.to), in_units(demand.amount, unit)});
    }
    first_demand_.push_back(static_cast<u32>(demands_.size()));
    weight_.push_back(in_units(rounds[r].times / most, 1 << gpu::OrderData::weight_bits));
    value_.push_back(rounds[r].times * rounds[r].least);
  }
  for (const std::vector<u32>& demands : of_rank) {
    first_of_rank_.push_back(static_cast<u32>(of_rank_.size()));
    of_rank_.insert(of_rank_.end(), demands.begin(), demands.end());
  }
  first_of_rank_.push_back(static_cast<u32>(of_rank_.size()));
}

gpu::OrderData OrderSearch::data() const {
  gpu::OrderData out = data_;
  out.first_part = first_part_.data();
  out.part = parts_.data();
  out.first_demand = first_demand_.data();
  out.demand = demands_.data();
  out.first_of_rank = first_of_rank_.data();
  out.of_rank = of_rank_.data();
  out.weight = weight_.data();
  out.value = value_.data();
  out.heat = heat_.data();
  out.logarithms = &logarithm_table;
  return out;
}

Seats OrderSearch::run(const Seats& start, u64 seed, u64 stream) const {
  const gpu::OrderData data = this->data();
  return SwapChain(data, start).run(seed, stream);
}

std::vector<Seats> OrderSearch::run(const gpu::Device& device, std::span<const Seats> starts, u64 seed,
                                    u64 first_stream) const {
  std::vector<u32> start, found(starts.size() * data_.ranks);
  for (const Seats& seats : starts) start.insert(start.end(), seats.begin(), seats.end());
  gpu::search_orders(device, data(), {static_cast<u32>(starts.size()), seed, first_stream, start.data()},
                     found);
  std::vector<Seats> out;
  for (auto at = found.begin(); at != found.end(); at += data_.ranks) out.emplace_back(at, at + data_.ranks);
  return out;
}

}  // namespace banyan::flow
