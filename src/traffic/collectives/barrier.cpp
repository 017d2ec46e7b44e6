// Barriers: messages of nothing.
#include <bit>

#include "traffic/collectives/collective.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view barrier_rules =
    "<4: recursive-doubling\n"
    "<8: linear\n"
    "<64: recursive-doubling\n"
    "<256: bruck\n"
    "<512: tree\n"
    "<1024: bruck\n"
    "<4096: tree\n"
    "more: bruck\n";

constexpr auto no_bytes = [](u64, u32) { return u64{0}; };

Schedule linear(u32 n, const BarrierOptions&) { return in_sequence(to_root(n, 0, 0), from_root(n, 0, 0)); }

// A token goes around twice.
Schedule double_ring(u32 n, const BarrierOptions&) {
  return {2 * u64{n}, [n](u64 round, std::vector<Demand>& out) {
            const auto from = static_cast<u32>(round % n);
            out.push_back(message(from, (from + 1) % n, 0));
          }};
}

// Ranks beyond the largest power of two report to the first ones, and are told at the end.
Schedule recursive_doubling(u32 n, const BarrierOptions&) {
  const u32 core = std::bit_floor(n), extra = n - core;
  const auto partner = [](u64 round, u32 i) { return i ^ (u32{1} << round); };
  Schedule steps = everyone(core, static_cast<u64>(std::countr_zero(core)), partner, no_bytes);
  if (extra == 0) return steps;
  const auto below = [core](u64, u32 i) { return i + core; };
  Schedule report{1, [=](u64, std::vector<Demand>& out) {
                    for (u32 i = core; i < n; ++i) out.push_back(message(i, i - core, 0));
                  }};
  return in_sequence(in_sequence(report, std::move(steps)), everyone(extra, 1, below, no_bytes));
}

Schedule bruck(u32 n, const BarrierOptions&) {
  const auto to = [n](u64 round, u32 i) { return static_cast<u32>((i + (u64{1} << round)) % n); };
  return everyone(n, log2_ceil(n), to, no_bytes);
}

// Up a binomial tree, and down again.
Schedule tree(u32 n, const BarrierOptions&) {
  const u32 steps = log2_ceil(n);
  return {2 * u64{steps}, [=](u64 round, std::vector<Demand>& out) {
            const bool up = round < steps;
            const u64 jump = u64{1} << (up ? round : 2 * steps - 1 - round);
            for (u64 i = jump; i < n; i += 2 * jump) {
              const auto high = static_cast<u32>(i), low = static_cast<u32>(i - jump);
              out.push_back(up ? message(high, low, 0) : message(low, high, 0));
            }
          }};
}

constexpr std::array<Algorithm<BarrierOptions>, 5> barrier_algorithms = {
    {{"linear", linear},
     {"double-ring", double_ring},
     {"recursive-doubling", recursive_doubling},
     {"bruck", bruck},
     {"tree", tree}}};

}  // namespace

Chosen barrier(u32 ranks, const BarrierOptions& options) {
  return choose("barrier", barrier_algorithms, barrier_rules, ranks, 0, options);
}

Pattern barrier_pattern() {
  return make_collective<barrier, Counting{}>("barrier", "Open MPI 4.1",
                                              "nobody goes on before everyone has come");
}

}  // namespace banyan::traffic
