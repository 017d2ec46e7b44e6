// Fabrics by formula: their numbers, ports and names, and what bad notation gets for an answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include <set>

#include "base/error.hpp"
#include "topology/family.hpp"

namespace banyan::tests {
namespace {

const Pgft& tree(const Topology& t) { return std::get<Pgft>(t.shape); }

TEST(Notation, IsCanonicalWhicheverWayItIsWritten) {
  const auto canonical = [](std::string_view text) { return canonical_notation(make_topology(text)); };
  EXPECT_EQ(canonical("RLFT(36 ports, 1944 hosts)"), "PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  EXPECT_EQ(canonical("4-ary 3-tree"), "XGFT(3; 4,4,4; 1,4,4)");
  EXPECT_EQ(canonical("GFT(3; 4; 2)"), "XGFT(3; 4,4,4; 2,2,2)");
  EXPECT_EQ(canonical("8-port 3-tree"), "XGFT(3; 4,4,8; 1,4,4)");
  EXPECT_EQ(canonical("xgft( 2 ;4, 4;1,2 ; hosts = 3)"), "XGFT(2; 4,4; 1,2; hosts=3)");
  EXPECT_EQ(canonical("2 x HyperX(12x8; hosts=7)"), "2 x HyperX(12x8; hosts=7)");
  EXPECT_EQ(canonical("HyperX(4x4; trunk=1/2, capacity=1/2/2)"), "HyperX(4x4; trunk=1/2, capacity=1/2/2)");
  EXPECT_EQ(canonical("Hypercube(3)"), "HyperX(2x2x2)");
  EXPECT_EQ(canonical("4-ary 3-flat"), "HyperX(4x4; hosts=4)");
  EXPECT_EQ(canonical("4-ary 2-cube"), "Torus(4x4)");
  EXPECT_EQ(canonical("Dragonfly(2,4,2)"), "Dragonfly(2,4,2; groups=9)");
  EXPECT_EQ(canonical("Dragonfly+(2,4,4,2; order=absolute)"),
            "Dragonfly+(2,4,4,2; groups=9, order=absolute)");
}

TEST(Notation, OfEveryFamilysExampleReadsBackAsTheSameFabric) {
  for (const Family& family : families()) {
    const Topology made = make_topology(family.example);
    const Topology again = make_topology(canonical_notation(made));
    EXPECT_EQ(made.shape, again.shape) << family.name;
    EXPECT_EQ(made.fabric, again.fabric) << family.name;
  }
}

TEST(Notation, SaysWhatItExpected) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      make_topology(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("XGFT(3; 4,4; 1,4,4)").find("expected 3 numbers m_1,...,m_3, found 2"),
            std::string::npos);
  EXPECT_NE(message("XFGT(3; 4,4,4; 1,4,4)").find("did you mean 'XGFT("), std::string::npos);
  EXPECT_NE(message("XGFT(2; 4,4; 1,4; host=3)").find("did you mean 'hosts'"), std::string::npos);
  EXPECT_NE(message("HyperX(12x8; hosts=0)").find("at least 1"), std::string::npos);
  EXPECT_NE(message("HyperX(12x8").find("expected"), std::string::npos);
  EXPECT_NE(message("XGFT(2; 4,0; 1,4)").find("at least 1"), std::string::npos);
  EXPECT_NE(message("4-ary 99-tree").find("1 to 16"), std::string::npos);
  EXPECT_NE(message("HyperX(1000000x1000000x1000000x1000000)").find("too large"), std::string::npos);
  EXPECT_NE(message("XGFT(4; 60000,60000,60000,60000; 1,1,1,1)").find("too large"), std::string::npos);
  EXPECT_NE(message("Torus(99999999999999999999)").find("too large"), std::string::npos);
  EXPECT_NE(message("2 x XGFT(2; 4,4; 1,2; rails=2)").find("cannot have several planes"), std::string::npos);
  EXPECT_NE(message("2 x XGFT(2; 4,4; 1,2; nics=2)").find("cannot have several planes"), std::string::npos);
  EXPECT_NE(message("RLFT(36 ports)").find("RLFT(P ports, N hosts)"), std::string::npos);
}

TEST(Notation, IsToldFromFileNames) {
  for (const char* yes : {"4-ary 3-tree", "XGFT(3; 4,4,8; 1,4,4)", "2 x HyperX(12x8)", "Dragonfly+(1,2,2,1)",
                          "4xXGFT(2; 4,4; 1,2)", "4 X XGFT(2; 4,4; 1,2)", "  RLFT (4 ports, 8 hosts)"})
    EXPECT_TRUE(looks_like_notation(yes)) << yes;
  for (const char* no : {"fabric.json", "4-ary.net", "2x.out", "/tmp/x (1).json", "", "36"})
    EXPECT_FALSE(looks_like_notation(no)) << no;
}

TEST(Rlft, TakesFewestLevelsThenParallelCablesOnTop) {
  EXPECT_EQ(smallest_rlft(36, 1944).p, (std::vector<u32>{1, 1, 6}));
  EXPECT_EQ(smallest_rlft(36, 11664).p, (std::vector<u32>{1, 1, 1}));
  EXPECT_EQ(smallest_rlft(36, 36).h(), 1u);
  EXPECT_EQ(smallest_rlft(36, 37).notation(), "PGFT(2; 18,4; 1,2; 1,9)");
  EXPECT_TRUE(smallest_rlft(36, 37).rlft_failed().empty());
  for (u32 hosts = 1; hosts <= 260; ++hosts) {
    const Pgft t = smallest_rlft(8, hosts);
    EXPECT_GE(t.hosts(), hosts);
    EXPECT_TRUE(t.rlft_failed().empty()) << t.notation();
  }
  EXPECT_NE(make_topology("RLFT(36 ports, 600 hosts)").remark.find("648"), std::string::npos);
  EXPECT_EQ(make_topology("RLFT(36 ports, 648 hosts)").remark, "");
}

TEST(Rlft, HasTheHostsThatWereAskedForOnAllRails) {
  const Topology topology = make_topology("RLFT(64 ports, 250 hosts; rails=8)");
  EXPECT_EQ(topology.fabric.hosts(), 256u);
  EXPECT_EQ(topology.fabric.nics(), 8 * 256u);
  EXPECT_NE(topology.remark.find("250 hosts with 8 rails"), std::string::npos) << topology.remark;
  EXPECT_NE(topology.remark.find("256"), std::string::npos) << topology.remark;
  for (const u32 rails : {1u, 2u, 4u, 8u})
    for (u32 hosts = 1; hosts <= 40; hosts += 3)
      EXPECT_GE(make_topology(fmt::format("RLFT(8 ports, {} hosts; rails={})", hosts, rails)).fabric.hosts(),
                hosts);
  EXPECT_THROW(make_topology("RLFT(8 ports, 9 hosts; rails=3)"), InputError);
}

TEST(Rlft, NamesTheConditionsThatFail) {
  const auto failed = [](std::string_view text) { return tree(make_topology(text)).rlft_failed(); };
  EXPECT_TRUE(failed("PGFT(3; 18,18,6; 1,18,3; 1,1,6)").empty());
  EXPECT_TRUE(failed("XGFT(1; 36; 1)").empty()) << "a single switch with an even number of ports is one";
  EXPECT_EQ(failed("XGFT(1; 35; 1)").size(), 1u);
  EXPECT_EQ(failed("4-ary 3-tree").size(), 2u) << "the top level has half the ports of the others";
  EXPECT_NE(failed("XGFT(2; 4,4; 1,2)")[0].find("4 links down but 2 up"), std::string::npos);
  EXPECT_NE(failed("XGFT(2; 4,8; 2,4)")[0].find("w_1 p_1"), std::string::npos);
}

// The tuple rules, checked cable by cable against the definition of zahavi10: (l, a_h..a_{l+1}, b_l..b_1).
TEST(Pgft, ConnectsByTheTupleRules) {
  const Topology t = make_topology("PGFT(3; 2,3,4; 1,2,3; 1,2,1)");
  const Pgft& p = tree(t);
  const Fabric& f = t.fabric;
  const auto digits = [&](u32 level,
                          u32 number) {  // a_h .. a_{l+1}, then x's digits b_1 (most significant) .. b_l
    std::vector<u32> out(4);
    u32 x = number % static_cast<u32>(p.W(level)), subtree = number / static_cast<u32>(p.W(level));
    for (u32 i = level; i >= 1; --i) out[i] = x % p.w[i - 1], x /= p.w[i - 1];
    for (u32 i = level + 1; i <= 3; ++i) out[i] = subtree % p.m[i - 1], subtree /= p.m[i - 1];
    return out;
  };
  const auto node = [&](u32 level, u32 number) {
    return Node{level == 0 ? number : f.nics() + p.first_switch(level) + number};
  };
  for (u32 l = 0; l < 3; ++l)
    for (u32 lower = 0; lower < (l == 0 ? f.nics() : p.switches(l)); ++lower)
      for (u32 q = 0; q < p.w[l] * p.p[l]; ++q) {
        const Channel c = f.channel(node(l, lower), Port{(l == 0 ? 0 : p.down_ports(l)) + q});
        const auto a = digits(l, lower), b = digits(l + 1, index(f.to(c)) - index(node(l + 1, 0)));
        for (u32 i = 1; i <= 3; ++i) EXPECT_TRUE(i == l + 1 || a[i] == b[i]);
        EXPECT_EQ(b[l + 1], q % p.w[l]);
        const u32 r = index(f.port(f.reverse(c)));
        EXPECT_EQ(a[l + 1], r % p.m[l]);
        EXPECT_EQ(q / p.w[l], r / p.m[l]);
      }
  EXPECT_EQ(f.links(), 24u + 12 * 4 + 8 * 3 * 1 * 1);
}

TEST(Pgft, CountsOfTheBarsAreRight) {
  const Topology b = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  EXPECT_EQ(b.fabric.hosts(), 1944u);
  EXPECT_EQ(tree(b).switches_per_level(), (std::vector<u32>{108, 108, 54}));
  EXPECT_EQ(b.fabric.links(), 3u * 1944);
  EXPECT_TRUE(tree(b).constant_bisection());
  for (Node v : b.fabric.switch_nodes()) ASSERT_EQ(b.fabric.cabled_ports(v), 36u);
}

TEST(Pgft, RailOptimisedTreesPutEachRailOnItsOwnLeaf) {
  const Topology t = make_topology("XGFT(2; 4,8; 1,4; rails=4)");
  EXPECT_EQ(t.fabric.hosts(), 8u);
  EXPECT_EQ(t.fabric.columns(), 4u);
  for (u32 h = 0; h < 8; ++h)
    for (u32 r = 0; r < 4; ++r) {
      const Node nic = t.fabric.node(t.fabric.nic(Host{h}, r));
      EXPECT_EQ(index(t.fabric.to(t.fabric.channel(nic, Port{0}))) - t.fabric.nics(), h / 4 * 4 + r);
      EXPECT_EQ(tree(t).nic_of_endpoint(tree(t).endpoint_of_nic(Nic{index(nic)})), Nic{index(nic)});
    }
}

// Leaf, port of the leaf.
std::pair<u32, u32> leaf_port(const Topology& t, u32 host, u32 slot) {
  const Channel c = t.fabric.channel(t.fabric.node(t.fabric.nic(Host{host}, slot)), Port{0});
  return {index(t.fabric.to(c)) - t.fabric.nics(), index(t.fabric.port(t.fabric.reverse(c)))};
}

TEST(Pgft, NicsOfAHostStandBesideEachOtherOnOneLeaf) {
  const Topology t = make_topology("XGFT(2; 4,3; 1,2; nics=2)");
  EXPECT_EQ(t.fabric.hosts(), 6u);
  EXPECT_EQ(t.fabric.nics(), 12u);
  EXPECT_EQ(t.fabric.endpoints().rails(), 0u);
  for (u32 host = 0; host < 6; ++host)
    for (u32 slot = 0; slot < 2; ++slot) {
      EXPECT_EQ(t.fabric.nic(Host{host}, slot), Nic{slot * 6 + host});
      EXPECT_EQ(leaf_port(t, host, slot), std::pair(host / 2, host % 2 * 2 + slot));
      EXPECT_EQ(tree(t).leaf(slot * 6 + host), host / 2);
    }
  EXPECT_EQ(tree(t).bisection(), std::nullopt);  // an odd number of leaves
  EXPECT_NEAR(tree(t).distances()->average, (1 * 2 + 4 * 4) / 5., 1e-12);
  EXPECT_EQ(make_topology("XGFT(1; 8; 1; nics=2)").as<Pgft>()->bisection(), (Bisection{4, true}));
}

TEST(Pgft, NicsOfAHostAreOnTheLeavesOfItsGroupInTurn) {
  const Topology t = make_topology("XGFT(2; 4,4; 1,2; nics=4, leaves=2)");
  EXPECT_EQ(t.fabric.hosts(), 4u);
  EXPECT_EQ(t.fabric.endpoints().rails(), 0u);
  for (u32 host = 0; host < 4; ++host)
    for (u32 slot = 0; slot < 4; ++slot)
      EXPECT_EQ(leaf_port(t, host, slot), std::pair(host / 2 * 2 + slot % 2, host % 2 * 2 + slot / 2));
  EXPECT_EQ(tree(t).bisection(), (Bisection{4, true}));
  EXPECT_NEAR(tree(t).distances()->average, (2 + 4 + 4) / 3., 1e-12);
  EXPECT_EQ(t.fabric.name(Node{5}), "h1.n1");
}

TEST(Pgft, NotationSaysNicsHostsAndLeaves) {
  for (const char* text :
       {"XGFT(2; 4,4; 1,2; nics=4, leaves=2)", "XGFT(2; 4,3; 1,2; nics=2)",
        "XGFT(2; 7,3; 1,2; hosts=3, nics=2)", "XGFT(2; 4,4; 1,2; hosts=1, nics=4, leaves=2)",
        "XGFT(2; 4,4; 1,2; nics=2, leaves=2)", "XGFT(2; 4,4; 1,2; rails=2)", "XGFT(2; 4,4; 2,2; nics=2)",
        "PGFT(2; 4,4; 1,2; 1,2; nics=2, capacity=1/4)"})
    EXPECT_EQ(canonical_notation(make_topology(text)), text);
  EXPECT_EQ(canonical_notation(make_topology("4-ary 2-tree(nics=1, leaves=1)")), "XGFT(2; 4,4; 1,4)");
  EXPECT_EQ(canonical_notation(make_topology("4-ary 2-tree(nics=2)")), "XGFT(2; 4,4; 1,4; nics=2)");
  EXPECT_EQ(make_topology("XGFT(2; 7,3; 1,2; hosts=3, nics=2)").fabric.hosts(), 9u);
}

TEST(Pgft, RefusesNicsThatDoNotDivide) {
  const auto refused = [](std::string_view text) -> std::string {
    try {
      make_topology(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [&](std::string_view text, std::string_view why) {
    EXPECT_NE(refused(text).find(why), std::string::npos) << text << ": " << refused(text);
  };
  says("XGFT(2; 4,4; 1,2; nics=3, leaves=2)", "nics=3 cannot be divided evenly among leaves=2");
  says("XGFT(2; 4,4; 1,2; leaves=2)", "nics=1 cannot");
  says("XGFT(2; 5,4; 1,2; nics=2)", "m_1 = 5 NICs of a leaf cannot");
  says("XGFT(2; 5,4; 1,2; nics=2, hosts=3)", "a leaf has room for 2");
  says("XGFT(2; 4,3; 1,2; nics=2, leaves=2)", "3 leaves cannot be divided evenly into groups of 2");
  says("XGFT(2; 4,4; 2,2; nics=2, leaves=2)", "w_1 = 1");
  says("XGFT(2; 4,4; 1,2; nics=2, rails=2)", "without nics= and leaves=");
  says("XGFT(2; 600,4; 1,2; nics=300)", "up to 256 NICs");
}

TEST(Rlft, HasTheHostsThatWereAskedForWithAllTheirNics) {
  const Topology topology = make_topology("RLFT(64 ports, 250 hosts; nics=8)");
  EXPECT_EQ(topology.fabric.hosts(), 256u);
  EXPECT_NE(topology.remark.find("250 hosts with 8 NICs"), std::string::npos) << topology.remark;
  EXPECT_EQ(canonical_notation(make_topology("RLFT(8 ports, 8 hosts; nics=4, leaves=2)")),
            "XGFT(2; 4,8; 1,4; nics=4, leaves=2)");
  EXPECT_EQ(make_topology("RLFT(36 ports, 9 hosts; nics=4)").as<Pgft>()->h(), 1u);
  EXPECT_THROW(make_topology("RLFT(36 ports, 10 hosts; nics=4)"), InputError);
  EXPECT_EQ(make_topology("RLFT(36 ports, 10 hosts; nics=4, hosts=4)").fabric.hosts(), 4 * 4u);
}

TEST(Pgft, FewerHostsLeavePortsEmpty) {
  const Topology t = make_topology("XGFT(2; 4,4; 1,4; hosts=3)");
  EXPECT_EQ(t.fabric.hosts(), 12u);
  const Node leaf{t.fabric.nics()};
  EXPECT_EQ(t.fabric.ports(leaf), 8u);
  EXPECT_EQ(t.fabric.cabled_ports(leaf), 7u);
  EXPECT_FALSE(t.fabric.cabled(t.fabric.channel(leaf, Port{3})));
}

TEST(HyperX, NumbersPortsByDimensionAndNeighbour) {
  const Topology t = make_topology("HyperX(3x2; hosts=2, trunk=2/1)");
  const Fabric& f = t.fabric;
  const auto far = [&](u32 v, u32 port) {
    return index(f.to(f.channel(Node{f.nics() + v}, Port{port}))) - f.nics();
  };
  EXPECT_EQ(far(1, 2), 0u);
  EXPECT_EQ(far(1, 3), 0u);
  EXPECT_EQ(far(1, 4), 2u);
  EXPECT_EQ(far(1, 6), 4u);
  EXPECT_EQ(f.to(f.channel(Node{5}, Port{0})), Node{f.nics() + 2});
}

TEST(HyperX, TheOneOfDomke19) {
  const Topology t = make_topology("HyperX(12x8; hosts=7)");
  EXPECT_EQ(t.fabric.switches(), 96u);
  EXPECT_EQ(t.fabric.hosts(), 672u);
  EXPECT_EQ(t.fabric.links() - 672, 864u);
  EXPECT_EQ(std::get<HyperX>(t.shape).bisection(), (Bisection{192, true}));
}

TEST(Torus, ClosesRingsOfThreeAndMore) {
  EXPECT_EQ(make_topology("Torus(3x2)").fabric.links(), 6u + 6 + 3);
  EXPECT_EQ(make_topology("Mesh(3x2)").fabric.links(), 6u + 4 + 3);
  const Topology t = make_topology("Torus(4)");
  const auto far = [&](u32 v, u32 port) {
    return index(t.fabric.to(t.fabric.channel(Node{4 + v}, Port{port}))) - 4;
  };
  EXPECT_EQ(far(0, 1), 1u) << "ports are in the order of the neighbours' coordinates";
  EXPECT_EQ(far(0, 2), 3u);
  EXPECT_EQ(far(3, 1), 0u);
}

TEST(Dragonfly, EveryTwoGroupsMeetAsOftenAsAnyOther) {
  for (const char* text : {"Dragonfly(1,4,2)", "Dragonfly(1,4,2; groups=5)", "Dragonfly(1,4,2; groups=4)",
                           "Dragonfly(1,4,2; order=absolute)", "Dragonfly+(1,2,4,2)",
                           "Dragonfly+(1,2,4,2; groups=6, order=absolute)"}) {
    const Topology t = make_topology(text);
    const Fabric& f = t.fabric;
    const bool plus = std::holds_alternative<DragonflyPlus>(t.shape);
    const u32 groups = plus ? std::get<DragonflyPlus>(t.shape).groups : std::get<Dragonfly>(t.shape).groups;
    const auto group = [&](Node v) {
      const u32 s = index(v) - f.nics();
      if (!plus) return s / 4;
      return s < 2 * groups ? s / 2 : (s - 2 * groups) / 4;
    };
    std::vector<u32> met(groups * groups);
    f.each_link([&](const Link& link) {
      if (f.is_switch(f.from(link.a)) && f.is_switch(f.from(link.b)))
        ++met[group(f.from(link.a)) * groups + group(f.from(link.b))];
    });
    u32 least = ~0u, maximum = 0;
    for (u32 a = 0; a < groups; ++a)
      for (u32 b = a + 1; b < groups; ++b) {
        const u32 cables = met[a * groups + b] + met[b * groups + a];
        least = std::min(least, cables), maximum = std::max(maximum, cables);
      }
    EXPECT_GE(least, 1u) << text;
    EXPECT_LE(maximum - least, 1u) << text;
  }
}

// The fat-tree of domke19: 48 edges, 12 directors of 4 lines and 9 spines, all ports of edges' switches used.
TEST(Directors, AreAThreeLevelTreeOfFullBisection) {
  const Topology t =
      make_topology("Directors(48; hosts=14, up=18, directors=12, lines=4, spines=9, parallel=2)");
  EXPECT_EQ(t.fabric.hosts(), 672u);
  EXPECT_EQ(t.fabric.switches(), 204u);
  EXPECT_EQ(t.fabric.links(), 672u + 864 + 864);
  for (Node v : t.fabric.switch_nodes())
    EXPECT_EQ(t.fabric.cabled_ports(v), index(v) < 672 + 48 ? 32u : index(v) < 672 + 96 ? 36u : 8u);
  EXPECT_EQ(t.fabric.name(Node{672 + 48}), "line-0");
  // The first edge: 18 cables to the first line of all 12 directors, so twice to six of them.
  std::map<std::string, u32> lines;
  for (Channel c : t.fabric.channels(Node{672}))
    if (t.fabric.is_switch(t.fabric.to(c))) ++lines[t.fabric.name(t.fabric.to(c))];
  EXPECT_EQ(lines.size(), 12u);
  EXPECT_EQ(lines["line-0"], 2u);
  EXPECT_EQ(lines["line-44"], 1u);
  EXPECT_THROW(make_topology("Directors(6; lines=4)"), InputError);
}

TEST(Jellyfish, IsRegularSimpleAndAFunctionOfItsSeed) {
  for (const char* text : {"Jellyfish(16,4; hosts=2)", "Jellyfish(5,4)", "Jellyfish(50,7; seed=3)"}) {
    const Fabric f = make_topology(text).fabric;
    u32 open_ports = 0;
    for (Node v : f.switch_nodes()) {
      std::set<Node> far;
      for (Channel c : f.channels(v))
        EXPECT_TRUE(!f.cabled(c) || (f.to(c) != v && far.insert(f.to(c)).second)) << text;
      open_ports += f.ports(v) - f.cabled_ports(v);
    }
    EXPECT_EQ(open_ports, 0u) << text;
    EXPECT_EQ(f, make_topology(text).fabric);
  }
  EXPECT_NE(make_topology("Jellyfish(16,4)").fabric, make_topology("Jellyfish(16,4; seed=2)").fabric);
}

TEST(Fabric, NamesAreUniqueAndTellTheLevel) {
  const Topology t = make_topology("2 x XGFT(2; 4,4; 1,2)");
  EXPECT_EQ(t.fabric.name(Node{3}), "h3.r0");
  EXPECT_EQ(t.fabric.name(Node{16 + 3}), "h3.r1");
  EXPECT_EQ(t.fabric.name(Node{32}), "r0s1-0");
  EXPECT_EQ(t.fabric.name(Node{32 + 4}), "r0s2-0");
  EXPECT_EQ(t.fabric.name(Node{32 + 6 + 5}), "r1s2-1");
}

}  // namespace
}  // namespace banyan::tests
