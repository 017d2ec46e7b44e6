// One thin slice through the central types: a topology, an engine, the judge, the load, and a toy simulator,
// all speaking only Header and Hop. Schemes that no engine uses yet (tag groups, broadcast) are tried here as
// forwards of their own, so that the types are known to carry them.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "flow/load.hpp"
#include "support/routed.hpp"
#include "topology/topology.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

// A packet a step: every (channel, lane) is a buffer of two packets, a step moves heads that find room.
// Returns the packets that never arrived: 0 unless it deadlocks.
template <class F>
std::size_t simulate_toy(const Fabric& fabric, const F& forward, const Source& source, u64 seed) {
  constexpr std::size_t room = 2;
  std::vector<std::deque<Header>> buffers(fabric.channels().size() * 16);
  std::vector<std::deque<Header>> waiting(fabric.nics());
  Random random(seed);
  std::size_t left = 0;
  for (u32 from = 0; from < fabric.nics(); ++from)
    for (int i = 0; i < 20; ++i) {
      const u32 to = static_cast<u32>(random.below(fabric.nics()));
      if (to == from) continue;
      waiting[from].push_back(source.way(
          Nic{from}, Nic{to}, 0, static_cast<u32>(random.below(source.count(Nic{from}, Nic{to}, 0)))));
      ++left;
    }
  const auto forward_head = [&](Node node, std::deque<Header>& queue) {
    if (queue.empty()) return false;
    if (fabric.node(nic_of(queue.front().to)) == node) return queue.pop_front(), --left, true;
    Hops hops;
    offered(forward, node, queue.front(), hops);
    std::deque<Header>* best = nullptr;
    std::size_t least = ~std::size_t{0};
    u8 state = 0;
    for (const Hop& hop : hops)
      for (u32 lane = 0; lane < 16; ++lane) {
        if (!(hop.lanes >> lane & 1)) continue;
        auto& buffer = buffers[index(fabric.channel(node, hop.port)) * 16 + lane];
        const std::size_t cost = (buffer.size() + 1) * (hop.left + 1u);
        if (buffer.size() < room && cost < least) least = cost, best = &buffer, state = hop.state;
      }
    if (!best) return false;
    best->push_back(queue.front());
    best->back().state = state;
    queue.pop_front();
    return true;
  };
  for (bool moved = true; moved && left > 0;) {
    moved = false;
    for (Channel c : fabric.channels())
      for (u32 lane = 0; lane < 16; ++lane)
        if (fabric.cabled(c)) moved |= forward_head(fabric.to(c), buffers[index(c) * 16 + lane]);
    for (Node nic : fabric.nic_nodes()) moved |= forward_head(nic, waiting[index(nic)]);
  }
  return left;
}

std::size_t simulate_toy(const Topology& t, const Routing& r, u64 seed) {
  return std::visit([&](const auto& f) { return simulate_toy(t.fabric, f, r.source, seed); }, r.forward);
}

std::vector<Flow> shift(u32 hosts, u32 by) {
  std::vector<Flow> flows;
  for (u32 i = 0; i < hosts; ++i) flows.push_back({Nic{i}, Nic{(i + by) % hosts}});
  return flows;
}

double heaviest(const IdVector<Channel, double>& load) { return *std::max_element(load.begin(), load.end()); }

TEST(Slice, DModKOnAnRlftIsProvedLoadedAndSimulated) {
  for (const char* notation :
       {"RLFT(8 ports, 32 hosts)", "RLFT(4 ports, 16 hosts)", "PGFT(2; 4,4; 1,2; 1,2)", "4-ary 3-tree"}) {
    const Topology t = make_topology(notation);
    const Routing r = routed(t, "dmodk");
    const Verdict verdict = judge(t.fabric, r);
    EXPECT_TRUE(verdict.yes()) << notation << verdict.counterexample;
    EXPECT_EQ(verdict.lanes, 1u);
    EXPECT_EQ(verdict.longest_path, t.shape.index() == 1 ? std::get<Pgft>(t.shape).distances()->diameter : 0);
    for (u32 s = 1; s < t.fabric.hosts(); ++s)  // theorems 1 and 2 of zahavi10
      EXPECT_EQ(heaviest(loads(t.fabric, r, shift(t.fabric.hosts(), s))), 1) << notation << " shift " << s;
    EXPECT_EQ(simulate_toy(t, r, 1), 0u);
  }
}

TEST(Slice, EveryEngineOnEveryRailAndOnRailOptimisedTrees) {
  for (const char* notation : {"2 x XGFT(2; 3,4; 1,2)", "XGFT(2; 4,8; 1,4; rails=4)", "GFT(2; 3; 2)",
                               "2 x Torus(3x3; hosts=2)", "HyperX(3x2x3; hosts=2, trunk=2)"}) {
    const Topology t = make_topology(notation);
    for (const Engine& engine : engines::engines()) {
      const RouteResult result = route(t, engine.name);
      if (const auto* r = std::get_if<Routing>(&result)) {
        const Verdict verdict = judge(t.fabric, *r);
        EXPECT_TRUE(verdict.reachable && verdict.loop_free) << notation << " " << engine.name;
        EXPECT_TRUE(verdict.deadlock_free || !engine.promises.deadlock_free)
            << notation << " " << engine.name << ": " << verdict.counterexample;
        EXPECT_LE(verdict.lanes, r->lanes);
      }
    }
  }
}

TEST(Slice, DatelinesMakeATorusDeadlockFreeAndTheJudgeSeesTheDifference) {
  const Topology t = make_topology("Torus(5x4; hosts=2)");
  const Routing r = routed(t, "dor");
  EXPECT_TRUE(judge(t.fabric, r).yes());
  EXPECT_EQ(simulate_toy(t, r, 2), 0u);

  struct OneLane {  // the same, with datelines ignored
    const DimensionOrder& order;
    Hop next(Node node, const Header& header) const {
      Hop hop = order.next(node, header);
      hop.lanes = 1;
      return hop;
    }
  };
  const OneLane broken{std::get<DimensionOrder>(r.forward)};
  const Verdict verdict = judge(t.fabric, broken, r.source);
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_NE(verdict.counterexample.find("cycle"), std::string::npos);
  std::size_t stuck = 0;
  for (u64 seed = 0; seed < 10; ++seed) stuck += simulate_toy(t.fabric, broken, r.source, seed);
  EXPECT_GT(stuck, 0u) << "the cycle is real: the toy simulator runs into it";
}

TEST(Slice, TablesGiveTheSamePathsAsTheClosedForm) {
  const Topology t = make_topology("PGFT(3; 2,3,2; 1,2,2; 1,1,2)");
  const Routing closed = routed(t, "dmodk");
  Tables tables(t.fabric);
  for (u32 to = 0; to < t.fabric.nics(); ++to)
    for (Node v : t.fabric.switch_nodes())
      tables(v, Address{to}) = static_cast<u8>(
          index(std::get<TreeForm>(closed.forward).next(v, closed.source.way(Nic{0}, Nic{to}, 0, 0)).port));
  const Routing tabled{tables, Source(TableWays{})};
  EXPECT_TRUE(judge(t.fabric, tabled).yes());
  const auto flows = shift(t.fabric.hosts(), 5);
  EXPECT_EQ(loads(t.fabric, closed, flows), loads(t.fabric, tabled, flows));

  tables(Node{t.fabric.nics()}, Address{7}) = 0;  // a planted error: leaf 0 sends host 7 to its own host 0
  EXPECT_FALSE(judge(t.fabric, Routing{tables, Source(TableWays{})}).yes());
}

TEST(Slice, AdaptiveRoutingsArriveWhateverIsChosen) {
  for (const auto& [notation, engine] : {std::pair{"HyperX(3x3; hosts=2)", "dal"},
                                         {"HyperX(3x3; hosts=2)", "minadaptive"},
                                         {"HyperX(3x3; hosts=2)", "valiant"},
                                         {"HyperX(3x3; hosts=2)", "ugal"},
                                         {"Dragonfly(2,3,1)", "ugal"},
                                         {"Torus(5x4; hosts=2)", "spray:lanes=4"},
                                         {"4-ary 3-tree", "adaptive"}}) {
    const Topology t = make_topology(notation);
    EXPECT_EQ(simulate_toy(t, routed(t, engine), 3), 0u) << notation << " " << engine;
  }
}

// Source tags: a byte for each switch, naming one port or (bit 7) any up port, as Elite does.
struct Tags {
  const Fabric& fabric;
  u32 down_ports;
  void hops(Node node, const Header& header, Hops& out) const {
    if (!fabric.is_switch(node)) return out.push_back({Port{0}, 1, 0, 0});
    const u32 tag = TreeForm::up_port(header.tag, header.state);
    const u8 state = static_cast<u8>(header.state + 1);
    if (!(tag & 128)) return out.push_back({Port{tag}, 1, state, 0});
    for (u32 p = down_ports; p < fabric.ports(node); ++p) out.push_back({Port{p}, 1, state, 0});
  }
};

TEST(Slice, SourceTagsMayNameAGroupOfPorts) {
  const Topology t = make_topology("4-ary 2-tree");
  struct Way {
    u32 count(Nic, Nic, u64) const { return 1; }
    Header way(Nic from, Nic to, u64, u32) const {
      const u32 leaf = index(to) / 4, host = index(to) % 4;
      const u64 tag = index(from) / 4 == leaf ? host : 128 | leaf << 8 | host << 16;
      return {.to = address_of(to), .tag = tag};
    }
  };
  const Source source(Way{});
  const Verdict verdict = judge(t.fabric, Tags{t.fabric, 4}, source);
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
  EXPECT_EQ(simulate_toy(t.fabric, Tags{t.fabric, 4}, source, 4), 0u);
}

// Hardware broadcast to the contiguous range [to, tag]: up to a common ancestor, then all hops offered are
// taken.
TEST(Slice, BroadcastTakesAllHopsItIsOffered) {
  const Topology t = make_topology("4-ary 3-tree");
  const auto& tree = std::get<Pgft>(t.shape);
  const u32 first = 9, last = 41;
  std::vector<u32> copies(t.fabric.hosts());
  const auto covers = [&](u32 level, u32 number) {
    return first / tree.M(level) == number && last / tree.M(level) == number;
  };
  const auto spread = [&](auto&& self, Node node, bool down) -> void {
    if (!t.fabric.is_switch(node)) {
      ++copies[index(node)];
      return;
    }
    const u32 s = index(node) - t.fabric.nics(), level = tree.level(s);
    const u32 subtree = static_cast<u32>((s - tree.first_switch(level)) / tree.W(level));
    Hops hops;
    if (!down && !covers(level, subtree))
      hops.push_back({Port{tree.down_ports(level)}});
    else
      for (u32 a = 0; a < tree.m[level - 1]; ++a) {
        const u64 low = (u64{subtree} * tree.m[level - 1] + a) * tree.M(level - 1);
        if (low <= last && low + tree.M(level - 1) > first) hops.push_back({Port{a}});
      }
    for (const Hop& hop : hops)
      self(self, t.fabric.to(t.fabric.channel(node, hop.port)),
           down || index(hop.port) < tree.down_ports(level));
  };
  spread(spread, t.fabric.to(t.fabric.channel(Node{20}, Port{0})), false);
  for (u32 h = 0; h < t.fabric.hosts(); ++h) EXPECT_EQ(copies[h], h >= first && h <= last) << h;
}

}  // namespace
}  // namespace banyan::tests
