// A permutation under which hosts get little: the mean over all hosts of their rate, where every channel
// divides itself evenly among its flows. worst_permutation.hpp finds the heaviest load of one channel,
// exactly; here many channels count at once, for which no exact method is known. So this is a search by swaps
// of two destinations: another permutation may be worse, unless all were tried.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "flow/order_search.hpp"

namespace banyan::flow {

// By host: to whom it sends, itself included.
using Destinations = Seats;

// The rate of a host is 1 over the greatest load of the channels that its flow uses, at most 1; 1 if it sends
// to itself.
struct PermutationRate {
  double mean_rate = 1;  // over all hosts
  double max_load = 0;
};
PermutationRate permutation_rate(const PairPaths& paths, std::span<const u32> to);

// The first of all permutations with the least mean rate, in the order of std::next_permutation. For few
// hosts.
Destinations worst_of_all_permutations(const PairPaths& paths);

class WorstRateSearch {
 public:
  // As many swaps of each chain as are useful: with more, the rate hardly falls. Each swap moves two flows.
  static u64 swaps(u32 hosts) { return u64{100} * hosts; }

  explicit WorstRateSearch(const PairPaths& paths);  // of at least two hosts

  // Permutations that chains start from: random ones.
  std::vector<Destinations> starts(u32 chains, u64 seed) const;
  // What the chains find, in their order; by a device, or by processors. The same bits.
  std::vector<Destinations> run(const gpu::Device& device, std::span<const Destinations> starts,
                                u64 seed) const;
  std::vector<Destinations> run(std::span<const Destinations> starts, u64 seed, unsigned threads) const;

 private:
  u32 hosts_;
  OrderSearch search_;
};

}  // namespace banyan::flow
