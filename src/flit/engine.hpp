// A cycle of docs/simulator.md for one part of the fabric: what is due is delivered, packets whose heads have
// become visible are routed, NICs and switches act. Specialised at compile time over the switches (flow
// control, queueing, width) and the NIC model.
#pragma once
#include <algorithm>
#include <type_traits>

#include "flit/cut_through.hpp"
#include "flit/lane_order.hpp"
#include "flit/staged.hpp"
#include "flit/wormhole.hpp"

namespace banyan::flit {

template <SwitchKind kind>
using Switches =
    std::conditional_t<kind.staged, Staged<kind>,
                       std::conditional_t<kind.mode == Mode::wormhole, Wormhole<kind>, CutThrough<kind>>>;

// Nics: PlainNics or RailNics.
template <SwitchKind kind, class Nics>
class Engine final : public Switches<kind> {
  using Base = Switches<kind>;
  using Base::clock, Base::jobs_, Base::starts_, Base::machine, Base::state, Base::node_of;

 public:
  Engine(Machine& the_machine, u16 the_number)
      : Base(the_machine, the_number),
        nics_(*this),
        order_(the_machine.in_order ? this->layout.lane_count() : 0) {}

  void run(u64 first, u64 last) override {
    for (u64 now = first; now < last; ++now) {
      clock.begin(now);
      if (this->asks_ahead())
        deliver<true>();
      else
        deliver<false>();
      if constexpr (!Nics::act_after_routing) visit_nics();
      wake_nodes();
      route();
      if constexpr (Nics::act_after_routing) visit_nics();
      this->visit_switches();
    }
  }
  void receive(Mail& mail) override {
    this->take_mail(mail);
    nics_.take_mail(mail);
    mail.clear();
  }
  EntryId front(Nic nic, u32 k) const override { return nics_.front(nic, k); }
  EntryId sending(Nic nic, Channel exit) const override { return nics_.sending(this->entries, nic, exit); }
  u32 held(LaneId lane) const override { return nics_.held(lane); }

 private:
  static Nic nic_at(Node v) { return Nic{index(v)}; }

  // f(item) for what is due now.
  template <bool asks_ahead, class T, class F>
  [[gnu::always_inline]] void empty(Wheel<T>& wheel, F&& f) {
    Bag<T>& bag = wheel.at(clock.now);
    for (const T *item = bag.begin(), *const end = bag.end(); item != end; ++item) {
      if constexpr (asks_ahead) this->ask_ahead(item, end);
      f(T(*item));
    }
    bag.clear();
  }

  template <bool asks_ahead>
  [[gnu::noinline]] void deliver() {
    Wheels& wheels = clock.wheels;
    empty<asks_ahead>(
        wheels.credits, [&](LaneId lane) __attribute__((always_inline)) {
          this->credit(
              lane, [&](Node v) __attribute__((always_inline)) {
                if (nics_.waits_for_room(nic_at(v))) this->wake(v);
              });
        });
    if constexpr (kind.mode == Mode::packets) {
      empty<asks_ahead>(wheels.trickles, [&](LaneId lane) { this->trickle(lane); });
      empty<asks_ahead>(
          wheels.releases, [&](const Release& r) __attribute__((always_inline)) { this->release(r); });
      if constexpr (kind.queues) empty<asks_ahead>(wheels.sent, [&](LaneId lane) { this->sent(lane); });
      empty<asks_ahead>(wheels.consumed, [&](const Arrival& a) { nics_.finish_packet(*this, a); });
    }
    empty<asks_ahead>(
        wheels.at_nics, [&](const Arrival& a) __attribute__((always_inline)) { nics_.arrive(*this, a); });
    const auto ask = [&](const Arrival* item, const Arrival* end) __attribute__((always_inline)) {
      if constexpr (asks_ahead) this->ask_ahead(item, end);
    };
    if (this->knows_way_)
      this->template arrive<true>(wheels.arrivals.at(clock.now), ask);
    else
      this->template arrive<false>(wheels.arrivals.at(clock.now), ask);
  }

  // Nodes that were to be woken now.
  [[gnu::noinline]] void wake_nodes() {
    empty<false>(
        clock.wheels.wakes, [&](Node v) __attribute__((always_inline)) {
          if (index(v) < this->first_switch_)
            nics_.wake(*this, nic_at(v));
          else
            this->wake(v);
        });
    nics_.run_events(*this);
  }

  [[gnu::noinline]] void route() {
    if constexpr (Nics::routes_one) start_packets();
    if (machine.chooses_again) this->choose_again();
    if (jobs_.empty()) return;
    if (machine.in_order) sort_jobs();
    ask(jobs_);
    for (const RouteJob& job : jobs_)
      if (!Nics::routes_one && this->is_of_nic(job.lane))
        take_exit(job);
      else if (job.again)
        this->join_again(job);
      else
        this->join(job);
    jobs_.clear();
  }
  void start_packets() {
    if (starts_.empty()) return;
    ask(starts_);
    for (const RouteJob& job : starts_) take_exit(job);
    starts_.clear();
  }
  void ask(Bag<RouteJob>& jobs) {
    machine.route(machine.forward, machine.setting, {jobs.data(), jobs.size()}, clock.now, space_);
  }
  [[gnu::always_inline]] void take_exit(const RouteJob& job) {
    nics_.take_exit(*this, nic_at(node_of(job.lane)), job);
  }

  // In order of their lanes; of one lane, those that choose again come first.
  void sort_jobs() {
    if (Nics::routes_one && !machine.chooses_again) return order_.sort(jobs_);
    std::sort(jobs_.data(), jobs_.data() + jobs_.size(), [this](const RouteJob& a, const RouteJob& b) {
      if (a.lane != b.lane) return a.lane < b.lane;
      if (a.again != b.again) return a.again;
      return Nics::goes_first(state.packets[a.packet], state.packets[b.packet]);
    });
  }

  [[gnu::noinline]] void visit_nics() {
    const u32 count = this->layout.nics;
    for (u32 w = 0; w * 64 < count; ++w) {
      const u32 left = count - w * 64;
      const u64 awake = this->active_[w];
      for (u64 bits = left < 64 ? awake & ((u64{1} << left) - 1) : awake; bits != 0; bits &= bits - 1) {
        const Node v{w * 64 + static_cast<u32>(std::countr_zero(bits))};
        if constexpr (requires { nics_.ask_ahead(*this, nic_at(v)); })
          if (const u64 next = bits & (bits - 1); next != 0 && this->asks_ahead())
            nics_.ask_ahead(*this, Nic{w * 64 + static_cast<u32>(std::countr_zero(next))});
        if (!nics_.act(*this, nic_at(v))) this->sleep(v);
      }
    }
  }

  Nics nics_;
  LaneOrder order_;
  RouteSpace space_;
};

}  // namespace banyan::flit
