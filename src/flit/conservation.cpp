#include <fmt/format.h>

#include "flit/inspect.hpp"

namespace banyan::flit {
namespace {

// Flits by lane: `back` where they are counted with the lane that leaves, the rest at the end of the channel.
struct Count {
  const Machine& machine;
  const Parts& parts;
  const State& state = machine.state;
  const Layout& layout = state.layout;
  const u32 unit = state.mode == Mode::packets ? state.packet_flits : 1;
  std::vector<u64> sum = std::vector<u64>(layout.lane_count());  // by lane that leaves

  // The lane that leaves the near end for the buffer of this one.
  u32 near(u32 lane) const {
    return layout.exits[lane >> layout.shift].far + (lane & ((1u << layout.shift) - 1));
  }

  void on_their_way() {
    for (const auto& part : parts) {
      for (const auto& bag : part->wheels().arrivals.bags())
        for (const Arrival& a : bag) sum[near(a.lane)] += unit;
      for (const auto* wheel : {&part->wheels().credits, &part->wheels().trickles})
        for (const auto& bag : wheel->bags())
          for (const u32 lane : bag) sum[lane] += unit;
    }
  }
  u64 flits(const Part& part, u32 front) const {
    u64 all = 0;
    for (u32 i = front; i != absent; i = part.entries()[i].next)
      all += state.mode == Mode::packets ? unit : part.entries()[i].there;
    return all;
  }
  void buffers() {
    for (u32 lane = 0; machine.rails && lane < machine.rails->lanes.size(); ++lane)
      if (layout.exits[lane >> layout.shift].far != absent)
        sum[near(lane)] += machine.rails->lanes[lane].held;
    for (u32 v = layout.nics; v < layout.nodes; ++v) {
      const Part& part = parts[layout.part_of[v]];
      const u32 slots = layout.ports(v) << layout.shift;
      for (u32 slot = 0; slot < slots; ++slot) {
        const u32 lane = layout.first_lane(v) + slot;
        if (layout.exits[lane >> layout.shift].far == absent) continue;
        if (state.voq.empty()) sum[near(lane)] += flits(part, state.inputs[lane].front);
        for (u32 port = 0; !state.voq.empty() && port < layout.ports(v); ++port)
          sum[near(lane)] += flits(part, state.voq[state.voq_place(v, slot, port)].front);
      }
    }
  }
  // The packet that a NIC is sending.
  u32 front(u32 nic, const Part& part, u32 exit) const {
    if (!machine.rails) return state.nics[nic].entry;
    const RailPort& port = machine.rails->ports[nic];
    for (const u32 i : {port.data, port.control})
      if (i != absent && part.entries()[i].lane != no_lane && part.entries()[i].exit == exit) return i;
    return absent;
  }
  // Virtual cut-through: packets that cross are in no queue any more, and have credits for flits still to
  // come.
  void crossings() {
    for (u32 exit = 0; exit < state.crossings.size(); ++exit) {
      const u32 v = layout.exits[exit].node, port = exit - layout.first_exit[v];
      const Part& part = parts[layout.part_of[v]];
      const Output& out = state.outputs[exit];
      if (out.sending != absent) {
        const Entry& entry = part.entries()[out.sending];
        sum[(exit << layout.shift) + entry.lane] += entry.left;
      }
      if (v < layout.nics) {
        const u32 i = front(v, part, exit);
        if (i == absent || part.entries()[i].exit != exit || part.entries()[i].lane == no_lane) continue;
        sum[(exit << layout.shift) + part.entries()[i].lane] += part.entries()[i].left;
      } else if (state.crossing[std::size_t{v} * layout.port_words + port / 64] >> (port % 64) & 1) {
        const Crossing& crossing = state.crossings[exit];
        const Entry& entry = part.entries()[crossing.entry];
        sum[near(crossing.lane)] += entry.there;
        if (crossing.copy == absent) sum[(crossing.exit << layout.shift) + entry.lane] += entry.left;
      }
    }
  }
};

}  // namespace

std::string find_lost_credit(const Machine& machine, const Parts& parts) {
  Count count{machine, parts};
  count.on_their_way();
  count.buffers();
  count.crossings();
  const State& state = machine.state;
  for (u32 lane = 0; lane < state.lanes.size(); ++lane) {
    const u32 exit = lane >> state.layout.shift, number = lane & ((1u << state.layout.shift) - 1);
    const Output& out = state.outputs[exit];
    if (out.far == absent || out.is_endless || number >= state.layout.lanes) continue;
    const u64 all = count.sum[lane] + (out.has_queue ? state.lanes[lane].credits : state.lanes[lane].room);
    if (all != state.options.buffer_flits)
      return fmt::format("lane {} of {}'s port {} has {} flits and credits for a buffer of {}", number,
                         machine.setting.fabric.name(Node{out.node}), out.port, all,
                         state.options.buffer_flits);
  }
  return {};
}

}  // namespace banyan::flit
