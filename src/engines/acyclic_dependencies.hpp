// The channel dependencies that one lane may use: a set that stays acyclic (Dally and Seitz 1987) while
// `lash` and `nue` add dependencies. It keeps a topological order of the channels (Pearce and Kelly, ACM JEA
// 2006).
//
// A dependency that would close a cycle is blocked permanently, so it is searched for only once. The
// dependencies of a channel are bit masks over the exits of the switch to which it leads.
#pragma once
#include <span>
#include <vector>

#include "engines/backbone.hpp"

namespace banyan::engines {

class AcyclicDependencies {
 public:
  // place[channel] is the initial order, a permutation. `backbone` must outlive this object.
  AcyclicDependencies(const Backbone& backbone, IdVector<SwitchChannel, u32> place);

  bool is_used(SwitchChannel held, SwitchChannel wanted) const {
    return used_[word(held, wanted)] & bit(wanted);
  }
  bool is_blocked(SwitchChannel held, SwitchChannel wanted) const {
    return blocked_[word(held, wanted)] & bit(wanted);
  }
  bool in_order(SwitchChannel held, SwitchChannel wanted) const { return place_[held] < place_[wanted]; }

  // Adds the dependency of `held` on `wanted`, a channel that leaves the switch to which `held` leads, and
  // returns whether that is possible without a cycle.
  bool add(SwitchChannel held, SwitchChannel wanted);

  // Changes since the last settle() can be undone, back to a mark.
  std::size_t mark() const { return log_.size(); }
  void undo(std::size_t mark);

  // Makes the added dependencies final for which keep(held, wanted) is true; undoes the others.
  template <class Keep>
  void settle(Keep keep) {
    bool dropped = false;
    for (const Entry& entry : log_)
      if (entry.used && !keep(entry.held, entry.wanted)) dropped = true, take_back(entry);
    if (dropped)  // dependencies may have been blocked by those that are gone
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
  bool reaches(
      SwitchChannel start,
      SwitchChannel goal);  // collects in ahead_ the channels reached from start, up to goal's position
  void collect_behind(SwitchChannel start, u32 least_place);
  void reorder();
  template <class F>
  void each(const std::vector<u64>& masks, SwitchChannel channel, Switch leaving, F f) const;

  const Backbone* backbone_;
  u32 words_;
  IdVector<SwitchChannel, u8> slot_;
  IdVector<SwitchChannel, u32> place_;
  std::vector<u64> used_, used_by_,
      blocked_;  // used_by_: over the exits of from(c), the reverses of those channels
  std::vector<Entry> log_;
  IdVector<SwitchChannel, u32> seen_;
  std::vector<SwitchChannel> ahead_, behind_;
  std::vector<u32> places_;
  u32 search_ = 0;
};

}  // namespace banyan::engines
