// Switches: which packets are candidates, and the visit of a switch in a cycle.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::join(const RouteJob& job) {
  const u32 i = new_entry();
  entries_[i] = {job.packet, job.flits, 1, absent, job.exit, job.lanes, no_lane, 0};
  Input& input = inputs_[job.lane];
  Output& out = outputs_[job.exit];
  if constexpr (voq) input.back = i;  // where its flits arrive
  Queue& queue = candidates(input, out);
  const bool is_first = queue.front == absent;
  if (is_first)
    queue.front = i;
  else
    entries_[queue.back].next = i;
  queue.back = i;
  if (!is_first) return;
  set_head(out, input.slot);
  set_ready(out);
}

template <Mode mode, bool voq, bool queues, bool wide>
Queue& Engine<mode, voq, queues, wide>::candidates(Input& input, const Output& out) {
  if constexpr (voq)
    return state_.voq[state_.voq_place(out.node, input.slot, out.port)];
  else
    return input;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::drop(Queue& queue, u32 next, u32 slot) {
  queue.front = next;
  if (next == absent) return;
  Output& out = outputs_[entries_[next].exit];
  set_head(out, slot);
  set_ready(out);
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

// f(output) for those that may have a candidate, in the order of this cycle. Those that have none left are
// forgotten.
template <Mode mode, bool voq, bool queues, bool wide>
template <class F>
void Engine<mode, voq, queues, wide>::each_ready(const Site& at, F&& f) {
  const u32 start = now_ >> 32 == 0 ? static_cast<u32>(now_) % at.ports : static_cast<u32>(now_ % at.ports);
  u64* mask = ready_ + std::size_t{at.node} * port_words();
  const auto visit = [&](u32 port) __attribute__((always_inline)) {
    Output& out = at.outputs[port];
    f(out);
    if (!may_have_candidate(out)) clear(mask, port);
  };
  if constexpr (wide)
    scan_round(
        port_words(), start, [&](u32 w) { return mask[w]; }, [&](u32 port) { return visit(port), false; });
  else
    each_round(mask[0], ~u64{0} << start, visit);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_switch(const Site& at) {
  if constexpr (queues) send_queues(at.node);
  if constexpr (mode == Mode::wormhole) {
    for (u32 w = 0; w < words(); ++w) unused_[w] = ~u64{0};
    each_ready(
        at, [&](Output & out) __attribute__((always_inline)) { visit_wormhole(at, out); });
  } else {
    u64 held[4];  // input ports that a packet held before this cycle
    if constexpr (mode == Mode::vct)
      for (u32 w = 0; w < port_words(); ++w) held[w] = of_ports(state_.crossing, at.node)[w];
    each_ready(
        at, [&](Output & out) __attribute__((always_inline)) { visit_vct(at, out); });
    if constexpr (mode == Mode::vct) {
      for (u32 w = 0; w < port_words(); ++w)
        for (u64 bits = held[w]; bits != 0; bits &= bits - 1)
          cross_flit(layout_.first_exit[at.node] + w * 64 + static_cast<u32>(std::countr_zero(bits)));
      finish_crossings();
    }
  }
  if constexpr (queues && mode != Mode::packets) {
    for (const u32 lane : freed_) credit_queue(lane);
    freed_.clear();
  }
}

}  // namespace banyan::flit
