// The inputter: blocks out of the FIFO into memory, then the packet is judged and answered.
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

// All of a chunk is in the FIFO.
void Machine::arrived(u32 segment) {
  const Segment& s = network_.segment(segment);
  const u32 card = network_.nic_of(segment), cookie = network_.packet(s.packet).cookie;
  Incoming& in = cards_[card].in[s.lane];
  if (in.segment != segment) in = {segment, 0};
  if (cards_[cookie / lanes].out[cookie % lanes].blocks == 0)
    taken(card, s.lane);
  else
    move_data(card, writing, s.lane);
}

// A block is in memory.
void Machine::taken(u32 card, u32 lane) {
  Incoming& in = cards_[card].in[lane];
  const Segment& s = network_.segment(in.segment);
  network_.consume(in.segment);
  if (++in.taken == network_.packet(s.packet).chunks) work(card, {Job::What::input, in.segment});
}

void Machine::judge(u32 segment) {
  const u32 card = network_.nic_of(segment);
  const u32 cookie = network_.packet(network_.segment(segment).packet).cookie;
  const Outgoing& out = cards_[cookie / lanes].out[cookie % lanes];
  const bool ok = faults_.bad_crc <= 0 || luck_.unit() >= faults_.bad_crc;
  cards_[card].in[network_.segment(segment).lane].segment = nothing;
  network_.answer(segment, ok);
  if (!ok)
    ++refused_;
  else
    accept(out.dma, card, packet_bytes(dmas_[out.dma], out.number));
}

void Machine::accept(u32 dma, u32 card, u64 bytes) {
  Dma& d = dmas_[dma];
  u32 event = d.transfer.target_event;
  if (d.transfer.broadcast) {
    const u32 i = card - d.transfer.to;
    if (reached_[d.reached][i]) return;  // it had this one; some other host refused it
    reached_[d.reached][i] = true;
    if (event != nothing) event += i;
  }
  ++packets_delivered_;
  bytes_delivered_ += bytes;
  if (!d.transfer.broadcast && ++d.accepted < d.packets) return;
  if (d.request != nothing) return enqueue(d.request);
  set(event);
}

}  // namespace banyan::qsnet
