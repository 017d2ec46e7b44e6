#include "flow/worst_rate.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"

namespace banyan::flow {
namespace {

// Neither of a pattern, nor of a placement, nor of the search for an order.
constexpr u64 permutation_stream = ~u64{0} - (u64{1} << 33), swap_stream = ~u64{0} - (u64{1} << 34);

Destinations identity(u32 hosts) {
  Destinations out(hosts);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Host i sends to rank i, and ranks have seats.
std::vector<OrderRound> one_round(u32 hosts) {
  OrderRound round{.demands = {}, .times = 1, .least = 1};
  for (u32 i = 0; i < hosts; ++i) round.demands.push_back({Rank{i}, Rank{i}, 1});
  return {std::move(round)};
}

}  // namespace

PermutationRate permutation_rate(const PairPaths& paths, std::span<const u32> to) {
  std::vector<double> load(paths.channels());
  PermutationRate out{.mean_rate = 0};
  for (u32 from = 0; from < to.size(); ++from)
    for (const auto& [channel, share] : paths.parts(from, to[from]))
      out.max_load = std::max(out.max_load, load[channel] += share);
  for (u32 from = 0; from < to.size(); ++from) {
    double met = 1;
    for (const auto& part : paths.parts(from, to[from])) met = std::max(met, load[part.channel]);
    out.mean_rate += 1 / met;
  }
  out.mean_rate /= static_cast<double>(std::max<std::size_t>(1, to.size()));
  return out;
}

Destinations worst_of_all_permutations(const PairPaths& paths) {
  constexpr double rate_rounding = 1e-9;  // differences below are those of sums in another order
  Destinations to = identity(paths.hosts()), worst = to;
  double least = permutation_rate(paths, to).mean_rate;
  while (std::next_permutation(to.begin(), to.end())) {
    if (interrupted()) throw Interrupted();
    const double rate = permutation_rate(paths, to).mean_rate;
    if (rate < least * (1 - rate_rounding)) least = rate, worst = to;
  }
  return worst;
}

WorstRateSearch::WorstRateSearch(const PairPaths& paths)
    : hosts_(paths.hosts()),
      search_(paths, one_round(hosts_), swaps(hosts_), OrderSearch::Aim::worst_permutation) {}

std::vector<Destinations> WorstRateSearch::starts(u32 chains, u64 seed) const {
  std::vector<Destinations> out(chains, identity(hosts_));
  for (u32 i = 0; i < chains; ++i) Random(seed, permutation_stream - i).shuffle(std::span(out[i]));
  return out;
}

std::vector<Destinations> WorstRateSearch::run(const gpu::Device& device,
                                               std::span<const Destinations> starts, u64 seed) const {
  return search_.run(device, starts, seed, swap_stream);
}

std::vector<Destinations> WorstRateSearch::run(std::span<const Destinations> starts, u64 seed,
                                               unsigned threads) const {
  std::vector<Destinations> out(starts.size());
  parallel_for(starts.size(), threads,
               [&](u64 i) { out[i] = search_.run(starts[i], seed, swap_stream - i); });
  return out;
}

}  // namespace banyan::flow
