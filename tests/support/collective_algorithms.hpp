// The algorithms of every collective that take any number of hosts, for tests that draw one.
#pragma once
#include <map>
#include <string_view>
#include <vector>

namespace banyan::tests {

inline const std::map<std::string_view, std::vector<std::string_view>>& collective_algorithms() {
  static const std::map<std::string_view, std::vector<std::string_view>> all = {
      {"barrier", {"linear", "double-ring", "recursive-doubling", "bruck", "tree"}},
      {"broadcast",
       {"linear", "chain", "pipeline", "split-binary", "binary", "binomial", "k-nomial", "scatter-allgather",
        "scatter-allgather-ring"}},
      {"reduce", {"linear", "chain", "pipeline", "binary", "binomial", "in-order-binary", "rabenseifner"}},
      {"allreduce",
       {"linear", "non-overlapping", "recursive-doubling", "ring", "segmented-ring", "rabenseifner", "tree"}},
      {"reduce-scatter", {"non-overlapping", "recursive-halving", "ring", "butterfly"}},
      {"gather", {"linear", "binomial", "linear-sync"}},
      {"scatter", {"linear", "binomial"}},
      {"allgather", {"linear", "bruck", "recursive-doubling", "ring", "neighbour-exchange"}},
      {"alltoall", {"linear", "pairwise", "bruck"}}};
  return all;
}

}  // namespace banyan::tests
