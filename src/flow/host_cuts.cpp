#include "flow/host_cuts.hpp"

#include <algorithm>
#include <numeric>

#include "fabric/levels.hpp"
#include "topology/place.hpp"

namespace banyan::flow {
namespace {

constexpr u32 no_label = ~u32{0};

// By node: those up to this level that are connected without higher ones have one label.
std::vector<u32> subtree_labels(const Fabric& fabric, const IdVector<Node, u32>& level, u32 height) {
  std::vector<u32> out(fabric.nodes().size(), no_label);
  std::vector<Node> open;
  for (const Node first : fabric.switch_nodes()) {
    if (level[first] > height || out[index(first)] != no_label) continue;
    out[index(first)] = index(first);
    open.assign(1, first);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const Channel c : fabric.channels(node)) {
        const Node next = fabric.to(c);
        if (next == none<Node> || level[next] > height) continue;
        if (out[index(next)] != no_label) continue;
        out[index(next)] = index(first);
        open.push_back(next);
      }
    }
  }
  return out;
}

struct RankDemands {
  std::vector<std::vector<double>> parts;  // by rank and other rank, the greatest first
  std::vector<double> sum;

  explicit RankDemands(u32 ranks) : parts(ranks), sum(ranks) {}

  // What some k ranks must at least exchange with the others.
  double crossing(u32 k) const {
    std::vector<double> outside;
    for (std::size_t r = 0; r < sum.size(); ++r) {
      const std::size_t inside = std::min<std::size_t>(k - 1, parts[r].size());
      outside.push_back(sum[r] - std::accumulate(parts[r].begin(), parts[r].begin() + inside, 0.0));
    }
    std::nth_element(outside.begin(), outside.begin() + (k - 1), outside.end());
    return std::accumulate(outside.begin(), outside.begin() + k, 0.0);
  }
};

// The sum for each pair, seen from one of its ends.
RankDemands by_rank(std::span<const Demand> demands, u32 ranks, bool sent) {
  std::vector<std::pair<u64, double>> pairs;
  for (const Demand& demand : demands) {
    if (demand.from == demand.to) continue;
    const u32 one = index(sent ? demand.from : demand.to), other = index(sent ? demand.to : demand.from);
    pairs.emplace_back(u64{one} << 32 | other, demand.amount);
  }
  std::sort(pairs.begin(), pairs.end());
  RankDemands out(ranks);
  for (std::size_t i = 0; i < pairs.size();) {
    double amount = 0;
    const u64 pair = pairs[i].first;
    for (; i < pairs.size() && pairs[i].first == pair; ++i) amount += pairs[i].second;
    out.parts[pair >> 32].push_back(amount);
    out.sum[pair >> 32] += amount;
  }
  for (auto& parts : out.parts) std::sort(parts.begin(), parts.end(), std::greater<>());
  return out;
}

}  // namespace

HostCuts::HostCuts(const Topology& topology, std::span<const Host> hosts, Measure measure)
    : hosts_(static_cast<u32>(hosts.size())) {
  const Fabric& fabric = topology.fabric;
  add_nics(fabric, hosts, measure);
  std::vector<u32> alone(fabric.nodes().size());
  std::iota(alone.begin(), alone.end(), 0);
  add_sets(fabric, hosts, alone, measure);
  const Places places(topology);
  if (places.has_groups()) {
    std::vector<u32> group(fabric.nodes().size(), no_label);
    const u32 groups = static_cast<u32>(fabric.nodes().size());  // more than a plane can have
    for (const Node node : fabric.switch_nodes())
      if (places.has(node)) group[index(node)] = places.plane(node) * groups + places.group(node);
    add_sets(fabric, hosts, group, measure);
    return;
  }
  const IdVector<Node, u32> level = levels(topology);
  const u32 top = top_level(level);
  for (u32 height = 1; height < top; ++height)
    add_sets(fabric, hosts, subtree_labels(fabric, level, height), measure);
}

void HostCuts::add_nics(const Fabric& fabric, std::span<const Host> hosts, Measure measure) {
  Family& family = families_.emplace_back();
  for (const Host host : hosts) {
    double cables = 0;
    for (const Channel c : fabric.channels(fabric.node(fabric.nic(host))))
      if (fabric.cabled(c)) cables += capacity(fabric, c, measure);
    family.set_of.push_back(static_cast<u32>(family.cables.size()));
    family.cables.push_back(cables);
    widest_nic_ = std::max(widest_nic_, cables);
  }
}

void HostCuts::add_sets(const Fabric& fabric, std::span<const Host> hosts, const std::vector<u32>& label,
                        Measure measure) {
  std::vector<u32> set(label);  // by node
  for (const Node nic : fabric.nic_nodes()) {
    u32 common = nowhere;
    bool is_one = true;
    for (const Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c)) continue;
      const u32 there = set[index(fabric.to(c))];
      is_one &= fabric.is_switch(fabric.to(c)) && (common == nowhere || common == there);
      common = there;
    }
    set[index(nic)] = is_one ? common : nowhere;
  }
  std::map<u32, u32> number;
  Family family;
  std::vector<u32> members;
  for (const Host host : hosts) {
    const u32 of = set[index(fabric.nic(host))];
    if (of == nowhere) {
      family.set_of.push_back(nowhere);
      continue;
    }
    const auto [at, is_new] = number.emplace(of, static_cast<u32>(number.size()));
    if (is_new) members.push_back(0);
    ++members[at->second];
    family.set_of.push_back(at->second);
  }
  family.cables.resize(number.size());
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const u32 here = set[index(fabric.from(c))];
    const auto at = here == nowhere ? number.end() : number.find(here);
    if (at != number.end() && set[index(fabric.to(c))] != here)
      family.cables[at->second] += capacity(fabric, c, measure);
  }
  for (std::size_t s = 0; s < members.size(); ++s) {
    if (members[s] == hosts_ || family.cables[s] <= 0) continue;
    const auto [at, is_new] = narrowest_.emplace(members[s], family.cables[s]);
    if (!is_new) at->second = std::min(at->second, family.cables[s]);
  }
  families_.push_back(std::move(family));
}

double HostCuts::bound(std::span<const Demand> demands, std::span<const u32> seats) const {
  double out = 0;
  std::vector<double> leaves, enters;
  for (const Family& family : families_) {
    leaves.assign(family.cables.size(), 0);
    enters.assign(family.cables.size(), 0);
    for (const Demand& demand : demands) {
      const u32 from = family.set_of[seats[index(demand.from)]], to = family.set_of[seats[index(demand.to)]];
      if (demand.from == demand.to || from == to) continue;
      if (from != nowhere) leaves[from] += demand.amount;
      if (to != nowhere) enters[to] += demand.amount;
    }
    for (std::size_t s = 0; s < family.cables.size(); ++s)
      if (family.cables[s] > 0) out = std::max(out, std::max(leaves[s], enters[s]) / family.cables[s]);
  }
  return out;
}

double HostCuts::least(std::span<const Demand> demands) const {
  double out = 0;
  for (const bool sent : {true, false}) {
    const RankDemands ranks = by_rank(demands, hosts_, sent);
    if (widest_nic_ > 0)
      for (const double sum : ranks.sum) out = std::max(out, sum / widest_nic_);
    for (const auto& [members, cables] : narrowest_) out = std::max(out, ranks.crossing(members) / cables);
  }
  return out;
}

}  // namespace banyan::flow
