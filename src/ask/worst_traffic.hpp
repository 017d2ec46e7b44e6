// The traffic that is worst for a routing: a permutation, and any traffic relative to the optimum.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "flow/oblivious.hpp"
#include "flow/worst_permutation.hpp"

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
