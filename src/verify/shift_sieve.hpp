// ShiftSieve: the data of every channel while destinations come in order, which bound the load that any shift
// can put on it.
#pragma once
#include <algorithm>

#include "fabric/fabric.hpp"
#include "verify/shift_certificate.hpp"

namespace banyan::verify {

// Destinations come as turns: host * rails + rail where rails share channels, else the host number.
class ShiftSieve {
 public:
  ShiftSieve() = default;  // for no channels
  ShiftSieve(const Fabric& fabric, u32 rails)
      : ring_(fabric.hosts()), rails_(rails), recent_(fabric.channels().size()), totals_(recent_.size()) {
    // So that the first destination is further away than any other can be.
    for (Recent& r : recent_) r = {never(), ring_};
  }

  // Flows from hosts lo .. hi, or some of them, to the destination of this turn take the channel.
  void use(Channel c, u32 turn, u32 lo, u32 hi) {
    Totals& totals = totals_[c];
    totals.lo = std::min(totals.lo, lo);
    totals.hi = std::max(totals.hi, hi);
    totals.count += recent_[c].last != turn;
    touch(c, turn);
  }

  // From now on the hosts are among the sources of the channel, which may have any number of destinations.
  void prepare(Channel c, u32 lo, u32 hi) {
    totals_[c].lo = std::min(totals_[c].lo, lo);
    totals_[c].hi = std::max(totals_[c].hi, hi);
    totals_[c].count = many;
  }
  // The same as use() after prepare(): for the innermost loop.
  void touch(Channel c, u32 turn) {
    Recent& r = recent_[c];
    const u32 last = r.last;
    if (last == turn) return;
    r.last = turn;
    const u32 gap = rails_ == 1 ? turn - last : last == never() ? ring_ + 1 : turn / rails_ - last / rails_;
    if (gap > ring_)
      totals_[c].first = turn;
    else if (gap < r.gap)
      r.gap = gap;
  }

  u32 destinations(Channel c) const { return used(c) ? std::min(totals_[c].count, ring_ * rails_) : 0; }
  bool used(Channel c) const { return recent_[c].last != never(); }
  ChannelSpan span(Channel c) const {
    if (!used(c)) return {};
    const Totals& totals = totals_[c];
    const u32 around = totals.first / rails_ + ring_ - recent_[c].last / rails_;
    return {totals.lo, totals.hi - totals.lo + 1, std::min(recent_[c].gap, around)};
  }
  // An upper bound of the flows on the channel in any shift, if each shift has at most one flow towards each
  // destination.
  u32 at_most(Channel c) const {
    const ChannelSpan s = span(c);
    if (s.length == 0) return 0;
    return s.gap == 0 ? totals_[c].count : std::min(totals_[c].count, 1 + (s.length - 1) / s.gap);
  }

 private:
  static constexpr u32 many = 1u << 31;
  u32 never() const { return ~u32{0} - ring_; }

  struct Recent {
    u32 last = 0, gap = 0;
  };
  struct Totals {
    u32 first = 0, count = 0, lo = ~u32{0}, hi = 0;
  };
  u32 ring_ = 0, rails_ = 1;
  IdVector<Channel, Recent> recent_;
  IdVector<Channel, Totals> totals_;
};

}  // namespace banyan::verify
