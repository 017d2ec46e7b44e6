// The repair of a cabling: carried out move by move it gives the plan, and no shorter one exists.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "base/random.hpp"
#include "fabric/cabling_diff.hpp"

namespace banyan::tests {
namespace {

using Pair = std::pair<u32, u32>;
using Cables = std::multiset<Pair>;

Pair sorted(u32 a, u32 b) { return {std::min(a, b), std::max(a, b)}; }

// Switch v has `per_switch` ports; port i of all is port i % per_switch + 1 of switch i / per_switch.
constexpr u32 per_switch = 2;

Fabric fabric_of(u32 ports, const Cables& cables) {
  FabricBuilder builder(0);
  for (u32 v = 0; v < ports / per_switch; ++v)
    builder.name_switch(builder.add_switch(per_switch), "s" + std::to_string(v));
  const u32 nics = 0;
  for (const auto& [a, b] : cables)
    builder.connect(Node{nics + a / per_switch}, Port{a % per_switch}, Node{nics + b / per_switch},
                    Port{b % per_switch}, builder.add_class({}));
  return std::move(builder).build();
}

Cables random_cables(u32 ports, Random& random) {
  std::vector<u32> order(ports);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(std::span(order));
  Cables out;
  const u64 count = random.below(ports / 2 + 1);
  for (u64 i = 0; i < count; ++i) out.insert(sorted(order[2 * i], order[2 * i + 1]));
  return out;
}

u32 number_of(const PortName& p) {
  return static_cast<u32>(std::stoul(p.node.substr(1))) * per_switch + static_cast<u32>(p.port.number) - 1;
}

// Carries the moves out; plugs held in hand are plugged in last. Checks that each port is free when a plug
// arrives.
Cables carry_out(Cables cables, const std::vector<Move>& moves) {
  std::vector<Pair> in_hand;  // fixed end, goal
  const auto occupied = [&](u32 port) {
    for (const auto& [a, b] : cables)
      if (a == port || b == port) return true;
    for (const auto& [fixed, goal] : in_hand)
      if (fixed == port) return true;
    return false;
  };
  const auto plug = [&](u32 fixed, u32 to) {
    RC_ASSERT(!occupied(to));
    cables.insert(sorted(fixed, to));
  };
  const auto plug_what_fits = [&] {
    for (auto it = in_hand.begin(); it != in_hand.end();) {
      const Pair held = *it;
      if (occupied(held.second))
        ++it;
      else
        it = in_hand.erase(it), plug(held.first, held.second);
    }
  };
  for (const Move& move : moves) {
    const u32 fixed = number_of(move.fixed), to = number_of(move.to);
    if (move.kind == Move::Kind::lay) {
      RC_ASSERT(!occupied(fixed));
      plug(fixed, to);
    } else {
      const u32 old = move.kind == Move::Kind::replug ? number_of(move.from) : to;
      const auto found = cables.find(sorted(fixed, old));
      RC_ASSERT(found != cables.end());
      cables.erase(found);
      if (move.in_hand)
        in_hand.push_back({fixed, to});
      else if (move.kind == Move::Kind::replug)
        plug(fixed, to);
    }
    plug_what_fits();
  }
  RC_ASSERT(in_hand.empty());
  return cables;
}

// The fewest moves by breadth-first search over all cablings, not even caring whether ports are free
// meanwhile.
std::size_t fewest_moves(u32 ports, const Cables& from, const Cables& to) {
  std::map<Cables, std::size_t> distance = {{from, 0}};
  std::queue<Cables> queue({from});
  while (!queue.empty()) {
    const Cables at = queue.front();
    queue.pop();
    if (at == to) return distance[at];
    const auto reach = [&](Cables next) {
      if (distance.emplace(next, distance[at] + 1).second) queue.push(std::move(next));
    };
    for (const Pair& cable : std::set<Pair>(at.begin(), at.end())) {
      Cables less = at;
      less.erase(less.find(cable));
      reach(less);
      for (u32 p = 0; p < ports; ++p)
        for (u32 kept : {cable.first, cable.second})
          if (p != kept) {
            Cables moved = less;
            moved.insert(sorted(kept, p));
            reach(std::move(moved));
          }
    }
    if (at.size() < ports / 2)
      for (u32 a = 0; a < ports; ++a)
        for (u32 b = a + 1; b < ports; ++b) {
          Cables more = at;
          more.insert({a, b});
          reach(std::move(more));
        }
  }
  return ~std::size_t{0};
}

RC_GTEST_PROP(CablingDiff, MovesTurnTheObservedIntoThePlan, (u64 seed)) {
  Random random(seed);
  const u32 ports = 2 + 2 * static_cast<u32>(random.below(15));
  const Cables plan = random_cables(ports, random), observed = random_cables(ports, random);
  const CablingDiff diff = diff_cabling(fabric_of(ports, plan), fabric_of(ports, observed));
  RC_ASSERT(carry_out(observed, diff.moves) == plan);
  RC_ASSERT(diff.is_empty() == (plan == observed));
  RC_ASSERT(diff.same + diff.missing.size() + 2 * diff.swapped.size() == plan.size());
  RC_ASSERT(diff.same + diff.extra.size() + 2 * diff.swapped.size() == observed.size());
}

RC_GTEST_PROP(CablingDiff, NoRepairIsShorter, (u64 seed)) {
  Random random(seed);
  const u32 ports = 6;
  const Cables plan = random_cables(ports, random), observed = random_cables(ports, random);
  const CablingDiff diff = diff_cabling(fabric_of(ports, plan), fabric_of(ports, observed));
  RC_ASSERT(diff.moves.size() == fewest_moves(ports, observed, plan));
}

TEST(CablingDiff, SwappedCablesAreNamedAsSuch) {
  const CablingDiff diff = diff_cabling(fabric_of(8, {{0, 2}, {4, 6}}), fabric_of(8, {{0, 6}, {2, 4}}));
  ASSERT_EQ(diff.swapped.size(), 1u);
  EXPECT_TRUE(diff.missing.empty() && diff.extra.empty());
  EXPECT_EQ(diff.moves.size(), 2u);
}

TEST(CablingDiff, SwitchesThatAreNotThereAreSetApart) {
  const Fabric plan = fabric_of(6, {{0, 2}, {1, 4}}), observed = fabric_of(4, {{0, 2}});
  const CablingDiff diff = diff_cabling(plan, observed);
  EXPECT_EQ(diff.absent_nodes, std::vector<std::string>{"s2"});
  EXPECT_EQ(diff.missing.size(), 1u);
  EXPECT_EQ(diff.unrepairable, 1u);
  EXPECT_TRUE(diff.moves.empty());
  const CablingDiff other = diff_cabling(observed, plan);
  EXPECT_EQ(other.unknown_nodes, std::vector<std::string>{"s2"});
  ASSERT_EQ(other.moves.size(), 1u);
  EXPECT_EQ(other.moves[0].str(), "take away the cable from s0:2 to s2:1");
}

}  // namespace
}  // namespace banyan::tests
