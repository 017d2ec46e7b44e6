// The simulations of coll01: each is asked for first, all are run side by side, then each is looked at.
#pragma once
#include <map>
#include <string>
#include <tuple>

#include "flit/measure.hpp"
#include "study/paper.hpp"

namespace banyan {

struct RailPoint {
  u32 hosts, rails;
  std::string policy;
  double stripe;
  u32 kilobytes;  // mean size of a message
  double load;
  auto operator<=>(const RailPoint&) const = default;
};

struct RailResult {
  double offered = 0, accepted = 0, half_width = 0;
  double latency = 0;  // in cycles of the paper
  bool saturated = false;
};

// The paper's model, but for the size of a flit: docs/rails.md says what that does.
struct RailModel {
  u32 flit_bytes = 16;
  double flits = 12e6;  // that a point is to move
};

RailResult simulate_point(const RailPoint& point, const RailModel& model, u64 seed);

class RailPoints {
 public:
  RailPoints(const PaperOptions& options, const RailModel& model) : options_(options), model_(model) {}

  // Before run(): notes that it is wanted. After: what came out.
  const RailResult& at(const RailPoint& point);
  void run();
  const std::map<RailPoint, RailResult>& all() const { return results_; }

 private:
  PaperOptions options_;
  RailModel model_;
  std::map<RailPoint, RailResult> results_;
};

}  // namespace banyan
