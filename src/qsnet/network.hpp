// Elites and links: circuits that heads build hop by hop, chunks that follow, acknowledgements that come
// back.
//
// A packet is one to five chunks: a transaction each, the first with the header. A chunk that has begun on a
// link goes on without a gap, into a FIFO that has room for all of it; between chunks the two lanes of a link
// alternate. All links have one rate, so a chunk may leave a switch while it still comes in. That makes
// chunks exact: tests hold this against a model that moves single flits. Tokens (acknowledgement, EOP,
// credits) need no room: they use the ninth bit of the wire.
#pragma once
#include <bit>
#include <vector>

#include "qsnet/events.hpp"
#include "qsnet/parameters.hpp"
#include "qsnet/ring.hpp"
#include "qsnet/routes.hpp"

namespace banyan::qsnet {

constexpr u32 nothing = ~u32{0};
constexpr u32 lanes = 2;

struct NetworkTimes {
  Time flit, wire, hop, ageing;  // hop: wire and switch
  u32 lane_flits;
};
NetworkTimes network_times(const Parameters& p);

// One link and lane that a packet holds, from its head until its EOP.
struct Segment {
  u32 packet, channel, parent, child, sibling;  // child: the first; sibling: the next child of the parent
  Time since;                                   // its head has waited at the switch it leads to
  u8 lane, hop, offered, sent, left, headed, freed, credited, answers;
  bool ok;
};

struct Packet {
  u32 first = nothing;  // its segment at the source
  u32 segments = 0;     // that it still holds
  u32 cookie = 0;       // whatever the sender wants to find again
  u8 chunks = 1, lane = 0;
  bool high = false, ok = true;
  u16 head_flits = 0, chunk_flits = 0;
  Route route;
  u16 flits(u32 chunk) const { return chunk == 0 ? head_flits : chunk_flits; }
};

class Network {
 public:
  Network(const Routes& routes, const NetworkTimes& times, Agenda& agenda);

  // --- the sender
  bool lane_free(u32 nic, u32 lane) const { return holder_[slot(out_of(nic), lane)] == nothing; }
  u32 open(u32 nic, u32 lane, const Packet& packet);  // the packet's number; its lane must be free
  void offer(u32 packet);                             // its next chunk may leave
  // --- the receiver: a chunk of a segment was taken out of the FIFO; the packet is accepted or refused
  void consume(u32 segment);
  void answer(u32 segment, bool ok);
  // --- the clock: kinds up to `link`. Gives the packet of which a chunk has left its source, or nothing.
  // What arrives is an event of its own: `arrived` (a segment: all of a chunk), `answered` (a packet).
  u32 handle(const Event& event);

  const Packet& packet(u32 i) const { return packets_[i]; }
  void close(u32 packet);  // once answered: the EOP leaves
  const Segment& segment(u32 i) const { return segments_[i]; }
  u32 nic_of(u32 segment) const { return index(fabric_.to(Channel{segments_[segment].channel})); }
  u64 held() const { return held_; }        // links and lanes in use
  u64 waiting() const { return waiting_; }  // heads without a way on

 private:
  struct Link {
    Time tried = never;  // an attempt is on the agenda for then
    bool busy = false;
    u8 last = 0;
  };

  static u32 slot(u32 channel, u32 lane) { return channel * lanes + lane; }
  u32 out_of(u32 nic) const { return index(fabric_.channel(Node{nic}, Port{0})); }
  u32 first_channel(u32 node, Tag tag) const {
    return index(fabric_.channel(Node{node}, Port{static_cast<u32>(std::countr_zero(tag))}));
  }
  u32 take(u32 packet, u32 channel, u32 lane, u32 parent);
  void credit(u32 s);
  u32 leave(u32 s);
  void end(u32 s);
  void acknowledge(u32 s);
  void ready(u32 s);
  void arbitrate(u32 node);
  void try_link(u32 channel);
  void start(u32 s);
  void soon_link(u32 channel);
  void soon_arbitrate(u32 node);
  bool grant(u32 s, u32 node);
  bool grant_one(u32 s, u32 node, Tag tag);
  bool grant_all(u32 s, u32 node, Tag tag);
  u32 free_lanes(u32 channel) const {
    return (holder_[slot(channel, 0)] == nothing) + (holder_[slot(channel, 1)] == nothing);
  }

  const Routes& routes_;
  const Fabric& fabric_;
  NetworkTimes times_;
  Agenda& agenda_;
  std::vector<u32> holder_, room_;         // by channel and lane: segment; flits free at its end
  std::vector<Link> links_;                // by channel
  std::vector<std::vector<u32>> waiters_;  // by node: segments whose head waits there, the oldest first
  std::vector<Time> arbitrated_;           // by node: when an attempt is on the agenda
  std::vector<u32> turn_;                  // by node: where the search for a link of a group begins
  Pool<Segment> segments_;
  Pool<Packet> packets_;
  u64 held_ = 0, waiting_ = 0;
};

}  // namespace banyan::qsnet
