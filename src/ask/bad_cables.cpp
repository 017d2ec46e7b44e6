#include "ask/bad_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "ask/any_hash.hpp"
#include "ask/judged.hpp"
#include "base/parallel.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"

namespace banyan::ask {
namespace {

// What the counters say of a port.
struct PortCount {
  u64 errors = 0;
  std::optional<u64> bytes{};
  std::vector<CountersAnswer::Counter> of_errors{};
};

PortCount counted(const Fabric& fabric, const PortCounters& counters, Channel port) {
  PortCount out;
  const auto found = counters.find(port);
  if (found == counters.end()) return out;
  for (const auto& [name, value] : found->second) {
    const CounterKind kind = counter_kind(name);
    if (kind == CounterKind::sent) out.bytes = out.bytes.value_or(0) + value * counter_bytes(name);
    if (kind != CounterKind::error || value == 0) continue;
    out.errors += value;
    out.of_errors.push_back({port_name(fabric, port), name, value});
  }
  return out;
}

CountersAnswer::Cable cable_of(const Fabric& fabric, const PortCounters& counters, Channel a) {
  CountersAnswer::Cable out{cable_name(fabric, {a, fabric.reverse(a)})};
  for (const Channel end : {a, fabric.reverse(a)}) {
    PortCount port = counted(fabric, counters, end);
    out.errors += port.errors;
    if (port.bytes) out.bytes = out.bytes.value_or(0) + *port.bytes;
    for (auto& counter : port.of_errors) out.counters.push_back(std::move(counter));
  }
  return out;
}

// All but the loads.
CountersAnswer listed(const Fabric& fabric, const PortCounters& counters, std::vector<Channel>& ends) {
  CountersAnswer out{counters.size()};
  fabric.each_link([&](const Link& cable) {
    auto found = cable_of(fabric, counters, cable.a);
    if (found.errors == 0) return;
    ends.push_back(cable.a);
    out.cables.push_back(std::move(found));
  });
  for (const auto& [channel, values] : counters) {
    PortCount port = counted(fabric, counters, channel);
    out.by_port.push_back({index(channel), port_name(fabric, channel), port.errors, port.bytes});
    if (!fabric.cabled(channel))
      for (auto& counter : port.of_errors) out.uncabled.push_back(std::move(counter));
  }
  return out;
}

// The maximum load, and the loads of some channels.
struct CableLoads {
  double max_load = 0;
  std::vector<double> watched{};
};

Result<CableLoads> loads_now(const Situation& at, const Judged& routed, const FailOptions& options,
                             std::span<const Channel> watched) {
  CableLoads out;
  if (is_over_hashes(routed, options)) {
    auto result = loads_over_hashes(at, routed.routing, options, watched);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
    auto& found = std::get<HashedLoads>(result);
    return CableLoads{estimate(found.max_load).interval().mean, std::move(found.watched)};
  }
  Situation now = at;
  now.routing = &routed.routing;
  LoadOptions by_channel = traffic_options(at, options);
  by_channel.samples = 1;
  if (!watched.empty()) by_channel.round = RoundOptions{.hottest = 0};
  const auto result = load(now, by_channel);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  const auto& found = std::get<LoadAnswer>(result);
  out.max_load = found.max_load.mean;
  for (const Channel c : watched) out.watched.push_back(found.round->loads[c]);
  return out;
}

// What the others pay without the cable.
void add_cost(const Situation& at, const FabricRouter& router, const Judged& before,
              const FailOptions& options, Channel end, CountersAnswer::Cable& out) {
  const Fabric& fabric = at.topology.fabric;
  Topology rest = at.topology;
  rest.fabric = fabric::without(fabric, std::vector<Link>{{end, fabric.reverse(end)}});
  Situation later = at.on(rest);
  later.threads = 1;
  const auto after = judged(later, router.route(rest));
  const auto* routed = std::get_if<Judged>(&after);
  const auto loads = routed ? loads_now(later, *routed, options, {}) : Result<CableLoads>(CableLoads{});
  if (routed) out.pairs_lost = pairs_lost(before, routed->arriving());
  if (!routed)
    out.not_applicable = std::get<NotApplicable>(after).why;
  else if (const auto* reason = std::get_if<NotApplicable>(&loads))
    out.not_applicable = reason->why;
  else
    out.max_load = std::get<CableLoads>(loads).max_load;
}

auto rank_of(const CountersAnswer::Cable& cable) {
  return std::tuple(cable.not_applicable.has_value(), cable.pairs_lost, cable.max_load.value_or(0),
                    cable.load, cable.errors);
}

}  // namespace

std::string traffic_for_counters(const Topology& topology, const Routing& routing) {
  const u64 hosts = topology.fabric.hosts();
  const bool is_listed = topology.fabric.columns() > 1 && hosts * hosts > max_listed_flows;
  return hashes(routing) || is_listed ? "permutation" : "uniform";
}

void refuse_beside_counters(const FailOptions& options, const WasGiven& given) {
  for (const std::string_view key : {"sweep", "against", "samples", "pairs"})
    if (key == "sweep" ? options.sweep != Sweep::none : given(key))
      throw InputError(fmt::format("--counters takes no --{}", key));
}

Result<CountersAnswer> bad_cables(const Situation& at, const FabricRouter& router,
                                  const PortCounters& counters, const FailOptions& options,
                                  const WasGiven& given) {
  const Fabric& fabric = at.topology.fabric;
  const auto routed = judged(at, router.route(at.topology));
  if (const auto* reason = std::get_if<NotApplicable>(&routed)) return *reason;
  const auto& before = std::get<Judged>(routed);
  refuse_unused(before, before, given);
  std::vector<Channel> ends, watched;  // both ends of each cable
  CountersAnswer out = listed(fabric, counters, ends);
  for (const Channel a : ends) watched.insert(watched.end(), {a, fabric.reverse(a)});
  const auto found = loads_now(at, before, options, watched);
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  const auto& loads = std::get<CableLoads>(found);
  out.max_load = loads.max_load;
  if (is_over_hashes(before, options)) out.hashes = options.hashes;
  for (std::size_t i = 0; i < ends.size(); ++i)
    out.cables[i].load = std::max(loads.watched[2 * i], loads.watched[2 * i + 1]);
  parallel_for(ends.size(), at.threads,
               [&](u64 i) { add_cost(at, router, before, options, ends[i], out.cables[i]); });
  std::stable_sort(out.cables.begin(), out.cables.end(),
                   [](const auto& x, const auto& y) { return rank_of(x) > rank_of(y); });
  return out;
}

}  // namespace banyan::ask
