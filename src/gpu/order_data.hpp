// The search for an order of ranks on hosts, as processors and a device do it with the same bits. Loads are
// integers in units of a round's lower bound, sums of them do not depend on the order of the terms, and a
// random number is a function of seed, chain and step. flow/order_search.hpp and flow/worst_rate.hpp say what
// is searched.
#pragma once
#include "base/logarithm.hpp"
#include "base/philox.hpp"
#include "gpu/kernel.hpp"

namespace banyan::gpu {

// What a pair of hosts puts on a channel, as a share of its demand.
struct OrderPart {
  u32 channel = 0, share = 0;  // in units of 1 / OrderData::whole_share
};

struct OrderDemand {
  u32 round = 0, from = 0, to = 0;  // ranks
  u32 amount = 0;                   // the round's lower bound is one()
};

struct OrderData {
  static constexpr u32 share_bits = 16, whole_share = 1 << share_bits;
  static constexpr u32 weight_bits = 16;
  static constexpr u32 stages = 256;  // of the heat
  static constexpr u32 tries = 16;    // to find a flow on a channel with too much
  static constexpr u32 draws = 32;    // random numbers of a step, some of them not used

  u32 ranks = 0, rounds = 0, channels = 0, unit_bits = 0;
  u32 seeks_worst = 0;  // 1: host i sends to the host of rank i, and rates shall be low
  u64 swaps = 0;
  const u64* first_part = nullptr;  // by pair of hosts, and one more
  const OrderPart* part = nullptr;
  const u32* first_demand = nullptr;  // by round, and one more
  const OrderDemand* demand = nullptr;
  const u32* first_of_rank = nullptr;  // by rank, and one more
  const u32* of_rank = nullptr;        // demands that it sends or receives
  const u32* weight = nullptr;         // by round; 2^weight_bits is the greatest
  const double* value = nullptr;       // by round: what a load of one() counts in the mean
  const double* heat = nullptr;        // by stage
  const LogarithmTable* logarithms = nullptr;

  constexpr u32 one() const { return u32{1} << unit_bits; }
  constexpr u64 pair(u32 from, u32 to) const { return u64{from} * ranks + to; }
  constexpr u64 pair(const OrderDemand& of, const u32* seats) const {
    return pair(seeks_worst ? of.from : seats[of.from], seats[of.to]);
  }

  // Calls f(array, size) for each array.
  static constexpr void arrays(auto& self, auto&& f) {
    const u64 pairs = u64{self.ranks} * self.ranks;
    f(self.part, self.first_part[pairs]);
    f(self.first_part, pairs + 1);
    f(self.demand, u64{self.first_demand[self.rounds]});
    f(self.first_demand, u64{self.rounds} + 1);
    f(self.of_rank, u64{self.first_of_rank[self.ranks]});
    f(self.first_of_rank, u64{self.ranks} + 1);
    f(self.weight, u64{self.rounds});
    f(self.value, u64{self.rounds});
    f(self.heat, u64{stages});
    f(self.logarithms, u64{1});
  }

  static constexpr u32 load_of(u32 amount, u32 share) {
    return static_cast<u32>(u64{amount} * share >> share_bits);
  }
  // The square of what is too much, by the weight of the round. Sums over all channels fit into 63 bits. It
  // is negative where much is sought.
  constexpr i64 too_much(u32 round, u32 load) const {
    if (load <= one()) return 0;
    const u64 over = load - one();
    const auto out = static_cast<i64>((over * over >> unit_bits) * weight[round] >> weight_bits);
    return seeks_worst ? -out : out;
  }
  constexpr bool is_done(i64 excess) const { return excess == 0 && !seeks_worst; }
  // What a flow gets that meets this load, in units of 2^-32.
  constexpr u64 rate(u32 load) const { return (u64{1} << (32 + unit_bits)) / (load > one() ? load : one()); }
  // Whether a step is taken that makes the sum so much greater, by a number that was drawn (Metropolis).
  constexpr bool accepts(u64 step, i64 worse, u64 drawn) const {
    if (worse <= 0) return true;
    const double unit = (static_cast<double>(static_cast<i64>(drawn >> 11)) + 0.5) * 0x1.0p-53;
    const double limit = minus_log(unit, *logarithms) * heat[step * stages / swaps];
    return limit * static_cast<double>(one()) > static_cast<double>(worse);
  }
};

// The random numbers of a step.
struct OrderDraws {
  u64 seed, stream, step;

  constexpr u64 at(u32 i) const { return philox_number(seed, stream, step * OrderData::draws + i); }
  static constexpr u32 below(u64 bits, u32 bound) {
    return static_cast<u32>((bits & 0xFFFFFFFF) * bound >> 32);
  }

  // A demand, or as many as there are: the round has none.
  static constexpr u32 demand(const OrderData& data, u64 drawn) {
    const u32 round = static_cast<u32>((drawn >> 40) * data.rounds >> 24);
    const u32 first = data.first_demand[round], last = data.first_demand[round + 1];
    return first == last ? data.first_demand[data.rounds] : first + below(drawn >> 8, last - first);
  }
  static constexpr u32 end(const OrderDemand& demand, u64 drawn) {
    return drawn & 1 ? demand.from : demand.to;
  }
  static constexpr u32 any_rank(const OrderData& data, u64 drawn) { return below(drawn >> 32, data.ranks); }
  static constexpr u32 other_rank(const OrderData& data, u64 drawn, u32 rank) {
    const u32 out = below(drawn, data.ranks - 1);
    return out + (out >= rank);
  }
  constexpr u64 ranks() const { return at(OrderData::tries); }
  constexpr u64 chance() const { return at(OrderData::tries + 1); }
};

// Chains that are run at once, chain i with the stream first_stream - i.
struct OrderChains {
  u32 count = 0;
  u64 seed = 0, first_stream = 0;
  const u32* start = nullptr;  // by chain and rank: its host
};

}  // namespace banyan::gpu
