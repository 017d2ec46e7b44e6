// The NICs of a replica: they create messages, cut them into packets, send and consume. See
// gpu/model_kernel.hpp.
#pragma once
#include "base/histogram_slots.hpp"
#include "gpu/model_switches.hpp"

namespace banyan::gpu {

template <class Block>
class ModelNics : public ModelSwitches<Block> {
  using Base = ModelSwitches<Block>;

 public:
  using Base::Base;

  // What arrives is consumed. Numbers of packets that are given back can be taken when all NICs have done so.
  BANYAN_KERNEL void consume(u32 number) const {
    u32& due = this->arrival(number, now_);
    if (due == 0) return;
    const ModelArrival flit{due};
    due = 0;
    ModelNic& nic = nics_[number];
    if (data_.is_finite) this->give_credit(number, flit.lane());
    ++nic.random.consumed;
    Arriving& arriving = at<Arriving>(layout_.arriving, this->buffer_of(number, flit.lane()));
    if (flit.is_head())
      arriving = {flit.packet(), packets_[flit.packet()].flits - 1};
    else
      --arriving.flits;
    if (arriving.flits == 0) finish_packet(nic, arriving.packet);
  }
  BANYAN_KERNEL void visit_nic(u32 number) const {
    ModelNic& nic = nics_[number];
    this->take_credit(number);
    if (nic.packet == no_packet) {
      if (nic.to_cut == 0 && !begin_message(nic)) return;
      if (!cut_packet(number, nic)) return;
    }
    if (this->is_free(number)) send_flit(number, nic);
  }

  // What was counted until now, exclusively; counting starts again.
  BANYAN_KERNEL void tally_nic(u32 number, u32& waits_since) const {
    ModelNic& nic = nics_[number];
    ReplicaNic& counts = nic.random;
    const bool waits = nic.packet != no_packet && (nic.lane == 0 || !data_.counts_packets);
    waits_since = waits ? nic.created : no_message;
    Block::add(tally_.flits, u64{counts.consumed});
    Block::add(tally_.packets, u64{counts.packets});
    Block::add(tally_.messages, u64{nic.messages});
    Block::add(tally_.packet_cycles, counts.latencies);
    Block::add(tally_.message_cycles, nic.message_cycles);
    Block::add(tally_.network_cycles, counts.network_cycles);
    Block::add(tally_.entered, counts.entered);
    Block::add(tally_.times, counts.times);
    Block::add(tally_.created, created_until(nic));
    Block::raise(tally_.last_message, u64{counts.last_message});
    Block::raise(tally_.max_latency, u64{counts.max_latency});
    counts.consumed = counts.packets = counts.last_message = counts.max_latency = nic.messages = 0;
    counts.latencies = counts.network_cycles = nic.message_cycles = 0;
    counts.entered = counts.times = 0;
  }

 private:
  using Base::data_, Base::layout_, Base::packets_, Base::nics_, Base::now_, Base::tally_, Base::draws_;
  struct Arriving {
    u32 packet, flits;  // to come
  };

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return Base::template at<T>(array, i);
  }

  // --- numbers of packets
  BANYAN_KERNEL void give_back(u32 packet) const {
    this->unused_[Block::take(this->pool_.given, 1) % data_.packets] = packet;
  }
  BANYAN_KERNEL u32 take_packet() const {
    const u32 place = Block::take(this->pool_.taken, 1);
    if (place - this->pool_.given < data_.packets) return this->unused_[place % data_.packets];
    Block::raise(tally_.lacks_packets, u64{1});
    return no_packet;
  }

  // --- consuming
  BANYAN_KERNEL void finish_packet(ModelNic& nic, u32 number) const {
    const ModelPacket& packet = packets_[number];
    ModelPacket& message = packets_[packet.message];
    const u32 latency = now_ - packet.created;
    ReplicaNic& counts = nic.random;
    ++counts.packets;
    counts.network_cycles += now_ - packet.entered;
    counts.times += now_;
    counts.max_latency = latency > counts.max_latency ? latency : counts.max_latency;
    message.to_come -= packet.flits;
    const bool is_last = message.to_come == 0;
    Block::add(this->latency_[(is_last ? data_.fabric.latencies : 0) + histogram_slot(latency)], u32{1});
    if (packet.message != number) give_back(number);
    if (!is_last) {
      counts.latencies += latency;
      return;
    }
    give_back(packet.message);
    ++nic.messages;
    nic.message_cycles += latency;
    counts.last_message = now_;
  }

  // --- messages
  BANYAN_KERNEL bool begin_message(ModelNic& nic) const {
    ReplicaNic& random = nic.random;
    const bool is_back_to_back = data_.fabric.arrivals == ReplicaFabric::back_to_back;
    if (random.rate <= 0 || (!is_back_to_back && random.pending > now_)) return false;
    nic.created = is_back_to_back ? now_ : static_cast<u32>(random.pending);
    nic.to = random.pending_to;
    nic.to_cut = nic.pending_flits;
    nic.cut = 0;
    draw(nic);
    return true;
  }
  // As Workload::Open::draw().
  BANYAN_KERNEL void draw(ModelNic& nic) const {
    ReplicaNic& random = nic.random;
    if (data_.fabric.arrivals != ReplicaFabric::back_to_back) {
      draws_.draw_time(random);
      random.pending = draws_.pending(random);
    }
    if (data_.burst_on > 0) pass_periods(nic);
    draws_.draw_target(random);
    nic.pending_flits = data_.message_flits > 0 ? data_.message_flits : drawn_flits(random);
    random.drawn += nic.pending_flits;
  }
  BANYAN_KERNEL u32 drawn_flits(ReplicaNic& random) const {
    const double at = ReplicaDraws::unit(random);
    for (u32 i = 0; i < data_.lengths; ++i)
      if (at < data_.length[i].until || i + 1 == data_.lengths) return data_.length[i].flits;
    const double drawn = minus_log(1 - at, *data_.fabric.logarithms) * data_.size_scale;
    return 1 + static_cast<u32>(static_cast<i64>(drawn));
  }
  BANYAN_KERNEL double period(ReplicaNic& random, double mean) const {
    const double drawn = minus_log(1 - ReplicaDraws::unit(random), *data_.fabric.logarithms);
    if (!draws_.by_cycles()) return drawn * mean;
    if (mean <= 1) return 1;
    const double cycles = drawn / minus_log1p(1 / mean, *data_.fabric.logarithms);
    return 1 + static_cast<double>(static_cast<i64>(cycles));
  }
  // The cycle in which the source has been on for its present time.
  BANYAN_KERNEL void pass_periods(ModelNic& nic) const {
    ReplicaNic& random = nic.random;
    while (draws_.by_cycles() ? random.time > nic.on_until : random.time >= nic.on_until) {
      nic.off += period(random, data_.burst_off);
      nic.on_until += period(random, data_.burst_on);
    }
    random.pending = static_cast<u64>(static_cast<i64>(random.time + nic.off)) - (draws_.by_cycles() ? 1 : 0);
  }
  // As Workload::created() counts, before this cycle.
  BANYAN_KERNEL u64 created_until(const ModelNic& nic) const {
    const ReplicaNic& random = nic.random;
    if (random.rate <= 0 || data_.fabric.arrivals == ReplicaFabric::back_to_back) return 0;
    const u64 drawn = random.drawn * ReplicaTally::created_unit;
    if (random.pending >= now_) return drawn - u64{nic.pending_flits} * ReplicaTally::created_unit;
    return drawn +
           static_cast<u64>(static_cast<double>(now_ - random.pending) * random.rate * data_.on_share *
                            data_.mean_flits * static_cast<double>(ReplicaTally::created_unit));
  }

  // --- sending
  BANYAN_KERNEL u32 chosen_way(const ModelNic& nic, u32 number, u32 count) const {
    constexpr u64 nowhere = ~u32{0};
    switch (data_.path_choice) {
      case ModelData::in_turn:
        return nic.sent % count;
      case ModelData::in_message:
        return nic.cut % count;
      case ModelData::by_packet:
        return static_cast<u32>(this->mix(nic.seed, number, nic.sent, nowhere) % count);
      default:
        return static_cast<u32>(this->mix(nic.seed, number, nic.sent - nic.cut, nowhere) % count);
    }
  }
  // The next packet of the message comes to the front and is routed.
  BANYAN_KERNEL bool cut_packet(u32 number, ModelNic& nic) const {
    const u32 taken = take_packet();
    if (taken == no_packet) return false;
    const u32 flits = nic.to_cut < data_.fabric.packet_flits ? nic.to_cut : data_.fabric.packet_flits;
    const u32 pair = number * data_.fabric.nics + nic.to, first = data_.first_way[pair];
    const u32 count = data_.first_way[pair + 1] - first;
    if (nic.cut == 0) nic.message = taken;
    ModelPacket& packet = packets_[taken];
    packet.created = nic.created;
    packet.vertex = data_.way[first + (count == 1 ? 0 : chosen_way(nic, number, count))];
    packet.source = number;
    packet.number = nic.sent;
    packet.flits = flits;
    packet.message = nic.message;
    if (nic.cut == 0) packet.to_come = nic.to_cut;
    const ModelHop hop = this->route(taken, number, number, nic.seed);
    nic.packet = taken;
    nic.left = flits;
    nic.lanes = hop.lanes;
    nic.lane = 0;
    nic.to_cut -= flits;
    ++nic.cut;
    ++nic.sent;
    return true;
  }
  BANYAN_KERNEL void send_flit(u32 number, ModelNic& nic) const {
    const bool is_head = nic.lane == 0;
    if (is_head) {
      const u32 fit =
          this->lanes_with(layout_.credit, number, nic.lanes, data_.moves_packets ? nic.left : 1u);
      if (fit == 0) return;
      u32& pointer = at<u32>(layout_.pointers, number);
      nic.lane = this->next_lane(fit, pointer) + 1;
      pointer = nic.lane == data_.fabric.lanes ? 0 : nic.lane;
      packets_[nic.packet].entered = now_;
      ++nic.random.entered;
      nic.random.times -= now_;
    }
    u16& credits = at<u16>(layout_.credit, this->buffer_of(number, nic.lane - 1));
    if (!data_.moves_packets && credits == 0) return;
    if (is_head || !data_.moves_packets)
      credits = static_cast<u16>(credits - (data_.moves_packets ? nic.left : 1u));
    this->enter_channel(number, is_head ? ModelArrival::of_head(nic.lane - 1, nic.packet)
                                        : ModelArrival::of_body(nic.lane - 1));
    if (--nic.left == 0) nic.packet = no_packet;
  }
};

}  // namespace banyan::gpu
