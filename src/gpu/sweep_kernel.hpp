// The maximum load of a sample after a change of tables, by a warp. See sweep_data.hpp. It follows only flows
// whose way changed, from where it did, and lists the channels that lose and gain them. The maximum is that
// of the listed channels, or that of the others, which is known from how many channels had each load.
#pragma once
#include "gpu/sweep_data.hpp"

namespace banyan::gpu {

template <class Block>
class SweepSample {
 public:
  using Warp = typename Block::Warp;

  BANYAN_KERNEL SweepSample(const SweepData& data, const SweepVictims& victims, u32 sample,
                            SweepMemory& memory)
      : data_(data), victims_(victims), memory_(memory), sample_(sample) {}

  BANYAN_KERNEL u32 max_load(const Warp& warp, u32 victim) const {
    warp.each([&](u32 lane) {
      if (lane == 0) memory_.moves = 0;
    });
    warp.each([&](u32 lane) {
      const u32 last = victims_.first_change[victim + 1];
      for (u32 c = victims_.first_change[victim] + lane; c < last; c += lanes) follow(victims_.change[c]);
    });
    const u32 moves = read(warp, memory_.moves);
    if (moves > SweepMemory::max_moves) return sweep_unknown;
    return heaviest(warp, moves, touched_maximum(warp, moves));
  }

 private:
  BANYAN_KERNEL u32 read(const Warp& warp, const u32& word) const {
    typename Warp::template PerLane<u32> out;
    warp.each([&](u32 lane) { out[lane] = word; });
    return warp.from(out, 0);
  }

  // The port that a change gives a node, or nobody.
  BANYAN_KERNEL u32 changed_port(const SweepChange& change, u32 node) const {
    u32 first = change.first, last = change.last;
    while (first < last) {
      const u32 middle = (first + last) / 2, entry = victims_.entry[middle];
      if (entry / 256 == node) return entry % 256;
      if (entry / 256 < node)
        first = middle + 1;
      else
        last = middle;
    }
    return SweepData::nobody;
  }

  BANYAN_KERNEL void follow(const SweepChange& change) const {
    const u32 to = change.rank, from = data_.source[std::size_t{sample_} * data_.ranks + to];
    if (from == SweepData::nobody || from == to) return;
    const u32 goal = data_.goal[to];
    u32 node = data_.entry[from];
    while (node != goal && changed_port(change, node) == SweepData::nobody)
      node = data_.next[data_.first_out[node] + old_port(to, node)];
    if (node == goal) return;
    for (u32 at = node; at != goal;) {
      const u32 channel = data_.first_out[at] + old_port(to, at);
      add_move(2 * channel);
      at = data_.next[channel];
    }
    follow_new(change, node, goal);
  }

  BANYAN_KERNEL void follow_new(const SweepChange& change, u32 node, u32 goal) const {
    for (u32 left = data_.nodes; node != goal; --left) {
      if (left == 0 || node >= data_.nodes) return fail();
      const u32 changed = changed_port(change, node);
      const u32 channel =
          data_.first_out[node] + (changed == SweepData::nobody ? old_port(change.rank, node) : changed);
      if (channel >= data_.first_out[node + 1] || data_.next[channel] == SweepData::nobody) return fail();
      add_move(2 * channel + 1);
      node = data_.next[channel];
    }
  }

  BANYAN_KERNEL u32 old_port(u32 to, u32 node) const {
    return data_.port[std::size_t{to} * data_.nodes + node];
  }
  BANYAN_KERNEL void add_move(u32 move) const {
    const u32 at = Warp::take(memory_.moves, 1);
    if (at < SweepMemory::max_moves) memory_.move[at] = move;
  }
  BANYAN_KERNEL void fail() const { Warp::add(memory_.moves, SweepMemory::max_moves + 1); }

  // Of channels in the list, after the change. Notes what they had before.
  BANYAN_KERNEL u32 touched_maximum(const Warp& warp, u32 moves) const {
    typename Warp::template PerLane<u32> out;
    warp.each([&](u32 lane) {
      u32 maximum = 0;
      for (u32 i = lane; i < moves; i += lanes) {
        const u32 channel = memory_.move[i] / 2;
        const u32 old = data_.load[std::size_t{sample_} * data_.channels + channel];
        u32 load = old, first = moves;
        for (u32 j = moves; j-- > 0;) {
          if (memory_.move[j] / 2 != channel) continue;
          load += memory_.move[j] % 2 == 1 ? 1u : ~u32{0};
          first = j;
        }
        memory_.old[i] = first == i ? old : SweepData::nobody;
        if (load > maximum) maximum = load;
      }
      out[lane] = maximum;
    });
    return warp.max(out);
  }

  // Of all channels: those that are not in the list have what they had.
  BANYAN_KERNEL u32 heaviest(const Warp& warp, u32 moves, u32 touched) const {
    const u32* const with_load = data_.with_load + std::size_t{sample_} * (SweepData::max_load + 1);
    for (u32 load = SweepData::max_load; load > touched; --load) {
      if (with_load[load] == 0) continue;
      warp.each([&](u32 lane) {
        if (lane == 0) memory_.counter = 0;
      });
      warp.each([&](u32 lane) {
        u32 count = 0;
        for (u32 i = lane; i < moves; i += lanes) count += memory_.old[i] == load;
        if (count > 0) Warp::add(memory_.counter, count);
      });
      if (read(warp, memory_.counter) < with_load[load]) return load;
    }
    return touched;
  }

  const SweepData& data_;
  const SweepVictims& victims_;
  SweepMemory& memory_;
  u32 sample_;
};

// Of all victims and samples, numbers first, first + step, ... of victim * samples + sample.
template <class Block>
BANYAN_KERNEL void sweep_samples(const Block& block, const SweepData& data, const SweepVictims& victims,
                                 SweepMemory* memory, u64 first, u64 step, u32* out) {
  const u64 all = u64{victims.count} * data.samples;
  block.each_warp([&](const typename Block::Warp& warp, u32 number) {
    for (u64 i = first * Block::warps + number; i < all; i += step * Block::warps) {
      const u32 sample = static_cast<u32>(i % data.samples);
      const u32 found = SweepSample<Block>(data, victims, sample, memory[number])
                            .max_load(warp, static_cast<u32>(i / data.samples));
      warp.each([&](u32 lane) {
        if (lane == 0) out[i] = found;
      });
    }
  });
}

}  // namespace banyan::gpu
