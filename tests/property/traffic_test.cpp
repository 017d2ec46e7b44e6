// What holds for every pattern, collective and placement that is listed, on any number of ranks.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include <algorithm>
#include <map>

#include "base/shuffle.hpp"
#include "support/collective_algorithms.hpp"
#include "support/random_topology.hpp"
#include "traffic/collectives/collectives.hpp"
#include "traffic/pattern.hpp"
#include "traffic/placement.hpp"

namespace banyan::tests {
namespace {

std::vector<Demand> round_of(const Traffic& traffic, u64 seed, u64 sample, u64 round) {
  std::vector<Demand> out;
  traffic.list(seed, sample, round, out);
  return out;
}

// Some do not fit every number of ranks or fabric, and say so.
template <class F>
void if_it_fits(const Topology& topology, u32 ranks, std::string_view pattern, F&& f) {
  std::optional<Traffic> traffic;
  try {
    traffic = make_traffic({topology, ranks}, pattern);
  } catch (const InputError&) {
    return;
  }
  f(*traffic);
}

RC_GTEST_PROP(Traffic, EveryPatternKeepsItsPromises, ()) {
  const Topology tree = build(random_pgft());
  const u32 ranks = draw(1, tree.fabric.hosts());
  const u64 seed = draw(0, 1000), sample = draw(0, 1000);
  for (const Pattern& pattern : patterns())
    if_it_fits(tree, ranks, pattern.name, [&](const Traffic& traffic) {
      RC_ASSERT(traffic.ranks == ranks);
      RC_ASSERT(traffic.in_bytes == pattern.is_collective);
      RC_ASSERT(traffic.algorithm.empty() != pattern.is_collective);
      for (u64 round = 0; round < traffic.rounds; ++round) {
        const std::vector<Demand> demands = round_of(traffic, seed, sample, round);
        RC_ASSERT(demands == round_of(traffic, seed, sample, round));
        if (!traffic.is_random) RC_ASSERT(demands == round_of(traffic, seed + 1, sample + 1, round));
        for (const Demand& d : demands) {
          RC_ASSERT(index(d.from) < ranks && index(d.to) < ranks);
          RC_ASSERT(d.amount >= 0);
          if (pattern.is_collective) RC_ASSERT(d.from != d.to);
        }
      }
    });
}

RC_GTEST_PROP(Traffic, WhatMayBeDrawnEqualsItsList, ()) {
  const Topology star = make_topology("XGFT(1; 64; 1)");
  const u32 n = draw(1, 64);
  const u64 seed = draw(0, 1000), sample = draw(0, 1000);
  for (const Pattern& pattern : patterns())
    if_it_fits(star, n, pattern.name, [&](const Traffic& traffic) {
      std::vector<u32> p(n);
      std::iota(p.begin(), p.end(), 0);
      shuffle(std::span(p), seed, sample);
      std::vector<Demand> drawn;
      switch (traffic.draw) {
        case Traffic::Draw::listed:
          return;
        case Traffic::Draw::permutation:
          for (u32 i = 0; i < n; ++i) drawn.push_back({Rank{p[i]}, Rank{i}});
          break;
        case Traffic::Draw::bisection:
          for (u32 i = 0; i < n / 2; ++i) drawn.push_back({Rank{p[i]}, Rank{p[i + n / 2]}});
          break;
        case Traffic::Draw::uniform:
          for (u32 i = 0; i < n; ++i)
            for (u32 j = 0; j < n; ++j)
              if (i != j) drawn.push_back({Rank{i}, Rank{j}, 1.0 / (n - 1)});
          break;
        case Traffic::Draw::shifts:
          for (u32 i = 0; n > 1 && i < n; ++i) drawn.push_back({Rank{i}, Rank{(i + 1) % n}});
      }
      RC_ASSERT(round_of(traffic, seed, sample, 0) == drawn);
    });
}

// Whoever sends to one and receives from one, all of them, is a permutation.
RC_GTEST_PROP(Traffic, Permutations, ()) {
  const Topology tree = build(random_pgft());
  RC_PRE(tree.fabric.hosts() > 1);  // one alone sends nothing
  const u32 n = draw(2, tree.fabric.hosts());
  for (const char* pattern : {"permutation", "shift:3", "all-shifts", "ring", "transpose", "bit-reverse",
                              "mpigraph", "adversarial:ring"})
    if_it_fits(tree, n, pattern, [&](const Traffic& traffic) {
      for (u64 round = 0; round < traffic.rounds; ++round) {
        std::vector<bool> sends(n), receives(n);
        for (const Demand& d : round_of(traffic, 1, 2, round)) {
          RC_ASSERT(!sends[index(d.from)] && !receives[index(d.to)]);
          sends[index(d.from)] = receives[index(d.to)] = true;
        }
        RC_ASSERT(std::count(sends.begin(), sends.end(), true) == n);
      }
    });
}

RC_GTEST_PROP(Traffic, NeighboursAreMutual, ()) {
  const Topology star = make_topology("XGFT(1; 64; 1)");
  const u32 n = draw(1, 64);
  for (const char* pattern : {"neighbours", "neighbours:points=9", "neighbours:points=27",
                              "neighbours:points=7,periodic=0", "neighbours:points=3", "ring:2", "uniform"}) {
    std::map<std::pair<Rank, Rank>, double> amounts;
    for (const Demand& d : round_of(make_traffic({star, n}, pattern), 0, 0, 0))
      amounts[{d.from, d.to}] += d.amount;
    for (const auto& [pair, amount] : amounts) RC_ASSERT(amounts.at({pair.second, pair.first}) == amount);
  }
}

// --- collectives: who knows what of whom, followed message by message, and how many bytes go where.

// Runs over the rounds: what a rank knows at the start of a round it may send in it.
std::vector<std::vector<bool>> known_at_the_end(const Traffic& traffic) {
  const u32 n = traffic.ranks;
  std::vector<std::vector<bool>> knows(n, std::vector<bool>(n));
  for (u32 i = 0; i < n; ++i) knows[i][i] = true;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    const auto before = knows;
    for (const Demand& d : round_of(traffic, 0, 0, round))
      for (u32 i = 0; i < n; ++i)
        if (before[index(d.from)][i]) knows[index(d.to)][i] = true;
  }
  return knows;
}

// Everyone hears, if by others, of everyone whose bytes it needs: causality of the rounds.
RC_GTEST_PROP(Traffic, RoundsOfCollectivesAreInAnOrderThatWorks, ()) {
  const Topology star = make_topology("XGFT(1; 40; 1)");
  const u32 n = draw(2, 40), root = draw(0, n - 1);
  const std::string bytes = std::to_string(draw(1, 20) * n), segment = std::to_string(draw(0, 10));
  for (const Pattern& pattern : patterns()) {
    if (!pattern.is_collective) continue;
    const bool from_root = pattern.name == "broadcast" || pattern.name == "scatter";
    const bool to_root = pattern.name == "reduce" || pattern.name == "gather";
    for (const std::string_view algorithm : collective_algorithms().at(pattern.name)) {
      PluginText text{std::string(pattern.name), {}};
      const std::map<std::string, std::string> values = {{"algorithm", std::string(algorithm)},
                                                         {"bytes", bytes},
                                                         {"segment", segment},
                                                         {"root", std::to_string(root)}};
      for (const OptionInfo& option : pattern.options)
        if (const auto value = values.find(option.key); value != values.end())
          text.set(value->first, value->second);
      const Traffic traffic = pattern.make({star, n}, text);
      // A vector that is too short for segments goes around whole.
      RC_ASSERT(traffic.algorithm == algorithm ||
                (algorithm == "segmented-ring" && traffic.algorithm == "ring"));
      const auto knows = known_at_the_end(traffic);
      for (u32 i = 0; i < n; ++i)
        for (u32 j = 0; j < n; ++j)
          if ((!from_root || j == root) && (!to_root || i == root)) RC_ASSERT(knows[i][j]);
    }
  }
}

double bytes_of(const Traffic& traffic) {
  double sum = 0;
  for (u64 round = 0; round < traffic.rounds; ++round)
    for (const Demand& d : round_of(traffic, 0, 0, round)) sum += d.amount;
  return sum;
}

// The least that can be: every rank but one must send, or get, a vector's worth; NCCL's tree does just that.
RC_GTEST_PROP(Traffic, TheDoubleTreeSendsNothingTwice, ()) {
  const Topology star = make_topology("XGFT(1; 64; 1)");
  const u32 n = draw(2, 64), bytes = draw(2, 1000);
  const Traffic tree = make_traffic(
      {star, n}, fmt::format("allreduce:bytes={},algorithm=tree,segment={}", bytes, draw(0, 100)));
  RC_ASSERT(bytes_of(tree) == 2.0 * (n - 1) * bytes);
  // In the half that it is not a leaf of, a rank has at most two children; in the other it has none.
  std::map<Rank, std::vector<Rank>> to;
  for (u64 round = 0; round < tree.rounds; ++round)
    for (const Demand& d : round_of(tree, 0, 0, round))
      if (std::find(to[d.from].begin(), to[d.from].end(), d.to) == to[d.from].end())
        to[d.from].push_back(d.to);
  for (const auto& [rank, others] : to)
    RC_ASSERT(others.size() <= 4u);  // two children and a parent, and a parent
}

RC_GTEST_PROP(Traffic, BytesOfRingsAreTheLeast, ()) {
  const Topology star = make_topology("XGFT(1; 64; 1)");
  const u32 n = draw(2, 64), bytes = n * draw(1, 50);
  const auto sum = [&](std::string_view pattern) {
    return bytes_of(make_traffic({star, n}, fmt::format("{},bytes={}", pattern, bytes)));
  };
  RC_ASSERT(sum("allreduce:algorithm=ring") == 2.0 * (n - 1) * bytes);
  RC_ASSERT(sum("reduce-scatter:algorithm=ring") == 1.0 * (n - 1) * bytes);
  RC_ASSERT(sum("allgather:algorithm=ring") == 1.0 * n * (n - 1) * bytes);
  RC_ASSERT(sum("alltoall:algorithm=pairwise") == 1.0 * n * (n - 1) * bytes);
}

RC_GTEST_PROP(Placement, EveryOneUsesFreeHostsOnce, ()) {
  const Topology tree = build(random_pgft());
  std::vector<Host> free;
  for (const Host host : traffic_hosts(tree.fabric))
    if (draw(0, 3) > 0) free.push_back(host);
  const u32 ranks = draw(0, static_cast<u32>(free.size()));
  const u64 seed = draw(0, 1000);
  for (const PlacementRule& rule : placement_rules()) {
    if (rule.name == "file") continue;
    const Placement placement = place({tree.fabric, free, ranks, seed}, rule.name);
    RC_ASSERT(placement == place({tree.fabric, free, ranks, seed}, rule.name));
    std::vector<Host> used(placement.begin(), placement.end());
    RC_ASSERT(used.size() == ranks);
    std::sort(used.begin(), used.end());
    RC_ASSERT(std::adjacent_find(used.begin(), used.end()) == used.end());
    RC_ASSERT(std::includes(free.begin(), free.end(), used.begin(), used.end()));
  }
}

}  // namespace
}  // namespace banyan::tests
