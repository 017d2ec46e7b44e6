// The bandwidth of traffic, from the rates of its flows: over samples of a pattern, over random bisections
// (Hoefler, Schneider, Lumsdaine 2008), and for every pair as mpiGraph measures it. `load --rates` and
// studies call it.
#pragma once
#include "base/statistics.hpp"
#include "flow/rates.hpp"
#include "topology/topology.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::flow {

struct BandwidthOptions {
  RateOptions rates = {};
  u64 samples = 1000;  // for random traffic
  u64 seed = 1;
  unsigned threads = 1;  // the result does not depend on it
  RailSplit split = {};  // over several rails; what a flow gets is the sum of its parts
};

// Flows from a host to itself are left out. If there are no others, all values are 0.
struct Bandwidth {
  double mean_rate = 0;   // over samples of the mean over flows of all rounds
  double min_rate = 0;    // of any flow in any sample
  double mean_share = 0;  // like mean_rate, with each rate relative to the first link of its flow
  double half_width_99 = 0, share_half_width_99 = 0;  // of the two means; infinite from one random sample
  u64 samples = 0;

  Interval rate() const { return {mean_rate, half_width_99}; }
  Interval share() const { return {mean_share, share_half_width_99}; }
};
Bandwidth bandwidth(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                    const Placement& placement, const BandwidthOptions& options = {});

// A random half of the ranks sends to the other half: the mean share of a link that a flow gets.
Bandwidth bisection_bandwidth(const Topology& topology, const Routing& routing, const Placement& placement,
                              const BandwidthOptions& options = {});

// The rate between any two ranks while all send at once: in round s rank i sends to rank i + s, modulo the
// number of ranks.
struct BandwidthMatrix {
  u32 ranks = 0;
  std::vector<double> rates;   // from * ranks + to; 0 on the diagonal
  double mean = 0, least = 0;  // without the diagonal

  double operator()(Rank from, Rank to) const { return rates[std::size_t{index(from)} * ranks + index(to)]; }
};
BandwidthMatrix mpigraph(const Fabric& fabric, const Routing& routing, const Placement& placement,
                         const RateOptions& options = {}, unsigned threads = 1, const RailSplit& split = {});

}  // namespace banyan::flow
