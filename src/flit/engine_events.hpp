// What is due in a cycle: credits, flits, free ports; then the packets that have become visible are routed.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::deliver() {
  const auto empty = [&](auto& wheel, auto&& f) {
    auto& bag = wheel.at(now_);
    for (const auto& item : bag) f(item);
    bag.clear();
  };
  empty(
      wheels_.credits, [&](u32 lane) __attribute__((always_inline)) { credit(lane); });
  if constexpr (mode == Mode::packets) {
    empty(wheels_.trickles, [&](u32 lane) {
      state_.trickle_end[lane] = now_ + packet_flits_ - 1;
      wheels_.credits.push(now_ + packet_flits_ - 1, lane);
    });
    empty(
        wheels_.releases, [&](const Release& r) __attribute__((always_inline)) { release(r); });
    if constexpr (queues) empty(wheels_.sent, [&](u32 lane) { sent(lane); });
    empty(wheels_.consumed, [&](const Arrival& a) { finish_packet(node_of(a.lane), a.packet); });
  }
  empty(
      wheels_.arrivals, [&](const Arrival& a) __attribute__((always_inline)) {
        if (a.lane < nic_lanes_) {
          if constexpr (has_rails)
            rail_arrives(a);
          else
            consume(a);
        } else {
          arrive(a);
        }
      });
  empty(wheels_.wakes, [&](u32 node) {
    if (is_nic(node)) {
      if constexpr (has_rails)
        begin_rail_packets(node);
      else
        wake_nic(node);
    } else {
      wake(node);
    }
  });
  if constexpr (has_rails) run_rail_events();
}

// The far end of a lane has room for one more flit, or packet.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::credit(u32 lane) {
  OutLane& l = lanes_[lane];
  if constexpr (mode == Mode::wormhole && !queues)
    if (++l.room > 1) return;  // nothing changes
  Output& out = outputs_[lane >> shift_];
  const u32 flits = mode == Mode::packets ? packet_flits_ : 1;
  if (queues && out.has_queue) {
    l.credits += flits;
    if constexpr (mode == Mode::packets) wake(out.node);
    return;
  }
  if constexpr (mode != Mode::wormhole || queues) l.room += flits;
  const u16 bit = static_cast<u16>(1u << (lane & lane_mask_));
  if (lane < nic_lanes_) {
    if (mode == Mode::wormhole || l.room >= packet_flits_) out.open_lanes |= bit;
    if (has_rails || state_.nics[out.node].entry != absent) wake(out.node);
  } else if constexpr (mode == Mode::wormhole) {
    if (l.room > 1) return;
    out.open_lanes |= bit;
    if (l.owner != absent && entries_[l.owner].asleep) wake_body(out, l);
    update_ready(out);
  } else {
    if (l.room < packet_flits_ || (out.open_lanes & bit) != 0) return;
    out.open_lanes |= bit;
    update_ready(out);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::arrive(const Arrival& arrival) {
  if (mode != Mode::packets && arrival.packet == absent) {
    Entry& entry = entries_[inputs_[arrival.lane].back];
    ++entry.there;
    if (mode == Mode::wormhole && entry.asleep) {
      Output& out = outputs_[entry.exit];
      wake_body(out, lanes_[(entry.exit << shift_) + entry.lane]);
      set_ready(out);
    }
    return;
  }
  if (!knows_way_) return add_job(arrival.lane, arrival.packet);
  Packet& packet = state_.packets[arrival.packet];
  const u32 exit = inputs_[arrival.lane].first_exit + packet.ports[packet.hop++];
  assert(outputs_[exit].node == outputs_[arrival.lane >> shift_].node);
  if (outputs_[exit].far == absent) [[unlikely]]
    no_way(machine_.setting, outputs_[exit].node, packet);
  outputs_[exit].queued += packet.flits;
  join({arrival.lane, arrival.packet, exit, packet.flits, packet.lanes});
}

// Packets as the unit: an input port and an output are free again.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::release(const Release& r) {
  const Output& input = outputs_[r.input];
  const u32 slot = u32{input.port} << shift_;
  idle(input.node)[wide ? slot / 64 : 0] |= ~inputs_[input.first_lane].others;
  --outputs_[r.output].writing;
  update_ready(outputs_[r.output]);
  if (any_port(ready_, input.node)) wake(input.node);
}

// Packets as the unit: an output queue has sent one.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::sent(u32 lane) {
  Output& out = outputs_[lane >> shift_];
  lanes_[lane].room += packet_flits_;
  out.open_lanes |= static_cast<u16>(1u << (lane & lane_mask_));
  update_ready(out);
  wake(out.node);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::route() {
  if (jobs_.empty()) return;
  if (machine_.is_adaptive)
    std::sort(jobs_.data(), jobs_.data() + jobs_.size(), [this](const RouteJob& a, const RouteJob& b) {
      if (!has_rails || a.lane != b.lane) return a.lane < b.lane;
      return is_control(a.packet) && !is_control(b.packet);  // of one NIC
    });
  machine_.route(machine_.forward, machine_.setting, {jobs_.data(), jobs_.size()}, now_);
  for (const RouteJob& job : jobs_)
    if (job.lane < nic_lanes_)
      give_exit(node_of(job.lane), job);
    else
      join(job);
  jobs_.clear();
}

// NICs whose packet has been routed. Those that are routed in this cycle come later, in give_exit().
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_nics() {
  for (u32 w = 0; w * 64 < nics_; ++w) {
    const u32 left = nics_ - w * 64;
    for (u64 bits = left < 64 ? active_[w] & ((u64{1} << left) - 1) : active_[w]; bits != 0;
         bits &= bits - 1) {
      const u32 nic = w * 64 + static_cast<u32>(std::countr_zero(bits));
      if constexpr (has_rails)
        step_rail_nic(nic);
      else if (!send_from_nic(nic))
        sleep(nic);
    }
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_switches() {
  if constexpr (mode == Mode::packets) {
    for (u32 w = nics_ / 64; w < active_.size(); ++w) {
      const u64 nics = w == nics_ / 64 ? (u64{1} << nics_ % 64) - 1 : 0;
      const u64 awake = active_[w] & ~nics;
      active_[w] &= nics;
      for (u64 bits = awake; bits != 0; bits &= bits - 1)
        visit_switch(sites_[w * 64 + static_cast<u32>(std::countr_zero(bits)) - nics_]);
    }
  } else {
    for (const u32 node : switches_)
      if (any_port(ready_, node) || (mode == Mode::vct && any_port(state_.crossing.data(), node)) ||
          (queues && any_port(state_.sends.data(), node)))
        visit_switch(sites_[node - nics_]);
  }
}

}  // namespace banyan::flit
