// The verdict on tables after a small change, from the previous verdict: it follows only routes to
// destinations whose entries changed, or that used a removed cable. `fail --sweep` uses it.
#pragma once
#include <memory>
#include <optional>

#include "verify/judge.hpp"

namespace banyan::verify {

class ChangeJudge {
 public:
  // The state before the change: tables on one lane. Fabric and routing must outlive this object.
  ChangeJudge(const Fabric& fabric, const Routing& routing, const JudgeOptions& options);
  ~ChangeJudge();

  // Whether the verdict before the change is yes, on tables and one lane: otherwise there is never an answer.
  bool can_start() const { return before_ != nullptr; }

  struct Answer {
    bool yes = false;
    u64 arriving = 0;  // pairs
    u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;
  };
  // The same result as judge() for the fabric without some cables between switches. None where only judge()
  // can decide: when the verdict before is no or host cables differ, when most destinations are affected, or
  // when the numbers that proved freedom from deadlock before do not rise along the new routes.
  std::optional<Answer> after(const Fabric& fabric, const Routing& routing,
                              const IdVector<Node, u32>& levels = {}) const;

 private:
  struct Before;
  std::unique_ptr<const Before> before_;
};

}  // namespace banyan::verify
