#include "ask/fail.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "ask/judged.hpp"
#include "ask/pair_ways.hpp"
#include "base/parallel.hpp"
#include "engines/components.hpp"
#include "fabric/names.hpp"

namespace banyan::ask {
namespace {

// For each host: the connected parts of the fabric on which its NICs are, and on which another host is too.
std::vector<std::vector<u64>> cabled_parts(const Fabric& fabric) {
  const IdVector<engines::Switch, engines::Switch> component = engines::components(fabric);
  std::vector<std::vector<u64>> out(fabric.hosts());
  std::map<u64, u32> hosts_of;
  for (u32 h = 0; h < fabric.hosts(); ++h)
    for (u32 slot = 0; slot < fabric.nics(Host{h}); ++slot)
      for (const Channel c : fabric.channels(fabric.node(fabric.nic(Host{h}, slot)))) {
        if (!fabric.cabled(c)) continue;
        const u32 far = index(fabric.to(c)), nics = fabric.nics();
        const u64 part = fabric.is_switch(fabric.to(c))
                             ? nics + index(component[engines::Switch{far - nics}])
                             : std::min(far, index(fabric.from(c)));  // of two hosts
        if (std::find(out[h].begin(), out[h].end(), part) != out[h].end()) continue;
        out[h].push_back(part);
        ++hosts_of[part];
      }
  for (std::vector<u64>& numbers : out)
    std::erase_if(numbers, [&](u64 number) { return hosts_of[number] < 2; });  // it leads to nobody
  return out;
}

// Ordered pairs of hosts that no cables connect. Most hosts have the same connections.
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

bool are_served(const Fabric& fabric, PairWays& ways, Host from, Host to) {
  for (u32 i = 0; i < fabric.nics(from); ++i)
    for (u32 j = 0; j < fabric.nics(to); ++j)
      if (const Nic a = fabric.nic(from, i), b = fabric.nic(to, j);
          fabric.plane(a) == fabric.plane(b) && !ways.parts(a, b).empty())
        return true;
  return false;
}

// Ordered pairs of hosts of which no NIC reaches one of the other.
u64 unserved_hosts(const Situation& at, const Judged& routed) {
  const Fabric& fabric = at.topology.fabric;
  if (routed.verdict.reachable) return unconnected_hosts(fabric);  // whoever is connected is served
  std::vector<u64> by_source(fabric.hosts());
  parallel_ranges(fabric.hosts(), at.threads, [&](u64 first, u64 last) {
    PairWays ways(fabric, routed.routing);
    for (; first < last; ++first)
      for (u32 to = 0; to < fabric.hosts(); ++to) {
        if (to == first) continue;
        by_source[first] += !are_served(fabric, ways, Host{static_cast<u32>(first)}, Host{to});
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

// Their names, in the order of the fabric before. The one after may have more ports.
std::vector<std::string> cables_taken(const Fabric& before, const Fabric& after) {
  std::vector<std::string> out;
  before.each_link([&](const Link& cable) {
    if (!after.cabled(after.channel(before.from(cable.a), before.port(cable.a))))
      out.push_back(cable_name(before, cable));
  });
  return out;
}

}  // namespace

Result<FailAnswer> fail(const Situation& at, const Topology& after, const FabricRouter& router,
                        const FailOptions& options, const WasGiven& given) {
  const LoadOptions traffic = traffic_options(at, options);
  const Situation later = at.on(after);
  const auto x = judged(at, router.route(at.topology)), y = judged(later, router.route(after));
  for (const auto* result : {&x, &y})
    if (const auto* reason = std::get_if<NotApplicable>(result)) return *reason;
  const auto &a = std::get<Judged>(x), &b = std::get<Judged>(y);
  refuse_unused(a, b, given);
  const Fabric &before = at.topology.fabric, &rest = after.fabric;
  FailAnswer out{.links_taken = before.links() - rest.links(),
                 .host_links_taken = host_links(before) - host_links(rest),
                 .pairs_lost = pairs_lost(a, b.arriving())};
  out.cables = cables_taken(before, rest);
  if (has_rails(at)) {
    const u64 before_them = unserved_hosts(at, a), now = unserved_hosts(later, b);
    out.host_pairs_lost = now - std::min(now, before_them);
    out.rails_policy = traffic.rails_policy;
  }
  if (const auto changes = count_entries(at, a, b))
    out.entries = changes->entries, out.entries_changed = changes->changed;
  if (const auto reason = add_sides(at, a, later, b, options, out)) return *reason;
  return out;
}

}  // namespace banyan::ask
