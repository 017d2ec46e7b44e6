// Equal-cost multi-path: one hash compared with 'load', many hashes with the enumeration of all paths.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ask/hash_forecast.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/load.hpp"
#include "routing/flow_hash.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

std::vector<Flow> hashed_flows(Random& random, u32 nics, u64 count) {
  std::vector<Flow> out;
  for (u64 i = 0; i < count; ++i)
    out.push_back({Nic{static_cast<u32>(random.below(nics))}, Nic{static_cast<u32>(random.below(nics))},
                   static_cast<double>(1 + random.below(3))});
  return out;
}

RC_GTEST_PROP(Hashes, EachHasTheLoadsOfTheEngineWithItsSeed, (u64 seed)) {
  Random random(seed);
  Topology t = random_topology();
  t.fabric = broken(t.fabric, static_cast<u32>(random.below(20)), seed);
  const std::vector<std::vector<Flow>> rounds = {hashed_flows(random, t.fabric.hosts(), 1 + random.below(20)),
                                                 hashed_flows(random, t.fabric.hosts(), random.below(20))};
  const std::vector<std::string> kinds = {"mix", "crc32", "crc16", "xor16"};
  const u32 queue_pairs = 1 + static_cast<u32>(random.below(4));
  const u32 flowlets = static_cast<u32>(random.below(4)), parts = queue_pairs * std::max(1u, flowlets);
  const std::string& kind = kinds[random.below(4)];
  const std::string engine = fmt::format("ecmp:paths={},hash={},seeds={},flowlets={}", queue_pairs, kind,
                                         random.below(2) ? "same" : "switch", flowlets);
  const Routing routing = std::get<Routing>(route(t, engine));
  const auto found = max_loads(hash_loads(
      {t, routing, rounds, Measure::demand, 5, 7, static_cast<unsigned>(1 + random.below(3))}, parts));
  for (u64 i = 0; i < found.size(); ++i) {
    const Routing one = std::get<Routing>(route(t, engine + fmt::format(",seed={}", hash_seed(7, i))));
    double sum = 0;
    for (const auto& flows : rounds) {
      const auto load = loads(t.fabric, one, flows);
      sum += load.size() == 0 ? 0 : *std::max_element(load.begin(), load.end());
    }
    RC_ASSERT(std::abs(found[i] - sum / 2) <= 1e-9 * (1 + sum));
  }
}

// Every path of a flow under hashes without structure, and how likely it is.
struct LikelyPath {
  std::vector<Channel> channels;
  double chance;
};

void list_paths(const Fabric& fabric, const PortSets& sets, Node at, Nic to, LikelyPath path,
                std::vector<LikelyPath>& out) {
  if (at == fabric.node(to)) return out.push_back(std::move(path));
  const PortSets::Exits exits = sets.exits(at, to);
  std::vector<Port> ports;
  if (!exits.words) ports.push_back(exits.only);
  for (u32 p = 0; exits.words && p < fabric.ports(at); ++p)
    if (exits.words[p / 64] >> (p % 64) & 1) ports.push_back(Port{p});
  for (const Port port : ports) {
    LikelyPath longer = path;
    const Channel c = fabric.channel(at, port);
    longer.channels.push_back(c);
    longer.chance /= static_cast<double>(ports.size());
    list_paths(fabric, sets, fabric.to(c), to, std::move(longer), out);
  }
}

// The distribution of the maximum load by enumeration: each flow takes each of its paths.
std::map<double, double> all_choices(const Fabric& fabric, const std::vector<Flow>& flows) {
  const PortSets sets = shortest_port_sets(fabric);
  std::vector<std::vector<LikelyPath>> paths(flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i)
    list_paths(fabric, sets, fabric.node(flows[i].from), flows[i].to, {{}, 1}, paths[i]);
  std::map<double, double> out;
  std::vector<std::size_t> choice(flows.size());
  for (bool more = true; more;) {
    IdVector<Channel, double> load(fabric.channels().size());
    double chance = 1;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      chance *= paths[i][choice[i]].chance;
      for (const Channel c : paths[i][choice[i]].channels) load[c] += flows[i].demand;
    }
    out[*std::max_element(load.begin(), load.end())] += chance;
    more = false;
    for (std::size_t i = 0; i < flows.size() && !more; ++i)
      if (more = ++choice[i] < paths[i].size(); !more) choice[i] = 0;
  }
  return out;
}

// Every flow as so many that carry an equal part.
std::vector<Flow> in_parts(const std::vector<Flow>& flows, u32 parts) {
  std::vector<Flow> out;
  for (const Flow& flow : flows)
    for (u32 i = 0; i < parts; ++i) out.push_back({flow.from, flow.to, flow.demand / parts});
  return out;
}

// Flowlets are drawn by every switch, whatever it hashes: each takes each of its paths.
// Seeds are fixed: this is no matter of chance. Differences are those of 40,000 hashes, within five
// deviations.
TEST(Hashes, HaveTheDistributionOfTheEnumeration) {
  struct Case {
    const char *fabric, *without;
    std::vector<Flow> flows;
  };
  const std::vector<Case> cases = {
      {"XGFT(2; 4,3; 1,3)", "", {{Nic{0}, Nic{4}}, {Nic{1}, Nic{5}}, {Nic{2}, Nic{6}}, {Nic{3}, Nic{7}}}},
      {"XGFT(2; 4,3; 1,3)", "link=s1-0:6", {{Nic{0}, Nic{4}}, {Nic{1}, Nic{8}, 2}, {Nic{2}, Nic{6}}}},
      {"2-ary 3-tree", "", {{Nic{0}, Nic{7}}, {Nic{1}, Nic{6}}, {Nic{2}, Nic{5}}, {Nic{3}, Nic{4}}}},
      {"HyperX(2x2x2)", "", {{Nic{0}, Nic{7}}, {Nic{1}, Nic{7}}, {Nic{2}, Nic{5}}}},
  };
  for (const Case& c : cases)
    for (const u32 flowlets : {0u, 2u}) {
      Topology t = make_topology(c.fabric);
      if (*c.without) t.fabric = fabric::without(t.fabric, std::vector<std::string>{c.without});
      const std::string engine = flowlets ? "ecmp:hash=crc32,seeds=same,flowlets=2" : "ecmp";
      const Routing routing = std::get<Routing>(route(t, engine));
      const std::vector<std::vector<Flow>> rounds = {c.flows};
      constexpr u64 hashes = 40'000;
      const u32 parts = std::max(1u, flowlets);
      const auto found = max_loads(hash_loads({t, routing, rounds, Measure::demand, hashes, 1, 2}, parts));
      std::map<double, u64> counted;
      for (const double load : found) ++counted[load];
      for (const auto& [load, chance] : all_choices(t.fabric, in_parts(c.flows, parts))) {
        const double deviation = std::sqrt(chance * (1 - chance) / hashes);
        EXPECT_NEAR(static_cast<double>(counted[load]) / hashes, chance, 5 * deviation + 1e-12)
            << c.fabric << " " << engine << " " << load;
        counted.erase(load);
      }
      EXPECT_TRUE(counted.empty()) << "a load that no choice of paths has";
    }
}

}  // namespace
}  // namespace banyan::tests
