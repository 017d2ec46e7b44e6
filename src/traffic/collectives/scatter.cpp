// Scatter.
#include "traffic/collectives/collective.hpp"
#include "traffic/collectives/gather_scatter.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view scatter_rules =
    "<4: linear\n"
    "<8: <2048 binomial, <4096 linear, <8192 binomial, linear\n"
    "<32: <16384 binomial, linear\n"
    "<64: <512 binomial, <8192 linear, <16384 binomial, linear\n"
    "more: <512 binomial, linear\n";

Schedule linear(u32 n, const ScatterOptions& o) { return from_root(n, o.root, o.bytes); }

Schedule binomial(u32 n, const ScatterOptions& o) {
  const FromRoot real{n, o.root};
  const u32 steps = log2_ceil(n);
  return {steps, [=, bytes = o.bytes](u64 round, std::vector<Demand>& out) {
            binomial_step(n, static_cast<u32>(steps - 1 - round), bytes, [&](u32 low, u32 high, u64 size) {
              out.push_back(message(real(low), real(high), size));
            });
          }};
}

constexpr std::array<Algorithm<ScatterOptions>, 2> scatter_algorithms = {
    {{"linear", linear}, {"binomial", binomial}}};

}  // namespace

Chosen scatter(u32 ranks, const ScatterOptions& options) {
  return choose("scatter", scatter_algorithms, scatter_rules, ranks, options.bytes, options);
}

Pattern scatter_pattern() {
  return make_collective<scatter, Counting{.of_all_ranks = true}>("scatter", "Open MPI 4.1",
                                                                  "from one rank, to each its own bytes");
}

}  // namespace banyan::traffic
