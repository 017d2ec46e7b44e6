// The reference simulator's switches in stages: docs/simulator.md, "Crossing a switch in stages".
#include <algorithm>
#include <tuple>

#include "flit/allocator.hpp"
#include "support/reference_simulator.hpp"

namespace banyan::tests {

bool ReferenceSimulator::in_stages() const { return setup_.network.allocator != "joint"; }

void ReferenceSimulator::begin_stages(Place& place) const {
  const u32 groups = static_cast<u32>(place.inputs.size()) * setup_.network.input_speedup;
  place.group_pointers.assign(groups, 0);
  place.holds.resize(groups);
  for (Output& output : place.outputs) {
    output.head_pointers.assign(setup_.network.lanes, 0);
    output.place_pointers.assign(output.unlimited   ? groups
                                 : output.has_queue ? setup_.network.writers
                                                    : 1,
                                 0);
  }
}

void ReferenceSimulator::cross_in_stages(Node node, u32 step) {
  Place& place = places_[node];
  see_who_is_first(place);
  for (u32 o = 0; o < place.outputs.size(); ++o)
    if (place.outputs[o].cabled) give_lanes(place, o);
  const std::vector<Asking> in_time = asking(place, false), late = asking(place, true);
  busy_groups_.clear();
  busy_places_.clear();
  keep_crossing(node);
  const u64 turn = now_ * setup_.network.switch_speedup + step;
  allocate(node, in_time, turn);
  if (setup_.network.speculation == Speculation::on) allocate(node, late, turn);
}

void ReferenceSimulator::see_who_is_first(Place& place) const {
  for (auto& port : place.inputs)
    for (auto& lane : port) {
      std::set<u32> outputs;
      for (Held& held : lane) {
        if (!held.routed) break;
        if (!outputs.insert(held.output).second) continue;
        if (!held.first_since) held.first_since = now_;
        if (setup_.network.queueing == Queueing::fifo) break;
      }
    }
}

// --- lanes

void ReferenceSimulator::give_lanes(Place& place, u32 o) {
  Output& output = place.outputs[o];
  const u32 lanes = setup_.network.lanes, start = output.lane_pointer;
  for (u32 i = 0; i < lanes; ++i) {
    const u32 lane = (start + i) % lanes;
    if (output.owned[lane] || !has_space(output, lane, vct() ? setup_.messages.packet_flits : 1)) continue;
    u32 slot = 0;
    Held* held = next_head(place, o, lane, slot);
    if (!held) continue;
    held->lane = static_cast<int>(lane);
    held->given_at = now_;
    output.owned[lane] = true;
    output.lane_pointer = (lane + 1) % lanes;
    output.head_pointers[lane] = slot + 1;
    if (output.has_queue) output.queues[lane].push_back({.packet = held->packet, .from = {}});
    if (vct() && !output.unlimited)
      (output.has_queue ? output.room : output.credits)[lane] -= held->packet->flits;
  }
}

ReferenceSimulator::Held* ReferenceSimulator::next_head(Place& place, u32 o, u32 lane, u32& slot) {
  const u32 lanes = setup_.network.lanes, slots = static_cast<u32>(place.inputs.size()) * lanes;
  Held* found = nullptr;
  for (u32 i = 0; i < slots; ++i) {
    const u32 at = (place.outputs[o].head_pointers[lane] + i) % slots;
    Held* held = candidate(place, at / lanes, at % lanes, o);
    if (!held || held->lane >= 0 || !(held->lanes >> lane & 1)) continue;
    if (now_ < *held->first_since + setup_.network.head_cycles) continue;
    if (!found || rank_of(*held->packet) < rank_of(*found->packet)) found = held, slot = at;
  }
  return found;
}

// --- the switch

std::vector<ReferenceSimulator::Asking> ReferenceSimulator::asking(Place& place, bool late) {
  const u32 lanes = setup_.network.lanes, ports = static_cast<u32>(place.outputs.size());
  const u32 speedup = setup_.network.input_speedup;
  std::vector<Asking> out;
  for (u32 port = 0; port < ports; ++port)
    for (u32 lane = 0; lane < lanes; ++lane)
      for (u32 o = 0; o < ports; ++o) {
        Output& output = place.outputs[o];
        Held* held = candidate(place, port, lane, o);
        if (!held || held->lane < 0) continue;
        if (!output.has_queue && !is_ready(output)) continue;
        if (!vct() && !has_space(output, static_cast<u32>(held->lane), 1)) continue;
        const u32 group = port * speedup + lane % speedup;
        if (place.holds[group] && place.holds[group]->packet == held->packet) continue;
        if ((held->left == 0 && now_ < held->given_at + setup_.network.lane_cycles) != late) continue;
        const u32 number = group % static_cast<u32>(output.place_pointers.size());
        out.push_back({group, o, number, port, lane, held});
      }
  return out;
}

// Packets that keep the switch.
void ReferenceSimulator::keep_crossing(Node node) {
  Place& place = places_[node];
  for (u32 group = 0; group < place.holds.size(); ++group) {
    auto& hold = place.holds[group];
    if (!hold) continue;
    const Output& output = place.outputs[hold->output];
    auto& lane = place.inputs[hold->port][hold->lane];
    const auto held =
        std::find_if(lane.begin(), lane.end(), [&](const Held& one) { return one.packet == hold->packet; });
    const bool moves = held->can_leave(now_) && (output.has_queue || is_ready(output)) &&
                       (vct() || has_space(output, static_cast<u32>(held->lane), 1));
    if (!moves && !vct()) {
      hold.reset();
      continue;
    }
    busy_groups_.insert(group);
    busy_places_.insert({hold->output, hold->place});
    if (!moves) continue;
    leave(node, hold->port, hold->lane, *held);
    if (held->has_left()) hold.reset();
  }
}

// With priorities: who has the least goes first.
u64 ReferenceSimulator::rank_of(const Packet& packet) const {
  if (setup_.network.priority == Priority::age) return packet.entered;
  return setup_.network.priority == Priority::replies && packet.message->round > 0 ? 1 : 0;
}

bool ReferenceSimulator::is_open(const Asking& one) const {
  return !busy_groups_.contains(one.group) && !busy_places_.contains({one.output, one.place});
}

// Who comes first from the pointer on, by a number of theirs, and then by the pointer of their group and
// output over lanes; with priorities, among those of the least rank.
std::optional<std::size_t> ReferenceSimulator::next_of(const Place& place, const std::vector<Asking>& all,
                                                       const Chosen& among, u32 Asking::*number,
                                                       u32 pointer) const {
  std::optional<std::size_t> best;
  const auto key = [&](std::size_t i) {
    const Asking& one = all[i];
    const auto found = place.lane_pointers.find({one.group, one.output});
    const u32 lane_pointer = found == place.lane_pointers.end() ? 0 : found->second;
    return std::tuple(rank_of(*one.held->packet), one.*number < pointer, one.*number, one.lane < lane_pointer,
                      one.lane);
  };
  for (const std::size_t i : among)
    if (!best || key(i) < key(*best)) best = i;
  return best;
}

void ReferenceSimulator::allocate(Node node, const std::vector<Asking>& all, u64 turn) {
  const flit::Allocator how = flit::allocator_of(setup_.network.allocator);
  const auto grant = [&](const Chosen& chosen, bool moves_pointers) {
    for (const std::size_t i : chosen) match(node, all[i], moves_pointers);
  };
  Place& place = places_[node];
  switch (how.kind) {
    case flit::AllocatorKind::joint:
      return;
    case flit::AllocatorKind::input_first:
      return grant(input_first(place, all), true);
    case flit::AllocatorKind::output_first:
      return grant(output_first(place, all), true);
    case flit::AllocatorKind::islip:
      for (u32 i = 0; i < how.iterations; ++i) grant(output_first(place, all), i == 0);
      return;
    case flit::AllocatorKind::wavefront:
      return grant(wavefront(place, all, turn), true);
  }
}

// Each group proposes one; each place takes one of those.
ReferenceSimulator::Chosen ReferenceSimulator::input_first(const Place& place,
                                                           const std::vector<Asking>& all) const {
  std::map<std::pair<u32, u32>, Chosen> proposed;  // to a place
  for (u32 group = 0; group < place.group_pointers.size(); ++group) {
    Chosen own;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].group == group && is_open(all[i])) own.push_back(i);
    if (const auto i = next_of(place, all, own, &Asking::output, place.group_pointers[group]))
      proposed[{all[*i].output, all[*i].place}].push_back(*i);
  }
  Chosen out;
  for (const auto& [at, those] : proposed)
    out.push_back(
        *next_of(place, all, those, &Asking::group, place.outputs[at.first].place_pointers[at.second]));
  return out;
}

// Each place grants one; each group accepts one of those.
ReferenceSimulator::Chosen ReferenceSimulator::output_first(const Place& place,
                                                            const std::vector<Asking>& all) const {
  std::map<u32, Chosen> granted;  // to a group
  for (u32 o = 0; o < place.outputs.size(); ++o)
    for (u32 number = 0; number < place.outputs[o].place_pointers.size(); ++number) {
      Chosen own;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].output == o && all[i].place == number && is_open(all[i])) own.push_back(i);
      if (const auto i = next_of(place, all, own, &Asking::group, place.outputs[o].place_pointers[number]))
        granted[all[*i].group].push_back(*i);
    }
  Chosen out;
  for (const auto& [group, those] : granted)
    out.push_back(*next_of(place, all, those, &Asking::output, place.group_pointers[group]));
  return out;
}

// Diagonal by diagonal, of a square over groups and places.
ReferenceSimulator::Chosen ReferenceSimulator::wavefront(const Place& place, const std::vector<Asking>& all,
                                                         u64 turn) const {
  std::vector<u32> first_place;
  u32 places = 0;
  for (const Output& output : place.outputs) {
    first_place.push_back(places);
    places += static_cast<u32>(output.place_pointers.size());
  }
  const u64 side = std::max<u64>(place.group_pointers.size(), places);
  std::set<u64> ranks;
  for (const Asking& one : all) ranks.insert(rank_of(*one.held->packet));
  std::set<u32> groups;
  std::set<std::pair<u32, u32>> taken;
  Chosen out;
  for (const u64 rank : ranks)
    for (u64 d = 0; d < side; ++d)
      for (u32 group = 0; group < place.group_pointers.size(); ++group) {
        Chosen cell;
        for (std::size_t i = 0; i < all.size(); ++i) {
          const Asking& one = all[i];
          if (rank_of(*one.held->packet) != rank) continue;
          if ((group + first_place[one.output] + one.place) % side != (turn + d) % side) continue;
          if (one.group == group && is_open(one) && !groups.contains(group) &&
              !taken.contains({one.output, one.place}))
            cell.push_back(i);
        }
        const auto i = next_of(place, all, cell, &Asking::output, place.group_pointers[group]);
        if (!i) continue;
        groups.insert(group);
        taken.insert({all[*i].output, all[*i].place});
        out.push_back(*i);
      }
  return out;
}

void ReferenceSimulator::match(Node node, const Asking& one, bool moves_pointers) {
  Place& place = places_[node];
  busy_groups_.insert(one.group);
  busy_places_.insert({one.output, one.place});
  if (moves_pointers) {
    place.group_pointers[one.group] = one.output + 1;
    place.outputs[one.output].place_pointers[one.place] = one.group + 1;
  }
  place.lane_pointers[{one.group, one.output}] = one.lane + 1;
  leave(node, one.port, one.lane, *one.held);
  const bool keeps = vct() || setup_.network.switch_hold == SwitchHold::packet;
  if (keeps && !one.held->has_left())
    place.holds[one.group] = Connection{one.port, one.lane, one.output, one.place, one.held->packet};
}

}  // namespace banyan::tests
