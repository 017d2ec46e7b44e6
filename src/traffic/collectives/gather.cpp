// Gather.
#include "traffic/collectives/collective.hpp"
#include "traffic/collectives/gather_scatter.hpp"
#include "traffic/collectives/trees.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view gather_rules =
    "<4: <2 linear-sync, <4 linear, <32768 binomial, <65536 linear, <131072 binomial, linear-sync\n"
    "<8: <1024 binomial, <8192 linear, <32768 binomial, <262144 linear, linear-sync\n"
    "<256: binomial\n"
    "<512: <2048 binomial, <8192 linear, binomial\n"
    "more: binomial\n";

Schedule linear(u32 n, const GatherOptions& o) { return to_root(n, o.root, o.bytes); }

Schedule binomial(u32 n, const GatherOptions& o) {
  const FromRoot real{n, o.root};
  return {log2_ceil(n), [=, bytes = o.bytes](u64 round, std::vector<Demand>& out) {
            binomial_step(n, static_cast<u32>(round), bytes, [&](u32 low, u32 high, u64 size) {
              out.push_back(message(real(high), real(low), size));
            });
          }};
}

// The root calls for each rank's first segment in turn; the rest, an empty message if there is none, comes
// when it comes, here in the last round.
Schedule linear_sync(u32 n, const GatherOptions& o) {
  const Segments segments({o.bytes, 1}, o.segment);
  const u64 first = segments.per_segment, rest = o.bytes - first;
  Schedule calls{2 * u64{n - 1}, [=, root = o.root](u64 round, std::vector<Demand>& out) {
                   const auto turn = static_cast<u32>(round / 2), rank = turn < root ? turn : turn + 1;
                   out.push_back(round % 2 == 0 ? message(root, rank, 0) : message(rank, root, first));
                 }};
  return in_sequence(std::move(calls), to_root(n, o.root, rest));
}

constexpr std::array<Algorithm<GatherOptions>, 3> gather_algorithms = {
    {{"linear", linear}, {"binomial", binomial}, {"linear-sync", linear_sync}}};

}  // namespace

Chosen gather(u32 ranks, const GatherOptions& options) {
  return choose("gather", gather_algorithms, gather_rules, ranks, options.bytes, options);
}

Pattern gather_pattern() {
  return make_collective<gather, Counting{.of_all_ranks = true}>("gather", "Open MPI 4.1",
                                                                 "everyone's bytes to one rank");
}

}  // namespace banyan::traffic
