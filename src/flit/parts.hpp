// The parts of a fabric, each advanced by a thread of its own. They meet as often as the least latency of a
// channel between two parts asks for: nothing can arrive sooner.
#pragma once
#include "flit/part.hpp"

namespace banyan {

class Parts {
 public:
  explicit Parts(Machine& machine);

  void advance(u64 first, u64 last);
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }
  const Part& operator[](std::size_t i) const { return *parts_[i]; }

 private:
  class Run;
  std::vector<std::unique_ptr<Part>> parts_;
  u32 window_;
};

}  // namespace banyan
