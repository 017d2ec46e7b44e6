// Loads of flows that are followed hop by hop, by a block with its own counters. See walk_data.hpp.
#pragma once
#include "gpu/walk_data.hpp"
#include "gpu/warp_sum.hpp"

namespace banyan::gpu {

// The next hop of a way, as a place in data.hop, or nobody: by tables.
class TableSteps {
 public:
  BANYAN_KERNEL TableSteps(const WalkData& data, u64, u32, u32 to, u32 way)
      : row_(data.port + (std::size_t{to} * data.ways + way) * data.nodes), ports_(data.ports) {}
  BANYAN_KERNEL u32 operator()(const WalkData&, u32 node) const {
    const u32 port = row_[node];
    return port < ports_ ? node * ports_ + port : WalkData::nobody;
  }

 private:
  const u8* row_;
  u32 ports_;
};

// By the hash of a queue pair.
class HashSteps {
 public:
  BANYAN_KERNEL HashSteps(const WalkData& data, u64 seed, u32 from, u32 to, u32 way)
      : to_(to), tag_(PathTag::of(data.hash.kind, seed, data.nic[from], data.nic[to], way)) {}
  BANYAN_KERNEL u32 operator()(const WalkData& data, u32 node) const {
    const u32 group = data.group[to_];
    if (group == WalkData::nobody) return WalkData::nobody;
    const u32 number = data.set[std::size_t{group} * data.nodes + node];
    if (number == WalkData::nobody) return WalkData::nobody;
    if (number == WalkData::own_exit) return data.exit[to_];
    const WalkSet set = data.sets[number];
    u32 chosen = data.hash.choice(tag_, data.nic[to_], node + data.first_node, set.total);
    if (set.first_sum != WalkData::nobody) chosen = weighted(data.sums + set.first_sum, set.count, chosen);
    return data.exits[set.first + chosen];
  }

 private:
  // The first whose sum is greater.
  static BANYAN_KERNEL u32 weighted(const u32* sums, u32 count, u32 drawn) {
    u32 first = 0;
    for (u32 last = count; first < last;) {
      const u32 middle = (first + last) / 2;
      if (sums[middle] > drawn)
        last = middle;
      else
        first = middle + 1;
    }
    return first;
  }

  u32 to_;
  u64 tag_;
};

template <class Steps, class Block>
class WalkCounting {
 public:
  using Warp = typename Block::Warp;

  BANYAN_KERNEL WalkCounting(const WalkData& data, const WalkLayout& layout, u8* memory, u32* loads)
      : data_(data), layout_(layout), memory_(memory), loads_(loads) {}

  BANYAN_KERNEL WalkShared& shared() const {
    return *reinterpret_cast<WalkShared*>(memory_ + layout_.shared);
  }
  BANYAN_KERNEL WalkPart* parts() const { return reinterpret_cast<WalkPart*>(memory_ + layout_.parts); }
  BANYAN_KERNEL u16* order() const { return reinterpret_cast<u16*>(memory_ + layout_.order); }

  // Follows all ways of a flow. Those that do not arrive load nothing.
  BANYAN_KERNEL void add(u64 seed, u32 from, u32 to, u32 ways) const {
    if (from == to) return;
    bool arrives = true;
    for (u32 way = 0; way < ways; ++way) arrives &= follow(Steps(data_, seed, from, to, way), from, to);
    Warp::add(shared().sent, 1);
    if (!arrives) Warp::add(shared().lost, 1);
    if (data_.heights > 0) cross(from, to);
  }

  // A warp's part of the result. Its counters are 0 again afterwards.
  BANYAN_KERNEL void find_part(const Warp& warp, u32 number) const {
    const u32 max_load = heaviest(warp, number);
    typename Warp::template PerLane<double> bound;
    warp.compute([&](u32 lane) { bound[lane] = greatest_share(number * lanes + lane); });
    for (u32 step = lanes / 2; step > 0; step /= 2) {
      typename Warp::template PerLane<u32> from;
      warp.compute([&](u32 lane) { from[lane] = lane ^ step; });
      const auto other = warp.shuffled(bound, from);
      warp.compute([&](u32 lane) {
        if (other[lane] > bound[lane]) bound[lane] = other[lane];
      });
    }
    warp.compute([&](u32 lane) {
      if (lane == 0) parts()[number] = {bound[lane], max_load};
    });
  }

  BANYAN_KERNEL WalkLoads combined() const {
    WalkLoads out{0, 0, shared().lost, shared().sent};
    for (u32 warp = 0; warp < Block::warps; ++warp) {
      if (parts()[warp].max_load > out.max_load) out.max_load = parts()[warp].max_load;
      if (parts()[warp].bound > out.bound) out.bound = parts()[warp].bound;
    }
    return out;
  }

  // Adds the counters to a histogram, but for those that are 0.
  BANYAN_KERNEL void count_loads(const Warp& warp, u32 number, u64* histogram) const {
    constexpr u32 few = 16;  // loads that are added up in a lane first, 16 bits each
    typename Warp::template PerLane<u64> counted[few / 4];
    warp.compute([&](u32 lane) {
      for (u32 i = 0; i < few / 4; ++i) counted[i][lane] = 0;
      const auto take = [&](u32 load) {
        BANYAN_UNROLL
        for (u32 i = 0; i < few / 4; ++i)
          if (load / 4 == i) counted[i][lane] += u64{1} << (load % 4 * 16);
        if (load >= few) Warp::add(histogram[load], 1);
      };
      for (u32 i = number * lanes + lane; i < layout_.load_words; i += stride) {
        const u32 word = loads_[i];
        take(data_.is_narrow ? word & 0xFFFF : word);
        if (data_.is_narrow) take(word >> 16);
      }
    });
    BANYAN_UNROLL
    for (u32 load = 1; load < few; ++load) {
      typename Warp::template PerLane<u32> part;
      warp.compute([&](u32 lane) {
        part[lane] = static_cast<u32>(counted[load / 4][lane] >> (load % 4 * 16)) & 0xFFFF;
      });
      const u32 channels = sum_over_lanes<u32>(warp, part);
      warp.compute([&](u32 lane) {
        if (lane == 0 && channels > 0) Warp::add(histogram[load], channels);
      });
    }
  }

  // Before the first round.
  BANYAN_KERNEL void clear(const Warp& warp, u32 number) const {
    warp.compute([&](u32 lane) {
      const u32 thread = number * lanes + lane;
      for (u32 i = thread; i < layout_.load_words; i += stride) loads_[i] = 0;
      for (u32 i = thread; i < 2 * data_.subtrees; i += stride) cuts()[i] = 0;
    });
  }

 private:
  static constexpr u32 stride = lanes * Block::warps;

  BANYAN_KERNEL u32* cuts() const { return reinterpret_cast<u32*>(memory_ + layout_.cuts); }
  BANYAN_KERNEL void count(u32 counter, u32 amount) const {
    if (counter == WalkData::nobody) return;
    Warp::add(loads_[counter >> data_.is_narrow], amount << ((counter & data_.is_narrow) * 16));
  }

  // Whether it arrives. Hosts do not forward, and who meets more nodes than there are goes in circles.
  BANYAN_KERNEL bool follow(const Steps& steps, u32 from, u32 to) const {
    const u32 goal = data_.goal[to];
    u32 node = data_.entry[from], hops = 0;
    while (node != goal) {
      const u32 at = node >= data_.nodes || hops == data_.nodes ? WalkData::nobody : steps(data_, node);
      const WalkHop hop = at == WalkData::nobody ? WalkHop{} : data_.hop[at];
      if (hop.next == WalkData::nobody) {
        forget(steps, from, hops);
        return false;
      }
      count(hop.counter, 1);
      node = hop.next;
      ++hops;
    }
    count(data_.first_counter[from], 1);
    return true;
  }
  BANYAN_KERNEL void forget(const Steps& steps, u32 from, u32 hops) const {
    for (u32 node = data_.entry[from]; hops > 0; --hops) {
      const WalkHop hop = data_.hop[steps(data_, node)];
      count(hop.counter, ~u32{0});
      node = hop.next;
    }
  }

  BANYAN_KERNEL void cross(u32 from, u32 to) const {
    const u32 *const a = data_.subtree + std::size_t{from} * data_.heights, *const b = data_.subtree +
                                                                                       std::size_t{to} *
                                                                                           data_.heights;
    for (u32 l = 0; l < data_.heights && a[l] != b[l]; ++l) {
      Warp::add(cuts()[2 * a[l]], 1);
      Warp::add(cuts()[2 * b[l] + 1], 1);
    }
  }

  BANYAN_KERNEL u32 heaviest(const Warp& warp, u32 number) const {
    typename Warp::template PerLane<u32> out;
    warp.compute([&](u32 lane) {
      u32 maximum = 0;
      for (u32 i = number * lanes + lane; i < layout_.load_words; i += stride) {
        const u32 word = loads_[i], low = data_.is_narrow ? word & 0xFFFF : word;
        const u32 high = data_.is_narrow ? word >> 16 : 0;
        maximum = low > maximum ? low : maximum;
        maximum = high > maximum ? high : maximum;
        loads_[i] = 0;
      }
      out[lane] = maximum;
    });
    return warp.max(out);
  }

  BANYAN_KERNEL double greatest_share(u32 thread) const {
    double out = 0;
    for (u32 subtree = thread; subtree < data_.subtrees; subtree += stride) {
      const u32 left = cuts()[2 * subtree], entered = cuts()[2 * subtree + 1];
      cuts()[2 * subtree] = cuts()[2 * subtree + 1] = 0;
      const double moved = left > entered ? left : entered;
      if (data_.links[subtree] > 0 && moved / data_.links[subtree] > out) out = moved / data_.links[subtree];
    }
    return out;
  }

  const WalkData& data_;
  const WalkLayout& layout_;
  u8* memory_;
  u32* loads_;
};

template <class Steps, class Block>
BANYAN_KERNEL void finish_walks(const Block& block, const WalkCounting<Steps, Block>& counting,
                                WalkLoads& out) {
  using Warp = typename Block::Warp;
  block.each_warp([&](const Warp& warp, u32 number) { counting.find_part(warp, number); });
  block.each_warp([&](const Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane == 0) out = counting.combined();
    });
  });
}

// One sample of flows that are drawn.
template <class Steps, class Block>
BANYAN_KERNEL void walk_drawn(const Block& block, const WalkData& data,
                              const WalkCounting<Steps, Block>& counting,
                              ShuffleMemory<Block::warps - 1>& shuffled, const WalkDraws& draws, u64 sample,
                              WalkLoads& out) {
  using Warp = typename Block::Warp;
  u16* const order = counting.order();
  block.each_warp([&](const Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane == 0)
        counting.shared() = {philox_number(draws.seed, draws.first + sample, 0), 0, 0};
      for (u32 i = number * lanes + lane; i < data.ends; i += lanes * Block::warps)
        order[i] = static_cast<u16>(i);
    });
  });
  const auto permuted = [&](const Warp& warp, u32 helper, u32 first, u32 last) {
    if (draws.is_bisection) return;
    warp.compute([&](u32 lane) {
      for (u32 rank = first + helper * lanes + lane; rank < last; rank += lanes * (Block::warps - 1))
        counting.add(draws.hash_seed, order[rank], rank, data.ways);
    });
  };
  shuffle_by_block(block, order, data.ends, counting.shared().state, shuffled, permuted);
  if (draws.is_bisection)
    block.each_warp([&](const Warp& warp, u32 number) {
      const u32 half = data.ends / 2;
      warp.compute([&](u32 lane) {
        for (u32 i = number * lanes + lane; i < half; i += lanes * Block::warps)
          counting.add(draws.hash_seed, order[i], order[i + half], data.ways);
      });
    });
  if (draws.histogram)
    block.each_warp(
        [&](const Warp& warp, u32 number) { counting.count_loads(warp, number, draws.histogram); });
  finish_walks(block, counting, out);
}

// Samples first, first + step, ...; `out` is by sample from 0. `far_loads`: memory for counters that are not
// in the block's own.
template <class Steps, class Block>
BANYAN_KERNEL void walk_draws(const Block& block, const WalkData& data, const WalkLayout& layout, u8* memory,
                              u32* far_loads, const WalkDraws& draws, u64 first, u64 step, WalkLoads* out) {
  u32* const loads = layout.are_loads_far ? far_loads : reinterpret_cast<u32*>(memory + layout.loads);
  const WalkCounting<Steps, Block> counting(data, layout, memory, loads);
  auto& shuffled = *reinterpret_cast<ShuffleMemory<Block::warps - 1>*>(memory + WalkLayout::shuffle);
  prepare_shuffle(block, shuffled);
  block.each_warp([&](const auto& warp, u32 number) { counting.clear(warp, number); });
  for (u64 s = first; s < draws.count; s += step)
    walk_drawn<Steps>(block, data, counting, shuffled, draws, s, out[s]);
}

// Rounds under hashes, numbers first, first + step, ... of hash * rounds + round.
template <class Steps, class Block>
BANYAN_KERNEL void walk_rounds(const Block& block, const WalkData& data, const WalkLayout& layout, u8* memory,
                               u32* far_loads, const WalkRounds& rounds, u64 first, u64 step,
                               WalkLoads* out) {
  using Warp = typename Block::Warp;
  u32* const loads = layout.are_loads_far ? far_loads : reinterpret_cast<u32*>(memory + layout.loads);
  const WalkCounting<Steps, Block> counting(data, layout, memory, loads);
  block.each_warp([&](const Warp& warp, u32 number) { counting.clear(warp, number); });
  for (u64 i = first; i < rounds.hashes * rounds.rounds; i += step) {
    const u32 round = static_cast<u32>(i % rounds.rounds);
    const u64 seed = rounds.seed[i / rounds.rounds];
    block.each_warp([&](const Warp& warp, u32 number) {
      warp.compute([&](u32 lane) {
        if (number == 0 && lane == 0) counting.shared() = {0, 0, 0};
      });
    });
    block.each_warp([&](const Warp& warp, u32 number) {
      warp.compute([&](u32 lane) {
        for (u64 f = rounds.first_flow[round] + number * lanes + lane; f < rounds.first_flow[round + 1];
             f += lanes * Block::warps)
          counting.add(seed, rounds.flow[f].from, rounds.flow[f].to, rounds.queue_pairs);
      });
    });
    finish_walks(block, counting, out[i]);
  }
}

}  // namespace banyan::gpu
