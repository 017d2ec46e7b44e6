// The traffic that is worst for a routing: a permutation, by its heaviest load or by its rates, and any
// traffic relative to the optimum.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "flow/oblivious.hpp"
#include "flow/worst_permutation.hpp"
#include "gpu/device.hpp"

namespace banyan::ask {

struct ChannelName {
  u32 channel = 0;
  std::string name{};

  static void fields(auto& self, auto&& f) {
    f("channel", self.channel, "", "its number");
    f("name", self.name, "", "its ports");
  }
};

struct HostFlow {
  u32 from = 0, to = 0;
  double demand = 0;

  static void fields(auto& self, auto&& f) {
    f("from", self.from, "", "the host that sends");
    f("to", self.to, "", "the host that receives");
    f("demand", self.demand, "flows", "what it asks for");
  }
};

struct WorstPermutationAnswer {
  double load = 0;
  bool exact = true;
  std::optional<ChannelName> channel{};
  std::vector<HostFlow> flows{};
  std::vector<u32> permutation{};

  static void fields(auto& self, auto&& f) {
    f("worst_permutation_load", self.load, "flows", "the heaviest load that a permutation puts on a channel");
    f("worst_permutation_exact", self.exact, "", "no share of a path was rounded");
    f("worst_permutation_channel", self.channel, "", "where; left out if no host reaches another");
    f("worst_permutation_flows", self.flows, "", "that load it");
    f("worst_permutation", self.permutation, "", "to whom each host sends, by host");
  }
};
WorstPermutationAnswer worst_permutation(const Fabric& fabric, const Routing& routing,
                                         const WorstPermutationOptions& options);

struct WorstRateAnswer {
  double rate = 1, random = 1, max_load = 0;
  bool exact = false;
  u64 swaps = 0;
  std::vector<u32> permutation{};

  static void fields(auto& self, auto&& f) {
    f("worst_rate", self.rate, "",
      "under the worst permutation that was found, the mean over hosts of 1 over the heaviest load that "
      "their "
      "flow meets; 1 for a host that sends to itself");
    f("worst_rate_random", self.random, "",
      "the least of the random permutations that the chains start from");
    f("worst_rate_max_load", self.max_load, "flows", "its heaviest load");
    f("worst_rate_exact", self.exact, "", "all permutations were tried: no other has less");
    f("worst_rate_swaps", self.swaps, "", "swaps of two destinations that were tried, by all chains");
    f("worst_rate_permutation", self.permutation, "", "to whom each host sends, by host");
  }
};
struct WorstRateOptions {
  Measure measure = Measure::demand;
  u32 chains = 8;
  u64 seed = 1;
  unsigned threads = 1;                 // the answer depends neither on it
  const gpu::Device* device = nullptr;  // nor on the device; null: processors search
};
constexpr u32 max_worst_rate_chains = 1 << 16;
// Not applicable: too many hosts, paths that depend on the size of a message, or hosts that do not reach each
// other. Throws gpu::DeviceFailure.
Result<WorstRateAnswer> worst_rate(const Topology& topology, const Routing& routing,
                                   const WorstRateOptions& options);
double worst_rate_seconds(const Topology& topology, u32 chains);  // of one processor, roughly

struct ObliviousAnswer {
  double ratio = 1;
  bool exact = true;
  std::optional<ChannelName> channel{};
  std::vector<HostFlow> matrix{};

  static void fields(auto& self, auto&& f) {
    f("oblivious_ratio", self.ratio, "", "the worst ratio to the optimum over all traffic, PERF(r)");
    f("oblivious_exact", self.exact, "", "no share of a path was rounded");
    f("oblivious_channel", self.channel, "", "where; left out if no host reaches another");
    f("oblivious_matrix", self.matrix, "", "the traffic");
  }
};
Result<ObliviousAnswer> oblivious_ratio(const Topology& topology, const Routing& routing,
                                        const ObliviousOptions& options);

}  // namespace banyan::ask
