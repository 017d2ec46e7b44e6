// A cycle of a NIC of a host with several: its bus moves a flit out of host memory or into it.
#pragma once

namespace banyan::flit {

// The lane whose first packet may cross the bus inwards, or no_lane; a flit for the processor needs no bus.
template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::inward_lane(u32 nic, bool& is_busy) {
  RailMachine& m = *machine_.rails;
  const u32 first = layout_.first_lane(nic), count = layout_.first_lane(nic + 1) - first;
  const bool is_dead = m.is_dead(nic / m.host_count, now_);
  u32 found = no_lane, l = m.ports[nic].lane_pointer;
  for (u32 i = 0; i < count; ++i, ++l) {
    if (l >= count) l = 0;
    const RailLane& lane = m.lanes[first + l];
    if (lane.held == 0) continue;
    is_busy = true;
    if (lane.needs_no_bus || is_dead)
      take_rail_flit(nic, first + l);
    else if (found == no_lane)
      found = l;
  }
  return found;
}

// Both ways want the bus: whether it goes inwards now. They alternate after a burst.
inline bool goes_inward(const RailPort& port, u32 burst) { return port.is_inward == (port.burst < burst); }

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::step_rail_nic(u32 nic) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[nic];
  bool is_busy = false;
  u32 in = inward_lane(nic, is_busy);
  bool out = false;
  if (port.control != absent && can_send(port.control, port.data)) {
    send_rail_flit(nic, port.control);
    is_busy = true;
  } else if (port.data != absent) {
    out = can_send(port.data, port.control);
  }
  is_busy |= out;
  if (m.options.bus == Bus::half && in != no_lane && out) {
    if (goes_inward(port, m.options.bus_burst))
      out = false;
    else
      in = no_lane;
  }
  const bool inward = in != no_lane;
  if (inward || out) {
    port.burst = inward == port.is_inward ? port.burst + 1 : 1;
    port.is_inward = inward;
  }
  if (inward) {
    port.lane_pointer = static_cast<u8>(in + 1);
    take_rail_flit(nic, layout_.first_lane(nic) + in);
  }
  if (out) send_rail_flit(nic, port.data);
  if (!is_busy && !waits_for_rate(port.data) && !waits_for_rate(port.control)) sleep(nic);
}

// A slow channel is not free yet; nothing else would wake the NIC.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::waits_for_rate(u32 i) const {
  return i != absent && entries_[i].exit != absent && !is_free(outputs_[entries_[i].exit]);
}

}  // namespace banyan::flit
