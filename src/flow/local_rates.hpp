// The rates of flows that begin and end, computed again only where something changed.
//
// Max-min fair rates are those of progressive filling: all rise together, and a flow stops when one of its
// channels is full (Bertsekas and Gallager, Data Networks, section 6.5.2). An update runs through the filling
// by rising rate and follows only what differs from the filling before: a channel that got or lost a flow is
// full at another rate, so its flows stop elsewhere, which changes their other channels from that rate on.
// All other flows stop where they did. An update that has cost what all rates would computes all. The result
// is that of RateSolver, up to rounding.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "flow/flow_list.hpp"
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
  double rate(u32 flow) const { return flows_[flow].rate; }
  // The channel that stops an active flow; none_stops: nothing does, or rates are not max-min.
  u32 bottleneck(u32 flow) const { return flows_[flow].bottleneck; }
  static constexpr u32 none_stops = ~u32{0};
  // What flows put on a channel. Rates must be current.
  double carried(u32 channel) const;
  u64 filled() const { return filled_; }  // flows that updates looked at, so far

 private:
  enum : u32 { outside = 0, rising = 1, stopped = 2 };
  using Entry = FlowList::Entry;
  struct State {  // of a flow; what is new belongs to an update
    double rate = 0, new_rate = 0;
    u32 bottleneck = none_stops, new_bottleneck = none_stops;
    u32 stage = outside;
  };
  struct Fill {
    double left, weight;  // remaining capacity; shares of the flows that still rise
    u32 rising, stamp;    // number of flows that still rise; the filling to which this belongs
  };
  struct Next {  // what happens next on a channel, as far as it differs from the filling before
    double rate;
    u32 stamp;  // the update to which this belongs
  };
  struct alignas(64) OnChannel {  // a cache line
    FlowList flows;               // that are active there
    Next next{0, 0};
  };
  struct Capped {  // a flow on a channel that stops elsewhere
    double rate, share;
  };
  struct Level {
    double rate;
    u32 channel;
    bool operator>(const Level& o) const { return rate > o.rate || (rate == o.rate && channel > o.channel); }
  };

  void contend();
  void go_alone();
  void join(u32 flow);
  void keep();

  // What differs. False: too much does; then flows of the area have no rates yet.
  bool follow();
  void plan_first();
  double next_change(u32 channel, bool& is_released);
  void touch(u32 channel);
  void plan(double rate, u32 channel);
  bool is_planned(u32 channel) const {
    const Next& next = on_[channel].next;
    return next.stamp == stamp_ && next.rate < std::numeric_limits<double>::infinity();
  }
  double full_at(u32 channel, double& stopped_at);
  double rise(double left, double weight, bool has_rising);
  void release(u32 channel);
  void fill_up(u32 channel, double rate);
  void stop_at(u32 flow, double rate, u32 channel);

  void compute_all();
  void fill();
  void start_heap();
  void stop(u32 flow, double rate, u32 channel);

  const RateSolver& solver_;
  const Incidence& all_;
  std::vector<OnChannel> on_;  // by channel
  std::vector<u32> place_;     // by entry of `all`: where it is in on_
  std::vector<State> flows_;
  std::vector<u32> begun_, touched_, resized_, area_, channels_, changed_;
  std::vector<Fill> fill_;
  std::vector<Capped> capped_;
  std::vector<Level> heap_;
  u32 stamp_ = 0;
  u64 filled_ = 0;
  std::size_t active_ = 0, entries_ = 0;  // flows that are active, and their channels
  std::size_t spent_ = 0;                 // entries that an update has looked at
  double level_ = 0;                      // the rate up to which an update has come
};

}  // namespace banyan::flow
