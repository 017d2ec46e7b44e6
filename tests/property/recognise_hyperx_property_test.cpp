// A HyperX built, damaged, shuffled and recognised again: every place it names is right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/shuffle.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::tests {
namespace {

struct HyperXCase {
  HyperX shape;
  u32 planes = 1;
  double missing_cables = 0, missing_hosts = 0;  // shares
  bool swap = false;
  u64 seed = 0;
};

void showValue(const HyperXCase& c, std::ostream& out) {
  out << c.planes << " x " << c.shape.notation() << ", " << c.missing_cables << " of the cables and "
      << c.missing_hosts << " of the hosts missing" << (c.swap ? ", two swapped" : "") << ", seed " << c.seed;
}

HyperX hyperx(std::vector<u32> widths, u32 hosts, std::vector<u32> trunk = {}) {
  trunk.resize(widths.size(), 1);
  const std::vector<LinkClass> links(widths.size() + 1);
  return {{std::move(widths)}, std::move(trunk), hosts, links};
}

rc::Gen<HyperXCase> hyperx_cases(bool damaged) {
  return rc::gen::exec([damaged] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    HyperXCase c;
    const u32 dimensions = from(1, 4), widest = dimensions == 4 ? 4 : 7;
    std::vector<u32> widths(dimensions), trunk(dimensions);
    for (u32& width : widths) width = from(2, widest);
    const u32 thickest = from(1, 2);
    for (u32& cables : trunk) cables = from(1, thickest);
    c.shape = hyperx(widths, from(1, 4), trunk);
    c.planes = from(1, 2);
    c.seed = *rc::gen::arbitrary<u64>();
    if (!damaged) return c;
    c.missing_cables = from(0, 5) / 100.;
    c.missing_hosts = from(0, 5) / 100.;
    c.swap = from(0, 1);
    return c;
  });
}

std::optional<Candidate> grid_in(const Fabric& raw) {
  auto found = guess_hyperx(raw);
  auto* candidate = std::get_if<Candidate>(&found);
  return candidate ? std::optional(std::move(*candidate)) : std::nullopt;
}

struct HyperXTrial {
  Topology original;
  Damage damage;
  Shuffled seen;
  std::optional<Candidate> found;
};

HyperXTrial attempt_hyperx(const HyperXCase& c) {
  Random random(c.seed);
  Topology original = build(c.shape, c.planes);
  Damage damage = undamaged(original.fabric);
  const auto share = [](double part, u64 all) { return static_cast<u64>(part * static_cast<double>(all)); };
  take_hosts(damage, original.fabric, share(c.missing_hosts, original.fabric.hosts()), random);
  if (random.below(2)) {
    take_cables(damage, share(c.missing_cables, original.fabric.links()), random);
    if (c.swap) swap_cables(damage, original.fabric, random);
  } else {
    if (c.swap) swap_cables(damage, original.fabric, random);
    take_cables(damage, share(c.missing_cables, original.fabric.links()), random);
  }
  Shuffled seen = shuffled(original.fabric, damage, random);
  auto found = grid_in(seen.fabric);
  return {std::move(original), std::move(damage), std::move(seen), std::move(found)};
}

bool is_intact(const HyperXTrial& t) {
  const Fabric& raw = t.seen.fabric;
  const Fabric ideal = build(t.found->shape, t.found->planes).fabric;
  return std::ranges::find(t.found->place, none<Node>) == t.found->place.end() &&
         raw.links() == ideal.links() && wrong_cables(raw, ideal, t.found->place) == 0;
}

// What was found is what it was, as far as nodes are placed. Or the damage has made another fabric in which
// no cable at all is wrong, of the same shape or intact: then nothing in the graph tells that any was
// swapped.
void check_right_hyperx(const HyperXTrial& t) {
  const Fabric &raw = t.seen.fabric, &original = t.original.fabric;
  const IdVector<Node, Node>& place = t.found->place;
  if (is_intact(t)) return;
  const Fabric ideal = build(t.found->shape, t.found->planes).fabric;
  RC_ASSERT(t.found->planes == t.original.planes);
  const auto &was = std::get<HyperX>(t.original.shape), &is = std::get<HyperX>(t.found->shape);
  const auto dimensions = [](const HyperX& shape) {
    std::multiset<std::pair<u32, u32>> out;
    for (u32 d = 0; d < shape.grid.dimensions(); ++d) out.insert({shape.grid.widths[d], shape.trunk[d]});
    return out;
  };
  RC_ASSERT(dimensions(was) == dimensions(is));
  RC_ASSERT(was.hosts_per_switch == is.hosts_per_switch);

  IdVector<Node, Node> standing(ideal.nodes().size(),
                                none<Node>);                   // node of the ideal fabric -> of the raw one
  IdVector<Node, Node> truth(raw.nodes().size(), none<Node>);  // node of the raw fabric -> of the original
  for (Node n : original.nodes())
    if (t.seen.seen_as[n] != none<Node>) truth[t.seen.seen_as[n]] = n;
  for (Node n : raw.nodes()) {
    if (place[n] == none<Node>) continue;
    RC_ASSERT(standing[place[n]] == none<Node>);
    RC_ASSERT(ideal.is_switch(place[n]) == raw.is_switch(n));
    standing[place[n]] = n;
    const Node first = Node{index(n) % std::max(1u, raw.hosts())};  // all NICs of a host are one host
    if (!raw.is_switch(n) && place[first] != none<Node>)
      RC_ASSERT(index(place[n]) % ideal.hosts() == index(place[first]) % ideal.hosts());
  }
  const NodePairs should = named_cables(ideal, undamaged(ideal).cables, [&](Node n) { return standing[n]; });
  const NodePairs were = named_cables(original, undamaged(original).cables, [&](Node n) {
    const Node seen = t.seen.seen_as[n];
    return seen != none<Node> && place[seen] != none<Node> ? seen : none<Node>;
  });
  if (should == were) return;
  RC_ASSERT(wrong_cables(raw, ideal, place) == 0u);
  RC_ASSERT(wrong_cables(raw, original, truth) > 0u);
  for (Node n : raw.nodes()) RC_ASSERT(place[n] != none<Node> || raw.cabled_ports(n) == 0);
}

RC_GTEST_PROP(RecogniseHyperX, IntactIsAlwaysFound, ()) {
  const HyperXCase c = *hyperx_cases(false);
  const HyperXTrial t = attempt_hyperx(c);
  RC_ASSERT(t.found.has_value());
  for (Node place : t.found->place) RC_ASSERT(place != none<Node>);
  check_right_hyperx(t);
}

RC_GTEST_PROP(RecogniseHyperX, DamagedIsNeverWrong, ()) {
  const HyperXCase c = *hyperx_cases(true);
  const HyperXTrial t = attempt_hyperx(c);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (!t.found) return;
  const auto undecided = [&](Node n) { return t.found->place[n] == none<Node>; };
  RC_CLASSIFY(std::ranges::any_of(t.seen.fabric.switch_nodes(), undecided), "some switches undecided");
  check_right_hyperx(t);
}

// The machine of domke19, 15 cables missing and two swapped: every switch finds its place.
TEST(RecogniseHyperX, TwelveByEightSurvivesTheLossOfFifteenCables) {
  const Topology original = make_topology("HyperX(12x8; hosts=7)");
  for (u64 seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Damage damage = undamaged(original.fabric);
    take_cables(damage, 15, random);
    swap_cables(damage, original.fabric, random);
    Shuffled seen = shuffled(original.fabric, damage, random);
    auto found = grid_in(seen.fabric);
    ASSERT_TRUE(found.has_value()) << seed;
    EXPECT_EQ(std::get<HyperX>(found->shape), std::get<HyperX>(original.shape));
    for (Node n : seen.fabric.switch_nodes()) EXPECT_NE(found->place[n], none<Node>) << seed;
    check_right_hyperx({original, damage, std::move(seen), std::move(found)});
  }
}

TEST(RecogniseHyperX, WhatIsNoneIsRefused) {
  for (const char* notation :
       {"FullMesh(1; hosts=8)", "4-ary 3-tree", "RLFT(36 ports, 648 hosts)", "Torus(5x5)", "Mesh(4x4)",
        "Dragonfly(2,4,2)", "Dragonfly+(2,4,4,2)", "2 x GFT(2; 4; 2)"}) {
    Random random(1);
    const Fabric fabric = make_topology(notation).fabric;
    EXPECT_FALSE(grid_in(shuffled(fabric, undamaged(fabric), random).fabric).has_value()) << notation;
  }
}

}  // namespace
}  // namespace banyan::tests
