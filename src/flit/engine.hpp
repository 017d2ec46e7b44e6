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
  using Base::clock, Base::jobs_, Base::machine, Base::state, Base::node_of;

 public:
  Engine(Machine& the_machine, u16 the_number)
      : Base(the_machine, the_number),
        nics_(*this),
        order_(the_machine.in_order ? this->layout.lane_count() : 0) {}

  void run(u64 first, u64 last) override {
    for (clock.now = first; clock.now < last; ++clock.now) {
      if (this->asks_ahead())
        deliver<true>();
      else
        deliver<false>();
      if constexpr (!Nics::act_after_routing) visit_nics();
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

  template <bool asks_ahead>
  [[gnu::noinline]] void deliver() {
    const auto empty = [&](auto& wheel, auto&& f) {
      auto& bag = wheel.at(clock.now);
      for (const auto& item : bag) {
        if constexpr (asks_ahead) this->ask_ahead(&item, bag.end());
        f(item);
      }
      bag.clear();
    };
    Wheels& wheels = clock.wheels;
    empty(
        wheels.credits, [&](LaneId lane) __attribute__((always_inline)) {
          this->credit(
              lane, [&](Node v) __attribute__((always_inline)) {
                if (nics_.waits_for_room(nic_at(v))) this->wake(v);
              });
        });
    if constexpr (kind.mode == Mode::packets) {
      empty(wheels.trickles, [&](LaneId lane) { this->trickle(lane); });
      empty(
          wheels.releases, [&](const Release& r) __attribute__((always_inline)) { this->release(r); });
      if constexpr (kind.queues) empty(wheels.sent, [&](LaneId lane) { this->sent(lane); });
      empty(wheels.consumed, [&](const Arrival& a) { nics_.finish_packet(*this, a); });
    }
    empty(
        wheels.arrivals, [&](const Arrival& a) __attribute__((always_inline)) {
          if (this->is_of_nic(a.lane))
            nics_.arrive(*this, a);
          else
            this->arrive(a);
        });
    empty(wheels.wakes, [&](Node v) {
      if (index(v) < this->first_switch_)
        nics_.wake(*this, nic_at(v));
      else
        this->wake(v);
    });
    nics_.run_events(*this);
  }

  [[gnu::noinline]] void route() {
    if (machine.chooses_again) return route_again();
    if (jobs_.empty()) return;
    if (machine.in_order) sort_jobs();
    machine.route(machine.forward, machine.setting, {jobs_.data(), jobs_.size()}, clock.now, space_);
    for (const RouteJob& job : jobs_)
      if (this->is_of_nic(job.lane))
        nics_.take_exit(*this, nic_at(node_of(job.lane)), job);
      else
        this->join(job);
    jobs_.clear();
  }

  // In order of their lanes.
  void sort_jobs() {
    if constexpr (Nics::routes_one)
      order_.sort(jobs_);
    else
      std::sort(jobs_.data(), jobs_.data() + jobs_.size(), [this](const RouteJob& a, const RouteJob& b) {
        if (a.lane != b.lane) return a.lane < b.lane;
        return Nics::goes_first(state.packets[a.packet], state.packets[b.packet]);
      });
  }

  // Where packets choose again: those that wait, and those that are new.
  [[gnu::noinline]] void route_again() {
    this->choose_again();
    std::sort(jobs_.data(), jobs_.data() + jobs_.size(), [this](const RouteJob& a, const RouteJob& b) {
      if (a.lane != b.lane) return a.lane < b.lane;
      if (a.again != b.again) return a.again;
      return Nics::goes_first(state.packets[a.packet], state.packets[b.packet]);
    });
    machine.route(machine.forward, machine.setting, {jobs_.data(), jobs_.size()}, clock.now, space_);
    for (const RouteJob& job : jobs_)
      if (this->is_of_nic(job.lane))
        nics_.take_exit(*this, nic_at(node_of(job.lane)), job);
      else if (job.again)
        this->join_again(job);
      else
        this->join(job);
    jobs_.clear();
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
