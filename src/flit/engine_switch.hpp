// Switches: which packets are candidates, and the visit of a switch in a cycle.
#pragma once

namespace banyan {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::join(u32 lane, u32 i) {
  const u32 node = layout_.node_of(lane), slot = slot_of(node, lane);
  const u32 port = entries_[i].port, exit = layout_.first_exit[node] + port;
  if constexpr (voq) {
    Queue& queue = state_.voq[state_.voq_place(node, slot, port)];
    const bool is_first = queue.front == absent;
    if (is_first)
      queue.front = i;
    else
      entries_[queue.back].next = i;
    queue.back = i;
    if (!is_first) return;
  } else if (state_.inputs[lane].front != i) {
    return;
  }
  set_head(exit, slot);
  update_ready(exit);
}

template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::candidate(u32 node, u32 slot, u32 exit) {
  if constexpr (voq)
    return state_.voq[state_.voq_place(node, slot, exit - layout_.first_exit[node])].front;
  else
    return state_.inputs[layout_.first_lane(node) + slot].front;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::drop(u32 node, u32 slot, u32 exit) {
  Queue& queue = voq ? state_.voq[state_.voq_place(node, slot, exit - layout_.first_exit[node])]
                     : state_.inputs[layout_.first_lane(node) + slot];
  queue.front = entries_[queue.front].next;
  if (queue.front == absent) return;
  const u32 next = layout_.first_exit[node] + entries_[queue.front].port;
  set_head(next, slot);
  if (next != exit) update_ready(next);
}

// Whether the output may have a candidate; the output that is being visited is looked at again afterwards.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::update_ready(u32 exit) {
  const Output& out = state_.outputs[exit];
  bool is_ready = any_head(exit);
  if constexpr (mode == Mode::wormhole)
    is_ready = any_body(exit) || (is_ready && (out.free_lanes & out.open_lanes) != 0);
  else
    is_ready = is_ready && out.writing < writers(out) && (out.open_lanes != 0 || !machine_.even);
  const u32 node = layout_.exits[exit].node, port = exit - layout_.first_exit[node];
  u64* mask = of_ports(state_.ready, node);
  if (is_ready) {
    set(mask, port);
    wake(node);
  } else {
    clear(mask, port);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
template <class F>
void Engine<mode, voq, queues, wide>::each_ready(u32 node, u32 start, F&& f) {
  const u64* mask = of_ports(state_.ready, node);
  const u32 first = layout_.first_exit[node];
  scan_round<wide>(
      port_words(), start, [&](u32 w) { return mask[w]; },
      [&](u32 port) {
        f(first + port);
        return false;
      });
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_switch(u32 node) {
  if constexpr (queues) send_queues(node);
  const u32 start = static_cast<u32>(now_ % layout_.ports(node));
  if constexpr (mode == Mode::wormhole) {
    for (u32 w = 0; w < words(); ++w) used_[w] = 0;
    each_ready(node, start, [&](u32 exit) { visit_wormhole(node, exit); });
  } else {
    u64 held[4];  // input ports that a packet held before this cycle
    if constexpr (mode == Mode::vct)
      for (u32 w = 0; w < port_words(); ++w) held[w] = of_ports(state_.crossing, node)[w];
    each_ready(node, start, [&](u32 exit) { visit_vct(node, exit); });
    if constexpr (mode == Mode::vct) {
      const u32 first = layout_.first_exit[node];
      for (u32 w = 0; w < port_words(); ++w)
        scan_bits(held[w], w * 64, [&](u32 port) { return cross_flit(first + port), false; });
      finish_crossings();
    }
  }
  if constexpr (queues && mode != Mode::packets) {
    for (const u32 lane : freed_) credit_queue(lane);
    freed_.clear();
  }
  const bool goes_on =
      mode != Mode::packets && (any_port(state_.ready, node) || any_port(state_.crossing, node) ||
                                (queues && any_port(state_.sends, node)));
  if (!goes_on) active_[node / 64] &= ~(u64{1} << (node % 64));
}

}  // namespace banyan
