// Messages as a fluid: each drains at the rate of its flow among the active ones. Rates are computed again
// whenever a message begins or ends, where that changes something (local_rates.hpp).
#pragma once
#include <functional>

#include "flow/end_queue.hpp"
#include "flow/local_rates.hpp"

namespace banyan::flow {

class Fluid {
 public:
  // Every flow is a message of `demand` bytes. Events closer together than `resolution`, or than 10^-9 of the
  // step that leads to them, count as one. `weights`, empty or by flow, above 0: where flows share a channel,
  // one of twice the weight gets twice as much (weighted max-min).
  Fluid(const Fabric& fabric, const RateOptions& options, const Incidence& all, std::span<const Flow> flows,
        double resolution = 0, std::span<const double> weights = {});
  // Without flows at first.
  Fluid(const Fabric& fabric, const RateOptions& options, double resolution = 0);
  Fluid(const Fluid&) = delete;  // its parts refer to each other
  Fluid& operator=(const Fluid&) = delete;

  // The time must not be in the past.
  void begin(u32 flow, double time);

  // More flows, which get the next numbers; returns the first of them.
  u32 append(const Incidence& more, std::span<const Flow> flows, std::span<const double> weights = {});
  // Flows from `first` on go by just these ways.
  bool goes_by(u32 first, const Incidence& ways);
  // Flows that have ended go away; the others get new numbers, in their order. Of a fluid without flows at
  // first.
  void forget(const std::function<void(u32 before, u32 now)>& renumbered);

  // What changes in the network happens now. No event may lie before that time.
  void advance(double time) { now_ = time; }
  void set_capacity(Channel c, double capacity);  // 0: it carries nothing
  double capacity(Channel c) const { return solver_.capacity(c); }
  // Flows that go on as others, such as by other ways, with the bytes that are left.
  struct Successor {
    u32 flow, by;
  };
  void replace(std::span<const Successor> successors);

  // Of those flows, how long each channel held them up: the time, times the share of the rate alone that they
  // did not get while the channel was their bottleneck. Called before the first event.
  void watch(std::vector<u32> flows);
  struct Held {
    u32 flow, channel;
    double seconds;
  };
  const std::vector<Held>& held() const { return held_; }

  // done(flow, time) is called in the order of time and then of beginning, and may begin other messages.
  // Messages without bytes, or to the host itself, are done when they begin.
  using Done = std::function<void(u32 flow, double time)>;
  // Runs until no message is active.
  void run(const Done& done);

  // Event by event, for those who have other events too: when the next message begins or ends (infinity:
  // there is none), and that event.
  double next();
  void step(const Done& done);

  std::size_t active() const { return active_; }  // messages that have bytes left
  u64 events() const { return events_; }          // beginnings and ends of flows, so far
  const LocalRates& rates() const { return rates_; }

 private:
  struct Start {
    double time;
    u32 flow;
    bool operator>(const Start& o) const { return time > o.time || (time == o.time && flow > o.flow); }
  };
  using End = EndQueue::End;
  struct Message {
    double left, since = 0, rate = 0;  // bytes left at time `since`
    double weight = 1;
    u32 order = 0;
    bool is_active = false;
  };

  void add_messages(const Incidence& listed, std::span<const Flow> flows, std::span<const double> weights);
  void take_starts();
  void take_ends(double until);
  void update();

  void note_held(u32 flow, double time);
  double rate_alone(u32 flow) const;

  RateSolver solver_;
  // Where the one that was given cannot be used: with limits of NICs, weights, or more flows. Shares are
  // multiplied by weights: what is shared out are rates over weights.
  Incidence own_;
  const Incidence& all_;
  LocalRates rates_;
  double resolution_;
  std::vector<Message> messages_;
  std::vector<Start> waiting_;  // a heap, the first on top
  EndQueue ends_;               // of the active ones, if their rates stay
  std::vector<End> ended_, reported_;
  double now_ = 0;
  u32 order_ = 0;
  u64 events_ = 0;
  struct Watched {
    double alone = 0;  // its rate if it were alone; 0: it is not watched
    u32 bottleneck = LocalRates::none_stops;
  };
  std::vector<Watched> watched_;  // by flow; empty: none is
  std::vector<Held> held_;
  std::size_t active_ = 0;
};

}  // namespace banyan::flow
