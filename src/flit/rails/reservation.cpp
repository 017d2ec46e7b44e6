#include "flit/rails/reservation.hpp"

#include <bit>
#include <stdexcept>

namespace banyan::flit::reservation {
namespace {

using Phase = Allocation::Phase;

u64 bit(u32 rail) { return u64{1} << rail; }

template <class F>
void each(u64 rails, F&& f) {
  for (; rails != 0; rails &= rails - 1) f(static_cast<u32>(std::countr_zero(rails)));
}

// The two processes of a host, for the time of one event.
struct Both {
  RailHost& host;
  const RailRules& rules;
  RailActions& out;

  // --- the NIC process

  void send(u32 rail, Host to, u32 to_rail, ControlKind kind) {
    out.push_back({.kind = RailAction::Kind::control,
                   .control = kind,
                   .rail = static_cast<u16>(rail),
                   .to_rail = static_cast<u16>(to_rail),
                   .to = to,
                   .counter = kind == ControlKind::rts ? host.request(rail).priority : 0});
  }

  // What the table sends to other NICs; what it sends to the process is for the caller. `packet` is what
  // arrived: its sender is the requester, where it is an RTS.
  NicStep nic(u32 rail, NicEvent event, const ControlPacket& packet = {}) {
    RailNic& own = host.nics[rail];
    NicStep step = nic_step(own.status, event);
    if (step.cell == NicStep::Cell::impossible)
      throw std::logic_error("an event reached a NIC in a status in which it cannot come");
    if (step.cell == NicStep::Cell::contest) {
      const Contest contest =
          nic_contest(host.request(rail).priority, host.self, packet.counter, packet.from, rules.tie);
      own.counter = contest.counter;
      step = contest.step;
    }
    if (step.sends & nic_sends::remote_rts) send(rail, own.asked, own.asked_rail, ControlKind::rts);
    if (step.sends & nic_sends::remote_abort) send(rail, own.asked, own.asked_rail, ControlKind::abort);
    if (step.sends & nic_sends::remote_nack) send(rail, packet.from, packet.rail, ControlKind::nack);
    if (step.sends & nic_sends::remote_ack) send(rail, own.granted, own.granted_rail, ControlKind::ack);
    if (step.sends & nic_sends::remote_cts) {
      own.granted = packet.from;
      own.granted_rail = static_cast<u16>(packet.rail);
      send(rail, packet.from, packet.rail, ControlKind::cts);
    }
    own.status = step.next;
    const bool receives = own.status == NicStatus::receiving || own.status == NicStatus::receiving_out_rts;
    if (!receives) own.granted = none<Host>;
    return step;
  }

  // --- the process

  u64 free_rails(Host to) const {
    u64 out_ = 0;
    each(rules.between(host.self, to), [&](u32 rail) {
      if (host.nics[rail].status == NicStatus::free) out_ |= bit(rail);
    });
    return out_;
  }

  void ask(u32 process, u64 rails) {
    Allocation& wish = host.processes[process];
    each(rails, [&](u32 rail) {
      RailNic& own = host.nics[rail];
      own.asked = wish.to;
      own.asked_rail = static_cast<u16>(rules.partner(host.self, rail, wish.to));
      own.process = static_cast<u16>(process);
      own.ticket = wish.ticket;
      if (host.request(rail).ticket != wish.ticket) host.request(rail) = {wish.ticket, own.counter};
      nic(rail, NicEvent::local_rts);
    });
    wish.waiting |= rails;
    wish.phase = Phase::waits;
    out.push_back({.kind = RailAction::Kind::timer,
                   .process = static_cast<u16>(process),
                   .ticket = wish.ticket,
                   .counter = static_cast<int>(++wish.round)});
  }

  // Algorithm 5: a short message goes out on one free NIC, without asking anybody.
  void send_short(u32 process, u64 free) {
    const u64 rail = select_rails(host, rules, process, free, 1);
    RailNic& own = host.nics[std::countr_zero(rail)];
    own.status = NicStatus::sending;
    own.is_unreserved = true;
    send_on(host, rules, process, rail, false, out);
  }

  void attempt(u32 process) {
    const Allocation& wish = host.processes[process];
    const u64 free = free_rails(wish.to);
    if (free == 0) return;
    if (wish.bytes <= rules.threshold)
      send_short(process, free);
    else
      ask(process, free);
  }

  // The NIC has an answer for the process it asked for. One that has gone on does not want the rail any more.
  void replied(u32 rail, bool is_granted) {
    const RailNic& own = host.nics[rail];
    Allocation& wish = host.processes[own.process];
    if (wish.phase != Phase::waits || wish.ticket != own.ticket) {
      if (is_granted) nic(rail, NicEvent::local_abort);
      return;
    }
    wish.waiting &= ~bit(rail);
    if (is_granted) wish.granted |= bit(rail);
    if (wish.waiting == 0) conclude(own.process);
  }

  void conclude(u32 process) {
    Allocation& wish = host.processes[process];
    if (wish.granted == 0) {
      wish.phase = Phase::wants;
      host.turn = (process + 1) % static_cast<u32>(host.processes.size());
      return;
    }
    const u64 chosen = select_rails(host, rules, process, wish.granted, wish.flits);
    each(wish.granted & ~chosen, [&](u32 rail) { nic(rail, NicEvent::local_abort); });
    send_on(host, rules, process, chosen, true, out);
  }

  void serve_all() {
    serve(host, [&](u32 process) { attempt(process); });
  }
};

NicEvent event_of(ControlKind kind) {
  switch (kind) {
    case ControlKind::rts:
      return NicEvent::remote_rts;
    case ControlKind::cts:
      return NicEvent::remote_cts;
    case ControlKind::nack:
      return NicEvent::remote_nack;
    case ControlKind::abort:
      return NicEvent::remote_abort;
    case ControlKind::ack:
      return NicEvent::remote_ack;
  }
  throw std::logic_error("no such control packet");
}

}  // namespace

void posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
  host.processes[process].phase = Phase::wants;
  Both{host, rules, out}.attempt(process);
}

void control(RailHost& host, const RailRules& rules, u32 rail, const ControlPacket& packet,
             RailActions& out) {
  Both both{host, rules, out};
  const NicStep step = both.nic(rail, event_of(packet.kind), packet);
  if (step.sends & nic_sends::local_cts) both.replied(rail, true);
  if (step.sends & nic_sends::local_nack) both.replied(rail, false);
  both.serve_all();
}

void data(RailHost& host, const RailRules& rules, u32 rail, const DataEvent& event, RailActions& out) {
  RailNic& own = host.nics[rail];
  Both both{host, rules, out};
  note(own, event);
  if (event.is_reserved) {
    if (event.kind == DataEvent::Kind::received) both.nic(rail, NicEvent::local_ack);
  } else if (event.kind == DataEvent::Kind::sent) {
    own.status = NicStatus::free;
    own.is_unreserved = false;
  }
  both.serve_all();
}

void expired(RailHost& host, const RailRules& rules, u32 process, u32 ticket, u32 round, RailActions& out) {
  Allocation& wish = host.processes[process];
  if (wish.phase != Phase::waits || wish.ticket != ticket || wish.round != round) return;
  Both both{host, rules, out};
  if (wish.granted != 0)
    both.conclude(process);
  else
    both.ask(process, both.free_rails(wish.to));
  both.serve_all();
}

void died(RailHost& host, const RailRules& rules, u32 rail, RailActions& out) {
  Both both{host, rules, out};
  host.nics[rail] = RailNic{};
  for (u32 process = 0; process < host.processes.size(); ++process) {
    Allocation& wish = host.processes[process];
    wish.waiting &= ~bit(rail);
    wish.granted &= ~bit(rail);
    if (wish.phase == Phase::waits && wish.waiting == 0) both.conclude(process);
  }
  both.serve_all();
}

}  // namespace banyan::flit::reservation

namespace banyan::flit {

RailPolicy reserving(RailPolicy policy) {
  using namespace reservation;
  policy.posted = posted;
  policy.control = control;
  policy.data = data;
  policy.expired = expired;
  policy.died = died;
  return policy;
}

}  // namespace banyan::flit
