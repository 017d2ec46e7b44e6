#include "support/reference_simulator.hpp"

#include <algorithm>
#include <cmath>

#include "flit/choice.hpp"

namespace banyan::tests {
namespace {

u64 latency_of(const Fabric& fabric, Channel c) {
  return static_cast<u64>(std::max(1.0, std::round(fabric.link_class(c).latency)));
}

}  // namespace

ReferenceSimulator::ReferenceSimulator(const SimulationSetup& setup, ReferenceWorkload workload)
    : setup_(setup), workload_(std::move(workload)) {
  const Fabric& fabric = setup_.fabric;
  const NetworkOptions& network = setup_.network;
  const u32 lanes = network.lanes;
  for (const LinkClass& link_class : fabric.link_classes())
    largest_capacity_ = std::max(largest_capacity_, link_class.capacity);
  places_.resize(fabric.nodes().size());
  senders_.resize(fabric.nics());
  for (const Node node : fabric.nodes()) {
    Place& place = places_[node];
    const u32 inputs = fabric.is_switch(node) ? fabric.ports(node) : 1;
    const u32 input_lanes = fabric.is_switch(node) ? lanes : 1;
    place.inputs.assign(inputs, std::vector<std::deque<Held>>(input_lanes));
    place.input_taken.assign(inputs, false);
    for (const Channel c : fabric.channels(node)) {
      Output output;
      output.cabled = fabric.cabled(c);
      const bool ejects = output.cabled && !fabric.is_switch(fabric.to(c));
      output.unlimited = fabric.is_switch(node) && ejects && network.ejection == Ejection::unlimited;
      output.has_queue = output.unlimited || (fabric.is_switch(node) && network.output_flits > 0);
      output.credits.assign(lanes, network.buffer_flits);
      output.room.assign(lanes, network.output_flits);
      output.owned.assign(lanes, false);
      output.queues.resize(lanes);
      place.outputs.push_back(output);
    }
    if (fabric.is_switch(node) && in_stages()) begin_stages(place);
  }
  tally_.channel_flits.resize(fabric.channels().size());
}

void ReferenceSimulator::advance(u64 cycles) {
  for (u64 i = 0; i < cycles; ++i) cycle();
}

Tally ReferenceSimulator::take_tally() {
  Tally out = tally_;
  tally_ = {};
  tally_.channel_flits.resize(setup_.fabric.channels().size());
  return out;
}

void ReferenceSimulator::cycle() {
  arrive();
  acknowledge();
  serve_nics();
  if (setup_.network.hop_view == HopView::global)
    for (const Node node : setup_.fabric.switch_nodes())
      for (u32 output = 0; output < places_[node].outputs.size(); ++output)
        queued_before_[{node, output}] = queued(node, output);
  for (const Node node : setup_.fabric.nodes()) route(node);
  for (const Node node : setup_.fabric.nodes()) {
    Place& place = places_[node];
    place.input_used.assign(place.inputs.size(), false);
    if (setup_.fabric.is_switch(node) && in_stages())
      for (u32 step = 0; step < setup_.network.switch_speedup; ++step) cross_in_stages(node, step);
    else if (setup_.fabric.is_switch(node))
      cross(node);
    else
      send_from(node);
    send_queues(node);
    remove_empty(place);
  }
  ++now_;
  ++tally_.cycles;
  tally_.packet_cycles += packets_inside_;
}

// --- arrive
// --------------------------------------------------------------------------------------------------

void ReferenceSimulator::arrive() {
  const Fabric& fabric = setup_.fabric;
  for (auto it = credits_.begin(); it != credits_.end() && it->first == now_; it = credits_.erase(it)) {
    const auto [channel, lane] = it->second;
    ++places_[fabric.from(channel)].outputs[index(fabric.port(channel))].credits[lane];
  }
  for (auto it = flits_.begin(); it != flits_.end() && it->first == now_; it = flits_.erase(it)) {
    const Transit& flit = it->second;
    const Node at = fabric.to(flit.channel);
    if (!fabric.is_switch(at)) {
      consume(flit);
      continue;
    }
    auto& buffer = places_[at].inputs[index(fabric.port(fabric.reverse(flit.channel)))][flit.lane];
    if (flit.flit == 0) buffer.push_back({.packet = flit.packet, .from = {}});
    buffer.back().from.push_back(now_ + setup_.network.switch_cycles);
  }
}

void ReferenceSimulator::consume(const Transit& flit) {
  const Fabric& fabric = setup_.fabric;
  credits_.insert({now_ + latency_of(fabric, flit.channel), {flit.channel, flit.lane}});
  ++tally_.flits;
  --flits_inside_;
  if (flit.flit + 1 < flit.packet->flits) return;
  Message& message = *flit.packet->message;
  ++tally_.packets;
  --packets_inside_;
  tally_.network_cycles += now_ - flit.packet->entered;
  tally_.packet_latency.add(now_ - message.created);
  if (setup_.network.path_choice == PathChoice::recycled)
    acknowledgements_[{now_ + flit.packet->way_cycles, flit.packet->from, flit.packet->number}] = flit.packet;
  if (--message.packets_left > 0) return;
  ++tally_.messages;
  tally_.message_latency.add(now_ - message.created);
  tally_.last_message = now_;
  workload_.arrived(Seat{index(flit.packet->to)}, message.round, now_);
}

// --- NICs
// ----------------------------------------------------------------------------------------------------

void ReferenceSimulator::serve_nics() {
  for (const Node node : setup_.fabric.nic_nodes()) take_up(setup_.fabric.nic(node));
}

void ReferenceSimulator::send_from(Node nic) { cross(nic); }

void ReferenceSimulator::take_up(Nic nic) {
  Sender& sender = senders_[nic];
  auto& queue = places_[setup_.fabric.node(nic)].inputs[0][0];
  if (!queue.empty()) return;
  const u32 packet_flits = setup_.messages.packet_flits;
  if (sender.flits_taken == sender.flits) {
    const Seat seat{index(nic)};
    if (workload_.when(seat) > now_) return;
    const Workload::Post post = workload_.take(seat, now_);
    const u32 packets = (post.flits + packet_flits - 1) / packet_flits;
    sender.message = std::make_shared<Message>(Message{post.created, post.round, packets});
    sender.to = Nic{index(post.to)};
    sender.flits = post.flits;
    sender.bytes = post.bytes;
    sender.flits_taken = sender.packets_taken = 0;
  }
  const u32 flits = std::min(packet_flits, sender.flits - sender.flits_taken);
  const Source& source = setup_.routing.source;
  const u32 count = source.count(nic, sender.to, sender.bytes);
  u32 way =
      chosen_way(setup_.network.path_choice, setup_.seed, nic, sender.packets, sender.packets_taken, count);
  if (setup_.network.path_choice == PathChoice::recycled && count > 1)
    way = recycled(nic, sender.to, sender.packets, way) % count;
  if (setup_.network.path_choice == PathChoice::flowlet) {
    const auto last = flowlets_.find({nic, sender.to});
    if (last != flowlets_.end() && now_ - last->second.first <= setup_.network.flowlet_gap)
      way = last->second.second % count;
    flowlets_[{nic, sender.to}] = {now_, way};
  }
  const auto packet = std::make_shared<Packet>(Packet{source.way(nic, sender.to, sender.bytes, way), nic,
                                                      sender.to, sender.packets, flits, sender.message});
  packet->path = way;
  queue.push_back({.packet = packet, .from = std::vector<u64>(flits, now_)});
  flits_inside_ += flits;
  sender.flits_taken += flits;
  ++sender.packets_taken;
  ++sender.packets;
}

// --- recycled paths
// ------------------------------------------------------------------------------------------

void ReferenceSimulator::acknowledge() {
  while (!acknowledgements_.empty() && std::get<0>(acknowledgements_.begin()->first) == now_) {
    const Packet& packet = *acknowledgements_.begin()->second;
    Memory& memory = memories_[{packet.from, packet.to}];
    memory.outstanding.erase(packet.number);
    if (!packet.is_marked) memory.paths.push_back({packet.path, true});
    if (memory.paths.size() > setup_.network.path_memory) memory.paths.pop_front();
    acknowledgements_.erase(acknowledgements_.begin());
  }
}

u32 ReferenceSimulator::recycled(Nic nic, Nic to, u64 packet, u32 drawn) {
  Memory& memory = memories_[{nic, to}];
  const u64 timeout = setup_.network.path_timeout;
  if (timeout > 0 && now_ >= memory.frozen_until)
    for (const auto& [number, when] : memory.outstanding)
      if (now_ - when > timeout) memory.frozen_until = now_ + timeout;
  memory.outstanding[packet] = now_;
  for (Remembered& one : memory.paths)
    if (one.is_fresh) {
      one.is_fresh = false;
      return one.path;
    }
  if (now_ >= memory.frozen_until || memory.paths.empty()) return drawn;
  memory.paths.push_back(memory.paths.front());
  memory.paths.pop_front();
  return memory.paths.back().path;
}

// The packet is about to wait for an output.
void ReferenceSimulator::follow(Node node, Packet& packet, u32 output) const {
  const Fabric& fabric = setup_.fabric;
  if (setup_.network.path_choice != PathChoice::recycled) return;
  const Channel c = fabric.channel(node, Port{output});
  packet.way_cycles += latency_of(fabric, c);
  if (fabric.is_switch(fabric.to(c))) packet.way_cycles += setup_.network.switch_cycles;
  if (!fabric.is_switch(node)) return;
  packet.way_cycles += setup_.network.crossing_cycles;
  if (queued(node, output) > setup_.network.mark_flits) packet.is_marked = true;
}

// --- route
// ---------------------------------------------------------------------------------------------------

void ReferenceSimulator::route(Node node) {
  const bool chooses_again = has_escape(setup_.routing) && setup_.fabric.is_switch(node);
  for (auto& port : places_[node].inputs)
    for (auto& lane : port) {
      bool is_first = true;  // of those that have not begun to leave
      for (Held& held : lane) {
        if (held.routed && held.lane < 0 && is_first && chooses_again) {
          held.packet->header.state = held.came_with;
          held.routed = false;
          route_one(node, held);
        } else if (!held.routed && held.can_leave(now_)) {
          held.came_with = held.packet->header.state;
          route_one(node, held);
        }
        if (!vct() || held.lane < 0) is_first = false;
      }
    }
}

void ReferenceSimulator::route_one(Node node, Held& held) {
  const Hop hop = choose(node, *held.packet);
  follow(node, *held.packet, index(hop.port));
  held.routed = true;
  held.output = index(hop.port);
  held.lanes = expanded(hop.lanes);
  held.packet->header.state = hop.state;
}

Hop ReferenceSimulator::choose(Node node, const Packet& packet) const {
  Hops hops;
  std::visit([&](const auto& forward) { offered(forward, node, packet.header, hops); },
             setup_.routing.forward);
  if (hops.size() == 1) return hops[0];
  const std::vector<Hop> best = cheapest(hops, [&](const Hop& hop) {
    return setup_.network.hop_view == HopView::local ? cost(node, hop) : cost_of_way(node, packet, hop);
  });
  return best[mix(setup_.seed, packet.from, packet.number, node) % best.size()];
}

// The hops among which one is drawn.
std::vector<Hop> ReferenceSimulator::cheapest(const Hops& hops,
                                              const std::function<u64(const Hop&)>& cost) const {
  u8 shortest = 255;
  for (const Hop& hop : hops) shortest = std::min(shortest, hop.left);
  std::vector<Hop> best;
  for (const Hop& hop : hops) {
    const auto key = [&](const Hop& h) {
      return std::pair(cost(h) + (h.left > shortest ? setup_.network.hop_bias : 0), h.left);
    };
    if (!best.empty() && key(hop) < key(best[0])) best.clear();
    if (best.empty() || key(hop) == key(best[0])) best.push_back(hop);
  }
  return best;
}

u64 ReferenceSimulator::cost(Node node, const Hop& hop) const {
  return waiting(node, hop, queued(node, index(hop.port))) * (hop.left + 1);
}

// hop-view global: the channel of this hop, and all that follow.
u64 ReferenceSimulator::cost_of_way(Node node, const Packet& packet, const Hop& first) const {
  const Fabric& fabric = setup_.fabric;
  u64 sum = waiting(node, first, queued(node, index(first.port)));
  Header header = packet.header;
  Hop hop = first;
  for (u32 channels = 1; channels < 255; ++channels) {
    node = fabric.to(fabric.channel(node, hop.port));
    if (!fabric.is_switch(node)) break;
    header.state = hop.state;
    Hops hops;
    std::visit([&](const auto& forward) { offered(forward, node, header, hops); }, setup_.routing.forward);
    const auto waits = [&](const Hop& h) {
      return waiting(node, h, queued_before_.at({node, index(h.port)}));
    };
    const std::vector<Hop> best = cheapest(hops, [&](const Hop& h) { return waits(h) * (h.left + 1); });
    hop = best[mix(setup_.seed, packet.from, packet.number, node) % best.size()];
    sum += waits(hop);
  }
  return sum;
}

// With flits that are queued for the hop, what counts of it.
u64 ReferenceSimulator::waiting(Node node, const Hop& hop, u64 flits) const {
  const Fabric& fabric = setup_.fabric;
  const Place& place = places_[node];
  const u32 port = index(hop.port);
  const Output& output = place.outputs[port];
  u64 missing = 0;
  if (!output.unlimited)
    for (u32 lane = 0; lane < setup_.network.lanes; ++lane)
      if (expanded(hop.lanes) >> lane & 1) missing += setup_.network.buffer_flits - output.credits[lane];
  if (setup_.network.hop_credits == HopCredits::late) {
    const Channel c = fabric.channel(node, hop.port);
    const u64 crossing = fabric.is_switch(node) ? setup_.network.crossing_cycles : 0;
    const u64 in_switch = fabric.is_switch(fabric.to(c)) ? setup_.network.switch_cycles : 0;
    const u64 round_trip = 2 * latency_of(fabric, c) + crossing + in_switch;
    const u64 on_their_way = round_trip * 65536 / step_of(c);
    missing -= std::min(missing, on_their_way);
  }
  return flits + missing;
}

u64 ReferenceSimulator::queued(Node node, u32 output) const {
  u64 flits = 0;
  for (const auto& input : places_[node].inputs)
    for (const auto& lane : input)
      for (const Held& held : lane)
        if (held.routed && held.output == output) flits += held.packet->flits - held.left;
  for (const auto& queue : places_[node].outputs[output].queues)
    for (const Held& held : queue)
      flits += held.from.size() - held.left;  // what is still outside counts above
  return flits;
}

// Class c may use lanes c, c + L, c + 2L, ...
u32 ReferenceSimulator::expanded(u32 classes) const {
  u32 out = 0;
  for (u32 lane = 0; lane < setup_.network.lanes; ++lane)
    if (classes >> (lane % setup_.routing.lanes) & 1) out |= 1u << lane;
  return out;
}

// --- cross
// ---------------------------------------------------------------------------------------------------

void ReferenceSimulator::cross(Node node) {
  Place& place = places_[node];
  const u32 ports = static_cast<u32>(place.outputs.size());
  if (!vct())
    for (Output& output : place.outputs) output.writing = 0;
  if (vct()) go_on(node);
  for (u32 i = 0; i < ports; ++i) {
    const u32 o = static_cast<u32>((now_ + i) % ports);
    if (!place.outputs[o].cabled) continue;
    while (cross_one(node, o) && place.outputs[o].has_queue) {
    }
  }
}

// vct: packets that are on their way go on, if their next flit can.
void ReferenceSimulator::go_on(Node node) {
  Place& place = places_[node];
  for (u32 port = 0; port < place.inputs.size(); ++port) {
    if (!place.input_taken[port]) continue;
    place.input_used[port] = true;
    for (u32 lane = 0; lane < place.inputs[port].size(); ++lane)
      for (Held& held : place.inputs[port][lane])
        if (held.lane >= 0 && held.can_leave(now_) &&
            (place.outputs[held.output].has_queue || is_ready(place.outputs[held.output])))
          leave(node, port, lane, held);
  }
}

// The output takes its next candidate, if it has one.
bool ReferenceSimulator::cross_one(Node node, u32 o) {
  Place& place = places_[node];
  Output& output = place.outputs[o];
  const bool limited = !output.unlimited;
  if (output.has_queue && limited && output.writing >= setup_.network.writers) return false;
  if (!output.has_queue && (output.taken || !is_ready(output))) return false;
  const u32 lanes = static_cast<u32>(place.inputs[0].size());
  const u32 slots = static_cast<u32>(place.inputs.size()) * lanes;
  for (u32 i = 0; i < slots; ++i) {
    const u32 slot = (output.slot_pointer + i) % slots;
    const u32 port = slot / lanes;
    if (place.input_used[port]) continue;
    Held* held = candidate(place, port, slot % lanes, o);
    if (!held) continue;
    if (held->lane < 0) {
      held->lane = free_lane(output, *held);
      if (held->lane < 0) continue;
      const u32 lane = static_cast<u32>(held->lane);
      output.lane_pointer = (lane + 1) % setup_.network.lanes;
      output.owned[lane] = true;
      if (output.has_queue) output.queues[lane].push_back({.packet = held->packet, .from = {}});
      if (vct() && limited) (output.has_queue ? output.room : output.credits)[lane] -= held->packet->flits;
      if (vct()) {
        place.input_taken[port] = true;
        if (output.has_queue)
          ++output.writing;
        else
          output.taken = true;
      }
    } else if (!has_space(output, static_cast<u32>(held->lane), 1)) {
      continue;  // wormhole
    }
    output.slot_pointer = (slot + 1) % slots;
    place.input_used[port] = true;
    leave(node, port, slot % lanes, *held);
    return true;
  }
  return false;
}

// The packet of an input lane that the output may look at.
ReferenceSimulator::Held* ReferenceSimulator::candidate(Place& place, u32 port, u32 lane, u32 output) {
  for (Held& held : place.inputs[port][lane]) {
    if (held.routed && held.output == output) return held.can_leave(now_) ? &held : nullptr;
    if (setup_.network.queueing == Queueing::fifo) return nullptr;
  }
  return nullptr;
}

int ReferenceSimulator::free_lane(const Output& output, const Held& held) const {
  const u32 lanes = setup_.network.lanes;
  for (u32 i = 0; i < lanes; ++i) {
    const u32 lane = (output.lane_pointer + i) % lanes;
    if (!(held.lanes >> lane & 1)) continue;
    if (!vct() && output.owned[lane]) continue;
    if (has_space(output, lane, vct() ? held.packet->flits : 1)) return static_cast<int>(lane);
  }
  return -1;
}

bool ReferenceSimulator::has_space(const Output& output, u32 lane, u32 flits) const {
  if (output.unlimited) return true;
  return (output.has_queue ? output.room : output.credits)[lane] >= flits;
}

// One flit leaves its input buffer, for its output's queue or channel.
void ReferenceSimulator::leave(Node node, u32 port, u32 input_lane, Held& held) {
  const Fabric& fabric = setup_.fabric;
  Place& place = places_[node];
  Output& output = place.outputs[held.output];
  const u32 lane = static_cast<u32>(held.lane), flit = held.left++;
  if (fabric.is_switch(node)) {
    const Channel in = fabric.reverse(fabric.channel(node, Port{port}));
    credits_.insert({now_ + latency_of(fabric, in), {in, static_cast<u8>(input_lane)}});
  }
  if (!vct() && !output.unlimited) --(output.has_queue ? output.room : output.credits)[lane];
  if (output.has_queue) {
    if (!vct()) ++output.writing;
    for (Held& queued : output.queues[lane])
      if (queued.packet == held.packet) queued.from.push_back(now_ + 1);
  } else {
    enter_channel(node, held.output, lane, held.packet, flit);
  }
}

// --- send
// ----------------------------------------------------------------------------------------------------

void ReferenceSimulator::send_queues(Node node) {
  Place& place = places_[node];
  for (u32 o = 0; o < place.outputs.size(); ++o) {
    Output& output = place.outputs[o];
    if (!output.has_queue || !is_ready(output)) continue;
    const u32 lanes = setup_.network.lanes;
    int chosen = output.sending;
    for (u32 i = 0; i < lanes && chosen < 0; ++i) {
      const u32 lane = (output.send_pointer + i) % lanes;
      if (output.queues[lane].empty() || !output.queues[lane].front().can_leave(now_)) continue;
      const u32 need = vct() ? output.queues[lane].front().packet->flits : 1;
      if (!output.unlimited && output.credits[lane] < need) continue;
      chosen = static_cast<int>(lane);
      output.send_pointer = (lane + 1) % lanes;
      if (vct()) output.sending = chosen;
      if (!output.unlimited) output.credits[lane] -= need;
    }
    if (chosen < 0) continue;
    const u32 lane = static_cast<u32>(chosen);
    Held& held = output.queues[lane].front();
    if (!held.can_leave(now_)) continue;
    enter_channel(node, o, lane, held.packet, held.left++);
    if (!output.unlimited) ++output.room[lane];
    if (held.has_left()) {
      output.queues[lane].pop_front();
      output.sending = -1;
    }
  }
}

// Between two flits, in 1/65536 of a cycle.
u64 ReferenceSimulator::step_of(Channel c) const {
  const double rate = setup_.fabric.link_class(c).capacity / largest_capacity_;
  return static_cast<u64>(std::llround(65536 / rate));
}

bool ReferenceSimulator::is_ready(const Output& output) const { return output.free_at < (now_ + 1) << 16; }

void ReferenceSimulator::enter_network(Packet& packet) {
  packet.entered = now_;
  if (holds_data(packet)) ++packets_inside_;
}

void ReferenceSimulator::enter_channel(Node node, u32 o, u32 lane, const PacketPtr& packet, u32 flit) {
  const Fabric& fabric = setup_.fabric;
  Output& output = places_[node].outputs[o];
  const Channel c = fabric.channel(node, Port{o});
  output.free_at = std::max(output.free_at, now_ << 16) + step_of(c);
  const u64 crossing = fabric.is_switch(node) ? setup_.network.crossing_cycles : 0;
  flits_.insert({now_ + crossing + latency_of(fabric, c), {c, static_cast<u8>(lane), packet, flit}});
  ++tally_.channel_flits[c];
  if (fabric.is_switch(node))
    ++tally_.flit_hops;
  else if (flit == 0)
    enter_network(*packet);
}

// What has left is forgotten at the end of the cycle: until then its input port and output are taken.
void ReferenceSimulator::remove_empty(Place& place) {
  for (u32 port = 0; port < place.inputs.size(); ++port)
    for (auto& lane : place.inputs[port])
      std::erase_if(lane, [&](const Held& held) {
        if (!held.has_left()) return false;
        Output& output = place.outputs[held.output];
        output.owned[static_cast<u32>(held.lane)] = false;
        place.input_taken[port] = false;
        if (vct() && output.has_queue && output.writing > 0) --output.writing;
        output.taken = false;
        return true;
      });
}

}  // namespace banyan::tests
