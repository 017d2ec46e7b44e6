// Alltoall, the total exchange.
#include "traffic/collectives/by_host.hpp"
#include "traffic/collectives/collective.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view alltoall_rules =
    "<3: <32768 pairwise, <262144 linear, pairwise\n"
    "<8: <524288 linear, <1048576 pairwise, linear\n"
    "<16: linear\n"
    "<32: <4 linear, <512 bruck, linear\n"
    "<64: <512 bruck, linear\n"
    "<256: <1024 bruck, <262144 linear, pairwise\n"
    "<512: <1024 bruck, <32768 linear, pairwise\n"
    "<1024: <512 bruck, <262144 linear, pairwise\n"
    "<2048: <512 bruck, linear\n"
    "<4096: <1024 bruck, linear\n"
    "more: <2048 bruck, linear\n";

// All messages at once, from rank i to i - 1, i - 2, ...
Schedule linear(u32 n, const AlltoallOptions& o) {
  return {1, [n, bytes = o.bytes](u64, std::vector<Demand>& out) {
            for (u32 i = 0; i < n; ++i)
              for (u32 k = 1; k < n; ++k) out.push_back(message(i, (i + n - k) % n, bytes));
          }};
}

Schedule pairwise(u32 n, const AlltoallOptions& o) {
  const auto to = [n](u64 round, u32 i) { return static_cast<u32>((i + round + 1) % n); };
  return everyone(n, n - 1, to, [bytes = o.bytes](u64, u32) { return bytes; });
}

// Round r: to rank i + 2^r all blocks whose distance has that bit (Bruck et al. 1997).
Schedule bruck(u32 n, const AlltoallOptions& o) {
  const auto to = [n](u64 round, u32 i) { return static_cast<u32>((i + (u64{1} << round)) % n); };
  const auto bytes = [n, block = o.bytes](u64 round, u32) {
    const u64 bit = u64{1} << round, rest = n % (2 * bit);
    return (n / (2 * bit) * bit + (rest > bit ? rest - bit : 0)) * block;
  };
  return everyone(n, log2_ceil(n), to, bytes);
}

// Two steps: inside the host to the rank on the receiver's rail, then along the rails. What leaves a host
// goes in messages that are as many times as long as a host has ranks.
Schedule hierarchical(u32 n, const AlltoallOptions& o) {
  const HostGrid grid("alltoall", n, o.local);
  const AlltoallOptions between{.bytes = o.bytes * grid.local(), .algorithm = o.between};
  return in_sequence(inside_hosts(grid, [all = o.bytes * grid.hosts()](u32, u32) { return all; }),
                     along_rails(grid, [&](u32) { return alltoall(grid.hosts(), between).schedule; }));
}

constexpr std::array<Algorithm<AlltoallOptions>, 4> alltoall_algorithms = {
    {{"linear", linear}, {"pairwise", pairwise}, {"bruck", bruck}, {"hierarchical", hierarchical}}};

}  // namespace

Chosen alltoall(u32 ranks, const AlltoallOptions& options) {
  return choose("alltoall", alltoall_algorithms, alltoall_rules, ranks, options.bytes, options);
}

Pattern alltoall_pattern() {
  return make_collective<alltoall, Counting{.of_all_ranks = true}>(
      "alltoall", "Open MPI 4.1", "from everyone to everyone, to each its own bytes");
}

}  // namespace banyan::traffic
