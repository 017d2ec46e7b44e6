// Hosts with several NICs: processes post messages, the rail policy is told what happens and says what to do.
#include "flit/rail_nics.hpp"

namespace banyan::flit {

RailNics::RailNics(Part& part) : m_(*part.machine.rails) {
  for (const Host h : m_.hosts.ids()) {
    if (part.layout.part(Node{index(h)}) != part.number) continue;
    for (u32 p = 0; p < m_.options.processes; ++p) plan_post(part, h, p, 0);
    if (m_.dies_at == Workload::never) continue;
    plan({.kind = RailEvent::Kind::dies, .due = m_.dies_at, .host = h});
    // Then all parts have met, and know what had arrived when the rail died.
    plan({.kind = RailEvent::Kind::settle,
          .due = m_.dies_at + 1024 + 2 * u64{part.layout.largest_flight},
          .host = h});
  }
}

void RailNics::take_mail(const Mail& mail) {
  for (const ParcelId id : mail.parcels) take_back(id);
}

// A parcel of this part is over. A stripe on a rail that will die is still among those that may be lost.
void RailNics::take_back(ParcelId id) {
  Parcel& parcel = m_.parcels[id];
  if (parcel.kind == Parcel::Kind::stripe && m_.will_die(parcel))
    parcel.has_arrived = true;
  else
    parcels_.free.push(id);
}

// Looks at all of them only when there are twice as many as were left last time.
void RailNics::remember(RailPort& port, ParcelId id) {
  port.unsettled.push_back(id);
  if (port.unsettled.size() < port.forgets_at) return;
  std::erase_if(port.unsettled, [&](ParcelId stripe) {
    const bool is_over = m_.parcels[stripe].has_arrived;
    if (is_over) parcels_.free.push(stripe);
    return is_over;
  });
  port.forgets_at = std::max<std::size_t>(64, 2 * port.unsettled.size());
}

void RailNics::free_parcel(Part& part, ParcelId id) {
  const u16 owner = m_.parcels.owner(id);
  owner == part.number ? take_back(id) : part.clock.mail_to(owner).parcels.push(id);
}

void RailNics::plan(RailEvent event) {
  event.order = m_.orders[event.host]++;
  events_.push(event);
}

// The process looks for its next message when there is one.
void RailNics::plan_post(Part& part, Host host, u32 process, u64 from) {
  RailProcess& own = m_.process(host, process);
  const u64 when = own.lost.empty() ? part.machine.workload.when(m_.seat(host, process)) : u64{0};
  if (when == Workload::never) return;
  const u64 due = std::max(from, when);
  if (due >= own.post_due) return;
  own.post_due = due;
  own.post_order = m_.orders[host];
  plan({.kind = RailEvent::Kind::post, .due = due, .host = host, .process = static_cast<u16>(process)});
}

void RailNics::run_events(Part& part) {
  while (!events_.empty() && events_.top().due <= part.clock.now) {
    const RailEvent event = events_.top();
    events_.pop();
    run_event(part, event);
  }
}

void RailNics::run_event(Part& part, const RailEvent& event) {
  using Kind = RailEvent::Kind;
  switch (event.kind) {
    case Kind::post:
      return post(part, event.host, event.process, event.order);
    case Kind::settle:
      return settle(part, event.host);
    case Kind::dies:
      return rail_dies(part, event.host);
    case Kind::expired:
      return ask_policy(part, event.host,
                        [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
                          policy.expired(host, rules, event.process, event.ticket, event.round, actions_);
                        });
    case Kind::control:
      return control_arrives(part, event);
    case Kind::begun:
      return finish_send(part, event.host, event.process, event.rail);
    case Kind::arriving:
      return data_event(part, event, DataEvent::Kind::arriving);
    case Kind::received:
      return data_event(part, event, DataEvent::Kind::received);
    case Kind::sent:
      return data_event(part, event, DataEvent::Kind::sent);
  }
}

// ask(policy, host, rules): the policy is told something; what it wants is done.
template <class F>
void RailNics::ask_policy(Part& part, Host host, F&& ask) {
  actions_.clear();
  ask(*m_.before.policy, m_.hosts[host], m_.rules(part.clock.now));
  act_for_policy(part, host);
}

void RailNics::control_arrives(Part& part, const RailEvent& event) {
  if (m_.is_dead(event.rail, part.clock.now)) return free_parcel(part, event.parcel);
  const Parcel& parcel = m_.parcels[event.parcel];
  const ControlPacket packet{parcel.control, parcel.from, parcel.rail, parcel.counter};
  ask_policy(part, event.host, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.control(host, rules, event.rail, packet, actions_);
    free_parcel(part, event.parcel);
  });
}

void RailNics::data_event(Part& part, const RailEvent& event, DataEvent::Kind kind) {
  if (m_.is_dead(event.rail, part.clock.now)) return;
  ask_policy(part, event.host, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.data(host, rules, event.rail, {kind, event.is_reserved}, actions_);
  });
  if (kind == DataEvent::Kind::sent && m_.options.sends == Sends::awaited)
    finish_send(part, event.host, event.process, event.rail);
}

// A process that is free takes its next message, and the policy finds rails for it.
void RailNics::post(Part& part, Host h, u32 p, u32 order) {
  RailProcess& own = m_.process(h, p);
  Allocation& wish = m_.hosts[h].processes[p];
  const u64 now = part.clock.now;
  if (order != own.post_order) return;  // an earlier one was planned since
  own.post_due = Workload::never;
  if (wish.phase != Allocation::Phase::idle || own.sending != 0) return;
  if (own.lost.empty()) part.machine.workload.idle(m_.seat(h, p), now);
  if (own.lost.empty() && part.machine.workload.when(m_.seat(h, p)) > now) return plan_post(part, h, p, now);
  wish = next_message(part, h, p);
  wish.ticket = ++m_.tickets[h];
  const Fabric& fabric = part.machine.setting.fabric;
  if (m_.rules(now).between(h, wish.to) == 0)
    throw InputError("no rail is left between " + fabric.host_name(h) + " and " + fabric.host_name(wish.to));
  ask_policy(part, h, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.posted(host, rules, p, actions_);
  });
}

// A stripe that was lost, or what the workload has for it.
Allocation RailNics::next_message(Part& part, Host h, u32 p) {
  RailProcess& own = m_.process(h, p);
  if (!own.lost.empty()) {
    const ParcelId id = own.lost.front();
    own.lost.pop_front();
    const Parcel& parcel = m_.parcels[id];
    own.message = parcel.message, own.seat = parcel.seat;
    const Allocation out{.to = parcel.to,
                         .to_process = m_.process_of(parcel.seat),
                         .flits = parcel.flits,
                         .bytes = u64{parcel.flits} * part.machine.flit_bytes};
    parcels_.free.push(id);
    return out;
  }
  const Workload::Post next = part.machine.workload.take(m_.seat(h, p), part.clock.now);
  own.message = part.new_message();
  own.seat = next.to;
  part.state.messages[own.message] = {next.created, next.flits, next.round};
  return {.to = Host{index(next.to) % m_.host_count},
          .to_process = m_.process_of(next.to),
          .flits = next.flits,
          .bytes = next.bytes};
}

// Does what the policy wants.
void RailNics::act_for_policy(Part& part, Host h) {
  for (const RailAction& a : actions_) switch (a.kind) {
      case RailAction::Kind::timer:
        plan({.kind = RailEvent::Kind::expired,
              .due = part.clock.now + m_.options.timeout_cycles,
              .host = h,
              .process = a.process,
              .ticket = a.ticket,
              .round = static_cast<u32>(a.counter)});
        break;
      case RailAction::Kind::done:
        if (m_.process(h, a.process).sending == 0) plan_post(part, h, a.process, part.clock.now);
        break;
      case RailAction::Kind::send:
      case RailAction::Kind::control:
        hand_over(part, h, a);
    }
}

// Puts a stripe or a control packet into the queue of its NIC.
void RailNics::hand_over(Part& part, Host h, const RailAction& a) {
  RailProcess& own = m_.process(h, a.process);
  const Nic nic = m_.nic(h, a.rail);
  RailPort& port = m_.ports[nic];
  const bool is_stripe = a.kind == RailAction::Kind::send;
  const ParcelId id = m_.parcels.take(part.number, parcels_);
  const u32 flits = is_stripe ? a.flits : m_.options.control_flits;
  m_.parcels[id] = {.kind = is_stripe ? Parcel::Kind::stripe : Parcel::Kind::control,
                    .control = a.control,
                    .is_reserved = a.is_reserved,
                    .rail = a.rail,
                    .to_rail = a.to_rail,
                    .process = a.process,
                    .from = h,
                    .to = a.to,
                    .message = own.message,
                    .seat = own.seat,
                    .flits = flits,
                    .missing = flits,
                    .counter = a.counter};
  const bool may_be_lost = m_.will_die(m_.parcels[id]) && part.clock.now < m_.dies_at;
  if (may_be_lost && a.rail != a.to_rail && m_.before.policy->data != only_count)
    throw InputError("rail-dies: " + std::string(m_.before.policy->name) +
                     " waits for NICs, and here some send across rails; expected another policy");
  if (is_stripe) {
    port.stripes.push_back(id);
    if (may_be_lost) remember(port, id);
    if (m_.options.sends != Sends::queued) own.sending |= u64{1} << a.rail;
  } else {
    port.controls.push_back(id);
  }
  wake(part, nic);
}

// No flit of what the process sends on that rail is left in its host, or the first one leaves. A process that
// awaited that goes on.
void RailNics::finish_send(Part& part, Host h, u32 p, u32 rail) {
  RailProcess& own = m_.process(h, p);
  const u64 bit = u64{1} << rail;
  if ((own.sending & bit) == 0) return;
  own.sending &= ~bit;
  if (own.sending == 0) plan_post(part, h, p, part.clock.now);
}

// --- a rail dies: what is on it is lost; stripes that have not arrived as a whole are sent again

void RailNics::rail_dies(Part& part, Host h) {
  for (u32 slot = 0; slot < m_.endpoints.nics(h); ++slot) {
    const Nic nic = m_.endpoints.nic(h, slot);
    if (m_.endpoints.column(nic) != m_.dying) drop_lost(part, nic);
  }
  if (const Nic nic = m_.nic(h, m_.dying); nic != none<Nic>) {
    RailPort& port = m_.ports[nic];
    port.stripes.clear();
    for (const ParcelId id : port.controls) free_parcel(part, id);
    port.controls.clear();
    for (RailPort::Stream& stream : port.streams) stream.to_cut = 0;
  }
  for (u32 p = 0; p < m_.options.processes; ++p) finish_send(part, h, p, m_.dying);
  ask_policy(part, h, [&](const RailPolicy& policy, RailHost& host, const RailRules& rules) {
    policy.died(host, rules, m_.dying, actions_);
  });
}

// A NIC that lives on forgets what it sends to those on the rail that dies; the packet at the front goes on.
void RailNics::drop_lost(Part& part, Nic nic) {
  RailPort& port = m_.ports[nic];
  std::vector<ParcelId> dropped;  // that its process waits for
  std::erase_if(port.stripes, [&](ParcelId id) {
    const bool is_lost = m_.parcels[id].to_rail == m_.dying;
    if (is_lost) dropped.push_back(id);
    return is_lost;
  });
  for (RailPort::Stream& stream : port.streams) {
    const bool is_under_way = stream.to_cut > 0 || stream.data != none<EntryId>;
    if (!is_under_way || m_.parcels[stream.parcel].to_rail != m_.dying) continue;
    if (m_.options.sends == Sends::awaited) dropped.push_back(stream.parcel);
    stream.to_cut = 0;
    stream.parcel = none<ParcelId>;
  }
  for (const ParcelId id : dropped)
    finish_send(part, m_.parcels[id].from, m_.parcels[id].process, m_.parcels[id].rail);
}

// What of it had arrived is known by now.
void RailNics::settle(Part& part, Host h) {
  for (u32 slot = 0; slot < m_.endpoints.nics(h); ++slot) {
    RailPort& port = m_.ports[m_.endpoints.nic(h, slot)];
    for (const ParcelId id : port.unsettled) {
      const Parcel& parcel = m_.parcels[id];
      if (parcel.missing == 0) {
        parcels_.free.push(id);
        continue;
      }
      m_.process(h, parcel.process).lost.push_back(id);
      plan_post(part, h, parcel.process, part.clock.now);
    }
    port.unsettled.clear();
  }
}

}  // namespace banyan::flit
