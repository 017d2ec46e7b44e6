// Switches: which packets are candidates, and the visit of a switch in a cycle.
#pragma once

namespace banyan {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::join(u32 lane, u32 i) {
  const u32 slot = slot_of(lane);
  Output& out = outputs_[entries_[i].exit];
  if constexpr (voq) {
    Queue& queue = candidates(out.node, nullptr, slot, out);
    const bool is_first = queue.front == absent;
    if (is_first)
      queue.front = i;
    else
      entries_[queue.back].next = i;
    queue.back = i;
    if (!is_first) return;
  } else if (inputs_[lane].front != i) {
    return;
  }
  set_head(out, slot);
  set_ready(out);
}

template <Mode mode, bool voq, bool queues, bool wide>
Queue& Engine<mode, voq, queues, wide>::candidates(u32 node, Queue* inputs, u32 slot, const Output& out) {
  if constexpr (voq)
    return state_.voq[state_.voq_place(node, slot, out.port)];
  else
    return inputs[slot];
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::drop(Queue& queue, u32 slot) {
  queue.front = entries_[queue.front].next;
  if (queue.front == absent) return;
  Output& next = outputs_[entries_[queue.front].exit];
  set_head(next, slot);
  set_ready(next);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::set_ready(const Output& out) {
  set(ready_ + std::size_t{out.node} * port_words(), out.port);
  if constexpr (mode == Mode::packets) wake(out.node);
}

template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::may_have_candidate(const Output& out) const {
  if constexpr (mode == Mode::wormhole)
    return any_body(out) || (any_head(out) && (out.free_lanes & out.open_lanes) != 0);
  else
    return any_head(out) && out.writing < writers(out) && (out.open_lanes != 0 || !machine_.even);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::update_ready(Output& out) {
  if (may_have_candidate(out)) set_ready(out);
}

template <Mode mode, bool voq, bool queues, bool wide>
template <class F>
void Engine<mode, voq, queues, wide>::each_ready(u32 node, u32 start, F&& f) {
  const u64* mask = of_ports(state_.ready, node);
  if constexpr (wide) {
    scan_round<true>(
        port_words(), start, [&](u32 w) { return mask[w]; }, [&](u32 port) { return f(port), false; });
  } else {
    for (u64 bits = std::rotr(mask[0], static_cast<int>(start)); bits != 0; bits &= bits - 1)
      f((static_cast<u32>(std::countr_zero(bits)) + start) % 64);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_switch(u32 node) {
  if constexpr (queues) send_queues(node);
  const u32 first = layout_.first_exit[node], ports = layout_.first_exit[node + 1] - first;
  const u32 start = now_ >> 32 == 0 ? static_cast<u32>(now_) % ports : static_cast<u32>(now_ % ports);
  const Site at{node, first, outputs_ + first, inputs_ + (std::size_t{first} << shift_),
                lanes_ + (std::size_t{first} << shift_)};
  u64* ready = of_ports(state_.ready, node);
  if constexpr (mode == Mode::wormhole) {
    for (u32 w = 0; w < words(); ++w) used_[w] = 0;
    each_ready(
        node, start, [&](u32 port) __attribute__((always_inline)) {
          visit_wormhole(at, at.outputs[port]);
          if (!may_have_candidate(at.outputs[port])) clear(ready, port);
        });
  } else {
    u64 held[4];  // input ports that a packet held before this cycle
    if constexpr (mode == Mode::vct)
      for (u32 w = 0; w < port_words(); ++w) held[w] = of_ports(state_.crossing, node)[w];
    each_ready(
        node, start, [&](u32 port) __attribute__((always_inline)) {
          visit_vct(at, at.outputs[port]);
          if (!may_have_candidate(at.outputs[port])) clear(ready, port);
        });
    if constexpr (mode == Mode::vct) {
      for (u32 w = 0; w < port_words(); ++w)
        for (u64 bits = held[w]; bits != 0; bits &= bits - 1)
          cross_flit(first + w * 64 + static_cast<u32>(std::countr_zero(bits)));
      finish_crossings();
    }
  }
  if constexpr (queues && mode != Mode::packets) {
    for (const u32 lane : freed_) credit_queue(lane);
    freed_.clear();
  }
}

}  // namespace banyan
