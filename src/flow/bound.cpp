#include "flow/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace banyan {

u64 cables_above(const Pgft& tree, u32 height) { return tree.W(height + 1) * tree.p[height]; }

TreeBound::TreeBound(const Pgft& tree, u32 planes, Measure measure) : tree_(tree) {
  std::size_t subtrees = 0;
  for (u32 k = 0; k < tree.h(); ++k) {
    share_.push_back(1 / (static_cast<double>(cables_above(tree, k)) * capacity(tree.links[k], measure)));
    first_.push_back(subtrees);
    subtrees += tree.M(tree.h()) / tree.M(k) * planes;
  }
  first_.push_back(subtrees);
  leaving_.resize(subtrees);
  entering_.resize(subtrees);
}

double TreeBound::operator()(std::span<const Flow> flows) {
  std::fill(leaving_.begin(), leaving_.end(), 0.0);
  std::fill(entering_.begin(), entering_.end(), 0.0);
  const u32 endpoints = tree_.endpoints(), h = tree_.h();
  for (const Flow& flow : flows) {
    const u32 plane = index(flow.from) / endpoints;
    if (plane != index(flow.to) / endpoints)
      throw InputError(fmt::format("a flow from NIC {} to NIC {}: expected both on one plane",
                                   index(flow.from), index(flow.to)));
    u32 a = tree_.endpoint_of_nic(Nic{index(flow.from) % endpoints});
    u32 b = tree_.endpoint_of_nic(Nic{index(flow.to) % endpoints});
    u32 subtrees = endpoints;
    for (u32 k = 0; k < h && a != b; ++k) {  // subtrees a and b of height k
      leaving_[first_[k] + plane * subtrees + a] += flow.demand;
      entering_[first_[k] + plane * subtrees + b] += flow.demand;
      a /= tree_.m[k], b /= tree_.m[k], subtrees /= tree_.m[k];
    }
  }
  double most = 0;
  for (u32 k = 0; k < h; ++k)
    for (std::size_t t = first_[k]; t < first_[k + 1]; ++t)
      most = std::max(most, std::max(leaving_[t], entering_[t]) * share_[k]);
  return most;
}

std::variant<double, NotApplicable> optimum(const Topology& topology, std::span<const Flow> flows,
                                            const OptimumOptions& options) {
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (tree && topology.is_intact()) return TreeBound(*tree, topology.planes, options.measure)(flows);
  return optimum_by_program(topology.fabric, flows, options);
}

}  // namespace banyan
