// Loads of samples of traffic, by the fastest kernel for the routing and the pattern. All kernels give the
// same result, and a sample is a function of seed and number only.
#pragma once
#include <span>
#include <variant>

#include "flow/listed_kernel.hpp"
#include "flow/table_kernel.hpp"
#include "flow/tag_kernel.hpp"
#include "flow/uniform_kernel.hpp"

namespace banyan::flow {

class LoadSampler {
 public:
  // Topology and routing must outlive this object.
  LoadSampler(const Topology& topology, const Routing& routing, const Traffic& traffic,
              const Placement& placement, bool rates = false, Measure measure = Measure::demand,
              const RailSplit& split = {});

  // Round r of sample s has the number s * rounds + r. May be called from any thread; the result does not
  // depend on `threads`, which only a single round uses.
  void run(u64 seed, u64 first, std::span<RoundLoads> out, unsigned threads = 1) const;

  const ListedKernel& listed() const { return listed_; }  // the same, flow by flow
  const UniformKernel* uniform() const { return std::get_if<UniformKernel>(&quick_); }
  const TagKernel* tags() const { return std::get_if<TagKernel>(&quick_); }
  bool is_quick() const { return !std::holds_alternative<std::monostate>(quick_); }

 private:
  ListedKernel listed_;
  std::variant<std::monostate, TagKernel, TableKernel, UniformKernel> quick_;
};

}  // namespace banyan::flow
