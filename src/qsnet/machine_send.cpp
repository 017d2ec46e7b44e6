// The DMA engine: a queue of descriptors, the packets of the first on both lanes in turn, slices of long
// ones.
#include "base/error.hpp"
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

u32 Machine::add_dma(const Transfer& transfer) {
  const Transfer& t = transfer;
  if (t.from >= hosts() || (t.broadcast ? t.last : t.to) >= hosts())
    throw InputError("a transfer from or to a host that there is not");
  if (t.broadcast && t.bytes > max_packet_) throw InputError("a broadcast is one packet at most");
  Dma dma{.transfer = t,
          .packets = static_cast<u32>(std::max<u64>(1, (t.bytes + max_packet_ - 1) / max_packet_))};
  if (t.broadcast) {
    dma.reached = static_cast<u32>(reached_.size());
    reached_.emplace_back(t.last - t.to + 1, false);
  }
  return dmas_.add(dma);
}

Route Machine::route_of(const Transfer& t) const {
  return t.broadcast ? routes_.broadcast(t.from, t.to, t.last) : routes_.unicast(t.from, t.to);
}

u32 Machine::add_request(const Transfer& transfer) {
  const u32 data = add_dma(transfer);
  const u32 request = add_dma({.from = transfer.to, .to = transfer.from});
  dmas_[request].request = data;
  return request;
}

void Machine::enqueue(u32 dma) {
  const u32 card = dmas_[dma].transfer.from;
  cards_[card].queue.push(dma);
  schedule_engine(card);
}

u64 Machine::packet_bytes(const Dma& dma, u32 number) const {
  return std::min(max_packet_, dma.transfer.bytes - std::min(dma.transfer.bytes, number * max_packet_));
}

void Machine::run_engine(u32 card) {
  Card& c = cards_[card];
  for (;;) {
    for (u32 lane = 0; lane < lanes; ++lane) open_staged(card, lane);
    if (c.current == nothing && !c.queue.empty()) {
      c.current = c.queue.pop();
      c.route = route_of(dmas_[c.current].transfer);
      c.slice_left = static_cast<u64>(p_.slice * 1024);
      c.begun = false;
      work(card, {Job::What::begin, c.current});
    }
    u32 lane = 1u - c.last_lane;  // the other one, unless only this one is free
    const auto is_idle = [&](u32 l) { return c.staged[l].dma == nothing && network_.lane_free(card, l); };
    if (!is_idle(lane) && (is_idle(1 - lane) || c.staged[lane].dma != nothing)) lane = 1 - lane;
    Outgoing next;
    if (c.staged[lane].dma != nothing || !next_packet(card, next)) return;
    stage(card, lane, next);
  }
}

// Refused packets first, then those of the current DMA.
bool Machine::next_packet(u32 card, Outgoing& next) {
  Card& c = cards_[card];
  if (!c.again.empty()) {
    const u64 packet = c.again.pop();
    next.dma = static_cast<u32>(packet >> 32);
    next.number = static_cast<u32>(packet);
    next.route = route_of(dmas_[next.dma].transfer);
    return true;
  }
  if (c.current == nothing || !c.begun) return false;
  Dma& d = dmas_[c.current];
  next.dma = c.current;
  next.number = d.issued++;
  next.route = c.route;
  c.slice_left -= std::min(c.slice_left, packet_bytes(d, next.number));
  if (d.issued == d.packets) {
    c.current = nothing;
  } else if (c.slice_left < max_packet_ && !c.queue.empty()) {
    c.queue.push(c.current);
    c.current = nothing;
  }
  return true;
}

void Machine::stage(u32 card, u32 lane, const Outgoing& next) {
  Outgoing& out = cards_[card].staged[lane];
  out = next;
  const u64 bytes = packet_bytes(dmas_[next.dma], next.number);
  out.blocks = static_cast<u8>((bytes + p_.block_bytes - 1) / p_.block_bytes);
  cards_[card].last_lane = static_cast<u8>(lane);
  open_staged(card, lane);
  fetch_blocks(card, lane);
}

void Machine::open_staged(u32 card, u32 lane) {
  Card& c = cards_[card];
  if (c.staged[lane].dma == nothing || !network_.lane_free(card, lane)) return;
  Outgoing& out = c.out[lane];
  out = c.staged[lane];
  c.staged[lane] = {};
  const u32 transaction = p_.block_overhead + (out.blocks > 0 ? p_.block_bytes : 0);
  Packet packet;
  packet.cookie = card * lanes + lane;
  packet.chunks = std::max<u8>(1, out.blocks);
  packet.high = dmas_[out.dma].transfer.high;
  packet.head_flits = static_cast<u16>((p_.packet_overhead + transaction + 1) / 2);
  packet.chunk_flits = static_cast<u16>((transaction + 1) / 2);
  packet.route = out.route;
  out.packet = network_.open(card, lane, packet);
  for (u32 i = 0; i < std::max<u32>(out.ready, out.blocks == 0); ++i) network_.offer(out.packet);
}

// As many blocks ahead as the lane's FIFO holds, of the packet that has the lane and of the next.
void Machine::fetch_blocks(u32 card, u32 lane) {
  Outgoing &out = cards_[card].out[lane], &staged = cards_[card].staged[lane];
  const auto room = [&] {
    const int used = (out.packet == nothing ? 0 : out.fetched - out.left) + staged.fetched;
    return used < static_cast<int>(ahead_);
  };
  while (out.packet != nothing && out.fetched < out.blocks && room()) fetch_block(card, lane, out);
  if (staged.dma == nothing) return;
  const auto source = [&](const Outgoing& o) { return dmas_[o.dma].transfer.source; };
  const bool in_order = out.packet == nothing || out.ready == out.blocks || source(out) == source(staged);
  while (in_order && staged.fetched < staged.blocks && room()) fetch_block(card, lane, staged);
}

void Machine::fetch_block(u32 card, u32 lane, Outgoing& out) {
  ++out.fetched;
  if (dmas_[out.dma].transfer.source == Memory::main)
    ask_bus(card, reading, lane);
  else
    move_data(card, reading, lane);
}

void Machine::block_ready(u32 card, u32 lane) {
  Outgoing& out = cards_[card].out[lane];
  if (out.packet == nothing || out.ready == out.blocks) {
    ++cards_[card].staged[lane].ready;
  } else {
    ++out.ready;
    network_.offer(out.packet);
    if (out.ready == out.blocks) fetch_blocks(card, lane);
  }
}

void Machine::block_left(u32 packet) {
  const u32 cookie = network_.packet(packet).cookie;
  Outgoing& out = cards_[cookie / lanes].out[cookie % lanes];
  if (out.blocks == 0) return;
  ++out.left;
  fetch_blocks(cookie / lanes, cookie % lanes);
}

// An acknowledgement closes the circuit; a refused packet goes again.
void Machine::answered(u32 packet) {
  const u32 cookie = network_.packet(packet).cookie, card = cookie / lanes;
  Outgoing& out = cards_[card].out[cookie % lanes];
  const u32 dma = out.dma, number = out.number;
  out = {};
  network_.close(packet);
  schedule_engine(card);
  if (!network_.packet(packet).ok) {
    cards_[card].again.push(u64{dma} << 32 | number);
    return;
  }
  if (++dmas_[dma].acked < dmas_[dma].packets) return;
  const u32 event = dmas_[dma].transfer.source_event;
  dmas_.give_back(dma);
  set(event);
}

}  // namespace banyan::qsnet
