// The rates of flows that begin and end, computed again only where something changed.
//
// Max-min fair rates are the only ones for which every flow has a bottleneck: a full channel on which no
// other flow is faster (Bertsekas and Gallager, Data Networks, section 6.5.2). So flows whose channels did
// not change keep their rate as long as they keep their bottleneck. An update fills the channels for the
// flows that began and for those that lost their bottleneck, takes all others as fixed, and adds flows until
// every one has a bottleneck again. The result is that of RateSolver, up to rounding.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "flow/rates.hpp"

namespace banyan::flow {

class LocalRates {
 public:
  // Both must outlive it. `all` has the channels of every flow there will be, or gets more at its end: then
  // grow() comes before they are added.
  LocalRates(const RateSolver& solver, const Incidence& all);
  void grow();

  // Flows that were not kept are gone, and those that were have the numbers of their places in `kept`; `all`
  // lists these already, and listed the others by `first`. Rates must be current. `active`: by place.
  void renumber(std::span<const u32> kept, const std::vector<bool>& active, std::span<const u64> first);

  // A flow without channels has no limit, and need not be added.
  void add(u32 flow);
  void remove(u32 flow);
  // The solver has another capacity for this channel.
  void resize(u32 channel) { resized_.push_back(channel); }

  // Makes the rates right again. changed() then lists the flows whose rates are not what they were.
  void update();
  const std::vector<u32>& changed() const { return changed_; }
  bool is_current() const { return begun_.empty() && touched_.empty() && resized_.empty(); }
  double rate(u32 flow) const { return rate_[flow]; }
  // The channel that stops an active flow; none_stops: nothing does, or rates are not max-min.
  u32 bottleneck(u32 flow) const { return bottleneck_[flow]; }
  static constexpr u32 none_stops = ~u32{0};
  // What flows put on a channel. Rates must be current.
  double carried(u32 channel) const;
  u64 filled() const { return filled_; }  // flows that updates looked at, so far

 private:
  struct Entry {   // a flow on a channel
    u32 flow, at;  // the place in the list of channels of all flows
  };
  struct Fill {
    double left, weight;  // remaining capacity; shares of the flows that still rise
    u32 rising, stamp;    // number of flows that still rise; the filling to which this belongs
  };
  struct Level {
    double rate;
    u32 channel;
    bool operator>(const Level& o) const { return rate > o.rate || (rate == o.rate && channel > o.channel); }
  };
  enum : u32 { outside = 0, rising = 1, stopped = 2 };

  void contend();
  void go_alone();
  void join(u32 flow);
  void begin_area();
  void fill();
  void start_heap();
  void stop(u32 flow, double rate, u32 channel);
  void widen(bool fast);
  void widen_on(u32 channel, bool fast);
  void keep();

  const RateSolver& solver_;
  const Incidence& all_;
  std::vector<std::vector<Entry>> on_;  // by channel: the flows that are active there
  std::vector<u32> place_;              // by entry of `all`: where it is in on_
  std::vector<double> rate_, new_rate_;
  std::vector<u32> bottleneck_, new_bottleneck_;
  std::vector<unsigned char> state_;  // of a flow in an update
  std::vector<u32> begun_, touched_, resized_, area_, channels_, changed_;
  std::vector<Fill> fill_;
  std::vector<Level> heap_;
  u32 stamp_ = 0;
  u64 filled_ = 0;
  std::size_t active_ = 0;
};

}  // namespace banyan::flow
