#include "ask/fail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "ask/check.hpp"
#include "ask/hash_forecast.hpp"
#include "ask/load.hpp"
#include "base/parallel.hpp"
#include "base/permutation.hpp"
#include "engines/components.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "flow/way_lister.hpp"
#include "routing/table_form.hpp"
#include "topology/place.hpp"
#include "verify/change_judge.hpp"

namespace banyan::ask {
namespace {

// A routing, what the judge says of it, and its tables if it can have any.
struct Routed {
  Routing routing;
  Verdict verdict;
  std::optional<Tables> tables;
  const Routing* any_hash = nullptr;  // where tables have groups of next hops

  u64 arriving() const { return verdict.pairs - verdict.failing_pairs; }
};

Result<Routed> judged(Situation at, RouteResult result, const Routing* any_hash = nullptr) {
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  Routed out{std::move(std::get<Routing>(result)), {}, {}, any_hash};
  at.routing = any_hash ? any_hash : &out.routing;
  out.verdict = verdict(at, {});
  out.verdict.certificate.reset();
  const RouteResult form = tables_of(at.topology, out.routing, {~u64{0}, AddressLimits{}.lmc});
  if (const auto* tabled = std::get_if<Routing>(&form)) out.tables = std::get<Tables>(tabled->forward);
  return out;
}

// Entries that differ; none when one of the two has no tables, or they are for other addresses.
std::optional<u64> entries_changed(const std::optional<Tables>& before, const std::optional<Tables>& after) {
  if (!before || !after || before->addresses() != after->addresses()) return std::nullopt;
  u64 changed = 0;
  for (u32 a = 0; a < before->addresses(); ++a) {
    const auto x = before->towards(Address{a}), y = after->towards(Address{a});
    for (std::size_t v = 0; v < x.size(); ++v) changed += x[v] != y[v];
  }
  return changed;
}

// Of groups of next hops: a switch and a NIC.
std::optional<u64> groups_changed(const Fabric& fabric, const Routing* one, const Routing* other) {
  if (!one || !other) return std::nullopt;
  u64 changed = 0;
  Hops x, y;
  for (u32 nic = 0; nic < fabric.nics(); ++nic)
    for (const Node node : fabric.switch_nodes()) {
      const Header header{.to = address_of(Nic{nic})};
      x.clear(), y.clear();
      std::get<OpenNextHops>(one->forward).hops(node, header, x);
      std::get<OpenNextHops>(other->forward).hops(node, header, y);
      const auto same_port = [](const Hop& a, const Hop& b) { return a.port == b.port; };
      changed += !std::equal(x.begin(), x.end(), y.begin(), y.end(), same_port);
    }
  return changed;
}

u64 entries(const Tables& tables) {
  return tables.addresses() == 0 ? 0 : tables.addresses() * tables.towards(Address{0}).size();
}

// Entries and those that differ, where both have such.
void count_entries(const Fabric& fabric, const Routed& one, const Routed& other, FailAnswer& out) {
  out.entries_changed = entries_changed(one.tables, other.tables);
  if (out.entries_changed) out.entries = entries(*one.tables);
  if (out.entries_changed) return;
  out.entries_changed = groups_changed(fabric, one.any_hash, other.any_hash);
  if (out.entries_changed) out.entries = u64{fabric.nics()} * fabric.switches();
}

u64 pairs_lost(const Routed& before, u64 arriving) {
  return before.arriving() - std::min(before.arriving(), arriving);
}

bool has_rails(const Situation& at) { return at.topology.fabric.rails() > 1; }

// How the traffic uses the rails: on several, all of them.
LoadOptions traffic_options(const Situation& at, const FailOptions& options) {
  if (!has_rails(at) && (!options.rails_policy.empty() || options.stripe != 0 || options.processes != 1))
    throw InputError("rails-policy, stripe and processes are for several rails: the fabric has one");
  LoadOptions out{.samples = options.samples};
  if (!has_rails(at)) return out;
  out.rails_policy = options.rails_policy.empty() ? "basic" : options.rails_policy;
  out.stripe = options.stripe, out.processes = options.processes;
  return out;
}

bool hashes(const Routing& routing) { return std::holds_alternative<HashedNextHops>(routing.forward); }

// The mean over rounds of the maximum load, by hash: hash i and sample i of the traffic.
std::vector<double> loads_by_hash(const Situation& at, const Routing& routing, u64 count) {
  const Job job = at.job();
  const u32 queue_pairs = routing.source.count(Nic{0}, Nic{0}, long_message);
  std::vector<double> out(count);
  parallel_for(count, at.threads, [&](u64 i) {
    std::vector<std::vector<Flow>> rounds(job.traffic.rounds);
    std::vector<Demand> demands;
    for (u64 round = 0; round < job.traffic.rounds; ++round) {
      demands.clear();
      job.traffic.list(at.seed, job.traffic.is_random ? i : 0, round, demands);
      append_flows(demands, job.placement, rounds[round]);
    }
    out[i] = hash_loads({at.topology, routing, rounds, Measure::demand, 1, at.seed + i, 1}, queue_pairs)[0];
  });
  return out;
}

// Whether the load is a mean over hashes.
bool is_over_hashes(const Situation& at, const Routed& routed, const FailOptions& options) {
  return hashes(routed.routing) && options.hashes > 0 && !has_rails(at);
}

FailAnswer::Side side(Situation at, const Routed& routed, const FailOptions& options, LoadOptions traffic) {
  at.routing = &routed.routing;
  const bool is_hashed = is_over_hashes(at, routed, options);
  if (is_hashed) traffic.samples = options.hashes;
  const auto result = load(at, traffic);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw InputError(reason->why);
  const auto& found = std::get<LoadAnswer>(result);
  FailAnswer::Side out{routed.verdict, found.max_load, found.max_load_worst, found.flows, found.undelivered};
  if (!is_hashed) return out;
  const std::vector<double> loads = loads_by_hash(at, routed.routing, options.hashes);
  out.max_load = estimate(loads).interval();
  out.max_load_worst = *std::max_element(loads.begin(), loads.end());
  return out;
}

// Of ordered pairs of NICs on a rail: those that arrive only with one routing, and those that arrive with
// both by other paths.
struct PairChanges {
  u64 lost = 0, gained = 0, moved = 0;
};

// The paths of a pair: what each channel carries of it. Empty where a way does not arrive.
class PairWays {
 public:
  PairWays(const Fabric& fabric, const Routing& routing) : lister_(fabric, routing) {}

  std::vector<std::pair<Channel, double>> parts(Nic from, Nic to) {
    std::vector<std::pair<Channel, double>> out;
    lister_.source().ways(from, to, long_message, ways_);
    const auto add = [&](const auto& forward) {
      for (const Header& header : ways_) {
        if (!lister_.list(forward, from, to, header, way_)) return out.clear();
        for (const Passage& part : way_.parts)
          out.emplace_back(part.channel, part.share / static_cast<double>(ways_.size()));
      }
    };
    std::visit(add, lister_.forward());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  WayLister lister_;
  std::vector<Header> ways_;
  FlowWay way_;
};

// By host: what its NICs are connected to, as numbers that only NICs of one rail share which cables connect.
std::vector<std::vector<u64>> cabled_parts(const Fabric& fabric) {
  const IdVector<engines::Switch, engines::Switch> component = engines::components(fabric);
  std::vector<std::vector<u64>> out(fabric.hosts());
  std::map<u64, u32> hosts_of;
  for (u32 h = 0; h < fabric.hosts(); ++h)
    for (u32 rail = 0; rail < fabric.rails(); ++rail)
      for (const Channel c : fabric.channels(fabric.node(fabric.nic(Host{h}, rail)))) {
        if (!fabric.cabled(c)) continue;
        const u32 far = index(fabric.to(c)), nics = fabric.nics();
        const u64 part = fabric.is_switch(fabric.to(c))
                             ? nics + index(component[engines::Switch{far - nics}])
                             : std::min(far, index(fabric.from(c)));  // of two hosts
        const u64 number = u64{rail} << 32 | part;
        if (std::find(out[h].begin(), out[h].end(), number) != out[h].end()) continue;
        out[h].push_back(number);
        ++hosts_of[number];
      }
  for (std::vector<u64>& numbers : out)
    std::erase_if(numbers, [&](u64 number) { return hosts_of[number] < 2; });  // it leads to nobody
  return out;
}

// Ordered pairs of hosts that no rail connects by cables. Most hosts have the same connections.
u64 unconnected_hosts(const Fabric& fabric) {
  std::map<std::vector<u64>, u64> alike;
  for (std::vector<u64>& numbers : cabled_parts(fabric)) ++alike[std::move(numbers)];
  const auto meet = [](const std::vector<u64>& a, const std::vector<u64>& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](u64 x) { return std::find(b.begin(), b.end(), x) != b.end(); });
  };
  u64 out = 0;
  for (const auto& [a, some] : alike)
    for (const auto& [b, others] : alike)
      if (!meet(a, b)) out += some * (&a == &b ? others - 1 : others);
  return out;
}

// Ordered pairs of hosts that the routing serves on no rail.
u64 unserved_hosts(const Situation& at, const Routed& routed) {
  const Fabric& fabric = at.topology.fabric;
  if (routed.verdict.reachable) return unconnected_hosts(fabric);  // whoever is connected is served
  std::vector<u64> by_source(fabric.hosts());
  parallel_ranges(fabric.hosts(), at.threads, [&](u64 first, u64 last) {
    PairWays ways(fabric, routed.routing);
    for (; first < last; ++first)
      for (u32 to = 0; to < fabric.hosts(); ++to) {
        if (to == first) continue;
        bool is_served = false;
        for (u32 rail = 0; rail < fabric.rails() && !is_served; ++rail)
          is_served = !ways.parts(fabric.nic(Host{static_cast<u32>(first)}, rail), fabric.nic(Host{to}, rail))
                           .empty();
        by_source[first] += !is_served;
      }
  });
  return std::accumulate(by_source.begin(), by_source.end(), u64{0});
}

u64 host_links(const Fabric& fabric) {
  u64 out = 0;
  fabric.each_link([&](const Link& cable) {
    out += !fabric.is_switch(fabric.from(cable.a)) || !fabric.is_switch(fabric.from(cable.b));
  });
  return out;
}

PairChanges pair_changes(const Situation& at, const Routing& one, const Routing& other) {
  const Fabric& fabric = at.topology.fabric;
  std::vector<PairChanges> by_source(fabric.nics());
  parallel_ranges(fabric.nics(), at.threads, [&](u64 first, u64 last) {
    PairWays before(fabric, one), after(fabric, other);
    for (; first < last; ++first)
      for (u32 host = 0; host < fabric.hosts(); ++host) {
        const Nic from{static_cast<u32>(first)}, to = fabric.nic(Host{host}, fabric.rail(from));
        if (from == to) continue;
        const auto x = before.parts(from, to), y = after.parts(from, to);
        PairChanges& out = by_source[first];
        out.moved += !x.empty() && !y.empty() && x != y;
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
  Sweeper(const Situation& at, const FabricRouter& router, const Routed& before)
      : whole_(at.topology),
        router_(router),
        before_(before),
        change_(whole_.fabric, before.routing, {at.threads, levels(whole_)}) {}

  SweepAnswer::Cable without(const Victim& victim) const {
    Topology rest = whole_;
    rest.fabric = fabric::without(whole_.fabric, victim.cables);
    SweepAnswer::Cable out{victim.name};
    RouteResult result = router_.reroute(before_.routing, whole_, rest);
    if (const auto* reason = std::get_if<NotApplicable>(&result))
      out.not_applicable = reason->why;
    else
      out.cost = cost(rest, std::move(result));
    return out;
  }

 private:
  // By less work than judging anew, where that says the same.
  SweepAnswer::Cost cost(const Topology& rest, RouteResult result) const {
    if (const auto quick = change_.after(rest.fabric, std::get<Routing>(result), levels(rest)))
      return {
          quick->yes, pairs_lost(before_, quick->arriving), quick->max_destinations_per_channel,
          quick->max_destinations_per_down_channel,
          entries_changed(before_.tables, std::get<Tables>(std::get<Routing>(result).forward)).value_or(0)};
    const auto after = std::get<Routed>(judged({rest}, std::move(result)));
    const Verdict& v = after.verdict;
    return {v.yes(), pairs_lost(before_, after.arriving()), v.max_destinations_per_channel,
            v.max_destinations_per_down_channel, entries_changed(before_.tables, after.tables).value_or(0)};
  }

  const Topology& whole_;
  const FabricRouter& router_;
  const Routed& before_;
  ChangeJudge change_;
};

auto rank(const SweepAnswer::Cable& cable) {
  const SweepAnswer::Cost c = cable.cost.value_or(SweepAnswer::Cost{});
  return std::tuple(!cable.cost, !c.yes, c.pairs_lost, c.max_destinations_per_channel, c.entries_changed);
}

}  // namespace

Result<FailAnswer> fail(const Situation& at, const Topology& after, const FabricRouter& router,
                        const FailOptions& options) {
  const LoadOptions traffic = traffic_options(at, options);
  const Situation later = at.on(after);
  const Routing* any_hash = router.any_hash ? &*router.any_hash : nullptr;
  auto x = judged(at, router.route(at.topology), any_hash);
  if (const auto* reason = std::get_if<NotApplicable>(&x)) return *reason;
  auto y = judged(later, router.route(after), any_hash);
  if (const auto* reason = std::get_if<NotApplicable>(&y)) return *reason;
  const auto &a = std::get<Routed>(x), &b = std::get<Routed>(y);
  FailAnswer out{.links_taken = at.topology.fabric.links() - after.fabric.links(),
                 .host_links_taken = host_links(at.topology.fabric) - host_links(after.fabric),
                 .pairs_lost = pairs_lost(a, b.arriving())};
  if (has_rails(at)) {
    const u64 before_them = unserved_hosts(at, a), now = unserved_hosts(later, b);
    out.host_pairs_lost = now - std::min(now, before_them);
    out.rails_policy = traffic.rails_policy;
  }
  count_entries(at.topology.fabric, a, b, out);
  out.before = side(at, a, options, traffic);
  out.after = side(later, b, options, traffic);
  if (is_over_hashes(at, a, options) || is_over_hashes(at, b, options)) out.hashes = options.hashes;
  return out;
}

FailAnswer compare(const Situation& at, const ComparedRouting& one, const ComparedRouting& other,
                   const FailOptions& options) {
  const auto x = judged(at, one.routing, one.any_hash), y = judged(at, other.routing, other.any_hash);
  const auto &a = std::get<Routed>(x), &b = std::get<Routed>(y);
  const LoadOptions traffic = traffic_options(at, options);
  FailAnswer out{};
  if (has_rails(at)) out.rails_policy = traffic.rails_policy;
  count_entries(at.topology.fabric, a, b, out);
  out.before = side(at, a, options, traffic);
  out.after = side(at, b, options, traffic);
  if (is_over_hashes(at, a, options) || is_over_hashes(at, b, options)) out.hashes = options.hashes;
  const bool has_groups = a.any_hash && b.any_hash;
  const PairChanges changes =
      has_groups ? pair_changes(at, *a.any_hash, *b.any_hash) : pair_changes(at, a.routing, b.routing);
  out.pairs_lost = changes.lost;
  out.comparison = {changes.gained, changes.moved, worth(out.before, out.after)};
  return out;
}

namespace {

// What the counters say of a cable.
CountersAnswer::Cable counted(const Fabric& fabric, const PortCounters& counters, Channel a) {
  CountersAnswer::Cable out{cable_name(fabric, {a, fabric.reverse(a)})};
  for (const Channel end : {a, fabric.reverse(a)}) {
    const auto found = counters.find(end);
    if (found == counters.end()) continue;
    for (const auto& [name, value] : found->second) {
      const CounterKind kind = counter_kind(name);
      if (kind == CounterKind::sent) out.bytes = out.bytes.value_or(0) + value * counter_bytes(name);
      if (kind != CounterKind::error || value == 0) continue;
      out.errors += value;
      out.counters.push_back({port_name(fabric, end), name, value});
    }
  }
  return out;
}

}  // namespace

Result<CountersAnswer> bad_cables(const Situation& at, const FabricRouter& router,
                                  const PortCounters& counters, const FailOptions& options) {
  const Fabric& fabric = at.topology.fabric;
  LoadOptions traffic = traffic_options(at, options);
  traffic.samples = 1;
  const Routing* any_hash = router.any_hash ? &*router.any_hash : nullptr;
  const auto routed = judged(at, router.route(at.topology), any_hash);
  if (const auto* reason = std::get_if<NotApplicable>(&routed)) return *reason;
  const auto& before = std::get<Routed>(routed);
  Situation now = at;
  now.routing = &before.routing;
  LoadOptions by_channel = traffic;
  by_channel.round = RoundOptions{.hottest = 0};
  const auto intact = load(now, by_channel);
  if (const auto* reason = std::get_if<NotApplicable>(&intact)) return *reason;
  const auto& loads = std::get<LoadAnswer>(intact);
  CountersAnswer out{counters.size(), loads.max_load.mean};
  std::vector<Channel> ends;
  fabric.each_link([&](const Link& cable) {
    if (auto found = counted(fabric, counters, cable.a); found.errors > 0) {
      found.load = std::max(loads.round->loads[cable.a], loads.round->loads[cable.b]);
      ends.push_back(cable.a);
      out.cables.push_back(std::move(found));
    }
  });
  parallel_for(ends.size(), at.threads, [&](u64 i) {
    Topology rest = at.topology;
    rest.fabric = fabric::without(fabric, std::vector<Link>{{ends[i], fabric.reverse(ends[i])}});
    Situation later = at.on(rest);
    later.threads = 1;
    auto after = judged(later, router.route(rest), any_hash);
    if (const auto* reason = std::get_if<NotApplicable>(&after)) {
      out.cables[i].not_applicable = reason->why;
      return;
    }
    later.routing = &std::get<Routed>(after).routing;
    out.cables[i].pairs_lost = pairs_lost(before, std::get<Routed>(after).arriving());
    out.cables[i].max_load = std::get<LoadAnswer>(load(later, traffic)).max_load.mean;
  });
  const auto rank = [](const CountersAnswer::Cable& cable) {
    return std::tuple(cable.not_applicable.has_value(), cable.pairs_lost, cable.max_load.value_or(0),
                      cable.load, cable.errors);
  };
  std::stable_sort(out.cables.begin(), out.cables.end(),
                   [&](const auto& x, const auto& y) { return rank(x) > rank(y); });
  return out;
}

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
  const auto& before = std::get<Routed>(result);
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
