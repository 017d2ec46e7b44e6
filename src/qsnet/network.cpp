#include "qsnet/network.hpp"

#include "base/assert.hpp"

namespace banyan::qsnet {

NetworkTimes network_times(const Parameters& p) {
  return {transfer(2, p.link_rate), from_ns(p.wire_latency), from_ns(p.wire_latency + p.switch_latency),
          from_us(p.ageing), p.lane_flits};
}

Network::Network(const Routes& routes, const NetworkTimes& times, Agenda& agenda)
    : routes_(routes), fabric_(routes.topology().fabric), times_(times), agenda_(agenda) {
  const std::size_t channels = fabric_.channels().size(), nodes = fabric_.nodes().size();
  holder_.assign(channels * lanes, nothing);
  room_.assign(channels * lanes, times.lane_flits);
  links_.resize(channels);
  waiters_.resize(nodes);
  for (Node node : fabric_.switch_nodes()) waiters_[index(node)].reserve(fabric_.ports(node) * lanes);
  arbitrated_.assign(nodes, never);
  turn_.assign(nodes, 0);
}

// --- circuits

u32 Network::take(u32 packet, u32 channel, u32 lane, u32 parent) {
  const u32 s = segments_.add({});
  Segment& segment = segments_[s];
  segment.packet = packet;
  segment.channel = channel;
  segment.parent = parent;
  segment.child = segment.sibling = nothing;
  segment.lane = static_cast<u8>(lane);
  segment.ok = true;
  if (parent != nothing) {
    segment.hop = static_cast<u8>(segments_[parent].hop + 1);
    segment.offered = segments_[parent].headed;
    segment.sibling = segments_[parent].child;
    segments_[parent].child = s;
  }
  BANYAN_HOT_ASSERT(
      holder_[slot(channel, lane)] == nothing && room_[slot(channel, lane)] == times_.lane_flits,
      "a lane that is taken is free and empty");
  holder_[slot(channel, lane)] = s;
  ++packets_[packet].segments;
  ++held_;
  return s;
}

u32 Network::open(u32 nic, u32 lane, const Packet& packet) {
  const u32 i = packets_.add(packet);
  packets_[i].segments = 0;
  packets_[i].lane = static_cast<u8>(lane);
  packets_[i].first = take(i, out_of(nic), lane, nothing);
  return i;
}

void Network::offer(u32 packet) {
  Segment& first = segments_[packets_[packet].first];
  ++first.offered;
  soon_link(first.channel);
}

void Network::close(u32 packet) { agenda_.add(agenda_.now(), Kind::eop, packets_[packet].first); }

// The EOP passes: the lane is free behind it.
void Network::end(u32 s) {
  const Segment& segment = segments_[s];
  BANYAN_HOT_ASSERT(room_[slot(segment.channel, segment.lane)] == times_.lane_flits,
                    "a lane that is left is empty");
  holder_[slot(segment.channel, segment.lane)] = nothing;
  for (u32 c = segment.child; c != nothing; c = segments_[c].sibling)
    agenda_.add(agenda_.now() + times_.hop, Kind::eop, c);
  const Node from = fabric_.from(Channel{segment.channel});
  if (fabric_.is_switch(from)) soon_arbitrate(index(from));
  --held_;
  if (--packets_[segment.packet].segments == 0) packets_.give_back(segment.packet);
  segments_.give_back(s);
}

// --- chunks

void Network::consume(u32 s) { agenda_.add(agenda_.now() + times_.wire, Kind::credit, s); }

void Network::credit(u32 s) {
  Segment& segment = segments_[s];
  room_[slot(segment.channel, segment.lane)] += packets_[segment.packet].flits(segment.credited++);
  soon_link(segment.channel);
}

// The last flit of a chunk has left over a segment's link: the FIFO before it has room again, once every
// branch has sent the chunk.
u32 Network::leave(u32 s) {
  Segment& segment = segments_[s];
  ++segment.left;
  links_[segment.channel].busy = false;
  soon_link(segment.channel);
  if (segment.parent == nothing) return segment.packet;
  Segment& parent = segments_[segment.parent];
  for (u32 c = parent.child; c != nothing; c = segments_[c].sibling)
    if (segments_[c].left <= parent.freed) return nothing;
  ++parent.freed;
  agenda_.add(agenda_.now() + times_.wire, Kind::credit, segment.parent);
  return nothing;
}

void Network::soon_link(u32 channel) {
  Link& link = links_[channel];
  if (link.busy || link.tried == agenda_.now()) return;
  link.tried = agenda_.now();
  agenda_.add(agenda_.now(), Kind::link, channel);
}

void Network::try_link(u32 channel) {
  Link& link = links_[channel];
  link.tried = never;
  if (link.busy) return;
  for (u32 i = 1; i <= lanes; ++i) {
    const u32 lane = (link.last + i) % lanes, s = holder_[slot(channel, lane)];
    if (s == nothing || segments_[s].sent == segments_[s].offered) continue;
    if (room_[slot(channel, lane)] < packets_[segments_[s].packet].flits(segments_[s].sent)) continue;
    link.last = static_cast<u8>(lane);
    return start(s);
  }
}

void Network::start(u32 s) {
  Segment& segment = segments_[s];
  const u16 flits = packets_[segment.packet].flits(segment.sent++);
  const Time now = agenda_.now(), length = flits * times_.flit;
  room_[slot(segment.channel, segment.lane)] -= flits;
  links_[segment.channel].busy = true;
  agenda_.add(now + length, Kind::left, s);
  if (fabric_.is_switch(fabric_.to(Channel{segment.channel})))
    agenda_.add(now + times_.hop, Kind::ready, s);
  else
    agenda_.add(now + length + times_.wire, Kind::arrived, s);
}

// The head of a chunk has come through the switch behind a segment.
void Network::ready(u32 s) {
  Segment& segment = segments_[s];
  if (++segment.headed == 1) {
    const u32 node = index(fabric_.to(Channel{segment.channel}));
    segment.since = agenda_.now();
    auto& waiters = waiters_[node];
    const auto later = [&](u32 other) {  // in the order of arrival, then of links and lanes
      const Segment& o = segments_[other];
      return o.since == segment.since && slot(o.channel, o.lane) > slot(segment.channel, segment.lane);
    };
    auto at = waiters.end();
    while (at != waiters.begin() && later(*(at - 1))) --at;
    waiters.insert(at, s);
    ++waiting_;
    soon_arbitrate(node);
  }
  for (u32 c = segment.child; c != nothing; c = segments_[c].sibling) {
    segments_[c].offered = segment.headed;
    soon_link(segments_[c].channel);
  }
}

// --- who gets a link and lane

void Network::soon_arbitrate(u32 node) {
  if (waiters_[node].empty() || arbitrated_[node] == agenda_.now()) return;
  arbitrated_[node] = agenda_.now();
  agenda_.add(agenda_.now(), Kind::arbitrate, node);
}

// High priority and aged heads first; within each the oldest.
void Network::arbitrate(u32 node) {
  arbitrated_[node] = never;
  auto& waiters = waiters_[node];
  for (const bool urgent : {true, false}) {
    std::size_t kept = 0;
    for (const u32 s : waiters) {
      const bool is_urgent =
          packets_[segments_[s].packet].high || agenda_.now() - segments_[s].since >= times_.ageing;
      if (is_urgent != urgent || !grant(s, node)) waiters[kept++] = s;
    }
    waiting_ -= waiters.size() - kept;
    waiters.resize(kept);
  }
}

bool Network::grant(u32 s, u32 node) {
  const Route& route = packets_[segments_[s].packet].route;
  const u32 hop = segments_[s].hop;
  if (!route.broadcast) return grant_one(s, node, route.tags[hop]);
  return grant_all(s, node, routes_.branches(route, node, hop >= route.switches));
}

// Of a group the link with the most free lanes; among equals the next in turn.
bool Network::grant_one(u32 s, u32 node, Tag tag) {
  const Tag onwards = ~Tag{0} << turn_[node];
  u32 best = nothing, maximum = 0;
  for (const Tag half : {tag & onwards, tag & ~onwards})
    for (Tag rest = half; rest != 0 && maximum < lanes; rest &= rest - 1) {
      const u32 channel = first_channel(node, rest);
      if (free_lanes(channel) > maximum) best = channel, maximum = free_lanes(channel);
    }
  if (best == nothing) return false;
  if (std::popcount(tag) > 1) turn_[node] = (index(fabric_.port(Channel{best})) + 1) % 64;
  take(segments_[s].packet, best, holder_[slot(best, 0)] == nothing ? 0 : 1, s);
  soon_link(best);
  return true;
}

// A broadcast takes all its links at once, or waits and holds none of them.
bool Network::grant_all(u32 s, u32 node, Tag tag) {
  for (Tag rest = tag; rest != 0; rest &= rest - 1)
    if (free_lanes(first_channel(node, rest)) == 0) return false;
  for (Tag rest = tag; rest != 0; rest &= rest - 1) {
    const u32 channel = first_channel(node, rest);
    take(segments_[s].packet, channel, holder_[slot(channel, 0)] == nothing ? 0 : 1, s);
    soon_link(channel);
  }
  return true;
}

// --- answers

void Network::answer(u32 s, bool ok) {
  segments_[s].ok = ok;
  agenda_.add(agenda_.now() + times_.wire, Kind::ack, s);
}

// A token has come to the node before a segment; a switch sends one on when all branches have answered.
void Network::acknowledge(u32 s) {
  const Segment& segment = segments_[s];
  if (segment.parent == nothing) {
    packets_[segment.packet].ok = segment.ok;
    return agenda_.add(agenda_.now(), Kind::answered, segment.packet);
  }
  Segment& parent = segments_[segment.parent];
  parent.ok = parent.ok && segment.ok;
  u32 branches = 0;
  for (u32 c = parent.child; c != nothing; c = segments_[c].sibling) ++branches;
  if (++parent.answers == branches) agenda_.add(agenda_.now() + times_.hop, Kind::ack, segment.parent);
}

u32 Network::handle(const Event& event) {
  const u32 i = event.subject();
  switch (event.kind()) {
    case Kind::credit:
      credit(i);
      break;
    case Kind::left:
      return leave(i);
    case Kind::eop:
      end(i);
      break;
    case Kind::ack:
      acknowledge(i);
      break;
    case Kind::ready:
      ready(i);
      break;
    case Kind::arbitrate:
      arbitrate(i);
      break;
    case Kind::link:
      try_link(i);
      break;
    default:
      BANYAN_ASSERT(false, "no other kind of event is a request");
  }
  return nothing;
}

}  // namespace banyan::qsnet
