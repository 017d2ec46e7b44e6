// Looks for an order of ranks on hosts with a small maximum load: all orders where they are few, else by
// swaps of two ranks from a given order. What it finds is measured by the caller; it proves nothing unless
// all orders were tried. The same chains look for bad permutations (worst_rate.hpp).
#pragma once
#include <span>
#include <vector>

#include "flow/pair_paths.hpp"
#include "gpu/device.hpp"
#include "traffic/traffic.hpp"

namespace banyan::flow {

using Seats = std::vector<u32>;  // by rank: the number of its host in the list of hosts

struct OrderRound {
  std::vector<Demand> demands;  // between ranks of different hosts
  double times = 1;             // how often the round is sent
  double least = 0;             // a lower bound of its maximum load
};

// The mean over the rounds of the maximum load.
double mean_max_load(const PairPaths& paths, std::span<const OrderRound> rounds, const Seats& seats);

// The best of all orders; of equal ones the first, in the order of std::next_permutation. For few hosts.
Seats best_of_all_orders(const PairPaths& paths, std::span<const OrderRound> rounds);

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over swaps of two ranks, one of which has a flow
// on a channel that carries more than the round's lower bound. A chain lessens the sum of the squares of what
// is too much, and keeps the order with the least mean maximum load. It ends early when nothing is too much.
// Loads are integers in units of the lower bound (gpu/order_data.hpp), so that a device, where a chain is a
// warp, finds the same orders bit by bit.
class OrderSearch {
 public:
  // Of worst_permutation, one round in which rank i sends to rank i: host i sends to the host of rank i. A
  // chain then enlarges the sum of the squares, and keeps the permutation with the least sum of rates.
  enum class Aim : u8 { good_order, worst_permutation };

  // `swaps` are tried by each chain.
  OrderSearch(const PairPaths& paths, std::span<const OrderRound> rounds, u64 swaps,
              Aim aim = Aim::good_order);

  // From an order of at least two ranks, by processors. Memory grows with rounds times channels. May be
  // called from any thread. Throws Interrupted.
  Seats run(const Seats& start, u64 seed, u64 stream) const;
  // From all of them at once, chain i with the stream first_stream - i. Throws gpu::DeviceFailure.
  std::vector<Seats> run(const gpu::Device& device, std::span<const Seats> starts, u64 seed,
                         u64 first_stream) const;

  gpu::OrderData data() const;  // points into this object

 private:
  void add_paths(const PairPaths& paths);
  void add_rounds(std::span<const OrderRound> rounds, double max_share);

  gpu::OrderData data_;
  std::vector<u64> first_part_;
  std::vector<gpu::OrderPart> parts_;
  std::vector<u32> first_demand_{0}, first_of_rank_, of_rank_, weight_;
  std::vector<gpu::OrderDemand> demands_;
  std::vector<double> value_, heat_;
};

}  // namespace banyan::flow
