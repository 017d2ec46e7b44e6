// The simulations of coll01: each is asked for first, all are run side by side, then each is looked at.
#pragma once
#include <map>
#include <string>
#include <tuple>

#include "flit/measure.hpp"
#include "study/paper.hpp"

namespace banyan::study {

// What the paper leaves open, and one other answer to each question. As a rule all are as docs/rails.md says.
enum class RailVariant : u8 {
  none,
  queued_sends,   // a process goes on when NICs have its message
  whole_packets,  // a message is one packet, however long
  full_bus,       // moves both ways at once
  long_bursts,    // a bus turns after 1 KB
  fast_processor,
  slow_processor,
  long_wait,  // for replies
};
std::string_view name(RailVariant variant);

struct RailPoint {
  u32 hosts, rails;
  std::string policy;
  double stripe;
  u32 kilobytes;  // mean size of a message
  double load;
  RailVariant variant = RailVariant::none;
  auto operator<=>(const RailPoint&) const = default;
};

struct RailResult {
  double offered = 0, accepted = 0, half_width = 0;
  double latency = 0;  // in cycles of the paper
  bool saturated = false;
};

// The paper's model, but for the size of a flit (docs/reproduce.md says what that does), and how long one
// looks: until the 95 % confidence intervals are narrow, or so many flits were moved.
struct RailModel {
  u32 flit_bytes = 16;
  double precision = 0.02;
  double max_flits = 8e6;
};

RailResult simulate_point(const RailPoint& point, const RailModel& model, u64 seed, const Watch& watch = {});

class RailPoints {
 public:
  RailPoints(const PaperOptions& options, const RailModel& model) : options_(options), model_(model) {}

  // Before run(): notes that it is wanted. After: what came out.
  const RailResult& at(const RailPoint& point) { return results_[point]; }
  void run();
  const std::map<RailPoint, RailResult>& all() const { return results_; }

 private:
  PaperOptions options_;
  RailModel model_;
  std::map<RailPoint, RailResult> results_;
};

}  // namespace banyan::study
