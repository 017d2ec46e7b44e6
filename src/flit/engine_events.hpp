// What is due in a cycle: credits, flits, free ports; then the packets that have become visible are routed.
#pragma once

namespace banyan {

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
    empty(wheels_.consumed,
          [&](const Arrival& a) { finish_packet(outputs_[a.lane >> shift_].node, a.packet); });
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
    if (l.room++ > 0) return;  // nothing changes
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
  Queue& queue = inputs_[arrival.lane];
  if (mode != Mode::packets && arrival.packet == absent) {
    Entry& entry = entries_[queue.back];
    ++entry.there;
    if (mode == Mode::wormhole && entry.asleep) {
      Output& out = outputs_[entry.exit];
      wake_body(out, lanes_[(entry.exit << shift_) + entry.lane]);
      set_ready(out);
    }
    return;
  }
  const u32 i = new_entry();
  const u32 flits = mode == Mode::packets ? packet_flits_ : state_.packets[arrival.packet].flits;
  entries_[i] = {arrival.packet, flits, 1, absent, absent, 0, no_lane, 0};
  if constexpr (!voq) {
    if (queue.front == absent)
      queue.front = i;
    else
      entries_[queue.back].next = i;
  }
  queue.back = i;
  jobs_.push({arrival.lane, i});
}

// Packets as the unit: an input port and an output are free again.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::release(const Release& r) {
  const Output& input = outputs_[r.input];
  const u32 slot = u32{input.port} << shift_;
  busy(input.node)[wide ? slot / 64 : 0] &= ~port_slots(slot);
  --outputs_[r.output].writing;
  update_ready(outputs_[r.output]);
  if (any_port(state_.ready, input.node)) wake(input.node);
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
    std::sort(jobs_.data(), jobs_.data() + jobs_.size(),
              [](const RouteJob& a, const RouteJob& b) { return a.lane < b.lane; });
  machine_.route(machine_.forward, machine_.setting, {jobs_.begin(), jobs_.end()}, entries_.data(), now_);
  for (const RouteJob& job : jobs_)
    if (job.lane < nic_lanes_)
      wake(outputs_[job.lane >> shift_].node);
    else
      join(job.lane, job.entry);
  jobs_.clear();
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_nodes() {
  for (u32 w = 0; w < active_.size(); ++w)
    for (u64 bits = active_[w]; bits != 0; bits &= bits - 1) {
      const u32 node = w * 64 + static_cast<u32>(std::countr_zero(bits));
      if constexpr (has_rails) {
        step_rail_nic(node);
      } else if (mode != Mode::packets || is_nic(node)) {
        send_from_nic(node);
      } else {
        visit_switch(node);
        sleep(node);
      }
    }
  if constexpr (mode != Mode::packets)
    for (const u32 node : switches_)
      if (any_port(state_.ready, node) || (mode == Mode::vct && any_port(state_.crossing, node)) ||
          (queues && any_port(state_.sends, node)))
        visit_switch(node);
}

}  // namespace banyan
