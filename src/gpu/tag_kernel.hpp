// Maximum load and bound of one permutation or bisection, by a warp with its own memory. See tag_data.hpp.
#pragma once
#include "gpu/tag_data.hpp"
#include "gpu/warp_shuffle.hpp"

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

// x / divisor for x < 2^16, with inverse = ceil(2^32 / divisor); of divisor 1 the inverse is 0.
BANYAN_KERNEL u32 inverse_of(u32 divisor) { return static_cast<u32>(((u64{1} << 32) + divisor - 1) / divisor); }
BANYAN_KERNEL u32 divided(u32 x, u32 inverse) {
  return inverse == 0 ? x : static_cast<u32>(u64{x} * inverse >> 32);
}

// The counters of a warp, and what is needed to find one.
template <u32 levels, class Warp>
class TagCounting {
 public:
  BANYAN_KERNEL TagCounting(const TagData& data, const TagLayout& layout, u8* memory)
      : data_(data), layout_(layout), memory_(memory) {
    for (u32 l = 0; l < levels; ++l) inverse_[l] = inverse_of(data.level[l].fan_below);
  }

  // A flow of a permutation: for each level it loads a channel, or stays inside a subtree.
  BANYAN_KERNEL void add_mapped(u32 source_subtree, const TagRecord<levels>& to) const {
    each_level(source_subtree, to, [&](u32 l, u32 a, u32 b, u32 channel) {
      if (a == b)
        Warp::add(word(layout_.left[l] + 4 * a), 1);
      else
        count(layout_.up[l] + channel);
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

  BANYAN_KERNEL void clear(const Warp& warp) const {
    warp.each([&](u32 lane) {
      for (u32 at = layout_.first_counter + 4 * lane; at < layout_.bytes; at += 4 * lanes) word(at) = 0;
    });
  }

  // The result, after which counters are 0 again.
  BANYAN_KERNEL TagLoads result(const Warp& warp) const {
    u32 max_load = 0;
    double bound = 0;
    for (u32 l = 0; l < levels; ++l) {
      const TagLevelData& level = data_.level[l];
      const u32 load = heaviest(warp, layout_.up[l], level.subtrees * level.links);
      if (load > max_load) max_load = load;
      if (level.counts_down) {
        const u32 below = heaviest(warp, layout_.down[l], level.subtrees * level.links);
        if (below > max_load) max_load = below;
      }
      const double share = static_cast<double>(most_moved(warp, l)) / level.links;
      if (share > bound) bound = share;
    }
    return {bound, max_load};
  }

 private:
  BANYAN_KERNEL u32& word(u32 at) const { return *reinterpret_cast<u32*>(memory_ + at); }
  BANYAN_KERNEL void count(u32 at) const { Warp::add(word(at & ~3u), u32{1} << (at % 4 * 8)); }

  template <class F>
  BANYAN_KERNEL void each_level(u32 a, const TagRecord<levels>& to, F&& f) const {
    u32 b = to.subtree();
BANYAN_UNROLL
    for (u32 l = 0; l < levels; ++l) {
      a = divided(a, inverse_[l]);
      b = divided(b, inverse_[l]);
      const u32 links = data_.level[l].links, offset = to.offset(l);
      f(l, a, b, a * links + offset);
      if (data_.level[l].counts_down && a != b) count(layout_.down[l] + b * links + offset);
    }
  }

  BANYAN_KERNEL u32 heaviest(const Warp& warp, u32 first, u32 counters) const {
    typename Warp::template PerLane<u32> out;
    warp.each([&](u32 lane) {
      u32 maximum = 0;
      for (u32 at = 4 * lane; at < counters; at += 4 * lanes) {
        maximum = max_bytes(maximum, word(first + at));
        word(first + at) = 0;
      }
      out[lane] = max_byte(maximum);
    });
    return warp.max(out);
  }

  // Flows that leave or enter a subtree, for the worst one.
  BANYAN_KERNEL u32 most_moved(const Warp& warp, u32 l) const {
    typename Warp::template PerLane<u32> out;
    warp.each([&](u32 lane) {
      u32 maximum = 0;
      for (u32 subtree = lane; subtree < data_.level[l].subtrees; subtree += lanes) {
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
  u32 inverse_[levels];
};

// Counts the flow of a permutation when its source is drawn.
template <u32 levels, class Warp>
struct MappedSink {
  const TagData& data;
  const TagCounting<levels, Warp>& counting;
  typename Warp::template PerLane<TagRecord<levels>> to{};

  BANYAN_KERNEL void fetch(u32 lane, u32 rank) { to[lane] = TagRecord<levels>::of(data, rank); }
  BANYAN_KERNEL void take(u32 lane, u32, u32 source_subtree) { counting.add_mapped(source_subtree, to[lane]); }
};

// Keeps the shuffled ranks.
struct StoringSink {
  u16* at;
  BANYAN_KERNEL void fetch(u32, u32) {}
  BANYAN_KERNEL void take(u32, u32 i, u32 value) { at[i] = static_cast<u16>(value); }
};

// The memory must hold layout.bytes, its counters 0; they are 0 again afterwards.
template <u32 levels, class Warp>
BANYAN_KERNEL TagLoads tag_sample(const Warp& warp, const TagData& data, const TagLayout& layout, u8* memory,
                                  u64 seed, u64 sample) {
  u16* const order = reinterpret_cast<u16*>(memory);
  const TagCounting<levels, Warp> counting(data, layout, memory);
  const u32 n = data.ranks;
  if (!data.is_bisection) {  // subtrees are shuffled: nothing else is asked of a source
    warp.each([&](u32 lane) {
      for (u32 i = lane; i < n; i += lanes)
        order[i] = static_cast<u16>(TagRecord<levels>::of(data, i).subtree());
    });
    MappedSink<levels, Warp> sink{data, counting};
    shuffle_by_warp(warp, order, n, seed, sample, sink);
    return counting.result(warp);
  }
  warp.each([&](u32 lane) {
    for (u32 i = lane; i < n; i += lanes) order[i] = static_cast<u16>(i);
  });
  StoringSink sink{order};
  shuffle_by_warp(warp, order, n, seed, sample, sink);
  warp.each([&](u32 lane) {
    for (u32 i = lane; i < n / 2; i += lanes)
      counting.add_pair(TagRecord<levels>::of(data, order[i]).subtree(),
                        TagRecord<levels>::of(data, order[i + n / 2]));
  });
  return counting.result(warp);
}

// Samples first, first + step, ... below `last`; `out` is by sample from 0.
template <u32 levels, class Warp>
BANYAN_KERNEL void tag_samples(const Warp& warp, const TagData& data, const TagLayout& layout, u8* memory,
                               u64 seed, u64 first_sample, u64 first, u64 last, u64 step, TagLoads* out) {
  TagCounting<levels, Warp>(data, layout, memory).clear(warp);
  for (u64 s = first; s < last; s += step) {
    const TagLoads found = tag_sample<levels>(warp, data, layout, memory, seed, first_sample + s);
    warp.each([&](u32 lane) {
      if (lane == 0) out[s] = found;
    });
  }
}

}  // namespace banyan::gpu
