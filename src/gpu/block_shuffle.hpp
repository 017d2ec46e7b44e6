// The shuffle of base/shuffle.hpp by a block of warps, with the same result. Its exchanges (i, j), i falling, are
// drawn without looking at the values: the helpers, all warps but the first, draw them, 32 exchanges to a line, and
// find out which exchanges of a line see each other. That happens if two have the same j, or if the j of one is the i
// of a later one. The first warp then exchanges a line in one step, while the helpers draw the next ones and do
// something with the values that are final.
#pragma once
#include "base/philox.hpp"
#include "base/shuffle.hpp"
#include "gpu/kernel.hpp"

namespace banyan::gpu {

constexpr u32 max_shuffled = 65'535;

// An exchange as drawn, in 32 bits.
struct PlannedExchange {
  u32 word;

  static constexpr u32 takes_before = 1 << 21;  // of the lane `from`, which has the same j, what it moves
  static constexpr u32 moves = 1 << 22;         // writes position j: below the line, and no later lane does
  static constexpr u32 is_same = 1 << 23;       // j = i
  static constexpr u32 clashes = 1 << 24;       // j is the i of a later lane of the line

  BANYAN_KERNEL u32 j() const { return word & 0xFFFF; }
  BANYAN_KERNEL u32 from() const { return word >> 16 & 31; }
  BANYAN_KERNEL bool is(u32 flag) const { return (word & flag) != 0; }
};

// What helpers have drawn: four lines each, and how many of their groups of four exchanges are valid.
template <u32 helpers>
struct ShufflePlan {
  static constexpr u32 lines = 4, at_once = 4;
  static constexpr u32 groups = lanes;              // of a helper
  static constexpr u32 exchanges = groups * at_once;  // of a helper

  u32 exchange[helpers][lines][lanes];
  u32 accepted[helpers];  // groups; fewer where a number was refused
};

// Exchanges that were drawn: `groups` groups of four, the first of them at position n - 1.
struct DrawnExchanges {
  u32 n = 0, groups = 0;
};

// A line: exchanges at[hi - lane] with at[j], lane after lane, for lanes below `count`.
template <class Warp>
BANYAN_KERNEL void exchange_line(const Warp& warp, u16* at, u32 hi, u32 count,
                                 const typename Warp::template PerLane<PlannedExchange>& planned) {
  typename Warp::template PerLane<u32> value, j, drawn, from;
  typename Warp::template PerLane<bool> clashes;
  warp.each([&](u32 lane) {
    const bool is_active = lane < count;
    j[lane] = planned[lane].j();
    value[lane] = is_active ? at[hi - lane] : 0;  // at position i before exchange i
    drawn[lane] = is_active ? at[j[lane]] : 0;
    from[lane] = planned[lane].from();
    clashes[lane] = is_active && planned[lane].is(PlannedExchange::clashes);
  });
  for (u32 rest = warp.ballot(clashes); rest != 0; rest &= rest - 1) {
    const u32 first = Warp::first_bit(rest);
    const u32 moved = warp.from(value, first), later = hi - warp.from(j, first);
    warp.each([&](u32 lane) {
      if (lane == later) value[lane] = moved;
    });
  }
  const auto before = warp.shuffled(value, from);
  warp.each([&](u32 lane) {
    if (lane >= count) return;
    const PlannedExchange plan = planned[lane];
    if (plan.is(PlannedExchange::moves)) at[j[lane]] = static_cast<u16>(value[lane]);
    at[hi - lane] = static_cast<u16>(plan.is(PlannedExchange::is_same)        ? value[lane]
                                     : plan.is(PlannedExchange::takes_before) ? before[lane]
                                                                              : drawn[lane]);
  });
}

// What a line of these exchanges is, in the form in which it is carried out.
template <class Warp>
BANYAN_KERNEL void plan_line(const Warp& warp, u32 hi, u32 count, const typename Warp::template PerLane<u32>& j,
                             u32* out) {
  typename Warp::template PerLane<u32> key;
  warp.each([&](u32 lane) { key[lane] = lane < count ? j[lane] : ~lane; });
  const auto same = warp.equal(key);
  warp.each([&](u32 lane) {
    const u32 i = hi - lane, earlier = same[lane] & ((u32{1} << lane) - 1);
    const bool is_below = j[lane] + count <= hi, is_same = j[lane] == i, is_last = same[lane] >> lane == 1;
    const u32 from = earlier != 0 ? Warp::last_bit(earlier) : lane;
    out[lane] = j[lane] | from << 16 | (earlier != 0 ? PlannedExchange::takes_before : 0) |
                (is_below && is_last ? PlannedExchange::moves : 0) | (is_same ? PlannedExchange::is_same : 0) |
                (!is_below && !is_same ? PlannedExchange::clashes : 0);
  });
}

// A helper draws up to 32 groups, of which the first is at position n - 1 and takes the number after `state`.
template <class Warp, u32 helpers>
BANYAN_KERNEL void draw_exchanges(const Warp& warp, u32 n, u64 state, u64 max_product, u32 helper,
                                  ShufflePlan<helpers>& plan) {
  using Plan = ShufflePlan<helpers>;
  constexpr u32 at_once = Plan::at_once, groups_of_line = lanes / at_once;
  typename Warp::template PerLane<u32> low, high, from, j;
  typename Warp::template PerLane<bool> rejected;
  const u32 left = n > at_once ? (n - 1) / at_once : 0;  // groups before n <= 4
  warp.each([&](u32 lane) {
    std::array<u32, at_once> place{};
    rejected[lane] = lane < left && !places_from<at_once>(SplitMix::mixed(state + (lane + 1) * SplitMix::step),
                                                          n - at_once * lane, max_product, place);
    low[lane] = place[0] | place[1] << 16;
    high[lane] = place[2] | place[3] << 16;
  });
  const u32 refused = warp.ballot(rejected);
  const u32 accepted = refused != 0 ? Warp::first_bit(refused) : left < lanes ? left : lanes;
  BANYAN_UNROLL
  for (u32 line = 0; line < Plan::lines; ++line) {
    const u32 first = line * groups_of_line;
    if (first >= accepted) break;
    warp.each([&](u32 lane) { from[lane] = first + lane / at_once; });
    const auto first_two = warp.shuffled(low, from), last_two = warp.shuffled(high, from);
    warp.each([&](u32 lane) {
      j[lane] = (lane % 4 < 2 ? first_two[lane] : last_two[lane]) >> (lane % 2 * 16) & 0xFFFF;
    });
    const u32 groups = accepted - first < groups_of_line ? accepted - first : groups_of_line;
    plan_line(warp, n - 1 - at_once * first, at_once * groups, j, plan.exchange[helper][line]);
  }
  warp.each([&](u32 lane) {
    if (lane == 0) plan.accepted[helper] = accepted;
  });
}

template <class Warp, u32 helpers>
BANYAN_KERNEL void carry_out(const Warp& warp, u16* at, const DrawnExchanges& drawn,
                             const ShufflePlan<helpers>& plan) {
  using Plan = ShufflePlan<helpers>;
  const u32 all = drawn.groups * Plan::at_once;
  typename Warp::template PerLane<PlannedExchange> planned[Plan::lines];
  for (u32 helper = 0; helper * Plan::exchanges < all; ++helper) {
    warp.each([&](u32 lane) {
      BANYAN_UNROLL
      for (u32 line = 0; line < Plan::lines; ++line) planned[line][lane] = {plan.exchange[helper][line][lane]};
    });
    BANYAN_UNROLL
    for (u32 line = 0; line < Plan::lines; ++line) {
      const u32 done = helper * Plan::exchanges + line * lanes;
      if (done >= all) break;
      exchange_line(warp, at, drawn.n - 1 - done, all - done < lanes ? all - done : lanes, planned[line]);
    }
  }
}

// The last few exchanges one by one, n <= 4.
template <class Warp>
BANYAN_KERNEL void exchange_last(const Warp& warp, u16* at, u32 n, u64 state) {
  warp.each([&](u32 lane) {
    if (lane != 0) return;
    SplitMix random(state);
    for (; n > 1; --n) {
      std::array<u32, 1> place{};
      while (!places_from<1>(random(), n, n, place)) {
      }
      const u16 value = at[place[0]];
      at[place[0]] = at[n - 1];
      at[n - 1] = value;
    }
  });
}

// The exchanges that are valid after all helpers have drawn, and the state after their numbers.
template <u32 helpers>
BANYAN_KERNEL DrawnExchanges accepted_of(const ShufflePlan<helpers>& plan, u32 n, u64& state) {
  using Plan = ShufflePlan<helpers>;
  u32 groups = 0, left = (n - 1) / Plan::at_once;
  bool is_refused = false;
  for (u32 helper = 0; helper < helpers && !is_refused && left > 0; ++helper) {
    const u32 drawn = left < Plan::groups ? left : Plan::groups;
    groups += plan.accepted[helper];
    is_refused = plan.accepted[helper] < drawn;
    left -= drawn;
  }
  state += (groups + is_refused) * SplitMix::step;
  return {n, groups};
}

// Shuffles at[0 .. n-1], n <= max_shuffled. Calls take(warp, helper, first, last) for ranges of positions whose
// values are final, in all helpers alike: together they take every position once.
template <class Block, class Take>
BANYAN_KERNEL void shuffle_by_block(const Block& block, u16* at, u32 n, u64 seed, u64 stream,
                                    ShufflePlan<Block::warps - 1>* plans, Take&& take) {
  using Plan = ShufflePlan<Block::warps - 1>;
  const u64 square = u64{n} * n, max_product = square * square;
  u64 state = philox_number(seed, stream, 0);
  DrawnExchanges drawn{n, 0}, done{n, 0};  // not yet carried out; carried out, but not taken
  u32 turn = 0;
  while (n > Plan::at_once || drawn.groups > 0) {
    block.each_warp([&](const auto& warp, u32 number) {
      if (number == 0) return carry_out(warp, at, drawn, plans[1 - turn]);
      take(warp, number - 1, done.n - Plan::at_once * done.groups, done.n);
      const u32 before = (number - 1) * Plan::groups;  // groups of the helpers before
      if (n > Plan::at_once * before)
        draw_exchanges(warp, n - Plan::at_once * before, state + before * SplitMix::step, max_product, number - 1,
                       plans[turn]);
    });
    done = drawn;
    drawn = n > Plan::at_once ? accepted_of(plans[turn], n, state) : DrawnExchanges{n, 0};
    n -= Plan::at_once * drawn.groups;
    turn = 1 - turn;
  }
  block.each_warp([&](const auto& warp, u32 number) {
    if (number == 0) return exchange_last(warp, at, n, state);
    take(warp, number - 1, done.n - Plan::at_once * done.groups, done.n);
  });
  block.each_warp([&](const auto& warp, u32 number) {
    if (number > 0) take(warp, number - 1, 0, n);
  });
}

}  // namespace banyan::gpu
