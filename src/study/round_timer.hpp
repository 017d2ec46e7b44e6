// How long rounds of messages take on hosts of one job, at flow level. Rounds that differ by a factor in
// their bytes take the same rates, so that each pattern is computed once, whatever its sizes.
#pragma once
#include <map>
#include <vector>

#include "flow/message_time.hpp"

namespace banyan::study {

class RoundTimer {
 public:
  // `large`: from so many bytes on the routing may choose other ways; 0: it does not ask. All must outlive
  // it. Events closer together than 5 % of the time that the busiest host needs alone are taken as one;
  // amounts that differ by less than a thousandth of the largest are taken as equal.
  RoundTimer(const Fabric& fabric, const Routing& routing, const Placement& placement,
             const TimeOptions& options, u64 large = 0);

  double operator()(const std::vector<Demand>& round);  // 0 without messages
  std::size_t computed() const { return known_.size(); }

 private:
  // Of messages whose longest way has so many channels: when the last has left, for the largest amount 1.
  struct Last {
    u32 hops;
    double time;
  };
  std::vector<Last> solve(const std::vector<Demand>& round, double maximum) const;

  const Fabric& fabric_;
  const Routing& routing_;
  const Placement& placement_;
  TimeOptions options_;
  u64 large_;
  std::map<std::vector<u32>, std::vector<Last>> known_;
  std::vector<u32> key_;
};

}  // namespace banyan::study
