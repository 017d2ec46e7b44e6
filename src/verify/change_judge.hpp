// The verdict on tables after a small change, from the one before: only the routes to destinations whose
// entries changed, or that used a cable which is gone, are followed again.
#pragma once
#include <memory>
#include <optional>

#include "verify/judge.hpp"

namespace banyan::verify {

class ChangeJudge {
 public:
  // Tables on one lane, before; fabric and routing must outlive this.
  ChangeJudge(const Fabric& fabric, const Routing& routing, const JudgeOptions& options);
  ~ChangeJudge();

  struct Answer {
    bool yes = false;
    u64 arriving = 0;  // pairs
    u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;
  };
  // What judge() says of the same fabric without some cables between switches. None where only judge() can
  // say: when the verdict before is no or host cables differ, when most destinations are concerned, or when
  // the numbers that proved there was no deadlock before do not rise along the new routes as well.
  std::optional<Answer> after(const Fabric& fabric, const Routing& routing,
                              const IdVector<Node, u32>& levels = {}) const;

 private:
  struct Before;
  std::unique_ptr<const Before> before_;
};

}  // namespace banyan::verify
