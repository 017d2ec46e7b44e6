// Messages as a fluid: each drains at the rate of its flow among the active ones, and rates are computed
// again whenever a message begins or ends.
#pragma once
#include <functional>

#include "flow/rates.hpp"

namespace banyan::flow {

class Fluid {
 public:
  // Every flow is a message of `demand` bytes. Events closer together than `resolution`, or than 10^-9 of the
  // step that leads to them, count as one.
  Fluid(const Fabric& fabric, const RateOptions& options, const Incidence& all, std::span<const Flow> flows,
        double resolution = 0);

  // The time must not be in the past.
  void begin(u32 flow, double time);

  // Runs until no message is active. done(flow, time) is called in the order of time and then of beginning,
  // and may begin other messages. Messages without bytes, or to the host itself, are done when they begin.
  using Done = std::function<void(u32 flow, double time)>;
  void run(const Done& done);

  u64 steps() const { return steps_; }  // how often rates were computed

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
