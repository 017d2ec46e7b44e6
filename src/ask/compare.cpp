#include "ask/compare.hpp"

#include <algorithm>
#include <cmath>

#include "ask/any_hash.hpp"
#include "ask/judged.hpp"
#include "ask/pair_ways.hpp"
#include "base/parallel.hpp"

namespace banyan::ask {
namespace {

// Of ordered pairs of NICs on a rail: those that arrive only with one routing, and those that arrive with
// both by other paths.
struct PairChanges {
  u64 lost = 0, gained = 0, moved = 0;
};

// All next hops, each once, where its switches hash.
Routing all_ways(const Fabric& fabric, const Routing& routing) {
  const auto open = any_hash(fabric, routing);
  const auto* groups = open ? std::get_if<Routing>(&*open) : nullptr;
  return groups ? *groups : routing;
}

// Where both hash, a group on the way may have other weights.
class WeightChanges {
 public:
  WeightChanges(const Fabric& fabric, const Routing& one, const Routing& other)
      : fabric_(fabric),
        one_(std::get_if<HashedNextHops>(&one.forward)),
        other_(std::get_if<HashedNextHops>(&other.forward)) {}

  bool are_on(const std::vector<std::pair<Channel, double>>& way, Nic to) const {
    return one_ && other_ && std::any_of(way.begin(), way.end(), [&](const auto& part) {
             const Node node = fabric_.from(part.first);
             return fabric_.is_switch(node) && !is_same_group(one_->sets(), other_->sets(), node, to);
           });
  }

 private:
  const Fabric& fabric_;
  const HashedNextHops *one_, *other_;
};

PairChanges pair_changes(const Situation& at, const Routing& one, const Routing& other) {
  const Fabric& fabric = at.topology.fabric;
  const Routing ways = all_ways(fabric, one), other_ways = all_ways(fabric, other);
  const WeightChanges weights(fabric, one, other);
  std::vector<PairChanges> by_source(fabric.nics());
  parallel_ranges(fabric.nics(), at.threads, [&](u64 first, u64 last) {
    PairWays before(fabric, ways), after(fabric, other_ways);
    for (; first < last; ++first)
      for (const Nic to : IdRange<Nic>(fabric.nics())) {
        const Nic from{static_cast<u32>(first)};
        if (from == to || fabric.plane(from) != fabric.plane(to)) continue;
        const auto x = before.parts(from, to), y = after.parts(from, to);
        PairChanges& out = by_source[first];
        out.moved += !x.empty() && !y.empty() && (x != y || weights.are_on(x, to));
        out.gained += x.empty() && !y.empty();
        out.lost += !x.empty() && y.empty();
      }
  });
  PairChanges out;
  for (const PairChanges& part : by_source) {
    out.lost += part.lost;
    out.gained += part.gained;
    out.moved += part.moved;
  }
  return out;
}

Worth worth(const FailAnswer::Side& one, const FailAnswer::Side& other) {
  const Verdict &a = one.verdict, &b = other.verdict;
  if (a.failing_pairs != b.failing_pairs)
    return a.failing_pairs > b.failing_pairs ? Worth::better : Worth::worse;
  if (a.yes() != b.yes()) return b.yes() ? Worth::better : Worth::worse;
  if (one.max_load.mean == other.max_load.mean) return Worth::same;
  const double gain = one.max_load.mean - other.max_load.mean;
  if (std::abs(gain) <= one.max_load.half_width + other.max_load.half_width) return Worth::unclear;
  return gain > 0 ? Worth::better : Worth::worse;
}

}  // namespace

Result<FailAnswer> compare(const Situation& at, const Routing& one, const Routing& other,
                           const FailOptions& options, const WasGiven& given) {
  const LoadOptions traffic = traffic_options(at, options);
  const auto x = judged(at, one), y = judged(at, other);
  for (const auto* result : {&x, &y})
    if (const auto* reason = std::get_if<NotApplicable>(result)) return *reason;
  const auto &a = std::get<Judged>(x), &b = std::get<Judged>(y);
  refuse_unused(a, b, given);
  FailAnswer out{};
  if (has_rails(at)) out.rails_policy = traffic.rails_policy;
  if (const auto changes = count_entries(at, a, b))
    out.entries = changes->entries, out.entries_changed = changes->changed;
  if (const auto reason = add_sides(at, a, at, b, options, out)) return *reason;
  const PairChanges changes = pair_changes(at, a.routing, b.routing);
  out.pairs_lost = changes.lost;
  out.comparison = {changes.gained, changes.moved, worth(out.before, out.after)};
  return out;
}

}  // namespace banyan::ask
