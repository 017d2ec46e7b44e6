// The switches of a block: what happens at their ports in a cycle. See gpu/network_kernel.hpp.
//
// A switch visits its outputs one after another, and each takes the first of its candidates whose input no
// earlier output took. All inputs so prefer outputs in one order. Inputs ask all at once: each asks the
// output that it prefers, an output keeps the first of those that ask it, and who is not kept asks its next
// output. That comes to the same end (deferred acceptance; all inputs agree, so the stable matching is the
// only one). Few inputs ask in a cycle: threads take them from a list.
#pragma once
#include "gpu/network_state.hpp"

namespace banyan::gpu {

template <class Team, u32 parts, bool keeps>
class NetworkPorts : public NetworkState<Team, parts, keeps> {
 protected:
  using State = NetworkState<Team, parts, keeps>;
  using typename State::Threads;
  template <class T>
  using PerThread = typename Team::template PerThread<T>;
  using State::State;

  // Before the first cycle of a run.
  BANYAN_KERNEL void begin_port(const NetworkUnit& unit, u32 port) const {
    const u32 i = unit.local + port, end = unit.first + port;
    if (first_ == 0) {
      state(i) = {};
      buffer(i) = {};
      if (data_.has_rests) due(i) = 0;
      state(i).room = data_.end[end].far != no_port ? full_room() : 0;
    }
    entered(i) = 0;
    memory_.results.channel_flits[end] = to_come(state(i).out_until, first_);
  }
  // Behind the last cycle of a run.
  BANYAN_KERNEL void end_port(const NetworkUnit& unit, u32 port) const {
    const u32 i = unit.local + port;
    memory_.results.channel_flits[unit.first + port] +=
        entered(i) * flits() - to_come(state(i).out_until, end_);
  }

  // A cycle; `look` at what comes next while there is time.
  template <class Look>
  BANYAN_KERNEL void visit_switch(const Team& team, Threads& threads, u32& first_output, u32 now,
                                  Look&& look) const {
    const NetworkUnit unit = threads.unit;
    const u32 start = first_output;
    PerThread<u32> far[parts];
    team.each([&](u32 t) {
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k) far[k][t] = threads.end[k][t].far;
    });
    const u32 count = receive(team, threads, unit, now, look);
    Request request[parts];
    if (count > 0) match(team, unit, request, count, start);
    PerThread<u64> behind[parts];
    clear_said(team, unit);
    if (count > 0) cross(team, unit, request, behind, count, now);
    team.each([&](u32 t) {
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k)
        if (far[k][t] != no_port) say(far[k][t], said()[t + k * lanes], now);
    });
    if (count > 0) show_next(team, unit, request, behind, count);
    team.each([&](u32 t) {
      if (t == 0) first_output = start + 1 == unit.count ? 0 : start + 1;
    });
    team.meet();
  }

 private:
  static constexpr u32 not_ready = NetworkBuffer::slot_mask;  // in place of a slot
  static constexpr u32 no_output = 255;

  // What the inputs of a list ask for, a thread each: ranks of the outputs that they will ask, the first to
  // be visited has rank 0, a byte for each lane; what they have.
  struct Request {
    PerThread<u32> input, ranks, key, output, lane;
    PerThread<bool> asks;
  };

  // Of the present switch, by port.
  BANYAN_KERNEL u32* outputs() const { return this->template own<u32>(layout_.outputs); }
  BANYAN_KERNEL u32* best() const { return this->template own<u32>(layout_.best); }
  BANYAN_KERNEL u64* said() const { return this->template own<u64>(layout_.said); }
  BANYAN_KERNEL u8* asking() const { return this->template own<u8>(layout_.asking); }
  // By port of the block.
  BANYAN_KERNEL NetworkPort& state(u32 i) const { return this->template at<NetworkPort>(layout_.state, i); }
  BANYAN_KERNEL NetworkBuffer& buffer(u32 i) const {
    return this->template at<NetworkBuffer>(layout_.buffer, i);
  }
  BANYAN_KERNEL u32& entered(u32 i) const { return this->template at<u32>(layout_.entered, i); }
  BANYAN_KERNEL u32& due(u32 i) const { return this->template at<u32>(layout_.due, i); }

  // Credits and packets arrive. Says which outputs are ready, and lists the inputs that ask: returns how
  // many.
  template <class Look>
  BANYAN_KERNEL u32 receive(const Team& team, Threads& threads, const NetworkUnit& unit, u32 now,
                            Look&& look) const {
    PerThread<NetworkPort> port[parts];
    PerThread<u32> shown[parts], to[parts], route[parts];
    BANYAN_UNROLL
    for (u32 k = 0; k < parts; ++k)
      team.each([&](u32 t) {
        const u64 word = received(threads, unit, t, k, now);
        shown[k][t] = to[k][t] = 0;
        port[k][t] = {};
        if (t + k * lanes >= unit.count) return;
        const u32 i = unit.local + t + k * lanes;
        const NetworkEnd end = threads.end[k][t];
        port[k][t] = state(i);
        take_credit(port[k][t].room, buffer(i).credit, end.credit_rest(), NetworkWord::credit(word), now);
        shown[k][t] = arrive(unit, end, t + k * lanes, word, port[k][t].front);
        if (shown[k][t] != 0)
          to[k][t] =
              data_.has_rests ? front_to(unit, t + k * lanes, shown[k][t] - 1) : NetworkWord::to(data_, word);
      });
    team.each([&](u32 t) {
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k) route[k][t] = shown[k][t] != 0 ? route_to(unit, to[k][t]) : 0;
    });
    look();
    u32 count = 0;
    BANYAN_UNROLL
    for (u32 k = 0; k < parts; ++k) {
      team.each([&](u32 t) {
        if (shown[k][t] != 0)
          show(port[k][t].front, shown[k][t] - 1, NetworkRoute::port(route[k][t], unit.subtree));
      });
      count = list(team, unit, port[k], k, count, now);
    }
    team.meet();
    return count;
  }
  // Returns the lane, plus 1, whose front is visible from now on.
  BANYAN_KERNEL u32 arrive(const NetworkUnit& unit, const NetworkEnd& end, u32 port, u64 word,
                           u32 fronts) const {
    const u32 i = unit.local + port;
    const u32 arrived = NetworkWord::lane(word);
    if (arrived != 0) {
      const u32 lane = arrived - 1;
      NetworkBuffer& own = buffer(i);
      u32 place = byte(own.head, lane) + byte(own.fill, lane);
      if (place >= data_.fabric.capacity) place -= data_.fabric.capacity;
      put_packet(unit, port, lane, place, word);
      own.fill += 1u << 8 * lane;
    }
    u32 visible = arrived;
    if (data_.has_rests) {
      const u32 all = due(i) | arrived << 4 * end.packet_rest();
      visible = all & 15;
      due(i) = all >> 4;
    }
    return visible != 0 && byte(fronts, visible - 1) == NetworkPort::nothing ? visible : 0;
  }
  BANYAN_KERNEL u32 front_to(const NetworkUnit& unit, u32 port, u32 lane) const {
    return NetworkWord::to(data_, packet_at(unit, port, lane, byte(buffer(unit.local + port).head, lane)));
  }
  // The front of a lane's buffer is visible.
  static BANYAN_KERNEL void show(u32& fronts, u32 lane, u32 output) {
    fronts ^= (NetworkPort::nothing ^ output) << 8 * lane;
  }
  // Of one part: which outputs are ready, and behind `count` others, the inputs that ask. Returns how many.
  BANYAN_KERNEL u32 list(const Team& team, const NetworkUnit& unit, const PerThread<NetworkPort>& own, u32 k,
                         u32 count, u32 now) const {
    PerThread<bool> asks;
    team.each([&](u32 t) {
      const u32 port = t + k * lanes, i = unit.local + port;
      asks[t] = own[t].front != never && own[t].in_until <= now;
      if (port >= unit.count) return;
      state(i) = own[t];
      const bool is_ready = own[t].room != 0 && own[t].out_until <= now;
      outputs()[port] = is_ready ? buffer(i).pointers & NetworkBuffer::slot_mask : not_ready;
      best()[port] = never;
    });
    const u32 mask = team.ballot(asks);
    team.each([&](u32 t) {
      if (asks[t]) asking()[count + bits_of(mask & ((1u << t) - 1))] = static_cast<u8>(t + k * lanes);
    });
    return count + bits_of(mask);
  }

  // Inputs ask, until none asks any more.
  BANYAN_KERNEL void match(const Team& team, const NetworkUnit& unit, Request* request, u32 count,
                           u32 start) const {
    BANYAN_UNROLL
    for (u32 k = 0; k < parts; ++k)
      team.each([&](u32 t) {
        Request& own = request[k];
        own.output[t] = no_output;
        own.asks[t] = t + k * lanes < count;
        if (!own.asks[t]) return;
        own.input[t] = asking()[t + k * lanes];
        own.ranks[t] = ranks_of(unit, state(unit.local + own.input[t]).front, start);
      });
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k)
        if (k * lanes < count)
          team.each([&](u32 t) {
            if (request[k].asks[t]) ask(unit, request[k], t, start);
          });
      team.meet();
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k) {
        if (k * lanes >= count) continue;
        team.each([&](u32 t) {
          Request& own = request[k];
          own.asks[t] = own.output[t] != no_output && best()[own.output[t]] != own.key[t];
          if (own.asks[t]) own.output[t] = no_output;
        });
        goes_on |= team.any(request[k].asks);
      }
    }
  }
  BANYAN_KERNEL u32 ranks_of(const NetworkUnit& unit, u32 fronts, u32 start) const {
    u32 out = 0;
    BANYAN_UNROLL
    for (u32 lane = 0; lane < NetworkData::max_lanes; ++lane) {
      const u32 output = byte(fronts, lane);
      u32 rank = no_output;
      if (output != NetworkPort::nothing && outputs()[output] != not_ready)
        rank = output >= start ? output - start : output + unit.count - start;
      out |= rank << 8 * lane;
    }
    return out;
  }
  // An input asks one output after another until one keeps it for now. An output that keeps another with a
  // smaller key will not change its mind.
  BANYAN_KERNEL void ask(const NetworkUnit& unit, Request& request, u32 t, u32 start) const {
    u32 ranks = request.ranks[t];
    const u32 input = request.input[t];
    while (ranks != never) {
      const u32 rank = min_byte(ranks);
      u32 wish = equal_bytes(ranks, rank * 0x01010101u);
      ranks |= wish;
      const u32 output = rank + start < unit.count ? rank + start : rank + start - unit.count;
      const u32 slot = outputs()[output];
      if (slot / 4 == input) {
        const u32 later = wish >> 8 * (slot % 4) << 8 * (slot % 4);
        wish = later != 0 ? later : wish;
      }
      const u32 lane = first_bit_of(wish) / 8, mine = 4 * input + lane;
      const u32 key = mine >= slot ? mine - slot : mine + 4 * unit.count - slot;
      u32& kept = best()[output];
      if (kept <= key) continue;
      Team::lower(kept, key);
      request.key[t] = key;
      request.output[t] = output;
      request.lane[t] = lane;
      break;
    }
    request.ranks[t] = ranks;
  }

  BANYAN_KERNEL void clear_said(const Team& team, const NetworkUnit& unit) const {
    team.meet();
    team.each([&](u32 t) {
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k)
        if (t + k * lanes < unit.count) said()[t + k * lanes] = 0;
    });
    team.meet();
  }
  // Packets cross the switch, and credits are given. `behind`: what comes behind a packet in its buffer.
  BANYAN_KERNEL void cross(const Team& team, const NetworkUnit& unit, const Request* request,
                           PerThread<u64>* behind, u32 count, u32 now) const {
    each_crossing(team, request, count, [&](u32 k, u32 t) {
      const Request& own = request[k];
      const u32 in = unit.local + own.input[t], out = unit.local + own.output[t], lane = own.lane[t];
      NetworkBuffer& from = buffer(in);
      const u32 place = byte(from.head, lane), next = place + 1 == data_.fabric.capacity ? 0 : place + 1;
      const u64 packet = packet_at(unit, own.input[t], lane, place);
      behind[k][t] = packet_at(unit, own.input[t], lane, next);
      from.head ^= (place ^ next) << 8 * lane;
      from.fill -= 1u << 8 * lane;
      state(in).front |= NetworkPort::nothing << 8 * lane;
      state(in).in_until = now + flits();
      u32& pointers = buffer(out).pointers;
      const u32 slot = 4 * own.input[t] + lane + 1;
      u32 first_lane = pointers >> NetworkBuffer::lane_at;
      said()[own.output[t]] = enter_channel(state(out).room, first_lane, packet);
      pointers = (slot == 4 * unit.count ? 0 : slot) | first_lane << NetworkBuffer::lane_at;
      state(out).out_until = now + flits();
      ++entered(out);
    });
    team.meet();
    each_crossing(team, request, count, [&](u32 k, u32 t) {
      said()[request[k].input[t]] |= (request[k].lane[t] + 1) << NetworkWord::credit_at;
    });
    team.meet();
  }
  // New fronts, behind those that left.
  BANYAN_KERNEL void show_next(const Team& team, const NetworkUnit& unit, const Request* request,
                               const PerThread<u64>* behind, u32 count) const {
    each_crossing(team, request, count, [&](u32 k, u32 t) {
      const u32 input = request[k].input[t], lane = request[k].lane[t], i = unit.local + input;
      u32 invisible = 0;
      if (data_.has_rests)
        for (u32 all = due(i); all != 0; all >>= 4) invisible += (all & 15) == lane + 1;
      if (byte(buffer(i).fill, lane) > invisible)
        show(state(i).front, lane,
             NetworkRoute::port(route_to(unit, NetworkWord::to(data_, behind[k][t])), unit.subtree));
    });
  }
  template <class F>
  static BANYAN_KERNEL void each_crossing(const Team& team, const Request* request, u32 count, F&& f) {
    BANYAN_UNROLL
    for (u32 k = 0; k < parts; ++k)
      if (k * lanes < count)
        team.each([&](u32 t) {
          if (request[k].output[t] != no_output) f(k, t);
        });
  }

 protected:
  using State::byte;
  using State::data_;
  using State::end_;
  using State::enter_channel;
  using State::first_;
  using State::flits;
  using State::full_room;
  using State::layout_;
  using State::memory_;
  using State::never;
  using State::packet_at;
  using State::put_packet;
  using State::received;
  using State::route_to;
  using State::say;
  using State::take_credit;
  using State::to_come;
};

}  // namespace banyan::gpu
