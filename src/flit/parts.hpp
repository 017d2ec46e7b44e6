// The parts of a fabric that this process has, each advanced by a thread of its own. They meet as often as
// the least latency of a channel between two parts asks for: nothing can arrive sooner.
#pragma once
#include "flit/border.hpp"

namespace banyan::flit {

class Parts {
 public:
  Parts(Machine& machine, const Exchange* exchange);  // null: there is no other process

  // Throws Interrupted after Ctrl-C, and InputError where the system does not give a thread for each part.
  void advance(u64 first, u64 last);
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }
  const Part& operator[](std::size_t number) const { return *parts_[number - first_]; }  // one of its own

 private:
  class Run;
  void advance_alone(u64 first, u64 last);

  std::vector<std::unique_ptr<Part>> parts_;
  u32 window_, first_;
  u32 patience_;  // cycles between looks at the flag that Ctrl-C sets: well under a second of work
  std::unique_ptr<Border> border_;
};

}  // namespace banyan::flit
