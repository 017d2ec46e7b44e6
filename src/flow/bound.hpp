// The minimum over all routings of the maximum load. On a complete fat-tree that is ML(TM), the maximum load
// of a subtree's cables if they shared it evenly (mahapatra, lemma 1 and theorem 1): a formula. Elsewhere it
// is the optimum of a linear program.
#pragma once
#include <span>
#include <variant>

#include "base/error.hpp"
#include "flow/measure.hpp"
#include "topology/topology.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

// TL(k): the cables that connect a subtree of height k with the rest, W_{k+1} p_{k+1}.
u64 cables_above(const Pgft& tree, u32 height);

// Whether optimum() has a formula for this topology: a fat-tree without missing cables.
inline bool optimum_has_formula(const Topology& topology) {
  return topology.is<Pgft>() && topology.is_intact();
}

// Uses TreeCuts, or a linear program over all flows in the fabric as it is. Not applicable if hosts cannot
// reach each other, or if the program would have more than `max_rows` rows.
struct OptimumOptions {
  Measure measure = Measure::demand;
  u64 max_rows = 12'000;  // pairs of switches with traffic, and pairs with cables
};
std::variant<double, NotApplicable> optimum(const Topology& topology, std::span<const Flow> flows,
                                            const OptimumOptions& options = {});
// Uses the linear program for any shape.
std::variant<double, NotApplicable> optimum_by_program(const Fabric& fabric, std::span<const Flow> flows,
                                                       const OptimumOptions& options = {});

// PERF(r, TM): a maximum load divided by the minimum possible one; 1 if there is no load.
inline double performance_ratio(double max_load, double least) { return least > 0 ? max_load / least : 1; }

}  // namespace banyan::flow
