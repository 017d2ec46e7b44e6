// Looks for an order of ranks on hosts with a small maximum load: all orders where they are few, else by
// swaps of two ranks from a given order. What it finds is measured by the caller; it proves nothing unless
// all orders were tried.
#pragma once
#include <span>
#include <vector>

#include "base/random.hpp"
#include "flow/pair_paths.hpp"
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
// on a channel that carries more than the round's lower bound. It lessens the sum of the squares of what is
// too much, and keeps the order with the least mean maximum load. It ends early when nothing is too much.
// Memory grows with rounds times channels.
struct SwapOptions {
  u64 swaps = 10'000;
};
Seats search_order(const PairPaths& paths, std::span<const OrderRound> rounds, Seats seats, Random random,
                   const SwapOptions& options = {});

}  // namespace banyan::flow
