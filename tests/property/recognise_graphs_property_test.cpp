// Tori, meshes and Dragonflies built, damaged, shuffled and recognised again: every place that is named is
// right.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "fabric/faults.hpp"
#include "support/shuffle.hpp"
#include "topology/recognise/guess_graphs.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::tests {
namespace {

struct GraphTrial {
  Topology original;
  std::vector<Link> swapped;  // all cables, two perhaps swapped
  Shuffled seen;
  std::optional<Candidate> found;
};

using Guess = std::variant<Candidate, Unrecognised> (*)(const Fabric&);

// Up to a twentieth of the cables and of the hosts missing, and perhaps two cables swapped.
GraphTrial attempt_graph(const std::string& notation, Guess guess, bool is_damaged, u64 seed) {
  Random random(seed);
  Topology original = make_topology(notation);
  Damage damage = undamaged(original.fabric);
  const auto some = [&](u64 all) { return all * random.below(6) / 100; };
  if (is_damaged) take_hosts(damage, original.fabric, some(original.fabric.hosts()), random);
  if (is_damaged && random.below(2)) swap_cables(damage, original.fabric, random);
  const std::vector<Link> swapped = damage.cables;
  if (is_damaged) take_cables(damage, some(original.fabric.links()), random);
  Shuffled seen = shuffled(original.fabric, damage, random);
  auto found = guess(seen.fabric);
  auto* candidate = std::get_if<Candidate>(&found);
  return {std::move(original), swapped, std::move(seen),
          candidate ? std::optional(std::move(*candidate)) : std::nullopt};
}

// The ideal cables between placed nodes are those of the original; or the swap has made a fabric of the same
// shape, in which no cable is wrong; or what was found is intact, under another name of the same graph.
void expect_right(const GraphTrial& t) {
  const Fabric &raw = t.seen.fabric, &original = t.original.fabric;
  const IdVector<Node, Node>& place = t.found->place;
  const Fabric ideal = build(t.found->shape, t.found->planes).fabric;
  const u64 visible = wrong_cables(raw, ideal, place);
  const bool is_placed = std::ranges::find(place, none<Node>) == place.end();
  if (is_placed && raw.links() == ideal.links() && visible == 0) return;
  RC_ASSERT(ideal.hosts() == original.hosts());
  RC_ASSERT(ideal.switches() == original.switches());
  RC_ASSERT(ideal.links() == original.links());
  IdVector<Node, Node> standing(ideal.nodes().size(), none<Node>), truth(raw.nodes().size(), none<Node>);
  for (Node n : original.nodes())
    if (t.seen.seen_as[n] != none<Node>) truth[t.seen.seen_as[n]] = n;
  for (Node n : raw.nodes()) {
    if (place[n] == none<Node>) continue;
    RC_ASSERT(standing[place[n]] == none<Node>);
    RC_ASSERT(ideal.is_switch(place[n]) == raw.is_switch(n));
    standing[place[n]] = n;
  }
  const auto placed_as = [&](Node n) {
    const Node seen = t.seen.seen_as[n];
    return seen != none<Node> && place[seen] != none<Node> ? seen : none<Node>;
  };
  const NodePairs should = named_cables(ideal, undamaged(ideal).cables, [&](Node n) { return standing[n]; });
  const NodePairs were = named_cables(original, undamaged(original).cables, placed_as);
  if (should == were || should == named_cables(original, t.swapped, placed_as)) return;
  NodePairs differ;
  std::set_symmetric_difference(should.begin(), should.end(), were.begin(), were.end(),
                                std::back_inserter(differ));
  RC_ASSERT(differ.size() <= 4u);  // one swap
  RC_ASSERT(visible == 0u);
  RC_ASSERT(wrong_cables(raw, original, truth) > 0u);
}

rc::Gen<std::string> grids(bool small_too) {
  return rc::gen::exec([small_too] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    const u32 dimensions = from(2, 4), widest = dimensions == 2 ? 9 : dimensions == 3 ? 6 : 4;
    std::string widths;
    for (u32 d = 0; d < dimensions; ++d)
      widths += fmt::format("{}{}", d ? "x" : "", from(small_too || d > 0 ? 2 : 3, widest));
    return fmt::format("{}({}; hosts={})", from(0, 2) ? "Torus" : "Mesh", widths, from(1, 3));
  });
}

// As many groups as there can be, or fewer.
rc::Gen<std::string> dragonflies(bool fewer_groups) {
  return rc::gen::exec([fewer_groups] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    const u32 switches = from(3, 6), ports = from(1, 3), all = switches * ports + 1;
    return fmt::format("Dragonfly({},{},{}; groups={})", from(1, 3), switches, ports,
                       fewer_groups ? from(2, all) : all);
  });
}

RC_GTEST_PROP(RecogniseTorus, IntactIsAlwaysFound, (u64 seed)) {
  const GraphTrial t = attempt_graph(*grids(true), guess_torus, false, seed);
  RC_ASSERT(t.found.has_value());
  for (Node place : t.found->place) RC_ASSERT(place != none<Node>);
  expect_right(t);
}

RC_GTEST_PROP(RecogniseTorus, DamagedIsNeverWrong, (u64 seed)) {
  const GraphTrial t = attempt_graph(*grids(true), guess_torus, true, seed);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

RC_GTEST_PROP(RecogniseDragonfly, IntactIsAlwaysFound, (u64 seed)) {
  const GraphTrial t = attempt_graph(*dragonflies(false), guess_dragonfly, false, seed);
  RC_ASSERT(t.found.has_value());
  for (Node place : t.found->place) RC_ASSERT(place != none<Node>);
  expect_right(t);
}

RC_GTEST_PROP(RecogniseDragonfly, DamagedIsNeverWrong, (u64 seed)) {
  const GraphTrial t = attempt_graph(*dragonflies(true), guess_dragonfly, true, seed);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

// Whichever kind of shape the whole of recognition names.
std::variant<Candidate, Unrecognised> any_shape(const Fabric& raw) {
  auto found = recognise(raw);
  if (auto* recognition = std::get_if<Recognition>(&found)) return std::move(recognition->candidate);
  return std::get<Unrecognised>(found);
}

RC_GTEST_PROP(RecogniseTorus, DamagedIsNothingElse, (u64 seed)) {
  const GraphTrial t = attempt_graph(*grids(true), any_shape, true, seed);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

RC_GTEST_PROP(RecogniseDragonfly, DamagedIsNothingElse, (u64 seed)) {
  const GraphTrial t = attempt_graph(*dragonflies(true), any_shape, true, seed);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

// Members of families that follow from a few numbers.
rc::Gen<std::string> listed_graphs() {
  return rc::gen::exec([] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    const auto one_of = [&](std::vector<std::string> all) {
      return all[from(0, static_cast<u32>(all.size()) - 1)];
    };
    switch (from(0, 5)) {
      case 0:
        return fmt::format("SlimFly({}; hosts={})", one_of({"3", "4", "5", "7", "8", "9", "11"}), from(1, 3));
      case 1:
        return fmt::format("PolarFly({}; hosts={})", one_of({"2", "3", "4", "5", "7", "8", "9", "13"}),
                           from(1, 3));
      case 2:
        return fmt::format("PolarStar({}; hosts={})", one_of({"2,5", "3,5", "2,9", "4,5", "3,13"}),
                           from(1, 3));
      case 3:
        return fmt::format("Kautz({}; hosts={})", one_of({"2,3", "2,4", "3,2", "3,3", "4,2"}), from(1, 3));
      case 4:
        return one_of({"TwistedTorus(8x4)", "TwistedTorus(6x3; hosts=2)", "TwistedTorus(8x4x4)",
                       "HammingMesh(2,2; 3,3)", "HammingMesh(4,2; 2,3)", "HammingMesh(1,3; 4,2)"});
      default:
        return one_of({"Dragonfly+(2,4,4,2)", "Dragonfly+(1,3,4,2; groups=5)", "Dragonfly+(3,2,2,3)",
                       "Dragonfly+(2,3,3,2; order=absolute)", "Megafly(4)"});
    }
  });
}

RC_GTEST_PROP(RecogniseListed, IntactIsAlwaysFound, (u64 seed)) {
  const std::string notation = *listed_graphs();
  const GraphTrial t = attempt_graph(notation, any_shape, false, seed);
  RC_LOG() << notation << std::endl;
  RC_ASSERT(t.found.has_value());
  for (Node place : t.found->place) RC_ASSERT(place != none<Node>);
  const Fabric ideal = build(t.found->shape, t.found->planes).fabric;
  RC_ASSERT(ideal.links() == t.original.fabric.links());
  RC_ASSERT(wrong_cables(t.seen.fabric, ideal, t.found->place) == 0u);
}

RC_GTEST_PROP(RecogniseListed, DamagedIsNeverWrong, (u64 seed)) {
  const GraphTrial t = attempt_graph(*listed_graphs(), guess_listed, true, seed);
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

// Groups of leaves and spines, or boards with switches for their rows and columns: members in which some
// switches have no hosts.
rc::Gen<std::string> partly_hosted() {
  return rc::gen::exec([] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    if (from(0, 1)) {
      const u32 a = from(1, 4), b = from(1, 4), x = from(2, 5), y = from(2, 5), hosts = from(1, 2);
      return fmt::format("HammingMesh({},{}; {},{}; hosts={})", a, b, x, y, hosts);
    }
    const u32 hosts = from(1, 3), leaves = from(2, 5), spines = from(2, 5), ports = from(1, 3);
    const u32 groups = from(2, spines * ports + 1);
    return fmt::format("Dragonfly+({},{},{},{}; groups={}, order={})", hosts, leaves, spines, ports, groups,
                       from(0, 1) ? "absolute" : "relative");
  });
}

RC_GTEST_PROP(RecogniseListed, DamagedIsNothingElse, (u64 seed)) {
  const std::string notation = *partly_hosted();
  const GraphTrial t = attempt_graph(notation, any_shape, true, seed);
  RC_LOG() << notation << std::endl;
  RC_CLASSIFY(!t.found.has_value(), "refused");
  if (t.found) expect_right(t);
}

// A member that lost cables between switches, seen by a stranger.
struct LostCables {
  Topology original;
  Fabric damaged;
  Shuffled seen;
};

LostCables lose(const std::string& notation, double share, u64 seed) {
  Random random(seed);
  Topology original = make_topology(notation);
  Fabric damaged =
      without(original.fabric, choose_cables(original.fabric, fmt::format("share={},seed={}", share, seed)));
  Shuffled seen = shuffled(damaged, undamaged(damaged), random);
  return {std::move(original), std::move(damaged), std::move(seen)};
}

// Both as pairs of nodes that the stranger sees.
bool names_what_was_lost(const LostCables& t, const Recognition& found) {
  const auto seen_as = [&](Node n) { return t.seen.seen_as[n]; };
  const NodePairs all = named_cables(t.original.fabric, undamaged(t.original.fabric).cables, seen_as);
  const NodePairs left = named_cables(t.damaged, undamaged(t.damaged).cables, seen_as);
  NodePairs lost, named;
  std::set_difference(all.begin(), all.end(), left.begin(), left.end(), std::back_inserter(lost));
  for (const MissingCable& cable : found.missing) named.push_back(std::minmax(cable.raw_a, cable.raw_b));
  std::sort(named.begin(), named.end());
  return named == lost && found.wrong.empty();
}

RC_GTEST_PROP(RecogniseListed, WhatIsMissingIsNamed, (u64 seed)) {
  const std::string notation = *partly_hosted();
  const u32 percent = *rc::gen::inRange(0, 6);
  const LostCables t = lose(notation, percent / 100.0, seed);
  const auto answer = recognise(t.seen.fabric);
  const auto* found = std::get_if<Recognition>(&answer);
  RC_LOG() << notation << " without " << percent << " %" << std::endl;
  RC_CLASSIFY(found == nullptr, "refused");
  RC_CLASSIFY(found != nullptr && !found->missing.empty(), "recognised with missing cables");
  if (found) RC_ASSERT(names_what_was_lost(t, *found));
}

// Without 5 % of the cables between switches, five draws of each.
TEST(RecogniseListed, MostlySurvivesTheLossOfSomeCables) {
  for (const char* notation : {"SlimFly(5)",
                               "SlimFly(7; hosts=2)",
                               "SlimFly(8)",
                               "PolarFly(7)",
                               "PolarFly(8; hosts=2)",
                               "PolarFly(9)",
                               "PolarStar(3,5)",
                               "PolarStar(4,9)",
                               "Kautz(4,3)",
                               "TwistedTorus(8x4x4)",
                               "HammingMesh(2,2; 3,3)",
                               "HammingMesh(2,4; 3,2)",
                               "HammingMesh(1,3; 4,2)",
                               "HammingMesh(2,2; 5,9)",
                               "HammingMesh(4,4; 8,8)",
                               "Dragonfly+(2,4,4,2)",
                               "Dragonfly+(1,3,4,2; groups=5)",
                               "Dragonfly+(2,3,3,2; order=absolute)",
                               "Dragonfly+(4,4,4,4; order=absolute)",
                               "Dragonfly+(8,8,8,8)",
                               "Dragonfly+(16,16,16,2)"}) {
    u32 named = 0;
    for (u64 seed = 0; seed < 5; ++seed) {
      const LostCables t = lose(notation, 0.05, seed);
      const auto answer = recognise(t.seen.fabric);
      const auto* found = std::get_if<Recognition>(&answer);
      named += found && found->candidate.shape == t.original.shape && names_what_was_lost(t, *found);
    }
    EXPECT_GE(named, 4u) << notation;
  }
}

// Leaves of a group are alike: a search that tried each of them would not end.
TEST(RecogniseListed, LargeDragonflyPlusAreFound) {
  for (const char* notation : {"Dragonfly+(8,8,8,8)", "Dragonfly+(16,16,16,2)"}) {
    Random random(1);
    const Topology original = make_topology(notation);
    const auto guess = guess_listed(shuffled(original.fabric, undamaged(original.fabric), random).fabric);
    const auto* candidate = std::get_if<Candidate>(&guess);
    ASSERT_TRUE(candidate) << notation;
    EXPECT_EQ(candidate->shape, original.shape) << notation;
  }
}

TEST(RecogniseListed, RandomGraphsAreNone) {
  for (const char* notation : {"Jellyfish(57,8; hosts=2)", "Jellyfish(98,11; hosts=3)", "Xpander(6,14)",
                               "Jellyfish(183,14; hosts=1)"}) {
    Random random(1);
    const Fabric fabric = make_topology(notation).fabric;
    const Fabric seen = shuffled(fabric, undamaged(fabric), random).fabric;
    EXPECT_TRUE(std::holds_alternative<Unrecognised>(guess_listed(seen))) << notation;
  }
}

// Switches with some hosts and cables at random, several between some.
Fabric any_fabric(u32 switches, u32 percent, u32 max_hosts, Random& random) {
  std::vector<u32> hosts_on(switches), ports(switches);
  u32 hosts = 0;
  for (u32& on : hosts_on) hosts += on = static_cast<u32>(random.below(max_hosts + 1));
  if (hosts == 0) hosts = hosts_on[0] = 1;
  std::vector<std::pair<u32, u32>> cables;
  for (u32 a = 0; a < switches; ++a)
    for (u32 b = a + 1; b < switches; ++b)
      for (u32 i = 0; i < 2 && random.below(100) < percent; ++i) cables.emplace_back(a, b);
  for (u32 s = 0; s < switches; ++s) ports[s] = hosts_on[s];
  for (const auto& [a, b] : cables) ++ports[a], ++ports[b];
  FabricBuilder builder(hosts, 1);
  const u8 plain = builder.add_class(LinkClass{});
  for (u32 h = 0; h < hosts; ++h) builder.nic_ports(Nic{h}, 1);
  for (const u32 count : ports) builder.add_switch(count);
  std::vector<u32> used(switches, 0);
  const auto next = [&](u32 s) { return Port{used[s]++}; };
  for (u32 s = 0, host = 0; s < switches; ++s)
    for (u32 i = 0; i < hosts_on[s]; ++i)
      builder.connect(Node{host++}, Port{0}, Node{hosts + s}, next(s), plain);
  for (const auto& [a, b] : cables)
    builder.connect(Node{hosts + a}, next(a), Node{hosts + b}, next(b), plain);
  return std::move(builder).build();
}

// Whatever the graph, there is an answer, and every cable of its shape is there or missing.
RC_GTEST_PROP(RecogniseGraphs, AnyGraphHasAnAnswer, (u64 seed)) {
  const u32 switches = *rc::gen::inRange(1u, 15u), percent = *rc::gen::inRange(0u, 101u);
  const u32 max_hosts = *rc::gen::inRange(0u, 4u);
  Random random(seed);
  const Fabric raw = any_fabric(switches, percent, max_hosts, random);
  const auto answer = recognise(raw);
  const auto* found = std::get_if<Recognition>(&answer);
  RC_CLASSIFY(!found, "refused");
  if (!found) return;
  const Fabric ideal = build(found->candidate.shape, found->candidate.planes).fabric;
  RC_ASSERT(ideal.links() + found->wrong.size() <= found->missing.size() + raw.links());
  RC_ASSERT(as_topology(raw, *found).fabric.links() == raw.links());
}

TEST(RecogniseTorus, EightByEightMostlySurvivesTheLossOfSixCables) {
  const std::string notation = "Torus(8x8; hosts=2)";
  u32 found = 0;
  for (u64 seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Topology original = make_topology(notation);
    Damage damage = undamaged(original.fabric);
    take_cables(damage, 6, random);
    const auto guess = guess_torus(shuffled(original.fabric, damage, random).fabric);
    const auto* candidate = std::get_if<Candidate>(&guess);
    found += candidate && std::get<Torus>(candidate->shape) == std::get<Torus>(original.shape);
  }
  EXPECT_GT(found, 30u);
}

TEST(RecogniseGraphs, WhatIsNoneIsRefused) {
  for (const char* notation : {"4-ary 3-tree", "RLFT(36 ports, 648 hosts)", "SlimFly(5)", "TwistedTorus(8x4)",
                               "Jellyfish(20,4; hosts=2)", "HyperX(5x5; hosts=2)", "Dragonfly+(2,4,4,2)"}) {
    Random random(1);
    const Fabric fabric = make_topology(notation).fabric;
    const Fabric seen = shuffled(fabric, undamaged(fabric), random).fabric;
    EXPECT_TRUE(std::holds_alternative<Unrecognised>(guess_torus(seen))) << notation;
    EXPECT_TRUE(std::holds_alternative<Unrecognised>(guess_dragonfly(seen))) << notation;
  }
}

}  // namespace
}  // namespace banyan::tests
