// Loads of samples of traffic: by the quickest way that there is for the routing and the pattern. All ways
// give the same, and a sample is a function of seed and number alone.
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
  // Topology and routing must outlive it.
  LoadSampler(const Topology& topology, const Routing& routing, const Traffic& traffic,
              const Placement& placement, bool rates = false, Measure measure = Measure::demand,
              const RailSplit& split = {});

  // Rounds are counted through: round r of sample s is number s * rounds + r. From any thread; the result
  // does not depend on `threads`, which only a single round makes use of.
  void run(u64 seed, u64 first, std::span<RoundLoads> out, unsigned threads = 1) const;

  const ListedKernel& listed() const { return listed_; }  // the same, flow by flow
  const UniformKernel* uniform() const { return std::get_if<UniformKernel>(&quick_); }
  bool is_quick() const { return !std::holds_alternative<std::monostate>(quick_); }

 private:
  ListedKernel listed_;
  std::variant<std::monostate, TagKernel, TableKernel, UniformKernel> quick_;
};

}  // namespace banyan::flow
