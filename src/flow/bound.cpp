#include "flow/bound.hpp"

#include "flow/tree_cuts.hpp"

namespace banyan::flow {

u64 cables_above(const Pgft& tree, u32 height) { return tree.W(height + 1) * tree.p[height]; }

std::variant<double, NotApplicable> optimum(const Topology& topology, std::span<const Flow> flows,
                                            const OptimumOptions& options) {
  if (optimum_has_formula(topology)) return TreeCuts(topology, options.measure).bound(flows);
  return optimum_by_program(topology.fabric, flows, options);
}

}  // namespace banyan::flow
