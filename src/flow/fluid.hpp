// Messages as a fluid: each drains at the rate that its flow gets among those under way, and rates are
// computed anew whenever one begins or ends.
#pragma once
#include <functional>

#include "flow/rates.hpp"

namespace banyan::flow {

class Fluid {
 public:
  // Every flow is a message of `demand` bytes. Events that lie closer together than `resolution`, or than a
  // part in 10^9 of the step that leads to them, are taken as one.
  Fluid(const Fabric& fabric, const RateOptions& options, const Incidence& all, std::span<const Flow> flows,
        double resolution = 0);

  // Not before the present.
  void begin(u32 flow, double time);

  // Until nothing is under way. done(flow, time), in the order of time and then of beginning, may begin
  // others. Messages without bytes, or to the host itself, are done when they begin.
  using Done = std::function<void(u32 flow, double time)>;
  void run(const Done& done);

  u64 steps() const { return steps_; }  // so often were rates computed

 private:
  struct Start {
    double time;
    u32 flow;
    bool operator>(const Start& o) const { return time > o.time || (time == o.time && flow > o.flow); }
  };
  struct End {
    u32 flow;
    double time;
  };

  void take_starts();
  void advance();

  RateSolver solver_;
  const Incidence& all_;
  double resolution_;
  std::vector<double> left_;
  std::vector<Start> waiting_;  // a heap, the first on top
  std::vector<u32> under_way_;
  std::vector<End> ended_;
  double now_ = 0;
  u64 steps_ = 0;
  Incidence listed_;
};

}  // namespace banyan::flow
