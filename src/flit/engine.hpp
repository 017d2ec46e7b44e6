// A cycle of docs/simulator.md for one part of the fabric: what is due is delivered, packets whose heads have
// become visible are routed, NICs and switches act. Specialised at compile time over the switches (flow
// control, queueing, width) and the NIC model.
#pragma once
#include <bit>
#include <type_traits>

#include "flit/cut_through.hpp"
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
  using typename Base::OnArrival;

 public:
  Engine(Machine& the_machine, u16 the_number) : Base(the_machine, the_number), nics_(*this) {}

  void run(u64 first, u64 last) override {
    for (u64 now = first; now < last; ++now) {
      clock.begin(now);
      for (u32 block = 0; block < this->layout.blocks; ++block) run_block(block);
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

  // A cycle of a block: nothing that happens in it is seen by another one before the next cycle.
  [[gnu::always_inline]] void run_block(u32 block) {
    const bool has_nics = block == 0;
    this->begin_block(block);
    if (this->asks_ahead())
      deliver<true>(block);
    else
      deliver<false>(block);
    if constexpr (!Nics::act_after_routing)
      if (has_nics) visit_nics();
    if (has_nics) wake_nodes();
    route();
    if constexpr (Nics::act_after_routing)
      if (has_nics) visit_nics();
    this->visit_switches();
  }

  // f(item) for what is due now.
  template <bool asks_ahead, class T, class F>
  [[gnu::always_inline]] void empty(Wheel<T>& wheel, F&& f) {
    empty<asks_ahead>(wheel.at(clock.now), f);
  }
  template <bool asks_ahead, class T, class F>
  [[gnu::always_inline]] void empty(Bag<T>& bag, F&& f) {
    for (const T *item = bag.begin(), *const end = bag.end(); item != end; ++item) {
      if constexpr (asks_ahead) this->ask_ahead(item, end);
      f(T(*item));
    }
    bag.clear();
  }

  template <bool asks_ahead>
  [[gnu::noinline]] void deliver(u32 block) {
    Wheels& wheels = clock.wheels;
    empty<asks_ahead>(
        wheels.credits.at(clock.now, block), [&](LaneId lane) __attribute__((always_inline)) {
          this->credit(
              lane, [&](Node v) __attribute__((always_inline)) {
                if (nics_.waits_for_room(nic_at(v))) this->wake(v);
              });
        });
    if (block == 0) deliver_once<asks_ahead>();
    Bag<Arrival>& due = wheels.arrivals.at(clock.now, block);
    const Arrival* const first = due.begin();
    if (asks_ahead && block > 0) this->ask_behind_first(due);
    const auto ask = [&](const Arrival* item, const Arrival* end) __attribute__((always_inline)) {
      if constexpr (!asks_ahead) return;
      this->ask_ahead(item, end);
      if (item != first) this->ask_after(item[-1]);
    };
    take_arrivals(due, ask);
    if (asks_ahead && block + 1 < this->layout.blocks) {  // while this block acts
      this->ask_for_first(wheels.credits.at(clock.now, block + 1));
      this->ask_for_first(wheels.arrivals.at(clock.now, block + 1));
    }
  }
  template <class Ask>
  [[gnu::always_inline]] void take_arrivals(Bag<Arrival>& arrivals, const Ask& ask) {
    switch (this->on_arrival()) {
      case OnArrival::goes_on:
        return this->template arrive<OnArrival::goes_on>(arrivals, ask);
      case OnArrival::is_ordered:
        return this->template arrive<OnArrival::is_ordered>(arrivals, ask);
      case OnArrival::is_routed:
        return this->template arrive<OnArrival::is_routed>(arrivals, ask);
    }
  }
  // What is not kept by blocks.
  template <bool asks_ahead>
  [[gnu::always_inline]] void deliver_once() {
    Wheels& wheels = clock.wheels;
    if constexpr (kind.mode == Mode::packets) {
      empty<asks_ahead>(wheels.trickles, [&](LaneId lane) { this->trickle(lane); });
      empty<asks_ahead>(
          wheels.releases, [&](const Release& r) __attribute__((always_inline)) { this->release(r); });
      if constexpr (kind.queues) empty<asks_ahead>(wheels.sent, [&](LaneId lane) { this->sent(lane); });
      empty<asks_ahead>(wheels.consumed, [&](const Arrival& a) { nics_.finish_packet(*this, a); });
    }
    empty<asks_ahead>(
        wheels.at_nics, [&](const Arrival& a) __attribute__((always_inline)) { nics_.arrive(*this, a); });
  }

  // Nodes that were to be woken now.
  [[gnu::noinline]] void wake_nodes() {
    Bag<Node>& due = clock.wheels.wakes.at(clock.now);
    const bool asks = this->asks_ahead();
    for (const Node *item = due.begin(), *const end = due.end(); item != end; ++item) {
      if (asks) ask_to_wake(item, end);
      if (index(*item) < this->first_switch_)
        nics_.wake(*this, nic_at(*item));
      else
        this->wake(*item);
    }
    due.clear();
    nics_.run_events(*this);
  }
  // What nodes that are woken soon will touch.
  [[gnu::always_inline]] void ask_to_wake(const Node* item, const Node* end) {
    if constexpr (requires { nics_.ask_to_wake(*this, Nic{}); }) {
      if (end - item > 8 && index(item[8]) < this->first_switch_) nics_.ask_to_wake(*this, nic_at(item[8]));
      if (end - item > 3 && index(item[3]) < this->first_switch_)
        nics_.ask_for_packet(*this, nic_at(item[3]));
    }
  }

  [[gnu::noinline]] void route() {
    if constexpr (Nics::routes_one) start_packets();
    if (machine.follows_lists) return follow_lists();
    if (machine.orders_lanes)
      this->lane_order_.take_all([&](LaneId lane, PacketId packet)
                                     __attribute__((always_inline)) { this->route_soon(lane, packet); });
    if (machine.chooses_again) this->choose_again();
    if (jobs_.empty()) return;
    if (machine.in_order && !machine.orders_lanes) this->sort_jobs(Nics::has_control_packets);
    join_jobs();
  }
  void join_jobs() {
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
  // The same for packets most of whose hops are listed: they need no job.
  void follow_lists() {
    const typename SharedPool<PacketId, Packet>::View packets(state.packets);
    const RouteSetting& setting = machine.setting;
    const u64 now = clock.now;
    this->lane_order_.take_all([&](LaneId lane, PacketId id) __attribute__((always_inline)) {
      Packet& packet = packets[id];
      Input& buffer = this->input(lane);
      const ListedHop* const hop = listed_hop(setting, buffer.node, packet, now);
      if (hop == nullptr) [[unlikely]] {
        this->route_soon(lane, id);
        return join_jobs();
      }
      const u32 flits = packet.flits;
      packet.header.state = hop->state;
      const Channel exit{buffer.first_exit + setting.lists.port(*hop, packet.header.to)};
      Output& out = this->output(exit);
      out.routed += flits;
      this->join({.packet = id, .left = flits, .exit = exit, .lanes = hop->lanes, .there = 1}, buffer, out);
    });
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
  RouteSpace space_;
};

}  // namespace banyan::flit
