// Allgather.
#include <bit>

#include "traffic/collectives/by_host.hpp"
#include "traffic/collectives/collective.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view allgather_rules =
    "<32: recursive-doubling\n"
    "<64: <1024 recursive-doubling, <65536 neighbour-exchange, ring\n"
    "<128: <512 recursive-doubling, <65536 neighbour-exchange, ring\n"
    "<256: <512 recursive-doubling, <131072 neighbour-exchange, <524288 ring, "
    "<1048576 neighbour-exchange, ring\n"
    "<512: <32 recursive-doubling, <128 bruck, <1024 recursive-doubling, <131072 neighbour-exchange, "
    "<524288 ring, <1048576 neighbour-exchange, ring\n"
    "<1024: <64 recursive-doubling, <256 bruck, <2048 recursive-doubling, neighbour-exchange\n"
    "<2048: <4 recursive-doubling, <8 bruck, <16 recursive-doubling, <32 bruck, "
    "<256 recursive-doubling, <512 bruck, <4096 recursive-doubling, neighbour-exchange\n"
    "<4096: <32 bruck, <128 recursive-doubling, <512 bruck, <4096 recursive-doubling, "
    "neighbour-exchange\n"
    "more: <2 recursive-doubling, <8 bruck, <16 recursive-doubling, <512 bruck, "
    "<4096 recursive-doubling, neighbour-exchange\n";

// A gather, then a broadcast, each as the allgather_rules have it.
Schedule linear(u32 n, const AllgatherOptions& o) {
  GatherOptions first;
  first.bytes = o.bytes;
  BroadcastOptions second;
  second.bytes = n * o.bytes;
  return in_sequence(gather(n, first).schedule, broadcast(n, second).schedule);
}

// Round r: to rank i - 2^r all blocks so far, at the end only those that are missing.
Schedule bruck(u32 n, const AllgatherOptions& o) {
  const auto to = [n](u64 round, u32 i) { return static_cast<u32>((i + n - (u64{1} << round)) % n); };
  const auto bytes = [n, block = o.bytes](u64 round, u32) {
    return std::min(u64{1} << round, n - (u64{1} << round)) * block;
  };
  return everyone(n, log2_ceil(n), to, bytes);
}

Schedule recursive_doubling(u32 n, const AllgatherOptions& o) {
  if (!std::has_single_bit(n)) return bruck(n, o);
  const auto to = [](u64 round, u32 i) { return i ^ (u32{1} << round); };
  return everyone(n, log2_ceil(n), to, [block = o.bytes](u64 round, u32) { return block << round; });
}

Schedule ring(u32 n, const AllgatherOptions& o) {
  const auto to = [n](u64, u32 i) { return (i + 1) % n; };
  return everyone(n, n - 1, to, [block = o.bytes](u64, u32) { return block; });
}

// Turn by turn with the two neighbours: one block first, then the two that came last.
Schedule neighbour_exchange(u32 n, const AllgatherOptions& o) {
  if (n % 2 != 0) return ring(n, o);
  const auto to = [n](u64 round, u32 i) { return (i + round) % 2 == 0 ? (i + 1) % n : (i + n - 1) % n; };
  return everyone(n, n / 2, to, [block = o.bytes](u64 round, u32) { return round == 0 ? block : 2 * block; });
}

Schedule allgather_rail_rings(u32 n, const AllgatherOptions& o) {
  const HostGrid grid("allgather", n, o.local);
  return rail_rings(grid, u64{n} - 1, chunk_of(o.bytes, grid.local()));
}

// Along the rails first; then each rank of a host has what the others of its host lack.
Schedule hierarchical(u32 n, const AllgatherOptions& o) {
  const HostGrid grid("allgather", n, o.local);
  const AllgatherOptions between{.bytes = o.bytes, .algorithm = o.between};
  return in_sequence(along_rails(grid, [&](u32) { return allgather(grid.hosts(), between).schedule; }),
                     inside_hosts(grid, [all = o.bytes * grid.hosts()](u32, u32) { return all; }));
}

constexpr std::array<Algorithm<AllgatherOptions>, 7> allgather_algorithms = {
    {{"linear", linear},
     {"bruck", bruck},
     {"recursive-doubling", recursive_doubling},
     {"ring", ring},
     {"neighbour-exchange", neighbour_exchange},
     {"rail-rings", allgather_rail_rings},
     {"hierarchical", hierarchical}}};

}  // namespace

Chosen allgather(u32 ranks, const AllgatherOptions& options) {
  return choose("allgather", allgather_algorithms, allgather_rules, ranks, options.bytes, options);
}

Pattern allgather_pattern() {
  return make_collective<allgather, Counting{.of_all_ranks = true}>("allgather", "Open MPI 4.1",
                                                                    "everyone's bytes to everyone");
}

}  // namespace banyan::traffic
