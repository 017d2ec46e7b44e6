// Maximum load and bound of one permutation or bisection, by a block with its own memory. See tag_data.hpp.
#pragma once
#include "gpu/tag_data.hpp"

namespace banyan::gpu {

// A rank's numbers.
template <u32 levels>
struct TagRecord {
  static constexpr u32 words = TagData::words_for(levels);
  u64 word[words];

  BANYAN_KERNEL u32 at(u32 i) const { return static_cast<u32>(word[i / 4] >> (i % 4 * 16)) & 0xFFFF; }
  BANYAN_KERNEL u32 subtree() const { return at(0); }
  BANYAN_KERNEL u32 offset(u32 level) const { return at(1 + level); }
  static BANYAN_KERNEL TagRecord of(const TagData& data, u32 rank) {
    TagRecord out;
    for (u32 i = 0; i < words; ++i) out.word[i] = data.record[std::size_t{rank} * words + i];
    return out;
  }
};

// The counters of a block, and what is needed to find one.
template <u32 levels, class Block>
class TagCounting {
 public:
  using Warp = typename Block::Warp;

  BANYAN_KERNEL TagCounting(const TagData& data, const TagLayout& layout, u8* memory)
      : data_(data), layout_(layout), memory_(memory) {}

  // A flow of a permutation: for each level it loads a channel, or stays inside a subtree.
  BANYAN_KERNEL void add_mapped(u32 source_subtree, const TagRecord<levels>& to) const {
    each_level(source_subtree, to, [&](u32 l, u32 a, u32 b, u32 channel) {
      const u32 counter = layout_.up[l] + (channel & ~3u), subtree = layout_.left[l] + 4 * a;
      Warp::add(word(a == b ? subtree : counter), a == b ? 1 : u32{1} << (channel % 4 * 8));
    });
  }
  // A flow of a bisection: it leaves a subtree and enters another.
  BANYAN_KERNEL void add_pair(u32 source_subtree, const TagRecord<levels>& to) const {
    each_level(source_subtree, to, [&](u32 l, u32 a, u32 b, u32 channel) {
      if (a == b) return;
      count(layout_.up[l] + channel);
      Warp::add(word(layout_.left[l] + 4 * a), 1);
      Warp::add(word(layout_.entered[l] + 4 * b), 1);
    });
  }

  // A warp's part of the result. Its counters are 0 again afterwards.
  BANYAN_KERNEL void find_part(const Warp& warp, u32 number, TagPart& out) const {
    u32 max_load = 0;
    BANYAN_UNROLL
    for (u32 l = 0; l < levels; ++l) {
      const TagLevelData& level = data_.level[l];
      const u32 load = heaviest(warp, number, layout_.up[l], level.subtrees * level.links);
      const u32 below =
          level.counts_down ? heaviest(warp, number, layout_.down[l], level.subtrees * level.links) : 0;
      max_load = load > max_load ? load : max_load;
      max_load = below > max_load ? below : max_load;
      const u32 moved = max_moved(warp, number, l);
      warp.compute([&](u32 lane) {
        if (lane == 0) out.moved[l] = moved;
      });
    }
    warp.compute([&](u32 lane) {
      if (lane == 0) out.max_load = max_load;
    });
  }

  BANYAN_KERNEL TagLoads combined(const TagPart* parts) const {
    TagLoads out{0, 0};
    for (u32 warp = 0; warp < Block::warps; ++warp)
      if (parts[warp].max_load > out.max_load) out.max_load = parts[warp].max_load;
    for (u32 l = 0; l < levels; ++l) {
      u32 moved = 0;
      for (u32 warp = 0; warp < Block::warps; ++warp)
        if (parts[warp].moved[l] > moved) moved = parts[warp].moved[l];
      const double share = static_cast<double>(moved) / data_.level[l].links;
      if (share > out.bound) out.bound = share;
    }
    return out;
  }

 private:
  BANYAN_KERNEL u32& word(u32 at) const { return *reinterpret_cast<u32*>(memory_ + at); }
  BANYAN_KERNEL void count(u32 at) const { Warp::add(word(at & ~3u), u32{1} << (at % 4 * 8)); }

  template <class F>
  BANYAN_KERNEL void each_level(u32 a, const TagRecord<levels>& to, F&& f) const {
    u32 b = to.subtree();
    BANYAN_UNROLL
    for (u32 l = 0; l < levels; ++l) {
      if (l > 0) {
        a = divided(a, data_.level[l].inverse);
        b = divided(b, data_.level[l].inverse);
      }
      const u32 links = data_.level[l].links, offset = to.offset(l);
      f(l, a, b, a * links + offset);
      if (data_.level[l].counts_down && a != b) count(layout_.down[l] + b * links + offset);
    }
  }

  BANYAN_KERNEL u32 heaviest(const Warp& warp, u32 number, u32 first, u32 counters) const {
    typename Warp::template PerLane<u32> out;
    warp.compute([&](u32 lane) {
      u32 maximum = 0;
      for (u32 at = 4 * (number * lanes + lane); at < counters; at += 4 * lanes * Block::warps) {
        maximum = max_bytes(maximum, word(first + at));
        word(first + at) = 0;
      }
      out[lane] = max_byte(maximum);
    });
    return warp.max(out);
  }

  BANYAN_KERNEL u32 max_moved(const Warp& warp, u32 number, u32 l) const {
    typename Warp::template PerLane<u32> out;
    warp.compute([&](u32 lane) {
      u32 maximum = 0;
      for (u32 subtree = number * lanes + lane; subtree < data_.level[l].subtrees;
           subtree += lanes * Block::warps) {
        u32& counted = word(layout_.left[l] + 4 * subtree);
        u32 moved = data_.is_bisection ? counted : data_.level[l].ranks[subtree] - counted;
        counted = 0;
        if (data_.is_bisection) {
          u32& entered = word(layout_.entered[l] + 4 * subtree);
          if (entered > moved) moved = entered;
          entered = 0;
        }
        if (moved > maximum) maximum = moved;
      }
      out[lane] = maximum;
    });
    return warp.max(out);
  }

  const TagData& data_;
  const TagLayout& layout_;
  u8* memory_;
};

// The flows of a permutation to ranks first .. last - 1, whose sources are known.
template <u32 levels, class Block>
BANYAN_KERNEL void add_range(const typename Block::Warp& warp, u32 helper, const TagData& data,
                             const TagCounting<levels, Block>& counting, const u16* source, u32 first,
                             u32 last) {
  constexpr u32 stride = lanes * (Block::warps - 1), at_once = 4;
  warp.compute([&](u32 lane) {
    for (u32 rank = first + helper * lanes + lane; rank < last; rank += stride * at_once) {
      TagRecord<levels> to[at_once];
      BANYAN_UNROLL
      for (u32 k = 0; k < at_once; ++k)
        if (rank + k * stride < last) to[k] = TagRecord<levels>::of(data, rank + k * stride);
      BANYAN_UNROLL
      for (u32 k = 0; k < at_once; ++k)
        if (rank + k * stride < last) counting.add_mapped(source[rank + k * stride], to[k]);
    }
  });
}

// The flows of a bisection.
template <u32 levels, class Block>
BANYAN_KERNEL void add_pairs(const typename Block::Warp& warp, u32 number, const TagData& data,
                             const TagCounting<levels, Block>& counting, const u16* order) {
  const u32 half = data.ranks / 2;
  warp.compute([&](u32 lane) {
    for (u32 i = number * lanes + lane; i < half; i += lanes * Block::warps)
      counting.add_pair(TagRecord<levels>::of(data, order[i]).subtree(),
                        TagRecord<levels>::of(data, order[i + half]));
  });
}

// The memory must hold layout.bytes, its counters 0; they are 0 again afterwards.
template <u32 levels, class Block>
BANYAN_KERNEL void tag_sample(const Block& block, const TagData& data, const TagLayout& layout, u8* memory,
                              u64 seed, u64 sample, TagLoads& out) {
  using Warp = typename Block::Warp;
  u16* const order = reinterpret_cast<u16*>(memory + layout.order);
  TagPart* const parts = reinterpret_cast<TagPart*>(memory + layout.parts);
  const TagCounting<levels, Block> counting(data, layout, memory);
  block.each_warp([&](const Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane == 0) parts[0].state = philox_number(seed, sample, 0);
      for (u32 i = number * lanes + lane; 4 * i < data.ranks; i += lanes * Block::warps)
        reinterpret_cast<u64*>(order)[i] = data.start[i];
    });
  });
  shuffle_by_block(block, order, data.ranks, parts[0].state,
                   *reinterpret_cast<ShuffleMemory<Block::warps - 1>*>(memory + TagLayout::shuffle),
                   [&](const Warp& warp, u32 helper, u32 first, u32 last) {
                     if (!data.is_bisection) add_range(warp, helper, data, counting, order, first, last);
                   });
  if (data.is_bisection)
    block.each_warp([&](const Warp& warp, u32 number) { add_pairs(warp, number, data, counting, order); });
  block.each_warp([&](const Warp& warp, u32 number) { counting.find_part(warp, number, parts[number]); });
  block.each_warp([&](const Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane == 0) out = counting.combined(parts);
    });
  });
}

// Samples first, first + step, ... below `last`; `out` is by sample from 0.
template <u32 levels, class Block>
BANYAN_KERNEL void tag_samples(const Block& block, const TagData& data, const TagLayout& layout, u8* memory,
                               u64 seed, u64 first_sample, u64 first, u64 last, u64 step, TagLoads* out) {
  prepare_shuffle(block, *reinterpret_cast<ShuffleMemory<Block::warps - 1>*>(memory + TagLayout::shuffle));
  block.each_warp([&](const auto& warp, u32 number) {
    warp.compute([&](u32 lane) {
      for (u32 at = layout.first_counter + 4 * (number * lanes + lane); at < layout.bytes;
           at += 4 * lanes * Block::warps)
        *reinterpret_cast<u32*>(memory + at) = 0;
    });
  });
  for (u64 s = first; s < last; s += step)
    tag_sample<levels>(block, data, layout, memory, seed, first_sample + s, out[s]);
}

}  // namespace banyan::gpu
