// Hosts with several NICs (docs/rails.md): processes post messages, the rail policy is told what happens and
// says what to do.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::start_rails() {
  RailMachine& m = *machine_.rails;
  for (u32 h = 0; h < m.host_count; ++h) {
    if (layout_.part_of[h] != number_) continue;
    for (u32 p = 0; p < m.options.processes; ++p) plan_post(h, p, 0);
    if (m.dies_at == Workload::never) continue;
    plan({.kind = RailEvent::Kind::dies, .due = m.dies_at, .host = h});
    // Then all parts have met, and know what had arrived when the rail died.
    plan({.kind = RailEvent::Kind::settle,
          .due = m.dies_at + 1024 + 2 * u64{layout_.largest_flight},
          .host = h});
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::plan(RailEvent event) {
  event.order = machine_.rails->orders[event.host]++;
  rail_events_.push(event);
}

// The process looks for its next message when there is one.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::plan_post(u32 host, u32 process, u64 from) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.process(host, process);
  const u64 when = own.lost.empty() ? machine_.workload.when(m.seat(host, process)) : u64{0};
  if (when == Workload::never) return;
  const u64 due = std::max(from, when);
  if (due >= own.post_due) return;
  own.post_due = due;
  own.post_order = m.orders[host];
  plan({.kind = RailEvent::Kind::post, .due = due, .host = host, .process = static_cast<u16>(process)});
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::run_rail_events() {
  while (!rail_events_.empty() && rail_events_.top().due <= now_) {
    const RailEvent event = rail_events_.top();
    rail_events_.pop();
    run_rail_event(event);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::run_rail_event(const RailEvent& event) {
  using Kind = RailEvent::Kind;
  switch (event.kind) {
    case Kind::post:
      return post(event.host, event.process, event.order);
    case Kind::settle:
      return settle(event.host);
    case Kind::dies:
      return rail_dies(event.host);
    case Kind::expired:
      return ask_policy(event.host, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
        policy.expired(host, rules, event.process, event.ticket, event.round, rail_actions_);
      });
    case Kind::control:
      return control_arrives(event);
    case Kind::arriving:
      return data_event(event, DataEvent::Kind::arriving);
    case Kind::received:
      return data_event(event, DataEvent::Kind::received);
    case Kind::sent:
      return data_event(event, DataEvent::Kind::sent);
  }
}

// ask(policy, host, rules): the policy is told something; what it wants is done.
template <Mode mode, bool voq, bool queues, bool wide>
template <class F>
void Engine<mode, voq, queues, wide>::ask_policy(u32 h, F&& ask) {
  RailMachine& m = *machine_.rails;
  rail_actions_.clear();
  ask(*m.before.policy, m.hosts[h], m.rules(now_));
  act(h);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::control_arrives(const RailEvent& event) {
  RailMachine& m = *machine_.rails;
  if (m.is_dead(event.rail, now_)) return free_parcel(event.parcel);
  const Parcel& parcel = m.parcels[event.parcel];
  const ControlPacket packet{parcel.control, parcel.from, parcel.counter};
  ask_policy(event.host, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.control(host, rules, event.rail, packet, rail_actions_);
    free_parcel(event.parcel);
  });
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::data_event(const RailEvent& event, DataEvent::Kind kind) {
  if (machine_.rails->is_dead(event.rail, now_)) return;
  ask_policy(event.host, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.data(host, rules, event.rail, {kind, event.is_reserved}, rail_actions_);
  });
  if (kind == DataEvent::Kind::sent) has_left(event.host, event.process, event.rail);
}

// A process that is free takes its next message, and the policy finds rails for it.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::post(u32 h, u32 p, u32 order) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.process(h, p);
  Allocation& wish = m.hosts[h].processes[p];
  if (order != own.post_order) return;  // an earlier one was planned since
  own.post_due = Workload::never;
  if (wish.phase != Allocation::Phase::idle || own.sending != 0) return;
  if (own.lost.empty() && machine_.workload.when(m.seat(h, p)) > now_) return plan_post(h, p, now_);
  wish = next_message(h, p);
  wish.ticket = ++m.tickets[h];
  if (m.rules(now_).between(Host{h}, wish.to) == 0)
    throw InputError("no rail is left between " + machine_.setting.fabric.host_name(Host{h}) + " and " +
                     machine_.setting.fabric.host_name(wish.to));
  ask_policy(h, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.posted(host, rules, p, rail_actions_);
  });
}

// A stripe that was lost, or what the workload has for it.
template <Mode mode, bool voq, bool queues, bool wide>
Allocation Engine<mode, voq, queues, wide>::next_message(u32 h, u32 p) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.process(h, p);
  if (!own.lost.empty()) {
    const u32 i = own.lost.front();
    own.lost.pop_front();
    const Parcel& parcel = m.parcels[i];
    own.message = parcel.message, own.seat = parcel.seat;
    const Allocation out{
        .to = parcel.to, .flits = parcel.flits, .bytes = u64{parcel.flits} * machine_.flit_bytes};
    free_parcel(i);
    return out;
  }
  const Workload::Post next = machine_.workload.take(m.seat(h, p), now_);
  own.message = state_.messages.take(number_, messages_);
  own.seat = index(next.to);
  state_.messages[own.message] = {next.created, next.flits, next.round};
  return {.to = Host{index(next.to) % m.host_count}, .flits = next.flits, .bytes = next.bytes};
}

// Does what the policy wants.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::act(u32 h) {
  RailMachine& m = *machine_.rails;
  for (const RailAction& a : rail_actions_) switch (a.kind) {
      case RailAction::Kind::timer:
        plan({.kind = RailEvent::Kind::expired,
              .due = now_ + m.options.timeout_cycles,
              .host = h,
              .process = a.process,
              .ticket = a.ticket,
              .round = static_cast<u32>(a.counter)});
        break;
      case RailAction::Kind::done:
        if (m.process(h, a.process).sending == 0) plan_post(h, a.process, now_);
        break;
      case RailAction::Kind::send:
      case RailAction::Kind::control:
        hand_over(h, a);
    }
}

// Puts a stripe or a control packet into the queue of its NIC.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::hand_over(u32 h, const RailAction& a) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.process(h, a.process);
  RailPort& port = m.ports[m.nic(h, a.rail)];
  const bool is_stripe = a.kind == RailAction::Kind::send;
  const u32 i = m.parcels.take(number_, parcels_);
  const u32 flits = is_stripe ? a.flits : m.options.control_flits;
  m.parcels[i] = {.kind = is_stripe ? Parcel::Kind::stripe : Parcel::Kind::control,
                  .control = a.control,
                  .is_reserved = a.is_reserved,
                  .rail = a.rail,
                  .process = a.process,
                  .from = Host{h},
                  .to = a.to,
                  .message = own.message,
                  .seat = own.seat,
                  .flits = flits,
                  .missing = flits,
                  .counter = a.counter};
  if (is_stripe) {
    port.stripes.push_back(i);
    if (a.rail == m.dying && now_ < m.dies_at) port.unsettled.push_back(i);
    if (m.options.sends == Sends::awaited) own.sending |= u64{1} << a.rail;
  } else {
    port.controls.push_back(i);
  }
  begin_rail_packets(m.nic(h, a.rail));
}

// No flit of what the process sends on that rail is left in its host. A process that awaited that goes on.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::has_left(u32 h, u32 p, u32 rail) {
  RailProcess& own = machine_.rails->process(h, p);
  const u64 bit = u64{1} << rail;
  if ((own.sending & bit) == 0) return;
  own.sending &= ~bit;
  if (own.sending == 0) plan_post(h, p, now_);
}

// --- a rail dies: what is on it is lost; stripes that have not arrived as a whole are sent again

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::rail_dies(u32 h) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[m.nic(h, m.dying)];
  port.stripes.clear();
  for (const u32 i : port.controls) free_parcel(i);
  port.controls.clear();
  port.to_cut = 0;
  for (u32 p = 0; p < m.options.processes; ++p) has_left(h, p, m.dying);
  ask_policy(h, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.died(host, rules, m.dying, rail_actions_);
  });
}

// What of it had arrived is known by now.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::settle(u32 h) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[m.nic(h, m.dying)];
  for (const u32 i : port.unsettled) {
    const Parcel& parcel = m.parcels[i];
    if (parcel.missing == 0) {
      free_parcel(i);
      continue;
    }
    m.process(h, parcel.process).lost.push_back(i);
    plan_post(h, parcel.process, now_);
  }
  port.unsettled.clear();
}

}  // namespace banyan::flit
