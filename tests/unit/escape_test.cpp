// Duato's condition: a routing that only its escape keeps free of deadlocks is told from one that nothing
// does, and planted faults of an escape are named.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <tuple>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "support/plain_escape.hpp"
#include "support/routed.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

constexpr u8 escaped = 100;  // states from here on are of the escape

// Hops as they are listed, by node, destination and state.
struct ListedHops {
  std::map<std::tuple<Node, Address, u8>, std::vector<Hop>> at;

  void hops(Node node, const Header& header, Hops& out) const {
    if (const auto found = at.find({node, header.to, header.state}); found != at.end())
      for (const Hop& hop : found->second) out.push_back(hop);
  }
  bool has_escape() const { return true; }
  bool is_escape(const Hop& hop) const { return hop.state >= escaped; }
};

struct OneListedWay {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to)}; }
};

// A ring of four switches with a host each. On lane 0 packets go clockwise, all the way round if they like;
// the escape on lane 1 goes along the line 0-1-2-3 and never round.
class RingWithEscape : public testing::Test {
 protected:
  RingWithEscape() {
    for (u32 to = 0; to < 4; ++to)
      for (u32 v = 0; v < 4; ++v) {
        forward.at[{Node{v}, Address{to}, 0}] = {{port(Node{v}, switch_at(v)), 3, 0, 0}};
        for (const u8 state : {u8{0}, escaped}) {
          auto& hops = forward.at[{switch_at(v), Address{to}, state}];
          if (v == to) {
            hops = {{port(switch_at(v), Node{to}), 3, state, 0}};
            continue;
          }
          if (state == 0) hops.push_back({port(switch_at(v), switch_at((v + 1) % 4)), 1, 0, 0});
          hops.push_back({port(switch_at(v), switch_at(to > v ? v + 1 : v - 1)), 2, escaped, 0});
        }
      }
  }
  Node switch_at(u32 v) const { return Node{4 + v}; }
  Port port(Node from, Node to) const {
    for (const Channel c : t.fabric.channels(from))
      if (t.fabric.to(c) == to) return t.fabric.port(c);
    return none<Port>;
  }
  std::vector<Hop>& hops(u32 v, u32 to, u8 state) { return forward.at[{switch_at(v), Address{to}, state}]; }
  Verdict judged() const {
    const Verdict out = judge(t.fabric, forward, source, {.threads = 1});
    EXPECT_EQ(out.deadlock_free, plain_escape(t.fabric, forward, source));
    return out;
  }

  Topology t = make_topology("Torus(4)");
  ListedHops forward;
  Source source{OneListedWay{}};
};

TEST_F(RingWithEscape, IsFreeOfDeadlocksByItsEscape) {
  const Verdict v = judged();
  EXPECT_TRUE(v.yes()) << v.counterexample;
  EXPECT_EQ(v.deadlock_proof, DeadlockProof::escape);
  ASSERT_TRUE(v.certificate && v.certificate->of_escape);
  EXPECT_TRUE(v.evidence.empty());
}

TEST_F(RingWithEscape, WithoutTheEscapeIsNot) {
  for (auto& [at, hops] : forward.at)
    if (std::get<0>(at) >= switch_at(0))
      std::erase_if(hops, [&](const Hop& hop) { return hops.size() > 1 && hop.state == escaped; });
  const Verdict v = judged();
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_EQ(v.deadlock_proof, DeadlockProof::none);
}

TEST_F(RingWithEscape, ASwitchThatOffersNoEscapeIsNamed) {
  std::erase_if(hops(1, 3, 0), [](const Hop& hop) { return hop.state == escaped; });
  const Verdict v = judged();
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_EQ(v.counterexample,
            "from h0 to h3: h0:1 -> s0:2 -> s1, from where no escape leads on to the destination");
  ASSERT_EQ(v.evidence.size(), 1u);
  EXPECT_EQ(v.evidence[0].kind, Evidence::Kind::no_escape);
  EXPECT_EQ(v.evidence[0].channels.size(), 2u);
}

TEST_F(RingWithEscape, AnEscapeThatGoesInCirclesIsNamed) {
  hops(2, 3, escaped) = {{port(switch_at(2), switch_at(1)), 2, escaped, 0}};
  const Verdict v = judged();
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_FALSE(v.loop_free);
  EXPECT_NE(v.counterexample.find("from where no escape leads on"), std::string::npos) << v.counterexample;
}

TEST_F(RingWithEscape, ACycleOfEscapesIsNamed) {
  for (u32 to = 0; to < 4; ++to)  // round the ring on lane 1 too
    for (u32 v = 0; v < 4; ++v)
      for (const u8 state : {u8{0}, escaped})
        for (Hop& hop : hops(v, to, state))
          if (v != to && hop.state == escaped) hop.port = port(switch_at(v), switch_at((v + 1) % 4));
  const Verdict v = judged();
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_EQ(v.counterexample.substr(0, 70),
            "the escape does not end: packets can wait for each other in a cycle: s");
  ASSERT_EQ(v.evidence.size(), 1u);
  EXPECT_EQ(v.evidence[0].channels.size(), 4u);
  EXPECT_EQ(v.evidence[0].lanes, (std::vector<u32>{1, 1, 1, 1}));
}

// From the escape out of it and into the same channel of the escape again: no two escapes follow each other
// in a cycle, but a packet may hold the channel that it waits for, behind one outside the escape.
TEST_F(RingWithEscape, ADependencyThroughAChannelOutsideTheEscapeCounts) {
  constexpr u8 back = 1, again = 101;
  hops(1, 2, escaped).push_back({port(switch_at(1), switch_at(0)), 1, back, 0});
  hops(0, 2, back) = {{port(switch_at(0), switch_at(1)), 2, again, 0}};
  hops(1, 2, again) = {{port(switch_at(1), switch_at(2)), 2, escaped, 0}};
  const Verdict v = judged();
  EXPECT_TRUE(v.reachable && v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  ASSERT_EQ(v.evidence.size(), 1u);
  EXPECT_EQ(v.evidence[0].channels.size(), 1u);
  EXPECT_EQ(v.evidence[0].kind, Evidence::Kind::deadlock);
}

TEST(EscapeCertificate, HoldsForTheRoutingAndForNoOther) {
  const Topology t = make_topology("HyperX(3x3; hosts=1)");
  const Routing routing = routed(t, "surepath");
  const Verdict v = judge(t.fabric, routing, {.threads = 1});
  ASSERT_TRUE(v.yes() && v.certificate->of_escape) << v.counterexample;
  EXPECT_EQ(v.deadlock_proof, DeadlockProof::escape);
  EXPECT_TRUE(recheck(*v.certificate, t.fabric, routing));
  std::stringstream file;
  write_certificate(file, *v.certificate, t.fabric);
  EXPECT_EQ(read_certificate(file, "here", t.fabric), *v.certificate);
  EXPECT_FALSE(recheck(*v.certificate, t.fabric, routed(t, "omniwar")));

  Certificate wrong = *v.certificate;
  u32 caught = 0, changed = 0;
  for (u32& number : wrong.number) {
    if (number == 0) continue;
    const u32 right = std::exchange(number, 0);
    caught += !recheck(wrong, t.fabric, routing);
    ++changed;
    number = right;
  }
  EXPECT_EQ(caught, changed);
}

// On two dimensions the longest shortest way has two hops.
TEST(ExtraHops, MayBeNone) {
  const Topology t = make_topology("HyperX(4x4; hosts=1)");
  for (const std::string engine : {"omniwar:deroutes=", "polarized:extra="}) {
    EXPECT_EQ(routed(t, engine + "0").lanes, 2u) << engine;
    EXPECT_EQ(routed(t, engine + "1").lanes, 3u) << engine;
    EXPECT_EQ(routed(t, engine + "auto").lanes, 4u) << engine;
    EXPECT_THROW(route(t, engine + "few"), InputError);
    EXPECT_THROW(route(t, engine + "-1"), InputError);
    EXPECT_TRUE(std::holds_alternative<NotApplicable>(route(t, engine + "4294967295")));
  }
  EXPECT_TRUE(judge(t.fabric, routed(t, "surepath:extra=0"), {.threads = 1}).yes());
}

TEST(SurePath, SurvivesFaultsOnTwoLanes) {
  Topology t = make_topology("HyperX(4x4; hosts=2)");
  t.fabric = without(t.fabric, choose_cables(t.fabric, "share=0.3,seed=5"));
  for (const char* engine : {"surepath", "surepath:candidates=omniwar", "surepath:lanes=4"}) {
    const Verdict v = judge(t.fabric, routed(t, engine), {.threads = 1});
    EXPECT_TRUE(v.yes()) << engine << ' ' << v.counterexample;
    EXPECT_EQ(v.deadlock_proof, DeadlockProof::escape);
  }
}

TEST(Tera, NeedsOneLaneOnAFullMesh) {
  Topology t = make_topology("HyperX(9; hosts=2)");
  for (const double share : {0.0, 0.2}) {
    t.fabric = without(t.fabric, choose_cables(t.fabric, fmt::format("share={},seed=3", share)));
    const Verdict v = judge(t.fabric, routed(t, "tera"), {.threads = 1});
    EXPECT_TRUE(v.yes()) << v.counterexample;
    EXPECT_EQ(v.lanes, 1u);
    EXPECT_EQ(v.deadlock_proof, DeadlockProof::escape);
  }
  EXPECT_EQ(std::get<NotApplicable>(route(make_topology("HyperX(3x3; hosts=1)"), "tera")).why,
            "tera needs a full mesh of switches");
}

}  // namespace
}  // namespace banyan::tests
