// What the nodes of a replica know, and what switches and NICs do alike: channels, credits and the choice
// among hops. See gpu/model_kernel.hpp.
#pragma once
#include "gpu/model_data.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// A replica in a cycle. `Block` adds in memory that threads share.
template <class Block>
class ModelState {
 public:
  BANYAN_KERNEL ModelState(const ModelData& data, const ModelLayout& layout, const ModelMemory& memory,
                           u8* state, u32 replica, u32 now)
      : data_(data),
        layout_(layout),
        nics_(memory.nic + u64{replica} * data.fabric.nics),
        packets_(memory.packet + u64{replica} * data.packets),
        unused_(memory.unused + u64{replica} * data.packets),
        pool_(memory.pool[replica]),
        tally_(memory.results.tally[replica]),
        channel_flits_(memory.results.channel_flits + u64{replica} * data.ports),
        latency_(memory.results.latency + u64{replica} * 2 * data.fabric.latencies),
        draws_(data.fabric, memory.target, replica),
        now_(now),
        state_(state) {}

  // Before the first cycle; the state of a replica that has never run is 0.
  BANYAN_KERNEL void begin_port(u32 port) const {
    const bool is_of_switch = port >= data_.fabric.nics;
    for (u32 lane = 0; lane < data_.fabric.lanes; ++lane) {
      const u32 number = port * data_.fabric.lanes + lane;
      at<u16>(layout_.credit, number) = static_cast<u16>(data_.fabric.capacity);
      if (data_.has_queues) at<u16>(layout_.room, number) = static_cast<u16>(data_.output_flits);
      for (u32 i = 0; i < data_.queues; ++i) at<u16>(layout_.front, number * data_.queues + i) = no_place;
      if (data_.has_queues) at<u32>(layout_.endless, 2 * number) = no_packet;
      for (u32 place = 0; is_of_switch && place < data_.places; ++place)
        entry(number, place).next = static_cast<u16>(place + 1);
    }
  }
  BANYAN_KERNEL void begin_packet(u32 number) const { unused_[number] = number; }

 protected:
  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(state_ + array)[i];
  }
  BANYAN_KERNEL ModelEntry& entry(u32 buffer, u32 place) const {
    const u32 first = data_.fabric.nics * data_.fabric.lanes;
    return reinterpret_cast<ModelEntry*>(state_ +
                                         layout_.entries)[u64{buffer - first} * data_.places + place];
  }
  BANYAN_KERNEL u32 buffer_of(u32 port, u32 lane) const { return port * data_.fabric.lanes + lane; }

  // The first lane of these from the pointer on, around the end.
  static BANYAN_KERNEL u32 next_lane(u32 fit, u32 pointer) {
    const u32 later = fit >> pointer << pointer;
    return first_bit_of(later != 0 ? later : fit);
  }

  // --- channels
  BANYAN_KERNEL u32& arrival(u32 port, u32 when) const {
    return at<u32>(layout_.arrivals, (when & (data_.flights - 1)) * data_.ports + port);
  }
  BANYAN_KERNEL u8& credit(u32 port, u32 when) const {
    return at<u8>(layout_.credits, (when & (data_.credit_flights - 1)) * data_.ports + port);
  }
  BANYAN_KERNEL void take_credit(u32 port) const {
    u8& due = credit(port, now_);
    if (due == 0) return;
    ++at<u16>(layout_.credit, buffer_of(port, due - 1u));
    due = 0;
  }
  // Room for a flit in the buffer of a lane.
  BANYAN_KERNEL void give_credit(u32 port, u32 lane) const {
    const ModelPort& channel = data_.port[port];
    credit(channel.far, now_ + channel.latency) = static_cast<u8>(lane + 1);
  }
  // Whether the channel's rate permits sending.
  BANYAN_KERNEL bool is_free(u32 port) const {
    return !data_.has_slow || at<u64>(layout_.free_at, port) < u64{now_ + 1} << 16;
  }
  BANYAN_KERNEL void enter_channel(u32 port, ModelArrival flit) const {
    const ModelPort& channel = data_.port[port];
    arrival(channel.far, now_ + channel.flight) = flit.word;
    ++channel_flits_[port];
    if (data_.is_adaptive) --at<u32>(layout_.queued, port);
    if (!data_.has_slow) return;
    u64& free_at = at<u64>(layout_.free_at, port);
    const u64 begin = u64{now_} << 16;
    free_at = (free_at > begin ? free_at : begin) + channel.step;
  }
  // Of these lanes, those with so many credits; `array`: or room in a queue.
  BANYAN_KERNEL u32 lanes_with(u32 array, u32 port, u32 lanes_of_channel, u32 flits) const {
    u32 fit = 0;
    for (u32 left = lanes_of_channel; left != 0; left &= left - 1) {
      const u32 lane = first_bit_of(left);
      if (at<u16>(array, buffer_of(port, lane)) >= flits) fit |= 1u << lane;
    }
    return fit;
  }

  // --- routing
  // The hop that a packet takes at a node; its next vertex is written to the packet.
  BANYAN_KERNEL ModelHop route(u32 number, u32 node, u32 first_port, u64 seed) const {
    ModelPacket& packet = packets_[number];
    const u32 first = data_.first_hop[packet.vertex], count = data_.first_hop[packet.vertex + 1] - first;
    const ModelHop hop = data_.hop[count == 1 ? first : chosen(packet, first, count, node, first_port, seed)];
    packet.vertex = hop.next;
    if (data_.is_adaptive) at<u32>(layout_.queued, first_port + hop.port) += packet.flits;
    return hop;
  }
  BANYAN_KERNEL u64 cost(u32 first_port, const ModelHop& hop, u32 shortest) const {
    const u32 port = first_port + hop.port;
    const ModelPort& channel = data_.port[port];
    u64 missing = 0;
    for (u32 left = channel.is_endless ? 0 : hop.lanes; left != 0; left &= left - 1)
      missing += data_.fabric.capacity - at<u16>(layout_.credit, buffer_of(port, first_bit_of(left)));
    missing -= missing < channel.on_the_way ? missing : channel.on_the_way;
    return (at<u32>(layout_.queued, port) + missing) * (hop.left + 1u) +
           (hop.left > shortest ? data_.hop_bias : 0);
  }
  BANYAN_KERNEL u32 chosen(const ModelPacket& packet, u32 first, u32 count, u32 node, u32 first_port,
                           u64 seed) const {
    u32 shortest = 255, best = 0, best_left = 0;
    for (u32 i = 0; i < count; ++i)
      shortest = data_.hop[first + i].left < shortest ? data_.hop[first + i].left : shortest;
    u64 least = ~u64{0};
    for (u32 i = 0; i < count; ++i) {
      const ModelHop& hop = data_.hop[first + i];
      const u64 own = cost(first_port, hop, shortest);
      if (own < least || (own == least && hop.left < best_left)) least = own, best_left = hop.left, best = 0;
      if (own == least && hop.left == best_left) ++best;
    }
    u32 number = static_cast<u32>(mix(seed, packet.source, packet.number, node) % best);
    for (u32 i = 0;; ++i) {
      const ModelHop& hop = data_.hop[first + i];
      if (cost(first_port, hop, shortest) == least && hop.left == best_left && number-- == 0)
        return first + i;
    }
  }
  // As flit/choice.hpp has it.
  static BANYAN_KERNEL u64 mix(u64 seed, u64 source, u64 packet, u64 node) {
    u64 x = seed;
    for (const u64 part : {source, packet, node}) {
      x = (x ^ part) * 0x9E3779B97F4A7C15;
      x ^= x >> 32;
      x *= 0xD6E8FEB86659FD93;
      x ^= x >> 29;
    }
    return x;
  }

  const ModelData& data_;
  const ModelLayout& layout_;
  ModelNic* const nics_;
  ModelPacket* const packets_;
  u32* const unused_;
  ModelPool& pool_;
  ModelTally& tally_;
  u32* const channel_flits_;
  u32* const latency_;
  const ReplicaDraws draws_;
  const u32 now_;

 private:
  u8* const state_;
};

}  // namespace banyan::gpu
