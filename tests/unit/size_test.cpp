// Sizing: what families propose against brute force, what formulas say against the fabric that is built,
// limits, the front, and designs that are in use.
#include "ask/size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "ask/load.hpp"
#include "base/error.hpp"
#include "engines/engine.hpp"
#include "study/prices.hpp"
#include "support/sized.hpp"
#include "support/small_trees.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

std::set<std::string> notations(const SizeDemand& demand, std::string_view family) {
  std::set<std::string> out;
  for (const Proposed& each : all_proposals(demand, family)) {
    const auto* tree = std::get_if<Pgft>(&each.outline.shape);
    if (tree && tree->h() > 3) continue;  // more than brute force has time for
    EXPECT_TRUE(out.insert(each.outline.notation).second) << each.outline.notation << " is proposed twice";
  }
  return out;
}

// --- all parameter choices of small machines, with every condition as it is defined
// -----------------------------

// `is_full`: no cable more would help, so that ports may be idle.
bool meets(const Fabric& fabric, const SizeDemand& demand, bool is_full = false) {
  u64 used = 0;
  for (const Node node : fabric.switch_nodes()) {
    if (fabric.ports(node) > demand.ports) return false;
    used += fabric.cabled_ports(node);
  }
  const double ports = static_cast<double>(fabric.switches()) * demand.ports;
  return fabric.hosts() >= demand.hosts && fabric.hosts() <= demand.hosts_at_most &&
         (fabric.switches() == 1 || ((is_full || static_cast<double>(used) >= demand.fill * ports - 1e-9) &&
                                     fabric.nics() >= demand.host_ports * ports - 1e-9));
}

// Calls f with every list of so many numbers from 1 to `most`.
template <class F>
void each_list(std::size_t count, u32 most, F&& f) {
  std::vector<u32> list(count, 1);
  for (;;) {
    f(list);
    std::size_t i = 0;
    while (i < count && list[i] == most) list[i++] = 1;
    if (i == count) return;
    ++list[i];
  }
}

// Whether hosts with these NICs fit the tree.
bool fits(const Pgft& tree, const HostNics& nics) {
  return tree.m[0] % nics.on_leaf() == 0 &&
         (nics.leaves() == 1 || (tree.h() > 1 && tree.m[1] % nics.leaves() == 0));
}

// Trees of up to three levels that meet the demand, without a subtree that they do not need; of more than two
// levels only where no lower one is untapered.
std::vector<Pgft> brute_trees(const SizeDemand& demand) {
  std::vector<Pgft> out;
  bool is_full = false;
  for (u32 levels = 1; levels <= (is_full ? 2U : 3U); ++levels)
    each_tree({demand.ports, levels, demand.hosts_at_most, demand.taper}, [&](const Pgft& tree) {
      Pgft smaller = tree;  // without a subtree of the roots
      --smaller.m.back();
      if (smaller.hosts() >= demand.hosts || !meets(build(tree).fabric, demand)) return;
      out.push_back(tree);
      is_full |= is_untapered(tree);
    });
  return out;
}

// Those that no other with the same leaves beats, nor one whose leaves have fewer cables up, but no fewer
// than down.
std::set<std::string> unbeaten(const std::vector<Pgft>& all) {
  std::map<std::tuple<u32, u32, u32>, std::vector<std::array<double, 7>>>
      keys;  // by levels, hosts, cables up
  for (const Pgft& tree : all) keys[{tree.h(), tree.m[0], tree.up_ports(1)}].push_back(tree_keys(tree));
  const auto beats = [](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] > b[i]) return false;
    return a != b;
  };
  std::set<std::string> out;
  for (const Pgft& tree : all) {
    const auto mine = tree_keys(tree);
    bool is_beaten = false;
    for (const u32 up : {tree.up_ports(1), std::min(tree.up_ports(1), tree.m[0])})
      for (const auto& other : keys[{tree.h(), tree.m[0], up}]) is_beaten |= beats(other, mine);
    if (!is_beaten) out.insert(tree.notation());
  }
  return out;
}

TEST(Proposals, OfTreesAreAllThatNoneBeats) {
  for (const u32 hosts : {1U, 5U, 8U, 12U, 18U, 27U})
    for (const u32 taper : {1U, 2U, 3U})
      for (const double fill : {0.7, 0.3}) {
        const SizeDemand demand{.hosts = hosts,
                                .ports = 6,
                                .hosts_at_most = 2 * hosts,
                                .fill = fill,
                                .host_ports = 0.1,
                                .taper = taper};
        EXPECT_EQ(notations(demand, "PGFT"), unbeaten(brute_trees(demand)))
            << hosts << " hosts, taper " << taper << ", fill " << fill;
      }
}

// A leaf may have three cables down for two up.
TEST(Proposals, OfTreesHaveTapersBetweenWholeNumbers) {
  const auto fewest = [](const SizeDemand& demand, double least_bisection) {
    u32 out = ~0U;
    for (const Proposed& each : all_proposals(demand, "PGFT"))
      if (2.0 * static_cast<double>(each.outline.proved_cut) >= least_bisection * each.outline.hosts)
        out = std::min(out, each.outline.switches);
    return out;
  };
  const SizeDemand small{
      .hosts = 56, .ports = 10, .hosts_at_most = 70, .fill = 0.5, .host_ports = 0.1, .taper = 4};
  EXPECT_EQ(fewest(small, 0.6), 14U);  // XGFT(2; 6,10; 1,4)
  const SizeDemand large{
      .hosts = 1700, .ports = 64, .hosts_at_most = 2125, .fill = 0.8, .host_ports = 0.1, .taper = 2};
  u32 brute = ~0U;
  each_tree({large.ports, 2, large.hosts_at_most, large.taper}, [&](const Pgft& tree) {
    if (tree.hosts() < large.hosts || tree.up_ports(1) > tree.m[0]) return;
    const Outline o = outline(tree, 1, large.ports);
    if (o.switches < brute && 2.0 * static_cast<double>(o.proved_cut) >= 0.6 * o.hosts &&
        meets(build(tree).fabric, large))
      brute = o.switches;
  });
  EXPECT_EQ(fewest(large, 0.6), brute);
  EXPECT_EQ(brute, 67U);  // 43 leaves and 24 spines
}

// Where no tree of three levels is needed, none is looked for: with few cables demanded there are very many.
TEST(Proposals, OfTreesHaveNoMoreLevelsThanTheyNeed) {
  const SizeDemand demand{.hosts = 985, .ports = 48, .hosts_at_most = 1478, .fill = 0.1, .host_ports = 0.01};
  const auto levels = [](const SizeDemand& of) {
    std::set<u32> out;
    for (const Proposed& each : all_proposals(of, "PGFT")) out.insert(std::get<Pgft>(each.outline.shape).h());
    return out;
  };
  EXPECT_EQ(levels(demand), std::set<u32>{2});
  SizeDemand growing = demand;
  growing.fill = 0.3, growing.host_ports = 0.05, growing.grows_to = 5000;
  EXPECT_EQ(levels(growing), (std::set<u32>{2, 3}));
  u32 most = 0;
  for (const Proposed& each : all_proposals(growing, "PGFT")) most = std::max(most, each.outline.grows_to);
  EXPECT_GE(most, 5000U);
}

// Planes, a rail-optimised tree, and trees with all NICs of a host on one leaf or on two: each where it can
// be.
TEST(Proposals, OfTreesHaveSeveralNicsInEveryWay) {
  for (const u32 hosts : {2U, 3U, 6U, 9U})
    for (const u32 count : {2U, 4U}) {
      const SizeDemand demand{.hosts = hosts,
                              .ports = 6,
                              .rails = count,
                              .hosts_at_most = 2 * hosts,
                              .fill = 0.7,
                              .host_ports = 0.1};
      const std::set<std::string> found = notations(demand, "PGFT");
      for (const std::string& notation : found) {
        const Topology topology = make_topology(notation);
        if (topology.as<Pgft>()->h() == 1) continue;
        EXPECT_TRUE(meets(topology.fabric, demand)) << notation;
      }
      std::vector<HostNics> in_one = {HostNics::on_rails(count), HostNics::plain(count)};
      if (count == 4) in_one.push_back(HostNics::plain(4, 2));
      for (const HostNics& nics : in_one) {
        bool is_possible = false;
        for (u32 levels = 1; levels <= 2 && !is_possible; ++levels)
          each_tree({demand.ports, levels, demand.hosts_at_most * count, 1}, [&](Pgft tree) {
            if (!fits(tree, nics)) return;
            tree.nics = nics;
            is_possible |= meets(build(tree).fabric, demand);
          });
        const bool is_found = std::ranges::any_of(found, [&](const std::string& notation) {
          const auto topology = make_topology(notation);
          return topology.planes == 1 && topology.as<Pgft>()->nics == nics;
        });
        EXPECT_TRUE(is_found || !is_possible) << hosts << " hosts with " << count << " NICs";
      }
    }
}

// Trunks that are ceil(b / S) for some b.
bool is_balanced(const std::vector<u32>& widths, const std::vector<u32>& trunk) {
  u32 least = ~0U;
  for (std::size_t d = 0; d < widths.size(); ++d) least = std::min(least, widths[d] * trunk[d]);
  for (std::size_t d = 0; d < widths.size(); ++d)
    if (trunk[d] != (least + widths[d] - 1) / widths[d]) return false;
  return true;
}

// Whether all hosts can send along every dimension at once.
bool is_full(const std::vector<u32>& widths, const std::vector<u32>& trunk, u32 hosts) {
  for (std::size_t d = 0; d < widths.size(); ++d)
    if (widths[d] * trunk[d] < 2 * hosts) return false;
  return true;
}

// Whether the next weaker trunks are full already.
bool is_more_than_full(const std::vector<u32>& widths, std::vector<u32> trunk, u32 hosts) {
  u32 weaker = 0;  // the largest b with other trunks ceil(b / S)
  for (std::size_t d = 0; d < widths.size(); ++d) weaker = std::max(weaker, widths[d] * (trunk[d] - 1));
  if (weaker == 0) return false;
  for (std::size_t d = 0; d < widths.size(); ++d) trunk[d] = (weaker + widths[d] - 1) / widths[d];
  return is_full(widths, trunk, hosts);
}

std::set<std::string> brute_hyperx(const SizeDemand& demand, u32 least_dimensions, u32 most_dimensions) {
  std::set<std::string> out;
  for (u32 dimensions = least_dimensions; dimensions <= most_dimensions; ++dimensions)
    each_list(dimensions, demand.ports, [&](const std::vector<u32>& widths) {
      if (!std::is_sorted(widths.rbegin(), widths.rend()) || widths.back() < 2) return;
      u32 switches = 1;
      for (const u32 width : widths) switches *= width;
      const u32 hosts = (demand.hosts + switches - 1) / switches;
      each_list(dimensions, demand.ports, [&](const std::vector<u32>& trunk) {
        const HyperX shape{{widths}, trunk, hosts, std::vector<LinkClass>(dimensions + 1)};
        if (is_balanced(widths, trunk) && !is_more_than_full(widths, trunk, hosts) &&
            shape.widest_switch() <= demand.ports &&
            meets(build(shape).fabric, demand, is_full(widths, trunk, hosts)))
          out.insert(shape.notation());
      });
    });
  return out;
}

TEST(Proposals, OfHyperXAndFullMeshAreAllThereAre) {
  for (const u32 hosts : {4U, 9U, 16U, 30U}) {
    const SizeDemand demand{
        .hosts = hosts, .ports = 7, .hosts_at_most = 2 * hosts, .fill = 0.7, .host_ports = 0.1};
    EXPECT_EQ(notations(demand, "FullMesh"), brute_hyperx(demand, 1, 1)) << hosts;
    const SizeDemand wide{
        .hosts = hosts, .ports = 5, .hosts_at_most = 2 * hosts, .fill = 0.7, .host_ports = 0.2};
    EXPECT_EQ(notations(wide, "HyperX"), brute_hyperx(wide, 2, 4)) << hosts;
  }
}

TEST(Proposals, OfDragonfliesAreAllThereAre) {
  for (const u32 hosts : {6U, 20U, 45U}) {
    const SizeDemand demand{
        .hosts = hosts, .ports = 7, .hosts_at_most = 3 * hosts, .fill = 0.7, .host_ports = 0.1, .taper = 2};
    std::set<std::string> dragonflies, plus;
    each_list(3, demand.ports, [&](const std::vector<u32>& v) {
      const u32 groups = (hosts + v[0] * v[1] - 1) / (v[0] * v[1]);
      if (v[1] < 2 * v[2] || v[0] < v[2] || groups < 3 || groups > v[1] * v[2] + 1) return;
      const Dragonfly shape{v[0], v[1], v[2], groups, GlobalCabling::Order::relative, {{}, {}, {}}};
      if (shape.widest_switch() <= demand.ports && meets(build(shape).fabric, demand))
        dragonflies.insert(shape.notation());
    });
    each_list(4, demand.ports, [&](const std::vector<u32>& v) {
      const u32 groups = (hosts + v[0] * v[1] - 1) / (v[0] * v[1]);
      const auto up = [](u32 down, u32 t) { return (down + t - 1) / t; };
      bool tapered = false;
      for (const auto& [leaf, spine] : {std::pair(1U, 1U), {2U, 1U}, {2U, 2U}})
        tapered |= v[2] == up(v[0], leaf) && v[3] == up(v[1], spine);
      if (!tapered || groups < 2 || groups > v[2] * v[3] + 1) return;
      const DragonflyPlus shape{v[0], v[1], v[2], v[3], groups, GlobalCabling::Order::relative, {{}, {}, {}}};
      if (shape.widest_switch() <= demand.ports && meets(build(shape).fabric, demand))
        plus.insert(shape.notation());
    });
    EXPECT_EQ(notations(demand, "Dragonfly"), dragonflies) << hosts;
    EXPECT_EQ(notations(demand, "Dragonfly+"), plus) << hosts;
  }
}

// Of families whose cables are listed: every notation that can be read, with the fewest hosts of a switch.
TEST(Proposals, OfGraphsAreAllThereAre) {
  const auto made = [](const std::string& notation) -> std::optional<Fabric> {
    try {
      return make_topology(notation).fabric;
    } catch (const InputError&) {  // no prime power
      return std::nullopt;
    }
  };
  for (const u32 hosts : {30U, 90U, 200U})
    for (const u32 ports : {10U, 15U}) {
      const SizeDemand demand{
          .hosts = hosts, .ports = ports, .hosts_at_most = 2 * hosts, .fill = 0.7, .host_ports = 0.1};
      std::map<std::string, std::set<std::string>> expected;
      const auto take = [&](const std::string& family, const std::string& numbers) {
        const auto one = made(fmt::format("{}({}; hosts=1)", family, numbers));
        if (!one || one->switches() == 1) return;
        const std::string notation =
            fmt::format("{}({}; hosts={})", family, numbers, (hosts + one->switches() - 1) / one->switches());
        if (meets(*made(notation), demand)) expected[family].insert(notation);
      };
      for (u32 q = 2; q < ports; ++q) {
        take("SlimFly", std::to_string(q)), take("PolarFly", std::to_string(q));
        for (u32 p = 5; p < 2 * ports && (q * q + q + 1) * p <= 2 * hosts; ++p)
          take("PolarStar", fmt::format("{},{}", q, p));
        for (u32 n = 2; n < 6 && q < ports / 2; ++n) take("Kautz", fmt::format("{},{}", q, n));
        take("TwistedTorus", fmt::format("{}x{}", 2 * q, q));
        take("TwistedTorus", fmt::format("{}x{}x{}", 2 * q, q, q));
      }
      for (u32 t = 1; t + 3 <= ports; ++t)
        for (u32 k = 2;; ++k) {
          if ((ports - t + 1) * k * t < hosts) continue;
          const std::string notation = fmt::format("Xpander({},{}; hosts={})", ports - t, k, t);
          if (meets(*made(notation), demand)) expected["Xpander"].insert(notation);
          break;
        }
      for (const char* family : {"SlimFly", "PolarFly", "PolarStar", "Kautz", "TwistedTorus", "Xpander"})
        EXPECT_EQ(notations(demand, family), expected[family]) << family << ", " << hosts << ", " << ports;
    }
}

// Their hops are counted: larger ones would take seconds.
TEST(Proposals, OfKautzGraphsStaySmall) {
  const SizeDemand demand{.hosts = 12288, .ports = 5, .hosts_at_most = 60000};
  EXPECT_EQ(notations(demand, "Kautz"), std::set<std::string>{"Kautz(2,13; hosts=1)"});
}

// --- formulas against the fabric
// ---------------------------------------------------------------------------------

// The most cables that can be lost between two switches, by augmenting paths, one cable at a time.
u64 max_flow(const Fabric& fabric, Node from, Node to) {
  std::map<std::pair<Node, Node>, i64> room;
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c)) ++room[{fabric.from(c), fabric.to(c)}];
  for (u64 flow = 0;; ++flow) {
    std::map<Node, Node> before = {{from, from}};
    std::queue<Node> queue({from});
    while (!queue.empty() && !before.contains(to)) {
      const Node at = queue.front();
      queue.pop();
      for (const Channel c : fabric.channels(at)) {
        const Node next = fabric.to(c);
        if (next == none<Node> || !fabric.is_switch(next) || before.contains(next) || room[{at, next}] == 0)
          continue;
        before[next] = at;
        queue.push(next);
      }
    }
    if (!before.contains(to)) return flow;
    for (Node at = to; at != from; at = before[at]) --room[{before[at], at}], ++room[{at, before[at]}];
  }
}

std::vector<SizeDemand> small_machines() {
  std::vector<SizeDemand> out;
  for (const u32 hosts : {8U, 24U, 50U})
    for (const u32 ports : {8U, 11U})
      out.push_back({.hosts = hosts,
                     .ports = ports,
                     .hosts_at_most = 2 * hosts,
                     .fill = 0.7,
                     .host_ports = 0.1,
                     .taper = 2});
  return out;
}

TEST(Outlines, CutsPartHostsAndNoneIsLeaner) {
  u32 compared = 0;
  for (const SizeDemand& demand : small_machines())
    for (const auto& [family, outline] : all_proposals(demand)) {
      if (!outline.distances_exact || outline.leaves < 2 || ++compared % 7 != 0) continue;
      const Fabric fabric = make_topology(outline.notation).fabric;
      const auto leaf = [&](u32 i) { return Node{fabric.nics() + i}; };
      u64 least = ~u64{0};
      for (u32 i = 1; i < outline.leaves; ++i) least = std::min(least, max_flow(fabric, leaf(0), leaf(i)));
      for (u32 i = 0; i + 1 < outline.leaves; ++i)
        least = std::min(least, max_flow(fabric, leaf(outline.leaves - 1), leaf(i)));
      EXPECT_EQ(cables_to_part_hosts(outline), least) << outline.notation;
    }
  EXPECT_GT(compared, 200U);
}

// Cables as pairs of names, with how many.
std::map<std::pair<u32, u32>, u32> cables_of(const Fabric& fabric, const std::vector<u32>& number) {
  std::map<std::pair<u32, u32>, u32> out;
  fabric.each_link([&](const Link& link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    if (fabric.is_switch(a) && fabric.is_switch(b))
      ++out[std::minmax(number[index(a) - fabric.nics()], number[index(b) - fabric.nics()])];
  });
  return out;
}

// The tree or HyperX that a proposal may grow to has all its cables.
TEST(Outlines, GrowingMovesNoCable) {
  u32 grown = 0;
  for (const SizeDemand& demand : small_machines())
    for (const auto& [family, outline] : all_proposals(demand, "PGFT")) {
      const auto& tree = std::get<Pgft>(outline.shape);
      Pgft larger = tree;
      larger.m.back() = demand.ports / tree.p.back();
      if (tree.h() == 1) larger.host_slots = larger.m[0];
      EXPECT_EQ(larger.hosts(), outline.grows_to) << outline.notation;
      if (larger == tree || tree.h() == 1) continue;
      ++grown;
      EXPECT_LE(larger.widest_switch(), demand.ports);
      // Switches by level and number in the level, which do not change.
      const auto numbers = [](const Pgft& t) {
        std::vector<u32> out;
        for (u32 l = 1; l <= t.h(); ++l)
          for (u32 i = 0; i < t.switches(l); ++i) out.push_back(l * 100'000 + i);
        return out;
      };
      const auto now = cables_of(build(tree).fabric, numbers(tree));
      const auto then = cables_of(build(larger).fabric, numbers(larger));
      for (const auto& [ends, count] : now) EXPECT_EQ(then.at(ends), count) << outline.notation;
    }
  EXPECT_GT(grown, 20U);
}

TEST(Cost, ByFormulaIsThatOfTheFabric) {
  const PriceList prices = open_prices("");
  for (const u32 rails : {1U, 2U})
    for (const u32 hosts : {24U, 150U}) {
      const SizeDemand demand{.hosts = hosts,
                              .ports = 16,
                              .rails = rails,
                              .hosts_at_most = 2 * hosts,
                              .fill = 0.8,
                              .host_ports = 0.1,
                              .taper = 2};
      const HallOptions hall{.hosts_per_rack = 7, .switches_per_rack = 3, .racks_per_row = 4};
      for (const auto& [family, outline] : all_proposals(demand)) {
        if (!outline.distances_exact) continue;  // random: priced as it is built
        const Topology made = make_topology(outline.notation);
        const Cost built = cost(made.fabric, hall, prices, topology::built_in_switches(made), made.planes),
                   formula = cost(outline, 16, hall, prices);
        EXPECT_EQ(formula.racks, built.racks) << outline.notation;
        EXPECT_EQ(formula.cables, built.cables) << outline.notation;
        EXPECT_EQ(formula.ports_used, built.ports_used) << outline.notation;
        EXPECT_NEAR(formula.cable_metres, built.cable_metres, 1e-6) << outline.notation;
        EXPECT_EQ(formula.longest_cable, built.longest_cable) << outline.notation;
        EXPECT_NEAR(formula.money(), built.money(), 1e-6) << outline.notation;
        EXPECT_NEAR(formula.watts(), built.watts(), 1e-6) << outline.notation;
        EXPECT_TRUE(formula.exact);
      }
    }
}

// --- the question
// ------------------------------------------------------------------------------------------------

ask::SizeAnswer sized(ask::SizeOptions options, const std::vector<std::string>& families = {}) {
  return ask::size(options, families, open_prices(""));
}

const ask::CandidateAnswer* find(const ask::SizeAnswer& answer, std::string_view fabric) {
  for (const auto& c : answer.candidates)
    if (c.fabric == fabric) return &c;
  return nullptr;
}

// Two levels of 64-port switches, as vendors' reference designs have them: for 1,024 NICs 32 leaves and 16
// spines with two cables between each pair, for 2,048 NICs 64 leaves and 32 spines with one.
TEST(Size, HasTheReferenceDesignsOf64PortSwitches) {
  const auto small = sized({.hosts = 1024, .ports = 64, .limit = 1000}, {"PGFT"});
  const auto* c = find(small, "PGFT(2; 32,32; 1,16; 1,2)");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->switches, 32U + 16U);
  EXPECT_EQ(c->links, 1024U + 1024U);
  EXPECT_EQ(c->throughput_worst, 1);
  const auto large = sized({.hosts = 2048, .ports = 64, .limit = 1000}, {"PGFT"});
  c = find(large, "XGFT(2; 32,64; 1,32)");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->switches, 64U + 32U);
  EXPECT_EQ(c->links, 2048U + 2048U);
  EXPECT_EQ(c->idle_ports, 0U);
}

// Ahn et al. (SC 2009, section 3) look through all dimensions, widths S, trunks K and terminals T of a switch
// with R ports for the fewest switches that hold N terminals with a relative bisection K S / (2 T) of at
// least beta in every dimension. The best of `size` has as few.
TEST(Size, FindsTheHyperXThatAhnEtAlWouldBuild) {
  const auto fewest = [](u32 terminals, u32 ports, double beta) {
    u64 best = ~u64{0};
    std::function<void(u64, u32, u32, u32)> add = [&](u64 switches, u32 t, u32 free, u32 narrowest) {
      if (switches * t >= terminals) best = std::min(best, switches);
      if (switches * t >= terminals || switches >= best) return;
      for (u32 s = narrowest; s - 1 <= free; ++s) {
        const u32 k = static_cast<u32>(std::max(1.0, std::ceil(2 * t * beta / s - 1e-9)));
        if (k * (s - 1) <= free) add(switches * s, t, free - k * (s - 1), s);
      }
    };
    for (u32 t = 1; t < ports; ++t) add(1, t, ports - t, 2);
    return best;
  };
  for (const auto& [hosts, ports] : {std::pair(512U, 16U), {512U, 32U}, {1000U, 32U}, {1024U, 48U}})
    for (const double beta : {0.25, 0.5, 1.0}) {
      const SizeDemand demand{.hosts = hosts, .ports = ports, .hosts_at_most = 4 * hosts};
      u64 least = ~u64{0};
      for (const char* family : {"HyperX", "FullMesh"})
        for (const Proposed& each : all_proposals(demand, family)) {
          const auto& shape = std::get<HyperX>(each.outline.shape);
          bool suffices = true;
          for (std::size_t d = 0; d < shape.grid.widths.size(); ++d)
            suffices &= shape.trunk[d] * shape.grid.widths[d] >= 2 * beta * shape.hosts_per_switch - 1e-9;
          if (suffices) least = std::min(least, u64{each.outline.switches});
        }
      EXPECT_EQ(least, fewest(hosts, ports, beta)) << hosts << " hosts, " << ports << " ports, " << beta;
    }
}

// Brute force over all trees of up to three levels, with the price of each.
TEST(Size, NoTreeIsCheaper) {
  const PriceList prices = open_prices("");
  for (const u32 hosts : {10U, 23U, 40U, 56U})
    for (const u32 ports : {6U, 8U, 10U})
      for (const double least_bisection : {0.25, 0.6, 1.0}) {
        ask::SizeOptions options{.hosts = hosts, .ports = ports, .taper = 4, .fill = 0.5};
        options.limits.least_bisection = least_bisection;
        options.order = DesignOrder::price;
        options.hall.racks_per_row = 2;
        const auto found = ask::size(options, {"PGFT"}, prices);
        const SizeDemand demand{.hosts = hosts,
                                .ports = ports,
                                .hosts_at_most = hosts + hosts / 4,
                                .fill = 0.5,
                                .host_ports = 0.1,
                                .taper = 4};
        double cheapest = 1e300;
        std::string which;
        for (u32 levels = 1; levels <= 3; ++levels)
          each_tree({ports, levels, demand.hosts_at_most, 4}, [&](const Pgft& tree) {
            const Outline o = outline(tree, 1, ports);
            const double price = cost(o, ports, options.hall, prices).money();
            if (tree.hosts() < hosts || price >= cheapest) return;
            const Topology built = build(tree);
            if (meets(built.fabric, demand) && properties(built).bisection_ratio >= least_bisection - 1e-9)
              cheapest = price, which = o.notation;
          });
        if (cheapest == 1e300) continue;
        ASSERT_FALSE(found.candidates.empty()) << which;
        EXPECT_NEAR(found.candidates[0].price, cheapest, 1e-6)
            << found.candidates[0].fabric << ", " << which << ", " << hosts << " hosts, " << ports
            << " ports";
      }
}

TEST(Size, NeedsNoMoreThanOneSwitchForFewHosts) {
  for (const u32 hosts : {1U, 10U, 20U, 48U, 64U}) {
    const auto found = sized({.hosts = hosts, .ports = 64, .limit = 1});
    ASSERT_EQ(found.candidates.size(), 1U) << hosts;
    EXPECT_EQ(found.candidates[0].fabric, fmt::format("XGFT(1; {}; 1)", hosts));
  }
  const auto meshes = sized({.hosts = 48, .ports = 64, .limit = 1000}, {"FullMesh"});
  EXPECT_NE(find(meshes, "HyperX(2; hosts=24, trunk=24)"), nullptr);
  EXPECT_EQ(find(meshes, "HyperX(2; hosts=24, trunk=25)"), nullptr);  // more cables carry no more
}

TEST(Size, AFabricWithTooLongACableIsOutNotTheQuestion) {
  PriceList prices = open_prices("");
  prices.cables.pop_back();
  const auto found = ask::size({.hosts = 2048, .ports = 64, .limit = 100'000}, {"HyperX"}, prices);
  ASSERT_FALSE(found.candidates.empty());
  EXPECT_LT(found.within_limits, found.considered);
  for (const auto& c : found.candidates) EXPECT_LE(c.longest_cable, prices.longest_cable());
  prices.cables.back().up_to = 1;
  const auto none = ask::size({.hosts = 2048, .ports = 64}, {"PGFT"}, prices);
  EXPECT_TRUE(none.candidates.empty());
  ASSERT_FALSE(none.unmet.empty());
  EXPECT_EQ(none.unmet[0].option, "longest-cable");
}

// --- bounds on throughput, against the linear program that finds the best routing for a traffic

Outline outline_of(const Topology& topology) {
  return std::visit(
      []<class S>(const S& shape) {
        if constexpr (Outlined<S>) return outline(shape, 1, 64);
        return Outline{};
      },
      topology.shape);
}

double attainable(const Topology& topology, const std::string& traffic) {
  const Routing routing = std::get<Routing>(engines::route(topology, engines::engines().bind("minhop")));
  const auto found =
      ask::load({.topology = topology, .routing = &routing, .traffic = traffic}, {.optimum = true});
  return 1 / *std::get<ask::LoadAnswer>(found).worst_optimum;
}

// Hosts of a switch, a line or a group send to the next one.
TEST(Bounds, AreNoHigherThanShiftsOfPartsAllow) {
  const std::vector<std::pair<std::string, std::vector<u32>>> fabrics = {
      {"HyperX(3; hosts=4, trunk=2)", {4}},
      {"HyperX(5; hosts=3)", {3}},
      {"HyperX(4x3; hosts=3)", {3, 9}},
      {"HyperX(5x3; hosts=2, trunk=1/2)", {2, 6}},
      {"Dragonfly(2,4,2; groups=3)", {8}},
      {"Dragonfly(1,2,1; groups=3)", {2}},
      {"Dragonfly+(2,2,2,2; groups=3)", {4}},
      {"Dragonfly+(2,2,2,1; groups=3)", {4}},
      {"XGFT(2; 4,4; 1,2)", {4}},
      {"Torus(5; hosts=2)", {2, 4}}};
  for (const auto& [notation, shifts] : fabrics) {
    const Topology topology = make_topology(notation);
    const ThroughputBounds bounds = throughput_bounds(outline_of(topology));
    for (const u32 shift : shifts)
      EXPECT_LE(bounds.worst, attainable(topology, fmt::format("shift:{}", shift)) + 1e-6)
          << notation << ", shift " << shift;
    // Uniform traffic, and two times uniform traffic carries any permutation (Valiant).
    const double uniform = attainable(topology, "uniform");
    EXPECT_GE(bounds.uniform, uniform - 1e-6) << notation;
    EXPECT_GE(bounds.worst, uniform / 2 - 1e-6) << notation;
  }
}

TEST(Size, ListsTheBestFirst) {
  const auto all = sized({.hosts = 200, .ports = 16, .taper = 2, .limit = 100'000});
  EXPECT_EQ(all.candidates.size(), all.considered);
  const auto some = sized({.hosts = 200, .ports = 16, .taper = 2, .limit = 7});
  ASSERT_EQ(some.candidates.size(), 7U);
  const auto value = [](const auto& c) { return c.price / c.throughput_worst; };
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(value(some.candidates[i]), value(all.candidates[i]));
  for (std::size_t i = 1; i < all.candidates.size(); ++i)
    EXPECT_LE(value(all.candidates[i - 1]), value(all.candidates[i]) * (1 + 1e-12));
}

TEST(Size, TheFrontIsWhatNothingBeats) {
  const auto all = sized({.hosts = 100, .ports = 16, .taper = 2, .limit = 100'000});
  const auto beats = [](const ask::CandidateAnswer& a, const ask::CandidateAnswer& b) {
    const auto parts = [](const auto& c) { return c.cables_to_part_hosts.value_or(0); };
    const bool no_worse = a.price <= b.price && a.throughput_worst >= b.throughput_worst &&
                          a.mean_distance <= b.mean_distance && parts(a) >= parts(b);
    return no_worse && (a.price < b.price || a.throughput_worst > b.throughput_worst ||
                        a.mean_distance < b.mean_distance || parts(a) > parts(b));
  };
  for (const auto& c : all.candidates)
    EXPECT_NE(c.on_front, std::any_of(all.candidates.begin(), all.candidates.end(),
                                      [&](const auto& other) { return beats(other, c); }))
        << c.fabric;
}

TEST(Size, KeepsLimits) {
  ask::SizeOptions options{.hosts = 500, .ports = 32, .taper = 3, .limit = 100'000};
  const auto of_proved = [](const ask::SizeOptions& of) {  // whose bisection is proved
    return ask::size(of, {"PGFT", "HyperX", "FullMesh"}, open_prices(""));
  };
  options.limits.expandable_to = 520;
  const auto all = of_proved(options);
  const auto& middle = all.candidates[all.candidates.size() / 2];
  options.limits = {.least_bisection = 0.5,
                    .greatest_diameter = 5,
                    .longest_cable = middle.longest_cable,
                    .greatest_price = middle.price,
                    .greatest_watts = middle.watts,
                    .expandable_to = 520};
  const auto within = of_proved(options);
  EXPECT_EQ(within.considered, all.considered);
  const auto halves = [](const ask::CandidateAnswer& c) {
    return c.bisection_exact ? c.bisection_ratio : properties(make_topology(c.fabric)).bisection_ratio;
  };
  u64 expected = 0;
  for (const auto& c : all.candidates)
    expected += c.diameter <= 5 && c.longest_cable <= middle.longest_cable && c.price <= middle.price &&
                c.watts <= middle.watts && c.expandable_to >= 520 && halves(c) >= 0.5;
  EXPECT_GT(expected, 0U);
  EXPECT_EQ(within.within_limits, expected);
  EXPECT_EQ(within.candidates.size(), expected);
}

// A cut that a formula gives may not be the best. What is within a limit was proved, or searched for as
// `describe` does.
TEST(Size, ABisectionThatIsNotProvedIsMeasured) {
  ask::SizeOptions of_groups{.hosts = 60, .ports = 8, .taper = 2, .fill = 0.5, .limit = 1000};
  const auto all = sized(of_groups, {"Dragonfly+"});
  const auto* by_formula = find(all, "Dragonfly+(2,4,2,4; groups=8)");
  ASSERT_NE(by_formula, nullptr);
  EXPECT_EQ(by_formula->bisection_ratio, 0.625);
  of_groups.limits.least_bisection = 0.6;
  EXPECT_EQ(find(sized(of_groups, {"Dragonfly+"}), by_formula->fabric), nullptr);
  of_groups.limits.least_bisection = 0.5;
  const auto halves = sized(of_groups, {"Dragonfly+"});
  const auto* measured = find(halves, by_formula->fabric);
  ASSERT_NE(measured, nullptr);
  EXPECT_EQ(measured->bisection_ratio, 0.5);
  ask::SizeOptions options{.hosts = 100, .ports = 16, .taper = 2, .limit = 5};
  for (const double least : {0.3, 0.5, 0.6}) {
    options.limits.least_bisection = least;
    for (const std::string_view family : proposing_families())
      for (const auto& c : sized(options, {std::string(family)}).candidates) {
        const Properties found = properties(make_topology(c.fabric));
        EXPECT_GE(found.bisection_ratio, least - 1e-9) << c.fabric;
        if (!found.bisection.exact && family != "PGFT" && family != "HyperX") {
          EXPECT_EQ(c.bisection_ratio, found.bisection_ratio) << c.fabric;
        }
      }
  }
}

TEST(Size, CountsWhatDescribeCounts) {
  for (const std::string_view family : proposing_families())
    for (const u32 rails : {1U, 2U})
      for (const auto& c :
           sized({.hosts = 60, .ports = 12, .rails = rails}, {std::string(family)}).candidates) {
        const Topology built = make_topology(c.fabric);
        EXPECT_EQ(c.hosts, built.fabric.hosts()) << c.fabric;
        EXPECT_EQ(c.switches, built.fabric.switches()) << c.fabric;
        EXPECT_EQ(c.built_in, topology::built_in_switches(built)) << c.fabric;
        EXPECT_EQ(c.links, built.fabric.links()) << c.fabric;
      }
}

TEST(Size, SaysWhatIsNearestWhereLimitsCannotBeMet) {
  ask::SizeOptions options{.hosts = 500, .ports = 16};
  options.limits.greatest_diameter = 2;
  const auto found = sized(options);
  EXPECT_TRUE(found.candidates.empty());
  ASSERT_EQ(found.nearest.size(), 1U);
  ASSERT_EQ(found.unmet.size(), 1U);
  EXPECT_EQ(found.unmet[0].option, "greatest-diameter");
  EXPECT_EQ(found.unmet[0].asked, 2);
  EXPECT_EQ(found.unmet[0].nearest, found.nearest[0].diameter);
  const auto all = sized({.hosts = 500, .ports = 16, .limit = 100'000});
  for (const auto& c : all.candidates) EXPECT_GE(c.diameter, found.nearest[0].diameter);
}

// 33 switches with 32 hosts and a cable to each other: no full mesh of 64 ports has more hosts.
TEST(Size, NamesTheLargestWhereNothingHasSoManyHosts) {
  const auto found = sized({.hosts = 2048, .ports = 64}, {"FullMesh"});
  ASSERT_EQ(found.nearest.size(), 1U);
  EXPECT_EQ(found.nearest[0].hosts, 1056U);
  ASSERT_EQ(found.unmet.size(), 1U);
  EXPECT_EQ(found.unmet[0].option, "hosts");
  EXPECT_EQ(found.unmet[0].asked, 2048);
  EXPECT_EQ(found.unmet[0].nearest, 1056);
}

TEST(Size, RefusesMachinesThatCannotBe) {
  EXPECT_THROW(sized({.hosts = 0, .ports = 64}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 1}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .rails = 5}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .rails = 0}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .taper = 0}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .hosts_at_most = 9}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .fill = 1.5}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .limit = 0}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .limits = {.least_bisection = 1.5}}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .limits = {.greatest_price = -5}}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4, .hall = {.racks_per_row = 0, .rack_pitch = -3}}), InputError);
  EXPECT_THROW(sized({.hosts = 10, .ports = 4}, {"HyperY"}), InputError);
  EXPECT_THROW(sized({.hosts = 1900, .ports = 2000}), InputError);  // the price list has no such switch
}

TEST(Size, RailsArePlanesOrOneTree) {
  const auto found = sized({.hosts = 64, .ports = 32, .rails = 4, .limit = 1000}, {"PGFT"});
  bool planes = false, optimised = false, on_one_leaf = false, on_two = false;
  for (const auto& c : found.candidates) {
    EXPECT_EQ(c.rails, 4U);
    EXPECT_EQ(c.cables_to_lose_host, 4U);
    planes |= c.fabric.starts_with("4 x ");
    optimised |= c.fabric.find("rails=4") != c.fabric.npos;
    on_one_leaf |= c.fabric.ends_with("nics=4)");
    on_two |= c.fabric.ends_with("nics=4, leaves=2)");
  }
  EXPECT_TRUE(planes && optimised && on_one_leaf && on_two);
}

}  // namespace
}  // namespace banyan::tests
