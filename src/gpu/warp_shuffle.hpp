// The shuffle of base/shuffle.hpp by a warp, with the same result. Draws do not depend on each other, so each
// lane draws for four exchanges. Of 32 exchanges (i, j), i falling, an exchange sees another one of them only if
// they have the same j, or if its i was a j before: the first is found by comparing lanes, the second is rare.
#pragma once
#include "base/philox.hpp"
#include "base/shuffle.hpp"
#include "gpu/kernel.hpp"

namespace banyan::gpu {

constexpr u32 max_shuffled = 65'535;

// Exchanges at[hi - lane] with at[j[lane]], lane after lane, for lanes below `count`. `sink.fetch(lane, i)` is
// called early, `sink.take(lane, i, value)` with the final value of position i = hi - lane; the memory at
// positions i is not written.
template <class Warp, class Sink>
BANYAN_KERNEL void exchange_some(const Warp& warp, u16* at, u32 hi, u32 count,
                                 const typename Warp::template PerLane<u32>& j, Sink& sink) {
  typename Warp::template PerLane<u32> value, drawn, key, from;
  typename Warp::template PerLane<bool> clashes;
  warp.each([&](u32 lane) {
    const bool is_active = lane < count;
    const u32 i = hi - lane;
    value[lane] = is_active ? at[i] : 0;  // at position i before exchange i
    drawn[lane] = is_active ? at[j[lane]] : 0;
    key[lane] = is_active ? j[lane] : ~lane;
    clashes[lane] = is_active && j[lane] + count > hi && j[lane] != i;
    if (is_active) sink.fetch(lane, i);
  });
  for (u32 rest = warp.ballot(clashes); rest != 0; rest &= rest - 1) {  // what j moves is the i of a later lane
    const u32 first = Warp::first_bit(rest);
    const u32 moved = warp.from(value, first), later = hi - warp.from(key, first);
    warp.each([&](u32 lane) {
      if (lane == later) value[lane] = moved;
    });
  }
  const auto same = warp.equal(key);
  warp.each([&](u32 lane) {
    const u32 earlier = same[lane] & ((u32{1} << lane) - 1);
    from[lane] = earlier != 0 ? Warp::last_bit(earlier) : lane;
  });
  const auto before = warp.shuffled(value, from);
  warp.each([&](u32 lane) {
    if (lane >= count) return;
    const u32 i = hi - lane;
    const u32 taken = j[lane] == i ? value[lane] : from[lane] != lane ? before[lane] : drawn[lane];
    const bool is_last = same[lane] >> lane == 1;
    if (is_last && j[lane] + count <= hi) at[j[lane]] = static_cast<u16>(value[lane]);
    sink.take(lane, i, taken);
  });
}

// The last few exchanges one by one, n <= 4, and position 0.
template <class Warp, class Sink>
BANYAN_KERNEL void shuffle_last(const Warp& warp, u16* at, u32 n, u64 state, Sink& sink) {
  warp.each([&](u32 lane) {
    if (lane != 0 || n == 0) return;
    SplitMix random(state);
    for (; n > 1; --n) {
      std::array<u32, 1> place{};
      while (!places_from<1>(random(), n, n, place)) {
      }
      const u16 value = at[place[0]];
      at[place[0]] = at[n - 1];
      sink.fetch(lane, n - 1);
      sink.take(lane, n - 1, value);
    }
    sink.fetch(lane, 0);
    sink.take(lane, 0, at[0]);
  });
}

// Shuffles at[0 .. n-1], n <= max_shuffled, and gives every position with its final value to the sink. What
// remains in memory has no meaning, unless the sink writes it there.
template <class Warp, class Sink>
BANYAN_KERNEL void shuffle_by_warp(const Warp& warp, u16* at, u32 n, u64 seed, u64 stream, Sink& sink) {
  constexpr u32 at_once = 4, groups_of_lanes = lanes / at_once;
  const u64 square = u64{n} * n, max_product = square * square;
  u64 state = philox_number(seed, stream, 0);
  typename Warp::template PerLane<u32> low, high, from, j;
  typename Warp::template PerLane<bool> rejected;
  while (n > at_once) {
    const u32 left = (n - 1) / at_once;  // groups of four exchanges before n <= 4
    warp.each([&](u32 lane) {
      std::array<u32, at_once> place{};
      rejected[lane] = lane < left && !places_from<at_once>(SplitMix::mixed(state + (lane + 1) * SplitMix::step),
                                                   n - at_once * lane, max_product, place);
      low[lane] = place[0] | place[1] << 16;
      high[lane] = place[2] | place[3] << 16;
    });
    const u32 refused = warp.ballot(rejected);
    const u32 accepted = refused != 0 ? Warp::first_bit(refused) : left < lanes ? left : lanes;
    state += (accepted + (refused != 0)) * SplitMix::step;
    for (u32 group = 0; group < accepted; group += groups_of_lanes) {
      warp.each([&](u32 lane) { from[lane] = group + lane / at_once; });
      const auto first_two = warp.shuffled(low, from), last_two = warp.shuffled(high, from);
      warp.each([&](u32 lane) {
        j[lane] = (lane % 4 < 2 ? first_two[lane] : last_two[lane]) >> (lane % 2 * 16) & 0xFFFF;
      });
      const u32 groups = accepted - group < groups_of_lanes ? accepted - group : groups_of_lanes;
      exchange_some(warp, at, n - 1 - at_once * group, at_once * groups, j, sink);
    }
    n -= at_once * accepted;
  }
  shuffle_last(warp, at, n, state, sink);
}

}  // namespace banyan::gpu
