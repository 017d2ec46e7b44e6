#include "ask/judged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>

#include "ask/any_hash.hpp"
#include "ask/check.hpp"
#include "ask/rates.hpp"
#include "base/parallel.hpp"
#include "engines/components.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::ask {

Result<Judged> judged(Situation at, RouteResult result) {
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  Judged out{std::move(std::get<Routing>(result))};
  at.routing = &out.routing;
  auto found = verdict(at, {});
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  out.verdict = std::get<Verdict>(std::move(found));
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

namespace {

const PortSets* sets_of(const Judged& judged) {
  const auto* hashed = std::get_if<HashedNextHops>(&judged.routing.forward);
  return hashed ? &hashed->sets() : nullptr;
}

// A group is of a switch and a NIC.
u64 groups_changed(const Situation& at, const PortSets& one, const PortSets& other) {
  const Fabric& fabric = at.topology.fabric;
  std::vector<u64> changed(fabric.nics());
  parallel_for(fabric.nics(), at.threads, [&](u64 i) {
    for (const Node node : fabric.switch_nodes())
      changed[i] += !is_same_group(one, other, node, Nic{static_cast<u32>(i)});
  });
  return std::accumulate(changed.begin(), changed.end(), u64{0});
}

// Pairs of a switch and a NIC between which there are cables: planes have no entries for each other's NICs.
u64 switches_towards_nics(const Fabric& fabric) {
  if (fabric.planes() == 1) return u64{fabric.nics()} * fabric.switches();
  const IdVector<engines::Switch, engines::Switch> component = engines::components(fabric);
  IdVector<engines::Switch, u64> size(fabric.switches(), 0);
  for (const engines::Switch one : component) ++size[one];
  u64 out = 0;
  for (u32 nic = 0; nic < fabric.nics(); ++nic) {
    std::vector<engines::Switch> near;  // of a NIC with several ports several
    for (const Channel c : fabric.channels(fabric.node(Nic{nic})))
      if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)))
        near.push_back(component[engines::Switch{index(fabric.to(c)) - fabric.nics()}]);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const engines::Switch one : near) out += size[one];
  }
  return out;
}

u64 entries_of(const Fabric& fabric, const Tables& tables) {
  if (tables.addresses() == 0) return 0;
  const u64 rows = tables.towards(Address{0}).size();
  if (rows != fabric.switches()) return tables.addresses() * rows;  // those of NICs too
  return switches_towards_nics(fabric) * (tables.addresses() / fabric.nics());
}

}  // namespace

bool is_same_group(const PortSets& one, const PortSets& other, Node node, Nic to) {
  const PortSets::Exits x = one.exits(node, to), y = other.exits(node, to);
  const auto word = [](const PortSets& sets, const PortSets::Exits& exits, u32 i) {
    if (exits.words) return i < sets.words() ? exits.words[i] : 0;
    const bool is_here = exits.only != none<Port> && index(exits.only) / 64 == i;
    return is_here ? u64{1} << (index(exits.only) % 64) : 0;
  };
  const auto sum = [](const PortSets::Exits& exits, u32 i) { return exits.sums ? exits.sums[i] : i + 1; };
  u32 count = 0;
  for (u32 i = 0; i < std::max(one.words(), other.words()); ++i) {
    if (word(one, x, i) != word(other, y, i)) return false;
    count += static_cast<u32>(std::popcount(word(one, x, i)));
  }
  for (u32 i = 0; i < count; ++i)
    if (sum(x, i) != sum(y, i)) return false;
  return true;
}

std::optional<EntryChanges> count_entries(const Situation& at, const Judged& one, const Judged& other) {
  if (const auto changed = entries_changed(one.tables, other.tables))
    return EntryChanges{entries_of(at.topology.fabric, *one.tables), *changed};
  const PortSets *a = sets_of(one), *b = sets_of(other);
  if (!a || !b) return std::nullopt;
  return EntryChanges{switches_towards_nics(at.topology.fabric), groups_changed(at, *a, *b)};
}

u64 pairs_lost(const Judged& before, u64 arriving) {
  return before.arriving() - std::min(before.arriving(), arriving);
}

bool has_rails(const Situation& at) { return at.topology.fabric.columns() > 1; }

LoadOptions traffic_options(const Situation& at, const FailOptions& options) {
  if (!has_rails(at) && (!options.rails_policy.empty() || options.stripe != 0 || options.processes != 1))
    throw InputError("rails-policy, stripe and processes are for several rails: the fabric has one");
  LoadOptions out{.samples = options.samples};
  if (!has_rails(at)) return out;
  out.rails_policy = options.rails_policy.empty() ? "basic" : options.rails_policy;
  out.stripe = options.stripe, out.processes = options.processes;
  return out;
}

bool is_over_hashes(const Judged& judged, const FailOptions& options) {
  return hashes(judged.routing) && options.hashes > 0;
}

void refuse_unused(const Judged& one, const Judged& other, const WasGiven& given) {
  if (!given) return;
  const bool some_hash = hashes(one.routing) || hashes(other.routing);
  if (given("hashes") && !some_hash) throw InputError("--hashes changes nothing: the switches do not hash");
}

namespace {

using FlowsByRound = std::vector<std::vector<Flow>>;

NotApplicable too_many_hashed() {
  return {fmt::format("hashes are tried flow by flow, at most {} flows: expected fewer --ranks",
                      max_listed_flows)};
}

// `rails`: how demands are spread over them; null: there is one. Not applicable where there are too many.
Result<FlowsByRound> flows_by_round(const Job& job, const RailFlows* rails, u64 seed, u64 sample) {
  const Traffic& traffic = job.traffic;
  if (traffic.draw == Traffic::Draw::uniform && u64{traffic.ranks} * traffic.ranks > max_listed_flows)
    return too_many_hashed();
  FlowsByRound out(traffic.rounds);
  std::vector<Demand> demands;
  u64 flows = 0;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(seed, sample, round, demands);
    if (rails) {
      RailTurns turns = rails->turns();
      rails->append(demands, turns, out[round]);
    } else {
      append_flows(demands, job.placement, out[round]);
    }
    flows += out[round].size();
    if (flows > max_listed_flows) return too_many_hashed();
  }
  return out;
}

// What one hash gives.
struct OfOneHash {
  double max_load = 0, worst = 0;
  u64 undelivered = 0;
  std::vector<double> watched{};
};

OfOneHash measure_hash(HashMeter& meter, u64 seed, const FlowsByRound& rounds,
                       std::span<const Channel> watched) {
  OfOneHash out{.watched = std::vector<double>(watched.size())};
  for (const auto& flows : rounds) {
    meter.measure(seed, flows);
    out.max_load += meter.max_load() / static_cast<double>(rounds.size());
    out.worst = std::max(out.worst, meter.max_load());
    out.undelivered += meter.undelivered();
    for (std::size_t i = 0; i < watched.size(); ++i)
      out.watched[i] += meter.load(watched[i]) / static_cast<double>(rounds.size());
  }
  return out;
}

}  // namespace

Result<HashedLoads> loads_over_hashes(const Situation& at, const Routing& routing, const FailOptions& options,
                                      std::span<const Channel> watched) {
  const u64 hashes = options.hashes;
  const LoadOptions traffic = traffic_options(at, options);
  const Job job = at.job(ShorterJobs::repeat, traffic.processes);
  std::optional<RailFlows> spread;
  if (has_rails(at))
    spread.emplace(at.topology.fabric, job.placement,
                   split_of(at.topology.fabric, traffic.rails_policy, traffic.stripe, traffic.processes));
  const RailFlows* rails = spread ? &*spread : nullptr;
  const auto first_sample = flows_by_round(job, rails, at.seed, 0);
  if (const auto* reason = std::get_if<NotApplicable>(&first_sample)) return *reason;
  const auto& rounds = std::get<FlowsByRound>(first_sample);
  const u32 queue_pairs = routing.source.count(Nic{0}, Nic{0}, long_message);
  std::vector<OfOneHash> found(hashes);
  std::atomic<bool> are_too_many = false;
  parallel_ranges(hashes, at.threads, [&](u64 first, u64 last) {
    HashMeter meter(at.topology, routing, Measure::demand, queue_pairs);
    for (; first < last; ++first) {
      const bool is_new = first > 0 && job.traffic.is_random;
      const auto drawn =
          is_new ? flows_by_round(job, rails, at.seed, first) : Result<FlowsByRound>(FlowsByRound{});
      if (const auto* flows = std::get_if<FlowsByRound>(&drawn))
        found[first] = measure_hash(meter, hash_seed(at.seed, first), is_new ? *flows : rounds, watched);
      else
        are_too_many = true;
    }
  });
  if (are_too_many) return too_many_hashed();
  HashedLoads out{.watched = std::vector<double>(watched.size())};
  const double share = 1 / static_cast<double>(std::max<u64>(1, hashes));
  for (const auto& flows : rounds) out.flows += flows.size();
  for (const OfOneHash& each : found) {
    out.max_load.push_back(each.max_load);
    out.max_load_worst = std::max(out.max_load_worst, each.worst);
    out.undelivered += static_cast<double>(each.undelivered);
    for (std::size_t i = 0; i < watched.size(); ++i) out.watched[i] += share * each.watched[i];
  }
  out.undelivered *= share;
  return out;
}

namespace {

Result<FailAnswer::Side> side(Situation at, const Judged& judged, const FailOptions& options) {
  at.routing = &judged.routing;
  if (is_over_hashes(judged, options)) {
    const auto result = loads_over_hashes(at, judged.routing, options);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
    const auto& found = std::get<HashedLoads>(result);
    return FailAnswer::Side{judged.verdict, estimate(found.max_load).interval(), found.max_load_worst,
                            found.flows, found.undelivered};
  }
  const auto result = load(at, traffic_options(at, options));
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  const auto& found = std::get<LoadAnswer>(result);
  return FailAnswer::Side{judged.verdict, found.max_load, found.max_load_worst, found.flows,
                          static_cast<double>(found.undelivered)};
}

}  // namespace

std::optional<NotApplicable> add_sides(const Situation& at, const Judged& before, const Situation& later,
                                       const Judged& after, const FailOptions& options, FailAnswer& out) {
  for (const auto& [where, what, to] :
       {std::tuple(&at, &before, &out.before), std::tuple(&later, &after, &out.after)}) {
    auto found = side(*where, *what, options);
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    *to = std::get<FailAnswer::Side>(std::move(found));
  }
  if (is_over_hashes(before, options) || is_over_hashes(after, options)) out.hashes = options.hashes;
  return std::nullopt;
}

}  // namespace banyan::ask
