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
  AcyclicDependencies(const Backbone& backbone, IdVector<SwitchChannel, u32> place);

  bool is_used(SwitchChannel held, SwitchChannel wanted) const {
    return used_[word(held, wanted)] & bit(wanted);
  }
  bool is_blocked(SwitchChannel held, SwitchChannel wanted) const {
    return blocked_[word(held, wanted)] & bit(wanted);
  }
  bool in_order(SwitchChannel held, SwitchChannel wanted) const { return place_[held] < place_[wanted]; }

  // Whether `held` may wait for `wanted`, a channel that leaves the switch it leads to. If so it is used.
  bool add(SwitchChannel held, SwitchChannel wanted);

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
    SwitchChannel held, wanted;
    bool used;  // or blocked
  };

  std::size_t word(SwitchChannel held, SwitchChannel wanted) const {
    return std::size_t{index(held)} * words_ + slot_[wanted] / 64;
  }
  u64 bit(SwitchChannel wanted) const { return u64{1} << slot_[wanted] % 64; }
  void take_back(const Entry& entry);
  void set(SwitchChannel held, SwitchChannel wanted, bool to);
  bool reaches(SwitchChannel start,
               SwitchChannel goal);  // collects in ahead_ what start leads to, up to goal's place
  void collect_behind(SwitchChannel start, u32 least_place);
  void reorder();
  template <class F>
  void each(const std::vector<u64>& masks, SwitchChannel channel, Switch leaving, F f) const;

  const Backbone* backbone_;
  u32 words_;
  IdVector<SwitchChannel, u8> slot_;
  IdVector<SwitchChannel, u32> place_;
  std::vector<u64> used_, used_by_, blocked_;  // used_by_: over the exits of from(c), the reverses of those
  std::vector<Entry> log_;
  IdVector<SwitchChannel, u32> seen_;
  std::vector<SwitchChannel> ahead_, behind_;
  std::vector<u32> places_;
  u32 search_ = 0;
};

}  // namespace banyan::engines
