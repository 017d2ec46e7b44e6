#include "ask/sweep.hpp"

#include <algorithm>
#include <tuple>

#include "ask/judged.hpp"
#include "base/parallel.hpp"
#include "base/permutation.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "topology/place.hpp"
#include "verify/change_judge.hpp"

namespace banyan::ask {
namespace {

// What a sweep takes away at once: a cable, or a switch with all its cables.
struct Victim {
  std::string name;
  std::vector<Link> cables;
};

// Every two of them, or as many as are wanted, drawn.
std::vector<Victim> pairs_of(const std::vector<Victim>& cables, u64 wanted, u64 seed) {
  std::vector<Victim> out;
  const auto add = [&](u64 a, u64 b) {
    out.push_back({cables[a].name + " and " + cables[b].name, {cables[a].cables[0], cables[b].cables[0]}});
  };
  const u64 count = cables.size(), all = count < 2 ? 0 : count * (count - 1) / 2;
  if (all <= wanted) {
    for (u64 a = 0; a < count; ++a)
      for (u64 b = a + 1; b < count; ++b) add(a, b);
    return out;
  }
  constexpr u64 pair_stream = 1;
  std::vector<u64> drawn;
  draw_some(all, wanted, seed, pair_stream, [&](u64 pair) { drawn.push_back(pair); });
  std::sort(drawn.begin(), drawn.end());
  u64 a = 0, first = 0;  // of the pairs in order, that of a and the cable after it
  for (const u64 pair : drawn) {
    while (pair >= first + (count - 1 - a)) first += count - 1 - a++;
    add(a, a + 1 + pair - first);
  }
  return out;
}

std::vector<Victim> victims(const Fabric& fabric, Sweep which, u64 wanted, u64 seed) {
  std::vector<Victim> out;
  if (which == Sweep::pairs) return pairs_of(victims(fabric, Sweep::links, wanted, seed), wanted, seed);
  if (which == Sweep::switches) {
    for (const Node node : fabric.switch_nodes()) out.push_back({fabric.name(node), {}});
    fabric.each_link([&](const Link& cable) {
      for (const Node end : {fabric.from(cable.a), fabric.from(cable.b)})
        if (fabric.is_switch(end)) out[index(end) - fabric.nics()].cables.push_back(cable);
    });
    std::erase_if(out, [](const Victim& victim) { return victim.cables.empty(); });  // dead already
    return out;
  }
  fabric.each_link([&](const Link& cable) {
    const bool at_host = !fabric.is_switch(fabric.from(cable.a)) || !fabric.is_switch(fabric.from(cable.b));
    if (which == Sweep::all || !at_host) out.push_back({cable_name(fabric, cable), {cable}});
  });
  return out;
}

class Sweeper {
 public:
  Sweeper(const Situation& at, const FabricRouter& router, const Judged& before)
      : whole_(at.topology),
        router_(router),
        before_(before),
        change_(whole_.fabric, before.routing, {at.threads, levels(whole_)}) {}

  SweepAnswer::Cable without(const Victim& victim) const {
    Topology rest = whole_;
    rest.fabric = fabric::without(whole_.fabric, victim.cables);
    SweepAnswer::Cable out{victim.name};
    const auto found = cost(rest, router_.reroute(before_.routing, whole_, rest));
    if (const auto* reason = std::get_if<NotApplicable>(&found))
      out.not_applicable = reason->why;
    else
      out.cost = std::get<SweepAnswer::Cost>(found);
    return out;
  }

 private:
  // By less work than judging anew, where that says the same.
  Result<SweepAnswer::Cost> cost(const Topology& rest, RouteResult result) const {
    if (const auto* routing = std::get_if<Routing>(&result))
      if (const auto quick = change_.after(rest.fabric, *routing, levels(rest)))
        return SweepAnswer::Cost{quick->yes, pairs_lost(before_, quick->arriving),
                                 quick->max_destinations_per_channel,
                                 quick->max_destinations_per_down_channel,
                                 entries_changed(before_.tables, std::get<Tables>(routing->forward))};
    const auto found = judged({rest}, std::move(result));
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    const auto& after = std::get<Judged>(found);
    const Verdict& v = after.verdict;
    SweepAnswer::Cost out{v.yes(), pairs_lost(before_, after.arriving()), v.max_destinations_per_channel,
                          v.max_destinations_per_down_channel};
    if (const auto changes = count_entries({whole_}, before_, after)) out.entries_changed = changes->changed;
    return out;
  }

  const Topology& whole_;
  const FabricRouter& router_;
  const Judged& before_;
  ChangeJudge change_;
};

auto rank(const SweepAnswer::Cable& cable) {
  const SweepAnswer::Cost c = cable.cost.value_or(SweepAnswer::Cost{});
  return std::tuple(!cable.cost, !c.yes, c.pairs_lost, c.max_destinations_per_channel, c.entries_changed);
}

}  // namespace

bool SweepAnswer::all_yes() const {
  return std::all_of(cables.begin(), cables.end(), [](const Cable& c) { return c.cost && c.cost->yes; });
}

Topology damaged(const Topology& topology) {
  Topology out = topology;
  std::vector<Link> first;
  const Fabric& fabric = topology.fabric;
  fabric.each_link([&](const Link& cable) {
    if (first.empty() && fabric.is_switch(fabric.from(cable.a)) && fabric.is_switch(fabric.from(cable.b)))
      first.push_back(cable);
  });
  out.fabric = fabric::without(fabric, first);
  return out;
}

Result<SweepAnswer> sweep(const Situation& at, const FabricRouter& router, const FailOptions& options) {
  const Sweep which = options.sweep;
  const auto result = judged(at, router.route(at.topology));
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  const auto& before = std::get<Judged>(result);
  const Sweeper sweeper(at, router, before);
  const std::vector<Victim> all = victims(at.topology.fabric, which, options.pairs, at.seed);
  SweepAnswer out{before.verdict, std::vector<SweepAnswer::Cable>(all.size())};
  Progress progress(which == Sweep::switches ? "switches"
                    : which == Sweep::pairs  ? "pairs"
                                             : "cables",
                    all.size(), at.screen);
  parallel_for(
      all.size(), at.threads, [&](u64 i) { out.cables[i] = sweeper.without(all[i]); }, &progress);
  std::stable_sort(out.cables.begin(), out.cables.end(),
                   [](const auto& a, const auto& b) { return rank(a) > rank(b); });
  return out;
}

}  // namespace banyan::ask
