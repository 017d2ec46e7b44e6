// The data bus of a card, first come first served; and the host's bus, whose two directions have a pace each
// and share its rate.
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

void Machine::move_data(u32 card, Direction direction, u32 lane) {
  Card& c = cards_[card];
  c.data_free = std::max(c.data_free, now()) + t_.data;
  agenda_.add(c.data_free, Kind::card_done, (card * 2 + direction) * lanes + lane);
}

void Machine::data_moved(u32 subject) {
  const u32 lane = subject % lanes, card = subject / lanes / 2;
  if (subject / lanes % 2 == reading) return block_ready(card, lane);
  const u32 packet = network_.segment(cards_[card].in[lane].segment).packet;
  const u32 cookie = network_.packet(packet).cookie;
  const Dma& dma = dmas_[cards_[cookie / lanes].out[cookie % lanes].dma];
  if (dma.transfer.target == Memory::main)
    ask_bus(card, writing, lane);
  else
    taken(card, lane);
}

void Machine::ask_bus(u32 card, Direction direction, u32 what) {
  HostBus& bus = cards_[card].bus;
  bus.pending[direction].push(what);
  if (bus.tried > now()) {
    bus.tried = now();
    agenda_.add(now(), Kind::bus, card);
  }
}

// The directions alternate where both may begin.
void Machine::try_bus(u32 card) {
  HostBus& bus = cards_[card].bus;
  if (bus.tried == now()) bus.tried = never;
  Time soonest = never;
  for (u32 i = 1; i <= 2; ++i) {
    const u32 direction = (bus.last + i) % 2;
    if (bus.pending[direction].empty()) continue;
    const Time at = std::max(bus.free, bus.ready[direction]);
    soonest = std::min(soonest, std::max(at, now()));
    if (at > now()) continue;
    bus.free = now() + bus.block;
    bus.ready[direction] = now() + t_.pace[direction];
    bus.last = static_cast<u8>(direction);
    bus.moving[direction].push(bus.pending[direction].pop());
    const Time latency = direction == reading ? t_.read_latency : 0;
    agenda_.add(now() + t_.pace[direction] + latency, Kind::bus_done, card * 2 + direction);
    soonest = bus.pending[0].empty() && bus.pending[1].empty() ? never : bus.free;
    break;
  }
  if (soonest < bus.tried) {
    bus.tried = soonest;
    agenda_.add(soonest, Kind::bus, card);
  }
}

void Machine::bus_moved(u32 subject) {
  const u32 card = subject / 2, direction = subject % 2;
  const u32 what = cards_[card].bus.moving[direction].pop();
  if (what >= first_copy) {
    const CardEvent& e = events_[what - first_copy];
    notices_.push({Notice::From::event, e.card, e.subject});
  } else if (direction == reading) {
    move_data(card, reading, what);
  } else {
    taken(card, what);
  }
}

}  // namespace banyan::qsnet
