// --traffic, --ranks, --placement and --job, as every verb takes them.
#pragma once
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "traffic/jobs.hpp"

namespace banyan::cli {

class TrafficArgument {
 public:
  explicit TrafficArgument(std::string traffic = "") : default_(std::move(traffic)) {}

  void declare(Arguments& arguments);

  // One job, or several taken together.
  // `processes`: ranks of a host, which follow each other.
  Job job(const Topology& topology, u64 seed, ShorterJobs shorter = ShorterJobs::repeat,
          u32 processes = 1) const;
  std::string text() const;  // as it was written
  bool is_given() const { return !traffic_.empty() || !placement_.empty() || ranks_ > 0 || !jobs_.empty(); }

 private:
  std::string default_, traffic_, placement_;
  u32 ranks_ = 0;
  std::vector<std::string> jobs_;
};

}  // namespace banyan::cli
