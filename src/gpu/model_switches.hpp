// The switches of a replica: see gpu/model_kernel.hpp. In a cycle a switch takes what is due, its output
// queues send, and then packets cross; what was sent makes room, and who has left gives back what it held.
#pragma once
#include "gpu/model_state.hpp"

namespace banyan::gpu {

template <class Block>
class ModelSwitches : public ModelState<Block> {
  using Base = ModelState<Block>;

 public:
  using Base::Base;

  BANYAN_KERNEL void visit_switch(u32 number) const {
    const ReplicaNode node = data_.node[data_.fabric.nics + number];
    if (node.ports == 0) return;
    Site at_switch{node.first_port, node.ports, number};
    for (u32 p = 0; p < node.ports; ++p) this->take_credit(node.first_port + p);
    for (u32 p = 0; p < node.ports; ++p) take_arrival(at_switch, p);
    if (data_.has_queues) send_queues(at_switch);
    if (data_.moves_packets) go_on(at_switch);
    const u64 ready = at<u64>(layout_.ready, number), from = ~u64{0} << now_ % node.ports;
    for (u64 left = ready; left != 0;) {
      const u32 output = first_bit_of((left & from) != 0 ? left & from : left);
      left &= ~(u64{1} << output);
      visit_output(at_switch, output);
    }
    for (u64 left = at_switch.sent; left != 0; left &= left - 1)
      free_room(node.first_port + first_bit_of(left));
    for (u64 left = at_switch.finished; left != 0; left &= left - 1) finish(at_switch, first_bit_of(left));
  }

 protected:
  using Base::data_, Base::layout_, Base::packets_, Base::nics_, Base::now_;

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return Base::template at<T>(array, i);
  }

 private:
  // A switch in this cycle: input ports that were used, and those whose packet has left; outputs whose queues
  // have sent.
  struct Site {
    u32 first_port, ports, number;
    u64 used = 0, finished = 0, sent = 0;
  };
  // The packet at the front of an input.
  struct Place {
    u32 input, lane, place;  // the port of the switch

    static BANYAN_KERNEL Place of(u32 input, u32 word) { return {input, word >> 16, word & 0xFFFF}; }
    BANYAN_KERNEL u32 word() const { return lane << 16 | place; }
  };
  static constexpr u32 slot_bits = 10, lane_bits = 4;  // in `pointers`: slot, lane, lane to send

  BANYAN_KERNEL u32 slot_of(const Place& from) const { return from.input * data_.fabric.lanes + from.lane; }
  BANYAN_KERNEL u32 queue_of(u32 buffer, u32 output) const {
    return buffer * data_.queues + (data_.queues > 1 ? output : 0);
  }

  // --- pointers of an output
  BANYAN_KERNEL u32 slot_pointer(u32 port) const {
    return at<u32>(layout_.pointers, port) & ((1u << slot_bits) - 1);
  }
  BANYAN_KERNEL u32 lane_pointer(u32 port, u32 which) const {
    return at<u32>(layout_.pointers, port) >> (slot_bits + which * lane_bits) & ((1u << lane_bits) - 1);
  }
  BANYAN_KERNEL void set_pointer(u32 port, u32 from, u32 bits, u32 value) const {
    u32& word = at<u32>(layout_.pointers, port);
    word = (word & ~(((1u << bits) - 1) << from)) | value << from;
  }
  BANYAN_KERNEL u32 take_lane(u32 port, u32 which, u32 fit) const {
    const u32 lane = this->next_lane(fit, lane_pointer(port, which));
    set_pointer(port, slot_bits + which * lane_bits, lane_bits,
                lane + 1 == data_.fabric.lanes ? 0 : lane + 1);
    return lane;
  }

  // --- candidates
  BANYAN_KERNEL void show(const Site& site, u32 output, u32 slot) const {
    at<u64>(layout_.candidates, (site.first_port + output) * data_.words + slot / 64) |= u64{1} << slot % 64;
    at<u64>(layout_.ready, site.number) |= u64{1} << output;
  }
  BANYAN_KERNEL void hide(const Site& site, u32 output, u32 slot) const {
    const u32 first = (site.first_port + output) * data_.words;
    at<u64>(layout_.candidates, first + slot / 64) &= ~(u64{1} << slot % 64);
    u64 any = 0;
    for (u32 w = 0; w < data_.words; ++w) any |= at<u64>(layout_.candidates, first + w);
    if (any == 0) at<u64>(layout_.ready, site.number) &= ~(u64{1} << output);
  }

  // --- what is due
  BANYAN_KERNEL void take_arrival(const Site& site, u32 p) const {
    u32& due = this->arrival(site.first_port + p, now_);
    if (due == 0) return;
    const ModelArrival flit{due};
    due = 0;
    const u32 lane = flit.lane(), buffer = this->buffer_of(site.first_port + p, lane);
    const u32 slot = p * data_.fabric.lanes + lane;
    if (flit.is_head()) return take_head(site, buffer, slot, flit.packet());
    ModelEntry& entry = this->entry(buffer, at<u16>(layout_.last, buffer));
    const bool is_first =
        at<u16>(layout_.front, queue_of(buffer, entry.output)) == at<u16>(layout_.last, buffer);
    if (++entry.there == 1 && is_first && !data_.moves_packets) show(site, entry.output, slot);
  }
  BANYAN_KERNEL void take_head(const Site& site, u32 buffer, u32 slot, u32 packet) const {
    const u32 node = data_.fabric.nics + site.number;
    const ModelHop hop = this->route(packet, node, site.first_port, nics_[packets_[packet].source].seed);
    u16& free = at<u16>(layout_.free, buffer);
    const u32 place = free;
    ModelEntry& entry = this->entry(buffer, place);
    free = entry.next;
    entry = {packet,   1, static_cast<u16>(packets_[packet].flits), 0, hop.lanes, static_cast<u16>(no_place),
             hop.port, 0};
    at<u16>(layout_.last, buffer) = static_cast<u16>(place);
    const u32 queue = queue_of(buffer, hop.port);
    u16 &front = at<u16>(layout_.front, queue), &back = at<u16>(layout_.back, queue);
    if (front == no_place) {
      front = static_cast<u16>(place);
      show(site, hop.port, slot);
    } else {
      this->entry(buffer, back).next = static_cast<u16>(place);
    }
    back = static_cast<u16>(place);
  }

  // --- crossing
  // Packets that hold an input go on, if their next flit can.
  BANYAN_KERNEL void go_on(Site& site) const {
    site.used = at<u64>(layout_.crossing, site.number);
    for (u64 left = site.used; left != 0; left &= left - 1) {
      const u32 input = first_bit_of(left);
      const Place from = Place::of(input, at<u32>(layout_.held, site.first_port + input));
      ModelEntry& entry = this->entry(this->buffer_of(site.first_port + input, from.lane), from.place);
      const u32 port = site.first_port + entry.output;
      if (entry.there > 0 && (data_.port[port].has_queue || this->is_free(port))) leave(site, from, entry);
    }
  }
  BANYAN_KERNEL void visit_output(Site& site, u32 output) const {
    const u32 port = site.first_port + output;
    const ModelPort& channel = data_.port[port];
    if (!channel.has_queue) {
      if (at<u16>(layout_.writing, port) == 0 && this->is_free(port)) cross_one(site, output);
      return;
    }
    u32 flits = 0;  // in this cycle
    while ((channel.is_endless ||
            (data_.moves_packets ? at<u16>(layout_.writing, port) : flits) < data_.writers) &&
           cross_one(site, output))
      ++flits;
  }
  // The output takes its next candidate, if it has one.
  BANYAN_KERNEL bool cross_one(Site& site, u32 output) const {
    const u32 port = site.first_port + output, pointer = slot_pointer(port), words = data_.words;
    const u64 from = ~u64{0} << pointer % 64;
    u32 word = pointer / 64;
    for (u32 k = 0; k <= words; ++k) {
      u64 slots = at<u64>(layout_.candidates, port * words + word);
      slots &= k == 0 ? from : k == words ? ~from : ~u64{0};
      for (; slots != 0; slots &= slots - 1)
        if (cross(site, output, word * 64 + first_bit_of(slots))) return true;
      word = word + 1 == words ? 0 : word + 1;
    }
    return false;
  }
  BANYAN_KERNEL bool cross(Site& site, u32 output, u32 slot) const {
    const u32 input = slot / data_.fabric.lanes, lane = slot % data_.fabric.lanes;
    if ((site.used >> input & 1) != 0) return false;
    const u32 buffer = this->buffer_of(site.first_port + input, lane), port = site.first_port + output;
    const Place from{input, lane, at<u16>(layout_.front, queue_of(buffer, output))};
    ModelEntry& entry = this->entry(buffer, from.place);
    if (entry.lane == 0) {
      if (!take_head_lane(site, port, from, entry)) return false;
    } else if (!has_space(port, entry.lane - 1u)) {
      return false;  // wormhole
    }
    set_pointer(port, 0, slot_bits, slot + 1 == site.ports * data_.fabric.lanes ? 0 : slot + 1);
    site.used |= u64{1} << input;
    leave(site, from, entry);
    return true;
  }
  BANYAN_KERNEL u32 space_of(u32 port) const {
    return data_.port[port].has_queue ? layout_.room : layout_.credit;
  }
  BANYAN_KERNEL bool has_space(u32 port, u32 lane) const {
    return data_.port[port].is_endless || at<u16>(space_of(port), this->buffer_of(port, lane)) > 0;
  }
  // A packet that begins gets a lane of its output, if there is one.
  BANYAN_KERNEL bool take_head_lane(Site& site, u32 port, const Place& from, ModelEntry& entry) const {
    const ModelPort& channel = data_.port[port];
    const u32 flits = data_.moves_packets ? entry.left : 1u;
    u32 fit = entry.lanes;
    if (!data_.moves_packets) fit &= ~u32{at<u16>(layout_.owned, port)};
    if (!channel.is_endless) fit = this->lanes_with(space_of(port), port, fit, flits);
    if (fit == 0) return false;
    const u32 lane = take_lane(port, 0, fit);
    entry.lane = static_cast<u8>(lane + 1);
    if (channel.has_queue) join_queue(site, port, lane, entry);
    if (!data_.moves_packets) {
      at<u16>(layout_.owned, port) |= static_cast<u16>(1u << lane);
      return true;
    }
    u16& space = at<u16>(space_of(port), this->buffer_of(port, lane));
    if (!channel.is_endless) space = static_cast<u16>(space - flits);
    ++at<u16>(layout_.writing, port);
    at<u64>(layout_.crossing, site.number) |= u64{1} << from.input;
    at<u32>(layout_.held, site.first_port + from.input) = from.word();
    hide(site, entry.output, slot_of(from));
    return true;
  }
  // A flit leaves its input buffer.
  BANYAN_KERNEL void leave(Site& site, const Place& from, ModelEntry& entry) const {
    const u32 port = site.first_port + entry.output, lane = entry.lane - 1u;
    const ModelPort& channel = data_.port[port];
    const bool is_head = entry.left == packets_[entry.packet].flits;
    if (!data_.moves_packets && !channel.is_endless) --at<u16>(space_of(port), this->buffer_of(port, lane));
    if (!channel.has_queue)
      this->enter_channel(port,
                          is_head ? ModelArrival::of_head(lane, entry.packet) : ModelArrival::of_body(lane));
    else if (channel.is_endless)
      ++packets_[entry.packet].there;
    else
      ++queued(port, lane, entry.copy).there;
    this->give_credit(site.first_port + from.input, from.lane);
    --entry.there;
    if (--entry.left == 0) {
      site.finished |= u64{1} << from.input;
      at<u32>(layout_.held, site.first_port + from.input) = from.word();
    } else if (entry.there == 0 && !data_.moves_packets) {
      hide(site, entry.output, slot_of(from));
    }
  }
  // All of a packet has left an input: what it held is free from the next cycle on.
  BANYAN_KERNEL void finish(Site& site, u32 input) const {
    const Place from = Place::of(input, at<u32>(layout_.held, site.first_port + input));
    const u32 buffer = this->buffer_of(site.first_port + input, from.lane);
    ModelEntry& entry = this->entry(buffer, from.place);
    const u32 output = entry.output, port = site.first_port + output, queue = queue_of(buffer, output);
    if (data_.moves_packets) {
      --at<u16>(layout_.writing, port);
      at<u64>(layout_.crossing, site.number) &= ~(u64{1} << input);
    } else {
      at<u16>(layout_.owned, port) &= static_cast<u16>(~(1u << (entry.lane - 1u)));
      hide(site, output, slot_of(from));
    }
    const u32 next = entry.next;
    at<u16>(layout_.front, queue) = static_cast<u16>(next);
    u16& free = at<u16>(layout_.free, buffer);
    entry.next = free;
    free = static_cast<u16>(from.place);
    if (next != no_place) show(site, this->entry(buffer, next).output, slot_of(from));
  }

  // --- output queues
  BANYAN_KERNEL ModelQueued& queued(u32 port, u32 lane, u32 place) const {
    return reinterpret_cast<ModelQueued*>(
        &at<u8>(layout_.queue, 0))[u64{this->buffer_of(port, lane)} * data_.queue_places + place];
  }
  BANYAN_KERNEL u32& endless(u32 port, u32 lane, u32 end) const {
    return at<u32>(layout_.endless, 2 * this->buffer_of(port, lane) + end);
  }
  BANYAN_KERNEL void join_queue(Site& site, u32 port, u32 lane, ModelEntry& entry) const {
    at<u64>(layout_.sends, site.number) |= u64{1} << entry.output;
    ModelPacket& packet = packets_[entry.packet];
    if (data_.port[port].is_endless) {
      packet.next = no_packet;
      packet.there = 0;
      packet.left = static_cast<u16>(packet.flits);
      if (endless(port, lane, 0) == no_packet)
        endless(port, lane, 0) = entry.packet;
      else
        packets_[endless(port, lane, 1)].next = entry.packet;
      endless(port, lane, 1) = entry.packet;
      return;
    }
    u32& ring = at<u32>(layout_.begin, this->buffer_of(port, lane));  // place | number << 16
    u32 place = (ring & 0xFFFF) + (ring >> 16);
    if (place >= data_.queue_places) place -= data_.queue_places;
    ring += 1u << 16;
    entry.copy = static_cast<u16>(place);
    queued(port, lane, place) = {entry.packet, 0, static_cast<u16>(packet.flits)};
  }
  // The front of a queue; there: flits that can be sent.
  BANYAN_KERNEL ModelQueued front_of(u32 port, u32 lane) const {
    if (data_.port[port].is_endless) {
      const u32 number = endless(port, lane, 0);
      if (number == no_packet) return {no_packet, 0, 0};
      return {number, packets_[number].there, packets_[number].left};
    }
    const u32 ring = at<u32>(layout_.begin, this->buffer_of(port, lane));
    return ring >> 16 == 0 ? ModelQueued{no_packet, 0, 0} : queued(port, lane, ring & 0xFFFF);
  }
  BANYAN_KERNEL void send_queues(Site& site) const {
    for (u64 left = at<u64>(layout_.sends, site.number); left != 0; left &= left - 1) {
      const u32 output = first_bit_of(left), port = site.first_port + output;
      if (this->is_free(port)) send_flit(site, output, port);
    }
  }
  BANYAN_KERNEL void send_flit(Site& site, u32 output, u32 port) const {
    const bool is_endless = data_.port[port].is_endless;
    u8& sending = at<u8>(layout_.sending, port);
    u32 lane = sending - 1u;
    if (sending == 0) {
      u32 fit = 0;
      for (u32 l = 0; l < data_.fabric.lanes; ++l) {
        const ModelQueued front = front_of(port, l);
        const u32 needed = data_.moves_packets ? front.left : 1u;
        if (front.there > 0 && (is_endless || at<u16>(layout_.credit, this->buffer_of(port, l)) >= needed))
          fit |= 1u << l;
      }
      if (fit == 0) return;
      lane = take_lane(port, 1, fit);
      u16& credits = at<u16>(layout_.credit, this->buffer_of(port, lane));
      if (!is_endless)
        credits = static_cast<u16>(credits - (data_.moves_packets ? front_of(port, lane).left : 1u));
      if (data_.moves_packets) sending = static_cast<u8>(lane + 1);
    }
    const ModelQueued front = front_of(port, lane);
    if (front.there == 0) return;
    const bool is_head = front.left == packets_[front.packet].flits;
    this->enter_channel(port,
                        is_head ? ModelArrival::of_head(lane, front.packet) : ModelArrival::of_body(lane));
    site.sent |= u64{1} << output;
    at<u8>(layout_.freed, port) = static_cast<u8>(lane);
    send_one_of(site, output, port, lane, front.left == 1);
  }
  // The front of a queue has sent a flit.
  BANYAN_KERNEL void send_one_of(Site& site, u32 output, u32 port, u32 lane, bool is_last) const {
    if (data_.port[port].is_endless) {
      ModelPacket& packet = packets_[endless(port, lane, 0)];
      --packet.there;
      --packet.left;
      if (is_last) endless(port, lane, 0) = packet.next;
    } else {
      u32& ring = at<u32>(layout_.begin, this->buffer_of(port, lane));
      ModelQueued& front = queued(port, lane, ring & 0xFFFF);
      --front.there;
      --front.left;
      const u32 next = (ring & 0xFFFF) + 1 == data_.queue_places ? 0 : (ring & 0xFFFF) + 1;
      if (is_last) ring = next | ((ring >> 16) - 1) << 16;
    }
    if (!is_last) return;
    at<u8>(layout_.sending, port) = 0;
    for (u32 l = 0; l < data_.fabric.lanes; ++l)
      if (front_of(port, l).packet != no_packet) return;
    at<u64>(layout_.sends, site.number) &= ~(u64{1} << output);
  }
  // A queue has sent a flit in this cycle: there is room from the next one on.
  BANYAN_KERNEL void free_room(u32 port) const {
    if (!data_.port[port].is_endless)
      ++at<u16>(layout_.room, this->buffer_of(port, at<u8>(layout_.freed, port)));
  }
};

}  // namespace banyan::gpu
