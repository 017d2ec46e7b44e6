// The channel dependencies that one lane may use: a set that stays acyclic (Dally and Seitz 1987) while
// dependencies are added, kept with a topological order of the channels (Pearce and Kelly, ACM JEA 2006).
//
// A dependency that would close a cycle is blocked, and stays so: it is searched for once. Dependencies of a
// channel are bit masks over the exits of the switch it leads to.
#pragma once
#include <cassert>
#include <span>
#include <vector>

#include "engines/backbone.hpp"

namespace banyan::engines {

class AcyclicDependencies {
 public:
  // place[channel]: an order to start from, a permutation. `backbone` must outlive this.
  AcyclicDependencies(const Backbone& backbone, std::vector<u32> place);

  bool is_used(u32 held, u32 wanted) const { return used_[word(held, wanted)] & bit(wanted); }
  bool is_blocked(u32 held, u32 wanted) const { return blocked_[word(held, wanted)] & bit(wanted); }
  bool in_order(u32 held, u32 wanted) const { return place_[held] < place_[wanted]; }

  // Whether `held` may wait for `wanted`, a channel that leaves the switch it leads to. If so it is used.
  bool add(u32 held, u32 wanted);

  // What was added or blocked since the last settle() can be taken back, down to a mark.
  std::size_t mark() const { return log_.size(); }
  void undo(std::size_t mark);

  // Makes final what was added and keep(held, wanted) says is needed; takes the rest back.
  template <class Keep>
  void settle(Keep keep) {
    bool dropped = false;
    for (const Entry& entry : log_)
      if (entry.used && !keep(entry.held, entry.wanted)) dropped = true, take_back(entry);
    if (dropped)  // what was blocked may have been so by what is gone
      for (const Entry& entry : log_)
        if (!entry.used) take_back(entry);
    log_.clear();
  }

 private:
  struct Entry {
    u32 held, wanted;
    bool used;  // or blocked
  };

  std::size_t word(u32 held, u32 wanted) const { return std::size_t{held} * words_ + slot_[wanted] / 64; }
  u64 bit(u32 wanted) const { return u64{1} << slot_[wanted] % 64; }
  void take_back(const Entry& entry);
  void set(u32 held, u32 wanted, bool to);
  bool reaches(u32 start, u32 goal);  // collects in ahead_ what start leads to, up to goal's place
  void collect_behind(u32 start, u32 least_place);
  void reorder();
  template <class F>
  void each(const std::vector<u64>& masks, u32 channel, u32 first, F f) const;

  const Backbone* backbone_;
  u32 words_;
  std::vector<u8> slot_;
  std::vector<u32> place_;
  std::vector<u64> used_, used_by_, blocked_;  // used_by_: over the exits of from(c), the reverses of those
  std::vector<Entry> log_;
  std::vector<u32> seen_, ahead_, behind_, places_;
  u32 search_ = 0;
};

}  // namespace banyan::engines
