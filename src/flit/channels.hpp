// The ends of channels in the nodes of a part: what switches and NICs do alike when a flit enters a channel,
// and when a buffer gives a credit back. NIC models know this and nothing of switches.
#pragma once
#include <algorithm>
#include <bit>

#include "flit/masks.hpp"
#include "flit/part.hpp"

namespace banyan::flit {

enum class Unit : u8 { flit, packet };  // of what moves in one event

constexpr Unit unit_of(Mode mode) { return mode == Mode::packets ? Unit::packet : Unit::flit; }

template <Unit unit>
class Channels : public Part {
 public:
  Channels(Machine& the_machine, u16 the_number)
      : Part(the_machine, the_number),
        packet_flits(state.packet_flits),
        shift_(layout.shift),
        lane_mask_((1u << layout.shift) - 1),
        nic_lanes_(layout.nic_lanes()),
        outputs_(state.outputs.data()),
        lanes_(state.lanes.data()),
        inputs_(state.inputs.data()) {}

  Output& output(Channel exit) const { return outputs_[index(exit)]; }
  Output& output_of(LaneId lane) const { return outputs_[index(lane) >> shift_]; }
  OutLane& out_lane(LaneId lane) const { return lanes_[index(lane)]; }
  Input& input(LaneId lane) const { return inputs_[index(lane)]; }
  Node node_of(LaneId lane) const { return output_of(lane).node; }
  Channel exit_of(const Output& out) const { return Channel{static_cast<u32>(&out - outputs_)}; }
  Channel exit_of(LaneId lane) const { return Channel{index(lane) >> shift_}; }
  LaneId lane_of(const Input& buffer) const { return LaneId{static_cast<u32>(&buffer - inputs_)}; }
  static LaneId lane_of(const Output& out, Lane lane) { return LaneId{index(out.first_lane) + index(lane)}; }
  static LaneId far_of(const Output& out, Lane lane) { return LaneId{index(out.far) + index(lane)}; }
  u16 bit_of_id(LaneId lane) const { return static_cast<u16>(1u << (index(lane) & lane_mask_)); }
  bool is_of_nic(LaneId lane) const { return index(lane) < nic_lanes_; }

  [[gnu::always_inline]] void enter_channel(Output& out, Lane lane, PacketId packet, u32 flits) {
    out.flits += flits;
    if (out.usual != 0) [[likely]]
      clock.usual_arrivals[out.usual]->push({far_of(out, lane), packet});
    else
      enter_slowly(out, {far_of(out, lane), packet});
  }
  // Room for a flit, or a packet, in the buffer of a lane; known to be so `after` cycles from now.
  [[gnu::always_inline]] void give_credit(const Input& buffer, u32 after) {
    const u32 usual = buffer.usual;
    if (usual == 0 || (unit == Unit::packet && after > 0 && machine.is_adaptive)) [[unlikely]]
      give_slowly(buffer, after);
    else if (unit == Unit::flit)
      clock.usual_credits[usual]->push(buffer.near);
    else
      clock.wheels.credits.push(clock.now + layout.usual_latencies[usual - 1] + after, buffer.near);
  }
  // In its own 1/65536: free before the next cycle begins.
  bool is_free(const Output& out) const {
    return unit == Unit::packet || out.usual != 0 || !out.is_slow || out.free_at < (clock.now + 1) << 16;
  }
  // Virtual cut-through: permitted lanes with room for all of a packet.
  [[gnu::always_inline]] u16 lanes_with_room(const Output& out, const Entry& entry) const {
    const u16 open = entry.lanes & out.open_lanes;
    if (unit == Unit::packet || entry.left == packet_flits) return open;
    u32 fit = 0;
    for (u32 mask = entry.lanes; mask != 0; mask &= mask - 1) {
      const Lane lane{static_cast<u8>(std::countr_zero(mask))};
      if (out_lane(lane_of(out, lane)).room >= entry.left) fit |= bit_of(lane);
    }
    return static_cast<u16>(fit);
  }

  const u32 packet_flits;  // of the largest packet; with packets as the unit, of each

 protected:
  const u32 shift_;

 private:
  [[gnu::noinline]] void enter_slowly(Output& out, Arrival arrival) {
    const u64 due = clock.now + out.flight;
    if (unit == Unit::flit && out.is_slow) out.free_at = std::max(out.free_at, clock.now << 16) + out.step;
    if (out.leaves_part)
      clock.mail_to(out.far_part).arrivals.push({due, arrival});
    else
      clock.arrive(due, arrival);
  }
  [[gnu::noinline]] void give_slowly(const Input& buffer, u32 after) {
    const ChannelEnd& end = layout.exits[index(exit_of(lane_of(buffer)))];
    const bool stays = end.far_part == number;
    const u64 first = clock.now + end.latency;
    if (unit == Unit::packet && after > 0 && machine.is_adaptive) {
      if (stays)
        clock.wheels.trickles.push(first, buffer.near);
      else
        clock.mail_to(end.far_part).trickles.push({first, buffer.near});
    } else if (stays) {
      clock.give_credit(first + after, buffer.near);
    } else {
      clock.mail_to(end.far_part).credits.push({first + after, buffer.near});
    }
  }

  const u32 lane_mask_, nic_lanes_;
  Output* const outputs_;
  OutLane* const lanes_;
  Input* const inputs_;
};

}  // namespace banyan::flit
