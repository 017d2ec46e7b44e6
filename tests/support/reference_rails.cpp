#include "support/reference_rails.hpp"

#include <algorithm>
#include <cmath>

#include "flit/choice.hpp"

namespace banyan::tests {

ReferenceRails::ReferenceRails(const SimulationSetup& setup, ReferenceWorkload workload)
    : ReferenceSimulator(setup, std::move(workload)), rails_(*setup.rails) {
  const Fabric& fabric = setup_.fabric;
  u64 longest = 0;  // from leaving a node to being visible in the next
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const u64 latency = static_cast<u64>(std::max(1.0, std::round(fabric.link_class(c).latency)));
    const u64 crossing = fabric.is_switch(fabric.from(c)) ? setup_.network.crossing_cycles : 0;
    const u64 in_switch = fabric.is_switch(fabric.to(c)) ? setup_.network.switch_cycles : 0;
    longest = std::max(longest, crossing + latency + in_switch);
  }
  if (!rails_.dies.empty()) {
    const auto at = rails_.dies.find('@');
    dying_ = static_cast<u32>(std::stoul(rails_.dies.substr(0, at)));
    dies_at_ = std::stoull(rails_.dies.substr(at + 1));
  }
  ports_.resize(fabric.nics());
  for (const Node node : fabric.nic_nodes()) {
    places_[node].inputs.assign(1, std::vector<std::deque<Held>>(2));  // a control packet, a packet of data
    ports_[fabric.nic(node)].buffers.resize(std::size_t{fabric.ports(node)} * setup_.network.lanes);
  }
  hosts_.resize(fabric.hosts());
  for (u32 h = 0; h < fabric.hosts(); ++h) {
    HostState& host = hosts_[Host{h}];
    host.policy = PlainPolicy::make(rails_.policy, Host{h}, fabric.columns(), rails_.processes, rails_.stripe,
                                    orders_of(Host{h}));
    host.processes.resize(rails_.processes);
    for (u32 process = 0; process < rails_.processes; ++process) plan_post(Host{h}, process, 0);
    if (dies_at_ == Workload::never) continue;
    plan(Host{h}, dies_at_, [this, h] { rail_dies(Host{h}); });
    plan(Host{h}, dies_at_ + 1024 + 2 * longest, [this, h] { settle(Host{h}); });
  }
}

// --- hosts

void ReferenceRails::plan(Host host, u64 due, std::function<void()> what) {
  hosts_[host].due.insert({due, std::move(what)});
}

bool ReferenceRails::is_alive(Host host, u32 rail) const {
  const Fabric& fabric = setup_.fabric;
  const Nic nic = fabric.in_column(host, rail);
  return nic != none<Nic> && !is_dead(rail) && fabric.cabled_ports(fabric.node(nic)) > 0;
}

PlainOrders ReferenceRails::orders_of(Host host) {
  const Fabric& fabric = setup_.fabric;
  PlainOrders out;
  out.nics = [&fabric](Host of) {
    std::vector<u32> rails;
    for (u32 slot = 0; slot < fabric.nics(of); ++slot)
      if (!fabric.vacant(fabric.nic(of, slot))) rails.push_back(fabric.column(fabric.nic(of, slot)));
    return rails;
  };
  out.is_alive = [this](Host of, u32 rail) { return is_alive(of, rail); };
  out.reaches = [this, host, &fabric](u32 rail, Host to, u32 to_rail) {
    return is_alive(host, rail) && is_alive(to, to_rail) &&
           fabric.plane(fabric.in_column(host, rail)) == fabric.plane(fabric.in_column(to, to_rail));
  };
  out.timer = [this, host](u32 process, u64 asking) {
    plan(host, now_ + rails_.timeout_cycles,
         [this, host, process, asking] { hosts_[host].policy->expired(process, asking); });
  };
  out.done = [this, host](u32 process) {
    if (hosts_[host].processes[process].sending.empty()) plan_post(host, process, now_);
  };
  out.send = [this, host](PlainRails rails, u32 process, u32 flits, bool is_reserved) {
    Process& own = hosts_[host].processes[process];
    const auto& cargo = own.cargo;
    if (rails_.sends == Sends::awaited) own.sending.insert(rails.out);
    const Host to = host_of(cargo->seat);
    put(setup_.fabric.in_column(host, rails.out),
        std::make_shared<Parcel>(
            Parcel{false, {}, 0, is_reserved, rails.out, rails.in, process, host, to, flits, flits, cargo}));
  };
  out.control = [this, host](u32 rail, Host to, u32 to_rail, ControlKind kind, int priority) {
    const u32 flits = rails_.control_flits;
    put(setup_.fabric.in_column(host, rail),
        std::make_shared<Parcel>(
            Parcel{true, kind, priority, false, rail, to_rail, 0, host, to, flits, flits, nullptr}));
  };
  return out;
}

// One post of a process is planned at a time: the earliest.
void ReferenceRails::plan_post(Host host, u32 process, u64 from) {
  Process& own = hosts_[host].processes[process];
  const Seat seat{process * setup_.fabric.hosts() + index(host)};
  const u64 when = own.lost.empty() ? workload_.when(seat) : 0;
  if (when == Workload::never || std::max(from, when) >= own.post_due) return;
  own.post_due = std::max(from, when);
  const u64 number = ++own.post_number;
  plan(host, own.post_due, [this, host, process, number] {
    if (hosts_[host].processes[process].post_number == number) post(host, process);
  });
}

void ReferenceRails::post(Host host, u32 process) {
  Process& own = hosts_[host].processes[process];
  PlainPolicy& policy = *hosts_[host].policy;
  own.post_due = Workload::never;
  if (!policy.is_idle(process) || !own.sending.empty()) return;
  u32 flits = 0;
  u64 bytes = 0;
  if (!own.lost.empty()) {
    own.cargo = own.lost.front()->cargo;
    flits = own.lost.front()->flits;
    bytes = u64{flits} * setup_.messages.flit_bytes;
    own.lost.pop_front();
  } else {
    const Seat seat{process * setup_.fabric.hosts() + index(host)};
    if (workload_.when(seat) > now_) return plan_post(host, process, now_);
    const Workload::Post next = workload_.take(seat, now_);
    own.cargo = std::make_shared<Cargo>(Cargo{next.created, next.flits, next.round, next.to});
    flits = next.flits;
    bytes = next.bytes;
  }
  policy.post(process, host_of(own.cargo->seat), index(own.cargo->seat) / setup_.fabric.hosts(), flits,
              bytes);
}

// Nothing of what the process sends on that rail is left in its host.
void ReferenceRails::has_left(Host host, u32 process, u32 rail) {
  Process& own = hosts_[host].processes[process];
  if (own.sending.erase(rail) > 0 && own.sending.empty()) plan_post(host, process, now_);
}

void ReferenceRails::rail_dies(Host host) {
  const Fabric& fabric = setup_.fabric;
  for (u32 slot = 0; slot < fabric.nics(host); ++slot)
    if (const Nic nic = fabric.nic(host, slot); rail_of(nic) != dying_) drop_lost(nic);
  if (const Nic nic = fabric.in_column(host, dying_); nic != none<Nic>) {
    Port& port = ports_[nic];
    port.stripes.clear();
    port.controls.clear();
    port.cut = nullptr;
  }
  for (u32 process = 0; process < rails_.processes; ++process) has_left(host, process, dying_);
  hosts_[host].policy->died(dying_);
}

// Of what the NIC sends to the rail that died only the packet at the front goes on.
void ReferenceRails::drop_lost(Nic nic) {
  Port& port = ports_[nic];
  std::vector<ParcelPtr> dropped;
  for (const ParcelPtr& parcel : port.stripes)
    if (is_lost(*parcel)) dropped.push_back(parcel);
  std::erase_if(port.stripes, [&](const ParcelPtr& parcel) { return is_lost(*parcel); });
  const auto& front = places_[setup_.fabric.node(nic)].inputs[0][1];
  ParcelPtr current = port.cut;
  if (!current && !front.empty()) current = static_cast<const RailPacket&>(*front[0].packet).parcel;
  if (current && is_lost(*current)) {
    dropped.push_back(current);
    port.cut = nullptr;
  }
  for (const ParcelPtr& parcel : dropped) has_left(parcel->from, parcel->process, parcel->rail);
}

void ReferenceRails::settle(Host host) {
  const Fabric& fabric = setup_.fabric;
  for (u32 slot = 0; slot < fabric.nics(host); ++slot)
    for (const ParcelPtr& parcel : ports_[fabric.nic(host, slot)].unsettled)
      if (parcel->missing > 0) {
        hosts_[host].processes[parcel->process].lost.push_back(parcel);
        plan_post(host, parcel->process, now_);
      }
}

void ReferenceRails::serve_nics() {
  for (const Node node : setup_.fabric.nic_nodes()) take_up_parcels(setup_.fabric.nic(node));
  for (HostState& host : hosts_)
    while (!host.due.empty() && host.due.begin()->first <= now_) {
      const auto what = host.due.begin()->second;
      host.due.erase(host.due.begin());
      what();
    }
}

// --- sending

void ReferenceRails::put(Nic nic, const ParcelPtr& parcel) {
  Port& port = ports_[nic];
  (parcel->is_control ? port.controls : port.stripes).push_back(parcel);
  const bool will_die = parcel->rail == dying_ || parcel->to_rail == dying_;
  if (!parcel->is_control && will_die && now_ < dies_at_) port.unsettled.push_back(parcel);
  take_up_parcels(nic);
}

void ReferenceRails::take_up_parcels(Nic nic) {
  Port& port = ports_[nic];
  auto& fronts = places_[setup_.fabric.node(nic)].inputs[0];
  if (fronts[0].empty() && !port.controls.empty()) {
    const ParcelPtr parcel = port.controls.front();
    port.controls.pop_front();
    take_up_packet(nic, parcel, parcel->flits, 0);
  }
  if (!fronts[1].empty()) return;
  if (!port.cut) {
    if (port.stripes.empty()) return;
    port.cut = port.stripes.front();
    port.stripes.pop_front();
    port.flits_cut = port.packets_cut = 0;
    port.first_number = port.numbers;
  }
  const ParcelPtr parcel = port.cut;
  const u32 flits = std::min(setup_.messages.packet_flits, parcel->flits - port.flits_cut);
  port.flits_cut += flits;
  flits_inside_ += flits;
  take_up_packet(nic, parcel, flits, port.packets_cut++);
  if (port.flits_cut == parcel->flits) port.cut = nullptr;
}

void ReferenceRails::take_up_packet(Nic nic, const ParcelPtr& parcel, u32 flits, u32 place) {
  Port& port = ports_[nic];
  const Source& source = setup_.routing.source;
  const Nic to = setup_.fabric.in_column(parcel->to, parcel->to_rail);
  const u64 bytes = u64{parcel->flits} * setup_.messages.flit_bytes;
  const u64 number = port.numbers++;
  const bool by_stripe = setup_.network.path_choice == PathChoice::message && !parcel->is_control;
  const u64 drawn_by = by_stripe ? port.first_number + place : number;
  const u32 way =
      chosen_way(setup_.network.path_choice, setup_.seed, nic, drawn_by, place, source.count(nic, to, bytes));
  auto packet = std::make_shared<RailPacket>();
  packet->header = source.way(nic, to, bytes, way);
  packet->from = nic, packet->to = to;
  packet->number = number;
  packet->flits = flits;
  packet->parcel = parcel;
  places_[setup_.fabric.node(nic)].inputs[0][parcel->is_control ? 0 : 1].push_back(
      {.packet = packet, .from = std::vector<u64>(flits, now_)});
}

bool ReferenceRails::can_send(const Place& place, const Held& held) const {
  const Output& output = place.outputs[held.output];
  if (!is_ready(output)) return false;
  if (held.lane >= 0) return vct() || has_space(output, static_cast<u32>(held.lane), 1);
  if (vct())
    for (const auto& front : place.inputs[0])
      if (!front.empty() && front[0].lane >= 0) return false;  // the other one is on its way
  return free_lane(output, held) >= 0;
}

void ReferenceRails::send_flit(Nic nic, u32 which) {
  const Node node = setup_.fabric.node(nic);
  Place& place = places_[node];
  Held& held = place.inputs[0][which].front();
  Output& output = place.outputs[held.output];
  if (held.lane < 0) {
    held.lane = free_lane(output, held);
    const u32 lane = static_cast<u32>(held.lane);
    output.lane_pointer = (lane + 1) % setup_.network.lanes;
    output.owned[lane] = true;
    if (vct()) output.credits[lane] -= held.packet->flits;
  }
  leave(node, 0, which, held);
  if (!held.has_left() || which == 0 || ports_[nic].cut || is_dead(rail_of(nic))) return;
  const auto& parcel = static_cast<const RailPacket&>(*held.packet).parcel;
  if (is_lost(*parcel)) return;
  plan(host_of(nic), now_ + 1, [this, parcel] {
    if (is_dead(parcel->rail)) return;
    hosts_[parcel->from].policy->sent(parcel->rail, parcel->is_reserved);
    has_left(parcel->from, parcel->process, parcel->rail);
  });
}

// --- receiving

void ReferenceRails::consume(const Transit& flit) {
  const Fabric& fabric = setup_.fabric;
  const Nic nic = fabric.nic(fabric.to(flit.channel));
  const u32 port = index(fabric.port(fabric.reverse(flit.channel)));
  ports_[nic].buffers[port * setup_.network.lanes + flit.lane].push_back(flit);
  look(nic);
}

// Stripes of which a packet is at the front of a buffer have begun to arrive.
void ReferenceRails::look(Nic nic) {
  for (const auto& buffer : ports_[nic].buffers) {
    if (buffer.empty()) continue;
    const auto& parcel = static_cast<const RailPacket&>(*buffer.front().packet).parcel;
    if (parcel->is_control || parcel->has_begun || is_lost(*parcel)) continue;
    parcel->has_begun = true;
    plan(host_of(nic), now_ + 1, [this, parcel] {
      if (!is_dead(parcel->to_rail)) hosts_[parcel->to].policy->arriving(parcel->to_rail);
    });
  }
}

void ReferenceRails::take_flit(Nic nic, u32 slot) {
  Port& port = ports_[nic];
  const Transit flit = port.buffers[slot].front();
  port.buffers[slot].pop_front();
  const u64 latency =
      static_cast<u64>(std::max(1.0, std::round(setup_.fabric.link_class(flit.channel).latency)));
  credits_.insert({now_ + latency, {flit.channel, flit.lane}});
  const RailPacket& packet = static_cast<const RailPacket&>(*flit.packet);
  const bool is_there = !is_lost(*packet.parcel);
  if (!packet.parcel->is_control) {
    --flits_inside_;
    if (flit.flit + 1 == packet.flits) --packets_inside_;
    if (is_there) ++tally_.flits;
    if (flit.flit + 1 == packet.flits && is_there) tally_.network_cycles += now_ - packet.entered;
  }
  if (flit.flit + 1 == packet.flits && is_there) finish_packet(nic, *packet.parcel, packet.flits);
  look(nic);
}

void ReferenceRails::finish_packet(Nic nic, Parcel& parcel, u32 flits) {
  Port& port = ports_[nic];
  const auto processed = [&] {
    return port.processor_free = std::max(port.processor_free, now_) + std::max(1u, rails_.nic_cycles);
  };
  const Host host = parcel.to;
  const u32 rail = parcel.to_rail;
  if (parcel.is_control) {
    plan(host, processed(), [this, host, rail, parcel] {
      if (!is_dead(rail))
        hosts_[host].policy->control(rail, parcel.from, parcel.rail, parcel.kind, parcel.priority);
    });
    return;
  }
  ++tally_.packets;
  tally_.add_rail_flits(setup_.fabric.columns(), parcel.rail, parcel.to_rail, flits);
  parcel.missing -= flits;
  if (parcel.missing > 0) return;
  const bool is_reserved = parcel.is_reserved;
  plan(host, is_reserved ? processed() : now_ + 1, [this, host, rail, is_reserved] {
    if (!is_dead(rail)) hosts_[host].policy->received(rail, is_reserved);
  });
  finish_stripe(parcel);
}

void ReferenceRails::finish_stripe(const Parcel& parcel) {
  Cargo& cargo = *parcel.cargo;
  cargo.flits_left -= parcel.flits;
  if (cargo.flits_left > 0) return;
  ++tally_.messages;
  tally_.packet_latency.add(now_ - cargo.created);
  tally_.message_latency.add(now_ - cargo.created);
  tally_.last_message = now_;
  if (!workload_.reacts()) return;
  workload_.arrived(cargo.seat, cargo.round, now_);
  const Host host = host_of(cargo.seat);
  const u32 process = index(cargo.seat) / setup_.fabric.hosts();
  if (hosts_[host].policy->is_idle(process)) plan_post(host, process, now_ + 1);
}

// --- a cycle of a NIC

void ReferenceRails::send_from(Node node) {
  const Nic nic = setup_.fabric.nic(node);
  Port& port = ports_[nic];
  const Place& place = places_[node];
  const u32 slots = static_cast<u32>(port.buffers.size());
  int inward = -1;  // the slot whose first flit wants the bus
  for (u32 i = 0; i < slots; ++i) {
    const u32 slot = (port.slot_pointer + i) % slots;
    if (port.buffers[slot].empty()) continue;
    const auto& packet = static_cast<const RailPacket&>(*port.buffers[slot].front().packet);
    if (packet.parcel->is_control || is_lost(*packet.parcel))
      take_flit(nic, slot);
    else if (inward < 0)
      inward = static_cast<int>(slot);
  }
  const auto& fronts = place.inputs[0];
  bool outward = false;
  if (!fronts[0].empty() && can_send(place, fronts[0][0]))
    send_flit(nic, 0);
  else
    outward = !fronts[1].empty() && can_send(place, fronts[1][0]);
  bool moves_in = inward >= 0, moves_out = outward;
  if (rails_.bus == Bus::half && moves_in && moves_out) {
    const bool goes_on = port.in_a_row < rails_.bus_burst;
    (port.was_inward == goes_on ? moves_out : moves_in) = false;
  }
  if (moves_in || moves_out) {
    port.in_a_row = moves_in == port.was_inward ? port.in_a_row + 1 : 1;
    port.was_inward = moves_in;
  }
  if (moves_in) {
    port.slot_pointer = (static_cast<u32>(inward) + 1) % slots;
    take_flit(nic, static_cast<u32>(inward));
  }
  if (moves_out) send_flit(nic, 1);
}

}  // namespace banyan::tests
