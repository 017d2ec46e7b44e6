// The judge against the plain one, over random fabrics, engines, tables, lanes and planted errors.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "routing/paths.hpp"
#include "support/plain_judge.hpp"
#include "support/random_topology.hpp"
#include "support/tree_faults.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

// Shortest tables, ties broken at random; then some entries at random, some missing.
Tables random_tables(const Fabric& fabric, u32 lmc, u32 percent_wrong, Random& random) {
  Tables tables(fabric, lmc);
  for (u32 a = 0; a < tables.addresses(); ++a) {
    const Node goal = fabric.node(nic_of(Address{a}, lmc));
    std::vector<bool> seen(fabric.nodes().size());
    std::vector<Node> queue = {goal};
    seen[index(goal)] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      std::vector<Channel> out(fabric.channels(queue[i]).begin(), fabric.channels(queue[i]).end());
      random.shuffle(std::span(out));
      for (Channel c : out) {
        if (!fabric.cabled(c) || seen[index(fabric.to(c))]) continue;
        const Node v = fabric.to(c);
        seen[index(v)] = true;
        if (tables.has(v)) tables(v, Address{a}) = static_cast<u8>(index(fabric.port(fabric.reverse(c))));
        if (fabric.is_switch(v)) queue.push_back(v);
      }
    }
    for (u8& entry : tables.towards(Address{a}))
      if (random.below(100) < percent_wrong) entry = static_cast<u8>(random.below(8));
  }
  return tables;
}

TableWays random_lanes(const Fabric& fabric, u32 lmc, u32 lanes, Random& random) {
  TableWays ways{lmc, fabric.nics() << lmc, {}, {}};
  if (lanes < 2) return ways;
  ways.lane_row.resize(fabric.nics());
  for (u32 nic = 0; nic < fabric.nics(); ++nic) {
    const Node at = fabric.to(fabric.channel(Node{nic}, Port{0}));
    ways.lane_row[nic] = at == none<Node> ? 0 : index(at);
  }
  ways.lanes.resize(std::size_t{fabric.nodes().size()} * ways.addresses);
  for (u8& lane : ways.lanes) lane = static_cast<u8>(random.below(lanes));
  return ways;
}

void expect_alike(const Fabric& fabric, const Routing& routing) {
  const Verdict verdict = judge(fabric, routing, {.threads = draw(1, 3)});
  RC_ASSERT(figures(verdict) == figures(plain_judge(fabric, routing)));
  RC_ASSERT(verdict.yes() == verdict.counterexample.empty());
  RC_ASSERT(verdict.minimal == verdict.detour.empty());
  RC_ASSERT(verdict.deadlock_free == verdict.certificate.has_value());
  if (verdict.certificate) RC_ASSERT(recheck(*verdict.certificate, fabric, routing));
}

bool is_small(const Topology& t) { return t.fabric.nics() <= 40 && t.fabric.nics() >= 2; }

// The plain judge follows every path of every pair; an adaptive routing can have too many.
bool has_few_paths(const Fabric& fabric, const Routing& routing) {
  // Those that decide hop by hop have most of their paths elsewhere than at the first host.
  u64 left = std::holds_alternative<IncrementalHops>(routing.forward) ? 500 : 20'000;
  try {
    for (u32 to = 1; to < fabric.nics(); ++to)
      if (fabric.plane(Nic{to}) == fabric.plane(Nic{0}))
        left -= paths(fabric, routing, Nic{0}, Nic{to}, 0, left).size() + 1;
  } catch (const InputError&) {
    return false;
  }
  return true;
}

RC_GTEST_PROP(Judge, AgreesWithThePlainOneOnEveryEngine, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  for (const Engine& engine : engines::engines()) {
    PluginText text{std::string(engine.name), {}};
    for (const OptionInfo& option : engine.options)
      if (option.key == "paths") text.set("paths", std::to_string(draw(1, 4)));
    const RouteResult result = route(t, text);
    if (const auto* routing = std::get_if<Routing>(&result)) {
      if (!has_few_paths(t.fabric, *routing)) continue;
      RC_LOG() << canonical_notation(t) << " " << engine.name << std::endl;
      expect_alike(t.fabric, *routing);
    }
  }
}

RC_GTEST_PROP(Judge, AgreesWithThePlainOneOnTablesGoodAndBad, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  const Fabric fabric = broken_or_whole(t.fabric, 30);
  Random random(draw_seed());
  const u32 lmc = draw(0, 1), wrong = draw_product(2, 3);
  const Routing routing{random_tables(fabric, lmc, wrong, random),
                        Source(random_lanes(fabric, lmc, draw(1, 3), random)), 3, lmc};
  RC_LOG() << canonical_notation(t) << " without " << fabric.taken().size() << " lmc " << lmc << std::endl;
  expect_alike(fabric, routing);
}

// Sources that read nothing have one header, which the judge follows with less state.
RC_GTEST_PROP(Judge, AgreesWithThePlainOneWhereAllSourcesHaveOneHeader, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  const Fabric fabric = broken_or_whole(t.fabric, 30);
  Random random(draw_seed());
  const u32 wrong = draw_product(2, 3);
  const Routing routing{random_tables(fabric, 0, wrong, random), Source(TableWays{}), 1, 0};
  RC_LOG() << canonical_notation(t) << " without " << fabric.taken().size() << std::endl;
  expect_alike(fabric, routing);
}

// Offers whatever a hash of node, state and destination says, at most three steps away from the beginning;
// the same for all NICs of a leaf, but for so many percent of nodes and destinations.
struct Quirk {
  const Fabric& fabric;
  u64 seed;
  u32 generosity;
  u32 percent_own = 100;

  u32 destination(Node node, Address to) const {
    Random random(seed + index(node) * 7919u + index(to) * 1000003u);
    const Node leaf = fabric.to(fabric.channel(Node{index(to)}, Port{0}));
    return random.below(100) < percent_own ? index(to) : index(leaf);
  }
  void hops(Node node, const Header& header, Hops& out) const {
    Random random(seed + index(node) * 1000003u + header.state * 7919u + destination(node, header.to));
    for (Channel c : fabric.channels(node)) {
      const bool is_goal = index(fabric.to(c)) == index(header.to);
      if (!is_goal &&
          (random.below(10) >= generosity || !fabric.cabled(c) || !fabric.is_switch(fabric.to(c))))
        continue;
      const u8 state = static_cast<u8>(header.state < 3 ? header.state + random.below(2) : header.state);
      out.push_back({fabric.port(c), static_cast<u16>(1 + random.below(3)), state, 0});
      if (out.size() == 3) return;
    }
  }
};

RC_GTEST_PROP(Judge, AgreesWithThePlainOneOnAdaptiveWhims, ()) {
  const Topology t = random_topology();
  RC_PRE(t.fabric.nics() <= 8 && t.fabric.nics() >= 2 && t.fabric.switches() <= 4);
  struct OneWay {
    u32 count(Nic, Nic, u64) const { return 1; }
    Header way(Nic from, Nic to, u64, u32) const {
      return {.to = address_of(to), .state = static_cast<u8>(index(from) % 2)};
    }
  };
  const Quirk quirk{t.fabric, draw_seed(), draw(1, 5)};
  const Source source(OneWay{});
  RC_LOG() << canonical_notation(t) << std::endl;
  RC_ASSERT(figures(judge(t.fabric, quirk, source)) == figures(plain_judge(t.fabric, quirk, source)));
}

RC_GTEST_PROP(Judge, AgreesWithThePlainOneWhereNicsOfALeafAreAlmostAlike, ()) {
  const Topology t = random_topology();
  RC_PRE(t.fabric.nics() <= 8 && t.fabric.nics() >= 2 && t.fabric.switches() <= 4);
  struct OneWay {
    u32 count(Nic, Nic, u64) const { return 1; }
    Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to)}; }
    Reads reads() const { return Reads::nothing; }
  };
  const Quirk quirk{t.fabric, draw_seed(), draw(1, 5), draw_product(2, 15)};
  const Source source(OneWay{});
  RC_LOG() << canonical_notation(t) << std::endl;
  RC_ASSERT(figures(judge(t.fabric, quirk, source)) == figures(plain_judge(t.fabric, quirk, source)));
}

// Channels from all nodes to one, ~0 where there is no way.
std::vector<u32> channels_to(const Fabric& fabric, Node goal) {
  std::vector<u32> out(fabric.nodes().size(), ~u32{0});
  std::vector<Node> queue = {goal};
  out[index(goal)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Channel c : fabric.channels(queue[i]))
      if (fabric.cabled(c) && out[index(fabric.to(c))] == ~u32{0}) {
        out[index(fabric.to(c))] = out[index(queue[i])] + 1;
        if (fabric.is_switch(fabric.to(c))) queue.push_back(fabric.to(c));
      }
  return out;
}

// Leads to the NICs of a leaf on the same ways, some of them wrong, and may take a wrong port at the leaf.
struct LeafWhim {
  const Fabric& fabric;
  u64 seed;
  u32 percent_wrong;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return true; }
  bool leads_alike() const { return true; }

  Node leaf(Node nic) const { return fabric.to(fabric.channel(nic, Port{0})); }
  Hop next(Node node, const Header& header) const {
    const u16 lanes = static_cast<u16>(1u << header.lane);
    const Node goal{index(header.to)};
    if (!fabric.is_switch(node)) return {Port{0}, lanes, header.state, 0};
    const bool is_last = node == leaf(goal);
    Random random(seed + index(node) * 1000003u + header.tag * 7919u +
                  (is_last ? index(goal) : index(leaf(goal))) * 104729u);
    const bool is_wrong = random.below(1000) < percent_wrong;
    const std::vector<u32> left = channels_to(fabric, is_last ? goal : leaf(goal));
    for (u32 i = 0, first = static_cast<u32>(random.below(fabric.ports(node))); i < fabric.ports(node); ++i) {
      const Port port{(first + i) % fabric.ports(node)};
      const Node there = fabric.to(fabric.channel(node, port));
      if (is_wrong || (there != none<Node> && left[index(there)] < left[index(node)]))
        return {port, lanes, header.state, 0};
    }
    return {Port{255}, lanes, header.state, 0};
  }
};

RC_GTEST_PROP(Judge, AgreesWithThePlainOneWhereDestinationsOfALeafAreFollowedTogether, ()) {
  const Topology t = random_topology();
  RC_PRE(t.fabric.nics() <= 24 && t.fabric.nics() >= 2 && t.fabric.switches() >= 1);
  for (Nic nic{0}; index(nic) < t.fabric.nics(); nic = Nic{index(nic) + 1})
    RC_PRE(t.fabric.ports(t.fabric.node(nic)) == 1 &&
           t.fabric.is_switch(t.fabric.to(t.fabric.channel(t.fabric.node(nic), Port{0}))));
  struct OneWay {
    u32 tags, lanes;
    u32 count(Nic, Nic, u64) const { return 1; }
    Header way(Nic from, Nic to, u64, u32) const {
      const u32 mixed = index(from) * 31 + index(to) * 17;
      return {.to = address_of(to), .lane = static_cast<u8>(mixed / 5 % lanes), .tag = mixed % tags};
    }
  };
  const LeafWhim whim{t.fabric, draw_seed(), draw_product(1, 100)};
  const Source source(OneWay{draw(1, 5), draw(1, 2)});
  RC_LOG() << canonical_notation(t) << std::endl;
  RC_ASSERT(figures(judge(t.fabric, whim, source)) == figures(plain_judge(t.fabric, whim, source)));
}

// One way for each pair, drawn from a list of tags and lanes, which the source may show or not.
struct ListedWay {
  u64 seed;
  std::vector<Header> all;
  bool shows;

  u32 number(Nic from, Nic to) const {
    return static_cast<u32>(Random(seed, u64{index(from)} << 32 | index(to)).below(all.size()));
  }
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic from, Nic to, u64, u32) const {
    Header out = all[number(from, to)];
    out.to = address_of(to);
    return out;
  }
  std::span<const Header> numbered() const { return std::span(all).first(shows ? all.size() : 0); }
  void numbers(std::span<const Nic> from, std::span<const Nic> to, u64, u32* out) const {
    for (const Nic a : from)
      for (const Nic b : to) *out++ = number(a, b);
  }
};

// A digit for each level, below the number of ports up; where it is wild, now and then any behind the NIC.
u64 draw_tag(const Pgft& tree, bool is_wild, Random& random) {
  u64 tag = 0;
  for (u32 l = 0; l < tree.h(); ++l)
    tag |= random.below(is_wild && l > 0 && random.below(20) == 0 ? 256 : tree.w[l] * tree.p[l]) << (8 * l);
  return tag;
}

RC_GTEST_PROP(Judge, AgreesWithThePlainOneOnTreesWhoseSourcesListTheirHeaders, ()) {
  Random random(draw_seed());
  const Topology whole = random_tree(random);
  RC_PRE(is_small(whole));
  const double share = random.unit() / 10;
  const Topology t = degraded(whole, draw(0, 1) * share, random);
  const u32 lanes = draw(1, 2);
  ListedWay ways{draw_seed(), {}, draw(0, 1) == 1};
  const bool is_wild = draw(0, 3) == 0;
  for (u32 i = 0, count = draw(1, 12); i < count; ++i)
    ways.all.push_back(
        {.lane = static_cast<u8>(random.below(lanes)), .tag = draw_tag(*t.as<Pgft>(), is_wild, random)});
  const TreeForm form(*t.as<Pgft>(), t.planes);
  const Source source(std::move(ways));
  RC_LOG() << canonical_notation(t) << " without " << t.fabric.taken().size() << std::endl;
  RC_ASSERT(figures(judge(t.fabric, form, source)) == figures(plain_judge(t.fabric, form, source)));
}

// What sources and forwards promise so that fewer need to be asked.
RC_GTEST_PROP(Judge, MayFollowOneDestinationForAllThatAreAttachedAlike, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  const Fabric& fabric = t.fabric;
  const auto expect_same = [&](const auto& forward, const Attachment& goal, Header header) {
    Hops first, other;
    const std::vector<u32> distance = channels_to(fabric, fabric.node(goal.nics.front()));
    for (Node node : fabric.nodes()) {  // that a packet for these NICs can come to
      if (std::find(goal.at.begin(), goal.at.end(), node) != goal.at.end()) continue;
      if (distance[index(node)] == ~u32{0}) continue;
      header.to = address_of(goal.nics.front());
      offered(forward, node, header, first);
      for (Nic to : goal.nics) {
        header.to = address_of(to);
        offered(forward, node, header, other);
        const bool is_end = node == fabric.node(to) || node == fabric.node(goal.nics.front());
        RC_ASSERT(is_end || std::equal(first.begin(), first.end(), other.begin(), other.end(),
                                       [](Hop a, Hop b) { return a.port == b.port && a.lanes == b.lanes; }));
      }
    }
  };
  for (const Engine& engine : engines::engines()) {
    const RouteResult result = route(t, engine.name);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing) continue;
    const auto each = [&](const auto& forward) {
      if (!leads_alike(forward)) return;
      for (const Attachment& goal : attachments(fabric))
        for (const Attachment& at : attachments(fabric))
          if (at.domain == goal.domain && at.nics.front() != goal.nics.front())
            expect_same(forward, goal, routing->source.way(at.nics.front(), goal.nics.front(), 0, 0));
    };
    std::visit(each, routing->forward);
  }
}

RC_GTEST_PROP(Judge, MayAskOneSourceForAllThatAreAttachedAlike, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  const auto attached = attachments(t.fabric);
  for (const Engine& engine : engines::engines()) {
    const RouteResult result = route(t, engine.name);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing || routing->source.reads() == Reads::nic) continue;
    for (const Attachment& at : attached)
      for (u32 to = 0; to < t.fabric.nics(); ++to) {
        std::vector<Header> first;
        for (Nic from : at.nics) {
          if (from == Nic{to} || t.fabric.plane(Nic{to}) != at.domain) continue;
          std::vector<Header> ways;
          for (u32 i = 0; i < routing->source.count(from, Nic{to}, 0); ++i)
            ways.push_back(routing->source.way(from, Nic{to}, 0, i));
          if (first.empty()) first = ways;
          RC_ASSERT(ways == first);
        }
      }
  }
}

}  // namespace
}  // namespace banyan::tests
