// The shuffle of base/shuffle.hpp by a block of warps, with the same result. Its exchanges (i, j), i falling,
// are drawn without looking at the values: the helpers, all warps but the first, draw them, 32 exchanges to a
// line, and find out which exchanges of a line see each other. That happens if two have the same j, or if the
// j of one is the i of a later one. The first warp then exchanges a line in one step, while the helpers draw
// the next ones and do something with the values that are final.
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

// What helpers have drawn: four lines each.
template <u32 helpers>
struct ShufflePlan {
  static constexpr u32 lines = 4, at_once = 4;
  static constexpr u32 groups = lanes;                // of four exchanges, of a helper
  static constexpr u32 exchanges = groups * at_once;  // of a helper

  u32 exchange[helpers][lines][lanes];
};

constexpr u32 seen_bits = 4096;

// The memory of a shuffle. Lines of one plan are carried out while the other is made.
template <u32 helpers>
struct ShuffleMemory {
  static constexpr u32 none = ~u32{0};

  ShufflePlan<helpers> plan[2];
  u32 seen[helpers][seen_bits / 32];  // for equal_values(); 0 between two calls
  u32 refused[3];  // by turn: the first group whose number was refused, counted from the first helper's
};

constexpr u32 shuffle_bytes(u32 helpers) {
  constexpr u32 one = sizeof(ShuffleMemory<1>), two = sizeof(ShuffleMemory<2>);
  return one + (helpers - 1) * (two - one);
}
static_assert(shuffle_bytes(7) == sizeof(ShuffleMemory<7>));

// Exchanges that were drawn: `groups` groups of four, the first of them at position n - 1.
struct DrawnExchanges {
  u32 n = 0, groups = 0;
  BANYAN_KERNEL u32 exchanges() const { return 4 * groups; }
  BANYAN_KERNEL u32 first_position() const { return n - exchanges(); }
};

// 32 exchanges (i, j) of these, from exchange `first` on, in three steps. The next line may be read after the
// second one: the third writes positions that are final.
template <class Warp>
class ExchangeLine {
 public:
  BANYAN_KERNEL void read(const Warp& warp, const u16* at, const DrawnExchanges& drawn, u32 first,
                          const typename Warp::template PerLane<u32>& planned) {
    warp.each([&](u32 lane) {
      plan_[lane] = {planned[lane]};
      is_active_[lane] = first + lane < drawn.exchanges();
      i_[lane] = drawn.n - 1 - first - lane;
      j_[lane] = plan_[lane].j();
      value_[lane] = is_active_[lane] ? at[i_[lane]] : 0;  // before exchange i
      drawn_[lane] = is_active_[lane] ? at[j_[lane]] : 0;
    });
  }

  BANYAN_KERNEL void move(const Warp& warp, u16* at) {
    typename Warp::template PerLane<bool> clashes;
    warp.compute(
        [&](u32 lane) { clashes[lane] = is_active_[lane] && plan_[lane].is(PlannedExchange::clashes); });
    for (u32 rest = warp.ballot(clashes); rest != 0; rest &= rest - 1) {
      const u32 first = Warp::first_bit(rest);
      const u32 moved = warp.from(value_, first), i = warp.from(j_, first);
      warp.compute([&](u32 lane) {
        if (i_[lane] == i) value_[lane] = moved;
      });
    }
    warp.each([&](u32 lane) {
      if (is_active_[lane] && plan_[lane].is(PlannedExchange::moves))
        at[j_[lane]] = static_cast<u16>(value_[lane]);
    });
  }

  BANYAN_KERNEL void finish(const Warp& warp, u16* at) const {
    typename Warp::template PerLane<u32> from;
    warp.compute([&](u32 lane) { from[lane] = plan_[lane].from(); });
    const auto before = warp.shuffled(value_, from);
    warp.compute([&](u32 lane) {
      const PlannedExchange plan = plan_[lane];
      const u32 other = plan.is(PlannedExchange::takes_before) ? before[lane] : drawn_[lane];
      if (is_active_[lane])
        at[i_[lane]] = static_cast<u16>(plan.is(PlannedExchange::is_same) ? value_[lane] : other);
    });
  }

 private:
  typename Warp::template PerLane<PlannedExchange> plan_;
  typename Warp::template PerLane<u32> i_, j_, value_, drawn_;
  typename Warp::template PerLane<bool> is_active_;
};

// By lane: the lanes that have the same value, as a mask. Every lane marks a bit that its value gives;
// whoever finds it marked may have a double. That is faster than the device's own instruction.
template <class Warp>
BANYAN_KERNEL auto equal_values(const Warp& warp, const typename Warp::template PerLane<u32>& value,
                                u32* seen) {
  typename Warp::template PerLane<u32> out;
  typename Warp::template PerLane<bool> is_hidden, is_equal;
  const auto word = [&](u32 lane) -> u32& { return seen[value[lane] % seen_bits / 32]; };
  warp.each([&](u32 lane) {
    const u32 bit = u32{1} << value[lane] % 32;
    is_hidden[lane] = (Warp::mark(word(lane), bit) & bit) != 0;
    out[lane] = u32{1} << lane;
  });
  warp.each([&](u32 lane) { Warp::unmark(word(lane), u32{1} << value[lane] % 32); });
  for (u32 rest = warp.ballot(is_hidden); rest != 0; rest &= rest - 1) {
    const u32 hidden = warp.from(value, Warp::first_bit(rest));
    warp.compute([&](u32 lane) { is_equal[lane] = value[lane] == hidden; });
    const u32 equal = warp.ballot(is_equal);
    warp.compute([&](u32 lane) {
      if (is_equal[lane]) out[lane] = equal;
    });
  }
  return out;
}

// What a line of these exchanges is, in the form in which it is carried out.
template <class Warp>
BANYAN_KERNEL void plan_line(const Warp& warp, u32 hi, u32 count,
                             const typename Warp::template PerLane<u32>& j, u32* seen, u32* out) {
  typename Warp::template PerLane<u32> key;
  warp.compute([&](u32 lane) { key[lane] = lane < count ? j[lane] : ~lane; });
  const auto same = equal_values(warp, key, seen);
  warp.compute([&](u32 lane) {
    const u32 i = hi - lane, earlier = same[lane] & ((u32{1} << lane) - 1);
    const bool is_below = j[lane] + count <= hi, is_same = j[lane] == i, is_last = same[lane] >> lane == 1;
    const u32 from = earlier != 0 ? Warp::last_bit(earlier) : lane;
    out[lane] = j[lane] | from << 16 | (earlier != 0 ? PlannedExchange::takes_before : 0) |
                (is_below && is_last ? PlannedExchange::moves : 0) |
                (is_same ? PlannedExchange::is_same : 0) |
                (!is_below && !is_same ? PlannedExchange::clashes : 0);
  });
}

// A shuffle between two steps: positions below n are still to be exchanged, with the numbers after `state`.
struct ShuffleStep {
  u32 n;
  u64 state, max_product;
  u32 turn = 0, third = 0;  // the plan that is made, and where its refusals are noted
};

// A helper draws up to 32 groups, after those of the helpers before it. A number that must be replaced is
// noted.
template <class Warp, u32 helpers>
BANYAN_KERNEL void draw_exchanges(const Warp& warp, const ShuffleStep& step, u32 helper,
                                  ShuffleMemory<helpers>& memory) {
  using Plan = ShufflePlan<helpers>;
  constexpr u32 at_once = Plan::at_once, groups_of_line = lanes / at_once;
  const u32 before = helper * Plan::groups;
  if (step.n <= at_once * (before + 1)) return;
  const u32 n = step.n - at_once * before;
  const u64 state = step.state + before * SplitMix::step;
  typename Warp::template PerLane<u32> low, high, from, j;
  typename Warp::template PerLane<bool> rejected;
  const u32 left = (n - 1) / at_once;  // groups before n <= 4
  warp.compute([&](u32 lane) {
    std::array<u32, at_once> place{};
    rejected[lane] =
        lane < left && !places_from<at_once>(SplitMix::mixed(state + (lane + 1) * SplitMix::step),
                                             n - at_once * lane, step.max_product, place);
    low[lane] = place[0] | place[1] << 16;
    high[lane] = place[2] | place[3] << 16;
  });
  const u32 rejections = warp.ballot(rejected);
  u32 accepted = left < lanes ? left : lanes;
  if (rejections != 0) {
    accepted = Warp::first_bit(rejections);
    warp.compute([&](u32 lane) {
      if (lane == 0) Warp::lower(memory.refused[step.third], before + accepted);
    });
  }
  BANYAN_UNROLL
  for (u32 line = 0; line < Plan::lines; ++line) {
    const u32 first = line * groups_of_line;
    if (first >= accepted) break;
    warp.compute([&](u32 lane) { from[lane] = first + lane / at_once; });
    const auto first_two = warp.shuffled(low, from), last_two = warp.shuffled(high, from);
    warp.compute([&](u32 lane) {
      j[lane] = (lane % 4 < 2 ? first_two[lane] : last_two[lane]) >> (lane % 2 * 16) & 0xFFFF;
    });
    const u32 groups = accepted - first < groups_of_line ? accepted - first : groups_of_line;
    plan_line(warp, n - 1 - at_once * first, at_once * groups, j, memory.seen[helper],
              memory.plan[step.turn].exchange[helper][line]);
  }
}

template <class Warp, u32 helpers>
BANYAN_KERNEL void carry_out(const Warp& warp, u16* at, const DrawnExchanges& drawn,
                             const ShufflePlan<helpers>& plan) {
  const u32 all = drawn.exchanges();
  const u32* planned = plan.exchange[0][0];
  typename Warp::template PerLane<u32> now, next;
  ExchangeLine<Warp> line, before;
  warp.compute([&](u32 lane) { next[lane] = planned[lane]; });
  for (u32 first = 0; first < all; first += lanes) {
    warp.compute([&](u32 lane) {
      now[lane] = next[lane];
      if (first + lanes < all) next[lane] = planned[first + lanes + lane];
    });
    line.read(warp, at, drawn, first, now);
    if (first > 0) before.finish(warp, at);
    line.move(warp, at);
    before = line;
  }
  if (all > 0) before.finish(warp, at);
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

// The memory before the first shuffle; a shuffle leaves it ready for the next.
template <class Block>
BANYAN_KERNEL void prepare_shuffle(const Block& block, ShuffleMemory<Block::warps - 1>& memory) {
  block.each_warp([&](const typename Block::Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane < 3) memory.refused[lane] = memory.none;
      for (u32 i = lane; number > 0 && i < seen_bits / 32; i += lanes) memory.seen[number - 1][i] = 0;
    });
  });
}

// Shuffles at[0 .. n-1], n <= max_shuffled, with SplitMix(state). Calls take(warp, helper, first, last) for
// ranges of positions whose values are final, in all helpers alike: together they take every position once.
template <class Block, class Take>
BANYAN_KERNEL void shuffle_by_block(const Block& block, u16* at, u32 n, u64 state,
                                    ShuffleMemory<Block::warps - 1>& memory, Take&& take) {
  constexpr u32 helpers = Block::warps - 1;
  using Warp = typename Block::Warp;
  using Plan = ShufflePlan<helpers>;
  ShuffleStep step{n, state, u64{n} * n * n * n};
  DrawnExchanges drawn{n, 0}, done{n, 0};  // not yet carried out; carried out, but not taken
  while (step.n > Plan::at_once || drawn.groups > 0) {
    const u32 next_third = step.third == 2 ? 0 : step.third + 1;
    block.each_warp([&](const Warp& warp, u32 number) {
      if (number == 0) {
        warp.compute([&](u32 lane) {
          if (lane == 0) memory.refused[next_third] = memory.none;
        });
        return carry_out(warp, at, drawn, memory.plan[1 - step.turn]);
      }
      take(warp, number - 1, done.first_position(), done.n);
      draw_exchanges(warp, step, number - 1, memory);
    });
    const u32 left = step.n > 0 ? (step.n - 1) / Plan::at_once : 0, refused = memory.refused[step.third];
    const u32 groups = left < helpers * Plan::groups ? left : helpers * Plan::groups;
    done = drawn;
    drawn = {step.n, refused < groups ? refused : groups};
    step.state += (drawn.groups + (refused < groups)) * SplitMix::step;
    step.n -= drawn.exchanges();
    step.turn = 1 - step.turn;
    step.third = next_third;
  }
  block.each_warp([&](const Warp& warp, u32 number) {
    if (number == 0) return exchange_last(warp, at, step.n, step.state);
    take(warp, number - 1, done.first_position(), done.n);
  });
  block.each_warp([&](const Warp& warp, u32 number) {
    warp.compute([&](u32 lane) {
      if (number == 0 && lane < 3) memory.refused[lane] = memory.none;
    });
    if (number > 0) take(warp, number - 1, 0, step.n);
  });
}

}  // namespace banyan::gpu
