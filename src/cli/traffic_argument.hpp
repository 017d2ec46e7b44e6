// --traffic, --ranks, --placement and --job, as every verb takes them.
#pragma once
#include <string>
#include <vector>

#include "ask/situation.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

class TrafficArgument {
 public:
  explicit TrafficArgument(std::string traffic = "") : default_(std::move(traffic)) {}

  void declare(Arguments& arguments);

  // Progress is shown on standard error. Throws InputError.
  ask::Situation situation(const Topology& topology, const Routing* routing, u64 seed) const;
  std::string text() const;   // as it was written
  std::string typed() const;  // --ranks and --placement, as one would type them
  bool has_traffic() const { return !traffic_.empty() || !jobs_.empty(); }
  bool is_given() const { return !traffic_.empty() || !placement_.empty() || ranks_ > 0 || !jobs_.empty(); }

 private:
  std::string default_, traffic_, placement_;
  u32 ranks_ = 0;
  std::vector<std::string> jobs_;
};

}  // namespace banyan::cli
