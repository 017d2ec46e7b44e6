// The switches of a block: what happens at their ports in a cycle. See gpu/network_kernel.hpp.
//
// A switch visits its outputs one after another, and each takes the first of its candidates whose input no
// earlier output took. All inputs so prefer outputs in one order. Inputs ask all at once: each asks the
// output that it prefers, an output keeps the first of those that ask it, and who is not kept asks its next
// output. That comes to the same end (deferred acceptance; all inputs agree, so the stable matching is the
// only one).
#pragma once
#include "gpu/network_state.hpp"

namespace banyan::gpu {

template <class Team, bool has_one>
class NetworkPorts : public NetworkState<Team, has_one> {
 protected:
  using State = NetworkState<Team, has_one>;
  using typename State::Threads;
  using typename State::Unit;
  template <class T>
  using PerThread = typename Team::template PerThread<T>;
  using State::State;

  // Before the first cycle of a run.
  BANYAN_KERNEL void begin_port(const Unit& unit, u32 thread, NetworkPort& port) const {
    if (first_ > 0) return;
    port = NetworkPort{};
    if (data_.end[unit.first + thread].far != no_port) port.room = full_room();
  }
  // A cycle.
  BANYAN_KERNEL void visit_switch(const Team& team, Threads& threads, const Unit& unit, u32 now) const {
    PerThread<Request> request;
    PerThread<NetworkNic> loaded;
    PerThread<bool> asks;
    const u32 start = now % unit.count;
    u32* const outputs = &this->template at<u32>(layout_.outputs, 0);
    u32* const best = &this->template at<u32>(layout_.best, 0);
    const auto port_of = [&](u32 t) -> NetworkPort& {
      return has_one ? threads.state[t].port : loaded[t].port;
    };
    team.each([&](u32 t) {
      const NetworkEnd end = end_of(threads, unit, t);
      const u64 word = received(unit, end, t, threads.next[t], now);
      request[t] = {};
      asks[t] = false;
      if (!has(unit, t)) return;
      if (!has_one) loaded[t] = load(unit, t);
      NetworkPort& port = port_of(t);
      arrive(unit, end, t, word, port);
      const bool is_ready = port.room != 0 && (port.busy & 0xFFFF) == 0;
      outputs[t] = is_ready ? port.pointers & NetworkPort::slot_mask : not_ready;
      best[t] = never;
      asks[t] = request[t].asks = port.front != never && port.busy >> 16 == 0;
    });
    const bool crosses = team.any(asks);
    if (crosses)
      match(
          team, request, asks,
          [&](u32 t) { ask(request[t], port_of(t).front, t, start, unit.count, outputs, best); }, best);
    team.each([&](u32 t) {
      if (!has(unit, t)) return;
      NetworkPort& port = port_of(t);
      const NetworkEnd end = end_of(threads, unit, t);
      u64 said = request[t].output != no_output ? (request[t].lane + 1) << NetworkWord::credit_at : 0;
      if (crosses && best[t] != never) said |= taken(unit, port, best[t]);
      if (end.far != no_port) say(end, said, now);
    });
    if (crosses) team.meet();
    team.each([&](u32 t) {
      if (!has(unit, t)) return;
      if (request[t].output != no_output) leave(unit, t, request[t].lane, port_of(t));
      if (!has_one) store(unit, t, loaded[t]);
    });
  }

 private:
  static constexpr u32 not_ready = NetworkPort::slot_mask;  // in place of a slot
  static constexpr u32 no_output = 255;

  // What an input asks for.
  struct Request {
    u32 tried = 0;  // lanes whose outputs were asked
    u32 key = 0, output = no_output, lane = 0;
    bool asks = false;
  };

  // Inputs ask, until none asks any more.
  template <class Ask>
  static BANYAN_KERNEL void match(const Team& team, PerThread<Request>& request, PerThread<bool>& asks,
                                  Ask&& ask_of, const u32* best) {
    bool goes_on = true;
    while (goes_on) {
      team.each([&](u32 t) {
        if (request[t].asks) ask_of(t);
      });
      team.meet();
      team.each([&](u32 t) {
        Request& own = request[t];
        if (own.output != no_output && best[own.output] != own.key) {
          own.output = no_output;
          own.asks = true;
        }
        asks[t] = own.asks;
      });
      goes_on = team.any(asks);
    }
  }

  BANYAN_KERNEL void arrive(const Unit& unit, const NetworkEnd& end, u32 thread, u64 word,
                            NetworkPort& port) const {
    pass_cycle(port);
    take_credit(port, end, NetworkWord::credit(word));
    const u32 arrived = NetworkWord::lane(word);
    if (arrived != 0) {
      const u32 lane = arrived - 1, before = byte(port.fill, lane);
      if (before == 0) {
        front(unit, thread, lane) = word;
      } else {
        u32 place = byte(port.head, lane) + before - 1;
        if (place >= data_.places) place -= data_.places;
        waiting(unit.first + thread, lane, place) = word;
      }
      port.fill += 1u << 8 * lane;
      port.due |= arrived << 4 * end.packet_rest;
    }
    const u32 visible = port.due & 15;
    port.due >>= 4;
    if (visible == 0 || byte(port.front, visible - 1) != NetworkPort::none) return;
    show(unit, port, visible - 1,
         visible == arrived && end.packet_rest == 0 ? word : front(unit, thread, visible - 1));
  }
  // The front of a lane's buffer is visible.
  BANYAN_KERNEL void show(const Unit& unit, NetworkPort& port, u32 lane, u64 packet) const {
    port.front ^= (NetworkPort::none ^ next_port(unit, packet)) << 8 * lane;
  }

  // The output that is visited first of those that an input has not asked, and the lanes whose fronts want
  // it.
  struct Wish {
    u32 output = no_output, lanes = 0;
  };
  static BANYAN_KERNEL Wish next_wish(u32 fronts, u32 tried, u32 start, u32 ports) {
    u32 first = no_output;
    Wish out;
    BANYAN_UNROLL
    for (u32 lane = 0; lane < NetworkData::max_lanes; ++lane) {
      const u32 output = byte(fronts, lane);
      if (output == NetworkPort::none || (tried >> lane & 1) != 0) continue;
      const u32 rank = output >= start ? output - start : output + ports - start;
      if (rank > first) continue;
      out.lanes = (rank < first ? 0 : out.lanes) | 1u << lane;
      out.output = output;
      first = rank;
    }
    return out;
  }
  // An input asks one output after another until one keeps it for now. An output that keeps another with a
  // smaller key will not change its mind.
  static BANYAN_KERNEL void ask(Request& own, u32 fronts, u32 input, u32 start, u32 ports, const u32* outputs,
                                u32* best) {
    own.asks = false;
    for (;;) {
      const Wish wish = next_wish(fronts, own.tried, start, ports);
      if (wish.lanes == 0) return;
      own.tried |= wish.lanes;
      const u32 slot = outputs[wish.output];
      if (slot == not_ready) continue;
      const u32 lane = lane_from(wish.lanes, slot / 4 == input ? slot % 4 : 0), mine = 4 * input + lane;
      const u32 key = mine >= slot ? mine - slot : mine + 4 * ports - slot;
      if (best[wish.output] <= key) continue;
      Team::lower(best[wish.output], key);
      own.key = key;
      own.output = wish.output;
      own.lane = lane;
      return;
    }
  }

  // The packet that an output takes enters its channel.
  BANYAN_KERNEL u64 taken(const Unit& unit, NetworkPort& port, u32 key) const {
    u32 slot = (port.pointers & NetworkPort::slot_mask) + key;
    if (slot >= 4 * unit.count) slot -= 4 * unit.count;
    const u32 next = slot + 1 == 4 * unit.count ? 0 : slot + 1;
    port.pointers = (port.pointers & ~NetworkPort::slot_mask) | next;
    return enter_channel(port, front(unit, slot / 4, slot % 4));
  }
  // The front of an input's lane has left.
  BANYAN_KERNEL void leave(const Unit& unit, u32 thread, u32 lane, NetworkPort& port) const {
    port.fill -= 1u << 8 * lane;
    port.front |= NetworkPort::none << 8 * lane;
    port.busy = (port.busy & 0xFFFF) | flits() << 16;
    const u32 left = byte(port.fill, lane);
    if (left == 0) return;
    const u32 place = byte(port.head, lane), next = place + 1 == data_.places ? 0 : place + 1;
    const u64 packet = waiting(unit.first + thread, lane, place);
    front(unit, thread, lane) = packet;
    port.head ^= (place ^ next) << 8 * lane;
    u32 invisible = 0;
    for (u32 due = port.due; due != 0; due >>= 4) invisible += (due & 15) == lane + 1;
    if (left > invisible) show(unit, port, lane, packet);
  }

 protected:
  using State::byte;
  using State::data_;
  using State::end_of;
  using State::enter_channel;
  using State::first_;
  using State::flits;
  using State::front;
  using State::full_room;
  using State::has;
  using State::layout_;
  using State::load;
  using State::never;
  using State::next_port;
  using State::pass_cycle;
  using State::received;
  using State::say;
  using State::store;
  using State::take_credit;
  using State::waiting;
};

}  // namespace banyan::gpu
