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
    if (out.is_plain) [[likely]]
      clock.wheels.arrivals.push(clock.now + out.flight, {far_of(out, lane), packet});
    else
      enter_slowly(out, {far_of(out, lane), packet});
  }
  // Room for a flit, or a packet, in the buffer of a lane; known to be so `after` cycles from now.
  [[gnu::always_inline]] void give_credit(const Input& buffer, u32 after) {
    const u64 due = clock.now + buffer.latency + after;
    const bool stays = buffer.near_part == number;
    if (unit == Unit::packet && after > 0 && machine.is_adaptive) {
      if (stays)
        clock.wheels.trickles.push(due - after, buffer.near);
      else
        clock.mail_to(buffer.near_part).trickles.push({due - after, buffer.near});
    } else if (stays) [[likely]] {
      clock.wheels.credits.push(due, buffer.near);
    } else {
      clock.mail_to(buffer.near_part).credits.push({due, buffer.near});
    }
  }
  // In its own 1/65536: free before the next cycle begins.
  bool is_free(const Output& out) const {
    return unit == Unit::packet || out.is_plain || !out.is_slow || out.free_at < (clock.now + 1) << 16;
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
      clock.wheels.arrivals.push(due, arrival);
  }

  const u32 lane_mask_, nic_lanes_;
  Output* const outputs_;
  OutLane* const lanes_;
  Input* const inputs_;
};

}  // namespace banyan::flit
