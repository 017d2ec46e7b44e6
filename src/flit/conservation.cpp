#include <fmt/format.h>

#include "flit/inspect.hpp"

namespace banyan::flit {
namespace {

// Flits of each lane, wherever they are, and credits on their way back to it.
struct Count {
  const Machine& machine;
  const Parts& parts;
  const State& state = machine.state;
  const Layout& layout = state.layout;
  const u32 unit = state.mode == Mode::packets ? state.packet_flits : 1;
  std::vector<u64> sum = std::vector<u64>(layout.lane_count());  // by lane that leaves

  u64& of(LaneId lane) { return sum[index(lane)]; }

  void on_their_way() {
    for (const auto& part : parts) {
      const Wheels& wheels = part->clock.wheels;
      for (const auto* wheel : {&wheels.arrivals, &wheels.at_nics})
        for (const auto& bag : wheel->bags())
          for (const Arrival& a : bag) of(layout.far(a.lane)) += unit;
      for (const auto* wheel : {&wheels.credits, &wheels.trickles})
        for (const auto& bag : wheel->bags())
          for (const LaneId lane : bag) of(lane) += unit;
    }
  }
  u64 flits(const Part& part, const Queue& queue) const {
    u64 all = 0;
    for (EntryId id = queue.front; id != none<EntryId>; id = part.entries[id].next)
      all += state.mode == Mode::packets ? unit : part.entries[id].there;
    return all;
  }
  void buffers() {
    for (const Node v : IdRange<Node>(layout.nodes)) {
      const Part& part = parts[layout.part(v)];
      for (const LaneId lane : layout.lanes_of(v)) {
        if (!layout.is_cabled(lane)) continue;
        if (layout.is_nic(v)) {
          of(layout.far(lane)) += part.held(lane);
        } else if (state.voq.empty()) {
          of(layout.far(lane)) += flits(part, state.inputs[index(lane)]);
        } else {
          const u32 slot = index(lane) - index(layout.first_lane(v));
          for (u32 port = 0; port < layout.ports(v); ++port)
            of(layout.far(lane)) += flits(part, state.voq[state.voq_place(v, slot, port)]);
        }
      }
    }
  }
  // Virtual cut-through in stages: a packet has credits for all of it from when it is given a lane.
  void promises() {
    if (!state.is_staged || state.mode != Mode::vct) return;
    for (const LaneId lane : IdRange<LaneId>(layout.lane_count())) {
      const EntryId owner = state.out_lane(lane).owner;
      if (owner != none<EntryId> && !state.output(layout.exit_of(lane)).has_queue)
        of(lane) += parts[layout.part(layout.node_of(lane))].entries[owner].left;
    }
  }
  // Virtual cut-through: packets that cross are in no queue any more, and have credits for flits still to
  // come.
  void crossings() {
    if (state.crossings.empty()) return;
    for (const Channel exit : IdRange<Channel>(static_cast<u32>(state.crossings.size()))) {
      const Node v = layout.node_of(exit);
      const Part& part = parts[layout.part(v)];
      const u32 port = layout.port(exit);
      const auto promised = [&](EntryId id, Channel to) {
        const Entry& entry = part.entries[id];
        of(layout.lane(to, entry.lane)) += entry.left;
      };
      const Output& out = state.output(exit);
      if (out.sending != none<EntryId>) promised(out.sending, exit);
      if (layout.is_nic(v)) {
        const EntryId id = part.sending(Nic{index(v)}, exit);
        if (id != none<EntryId>) promised(id, exit);
      } else if (state.crossing[std::size_t{index(v)} * layout.port_words + port / 64] >> (port % 64) & 1) {
        const Crossing& crossing = state.crossings[index(exit)];
        of(layout.far(crossing.lane)) += part.entries[crossing.entry].there;
        if (crossing.copy == none<EntryId>) promised(crossing.entry, crossing.exit);
      }
    }
  }
};

}  // namespace

std::string find_lost_credit(const Machine& machine, const Parts& parts) {
  Count count{machine, parts};
  count.on_their_way();
  count.buffers();
  count.promises();
  count.crossings();
  const State& state = machine.state;
  for (const LaneId lane : IdRange<LaneId>(state.layout.lane_count())) {
    const u32 number = state.layout.number_of(lane);
    const Output& out = state.output(state.layout.exit_of(lane));
    const OutLane& own = state.out_lane(lane);
    if (out.far == none<LaneId> || out.is_endless || number >= state.layout.lanes) continue;
    const u64 all = count.of(lane) + (out.has_queue ? own.credits : own.room);
    if (all != state.options.buffer_flits)
      return fmt::format("lane {} of {}'s port {} has {} flits and credits for a buffer of {}", number,
                         machine.setting.fabric.name(out.node), out.port, all, state.options.buffer_flits);
  }
  return {};
}

}  // namespace banyan::flit
