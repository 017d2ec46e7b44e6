// Rabenseifner's reduce-scatter by recursive halving, the first part of his reduce and allreduce. Here the
// even ones of the first 2 E ranks are in the core: a pair exchanges halves, each reduces one, and the odd
// one hands its half over.
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
