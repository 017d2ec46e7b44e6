// A chain of the search for an order of ranks, or for a bad permutation, by a warp. See order_data.hpp.
#pragma once
#include "gpu/order_data.hpp"
#include "gpu/warp_sum.hpp"

namespace banyan::gpu {

template <class Warp>
class OrderChain {
 public:
  // By rank: its host now, and in the best order so far. By round and channel: loads.
  BANYAN_KERNEL OrderChain(const OrderData& data, u32* seats, u32* best, u32* loads)
      : data_(data), seats_(seats), best_(best), loads_(loads) {}

  // From the order that `start` has to the best one that it finds.
  BANYAN_KERNEL void run(const Warp& warp, const u32* start, u64 seed, u64 stream) {
    prepare(warp, start);
    u64 next_look = 0;
    for (u64 step = 0; step < data_.swaps && !data_.is_done(excess_); ++step) {
      const OrderDraws draws{seed, stream, step};
      const u64 drawn = draws.ranks();
      const u32 a = drawn_rank(warp, draws, drawn), b = OrderDraws::other_rank(data_, drawn, a);
      const i64 worse = swap(warp, a, b);
      if (!data_.accepts(step, worse, draws.chance())) {
        swap(warp, a, b);
        continue;
      }
      excess_ += worse;
      if (step < next_look) continue;
      look(warp);
      next_look = step + data_.ranks / 4;
    }
    look(warp);
  }

 private:
  BANYAN_KERNEL u32 channel_at(u32 round, u32 channel) const { return round * data_.channels + channel; }

  BANYAN_KERNEL void prepare(const Warp& warp, const u32* start) {
    warp.each([&](u32 lane) {
      for (u32 i = lane; i < data_.ranks; i += lanes) seats_[i] = best_[i] = start[i];
      for (u32 i = lane; i < data_.rounds * data_.channels; i += lanes) loads_[i] = 0;
    });
    typename Warp::template PerLane<u64> more;
    warp.each([&](u32 lane) {
      more[lane] = 0;
      for (u32 i = lane; i < data_.first_demand[data_.rounds]; i += lanes)
        more[lane] += static_cast<u64>(add(data_.demand[i], false));
    });
    excess_ = static_cast<i64>(sum_over_lanes<u64>(warp, more));
    least_excess_ = excess_;
    least_ = value(warp);
  }

  // Loads with the seats as they are: how much more is too much.
  BANYAN_KERNEL i64 add(const OrderDemand& demand, bool removes) const {
    const u64 pair = data_.pair(demand, seats_);
    i64 out = 0;
    for (u64 p = data_.first_part[pair]; p < data_.first_part[pair + 1]; ++p) {
      const OrderPart part = data_.part[p];
      const u32 load = OrderData::load_of(demand.amount, part.share), by = removes ? ~load + 1 : load;
      const u32 before = Warp::take(loads_[channel_at(demand.round, part.channel)], by);
      out += data_.too_much(demand.round, before + by) - data_.too_much(demand.round, before);
    }
    return out;
  }

  // Of the flows that one of the two sends or receives, in a lane's share of them.
  BANYAN_KERNEL i64 add_all(u32 lane, u32 a, u32 b, bool removes) const {
    i64 out = 0;
    for (u32 i = data_.first_of_rank[a] + lane; i < data_.first_of_rank[a + 1]; i += lanes)
      out += add(data_.demand[data_.of_rank[i]], removes);
    for (u32 i = data_.first_of_rank[b] + lane; i < data_.first_of_rank[b + 1]; i += lanes) {
      const OrderDemand demand = data_.demand[data_.of_rank[i]];
      if (demand.from != a && demand.to != a) out += add(demand, removes);
    }
    return out;
  }

  BANYAN_KERNEL i64 swap(const Warp& warp, u32 a, u32 b) const {
    typename Warp::template PerLane<u64> more;
    warp.each([&](u32 lane) { more[lane] = static_cast<u64>(add_all(lane, a, b, true)); });
    warp.each([&](u32 lane) {
      if (lane != 0) return;
      const u32 host = seats_[a];
      seats_[a] = seats_[b];
      seats_[b] = host;
    });
    warp.each([&](u32 lane) { more[lane] += static_cast<u64>(add_all(lane, a, b, false)); });
    return static_cast<i64>(sum_over_lanes<u64>(warp, more));
  }

  // One end of a flow on a channel with too much, if one of the tries finds one; where much is sought, of a
  // flow on none.
  BANYAN_KERNEL u32 drawn_rank(const Warp& warp, const OrderDraws& draws, u64 drawn) const {
    typename Warp::template PerLane<u32> rank;
    typename Warp::template PerLane<bool> is_hot;
    warp.each([&](u32 lane) {
      is_hot[lane] = false;
      rank[lane] = 0;
      if (lane >= OrderData::tries) return;
      const u64 number = draws.at(lane);
      const u32 i = OrderDraws::demand(data_, number);
      if (i == data_.first_demand[data_.rounds]) return;
      is_hot[lane] = (max_met(data_.demand[i]) > data_.one()) != (data_.seeks_worst != 0);
      rank[lane] = OrderDraws::end(data_.demand[i], number);
    });
    const u32 hot = warp.ballot(is_hot);
    return hot != 0 ? warp.from(rank, Warp::first_bit(hot)) : OrderDraws::any_rank(data_, drawn);
  }

  // The greatest load of the channels that a flow uses.
  BANYAN_KERNEL u32 max_met(const OrderDemand& demand) const {
    const u64 pair = data_.pair(demand, seats_);
    u32 out = 0;
    for (u64 p = data_.first_part[pair]; p < data_.first_part[pair + 1]; ++p) {
      const u32 load = loads_[channel_at(demand.round, data_.part[p].channel)];
      if (load > out) out = load;
    }
    return out;
  }

  // Keeps the order if it is better than those before.
  BANYAN_KERNEL void look(const Warp& warp) {
    if (excess_ >= least_excess_) return;
    least_excess_ = excess_;
    const double found = value(warp);
    if (!(found < least_)) return;
    least_ = found;
    warp.each([&](u32 lane) {
      for (u32 i = lane; i < data_.ranks; i += lanes) best_[i] = seats_[i];
    });
  }

  // What shall be small.
  BANYAN_KERNEL double value(const Warp& warp) const { return data_.seeks_worst ? rates(warp) : mean(warp); }

  // What all flows get, added up.
  BANYAN_KERNEL double rates(const Warp& warp) const {
    typename Warp::template PerLane<u64> rate;
    warp.each([&](u32 lane) {
      rate[lane] = 0;
      for (u32 i = lane; i < data_.first_demand[data_.rounds]; i += lanes)
        rate[lane] += data_.rate(max_met(data_.demand[i]));
    });
    return static_cast<double>(static_cast<i64>(sum_over_lanes<u64>(warp, rate)));
  }

  // The maximum loads of all rounds, added up.
  BANYAN_KERNEL double mean(const Warp& warp) const {
    double out = 0;
    for (u32 round = 0; round < data_.rounds; ++round) {
      typename Warp::template PerLane<u32> maximum;
      warp.compute([&](u32 lane) {
        maximum[lane] = 0;
        for (u32 c = lane; c < data_.channels; c += lanes) {
          const u32 load = loads_[channel_at(round, c)];
          if (load > maximum[lane]) maximum[lane] = load;
        }
      });
      out += data_.value[round] * static_cast<double>(warp.max(maximum));
    }
    return out;
  }

  const OrderData& data_;
  u32 *seats_, *best_, *loads_;
  i64 excess_ = 0, least_excess_ = 0;
  double least_ = 0;
};

// Words of memory of a chain.
BANYAN_BOTH u64 order_words(const OrderData& data) {
  return 2 * u64{data.ranks} + u64{data.rounds} * data.channels;
}

// The chain in `memory`, whose second part is then the best order.
template <class Warp>
BANYAN_KERNEL void run_order(const Warp& warp, const OrderData& data, const OrderChains& chains, u32 chain,
                             u32* memory) {
  OrderChain<Warp>(data, memory, memory + data.ranks, memory + 2 * std::size_t{data.ranks})
      .run(warp, chains.start + std::size_t{chain} * data.ranks, chains.seed, chains.first_stream - chain);
}

}  // namespace banyan::gpu
