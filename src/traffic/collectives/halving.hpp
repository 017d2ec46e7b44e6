// Rabenseifner's reduce-scatter by recursive halving, the first part of his reduce and allreduce. Of the
// first 2 E ranks the even ones are in the core: the two ranks of a pair exchange halves, each reduces one,
// and the odd one then sends its half to the even one.
#pragma once
#include <bit>

#include "traffic/collectives/schedule.hpp"

namespace banyan::traffic {

class Halving {
 public:
  Halving(u32 ranks, Elements vector);

  u32 core() const { return core_; }
  u32 extra() const { return extra_; }
  u32 steps() const { return static_cast<u32>(kept_.size()); }
  u32 rank(u32 member) const { return member < extra_ ? 2 * member : member + extra_; }
  u64 kept(u32 step, u32 member) const {
    return kept_[step][member] * vector_.size;
  }  // bytes after that step

  Schedule fold() const;
  Schedule halve() const;

 private:
  u32 core_, extra_;
  Elements vector_;
  std::vector<std::vector<u64>> kept_, sent_;  // elements, by step and member
};

}  // namespace banyan::traffic
