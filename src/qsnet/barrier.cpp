#include "qsnet/barrier.hpp"

namespace banyan::qsnet {

Barrier::Barrier(Machine& machine, u32 hosts, BarrierShape shape) : machine_(machine), hosts_(hosts) {
  for (u32 h = 0; h < hosts; ++h) {
    const u32 event = machine.add_event({.card = h, .then = Reaction::host, .subject = told});
    if (h == 0) leave_ = event;
  }
  const CardEvent root{.card = 0, .count = hosts, .then = Reaction::host, .subject = gathered};
  if (shape == BarrierShape::linear || hosts <= arity) {
    events_ = {{machine.add_event(root)}};
    return;
  }
  // Stage by stage from the root: an event that has heard of its four has the card tell the next stage.
  u32 span = arity;
  while (span < hosts) span *= arity;
  for (; span >= arity; span /= arity) {
    std::vector<u32> stage;
    for (u32 first = 0; first < hosts; first += span) {
      CardEvent event = root;
      event.card = first;
      event.count = (std::min(span, hosts - first) + span / arity - 1) / (span / arity);
      if (!events_.empty()) {
        const u32 next = events_.back()[first / (span * arity)];
        event.then = Reaction::dma;
        event.subject = machine.prepare(
            {.from = first, .to = first / (span * arity) * (span * arity), .target_event = next});
      }
      stage.push_back(machine.add_event(event));
    }
    events_.push_back(std::move(stage));
  }
}

u32 Barrier::collector(u32 host) const {
  return events_.size() == 1 ? events_[0][0] : events_.back()[host / arity];
}

void Barrier::enter(u32 host) { machine_.wake(from_us(machine_.parameters().barrier), host, entered); }

void Barrier::broadcast() {
  machine_.put({.from = 0, .to = 0, .target_event = leave_, .broadcast = true, .last = hosts_ - 1});
}

bool Barrier::advance(const Notice& notice) {
  const u32 host = notice.host, leader = events_.size() == 1 ? 0 : host / arity * arity;
  switch (notice.tag) {
    case entered:
      if (host == leader)
        machine_.set(collector(host));
      else
        machine_.put({.from = host, .to = leader, .target_event = collector(host)});
      return false;
    case gathered:
      machine_.wake(from_us(machine_.parameters().barrier), host, release);
      return false;
    case release:
      broadcast();
      return false;
    default:
      return notice.tag == told;
  }
}

Time barrier_time(const Routes& routes, const Parameters& parameters, u32 hosts, BarrierShape shape) {
  Machine machine(routes, parameters);
  Barrier barrier(machine, hosts, shape);
  for (u32 h = 0; h < hosts; ++h) barrier.enter(h);
  Time last = 0;
  while (const auto notice = machine.next())
    if (barrier.advance(*notice)) last = machine.now();
  return last;
}

}  // namespace banyan::qsnet
