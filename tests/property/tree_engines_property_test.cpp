// Engines of fat-trees with and without missing cables, held against what is possible at all.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "engines/dmodc.hpp"
#include "routing/table_form.hpp"
#include "routing/tree_ports.hpp"
#include "routing/way_addresses.hpp"
#include "support/tree_faults.hpp"
#include "verify/change_judge.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

constexpr u32 unreachable = ~u32{0};

u32 distance(const Fabric& fabric, Nic from, Nic to) {
  std::vector<u32> steps(fabric.nodes().size(), unreachable);
  std::vector<Node> queue = {fabric.node(from)};
  steps[index(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (i > 0 && !fabric.is_switch(queue[i])) continue;
    for (Channel c : fabric.channels(queue[i]))
      if (fabric.cabled(c) && steps[index(fabric.to(c))] == unreachable) {
        steps[index(fabric.to(c))] = steps[index(queue[i])] + 1;
        queue.push_back(fabric.to(c));
      }
  }
  return steps[index(to)];
}

const Tables& tables(const RouteResult& result) {
  return std::get<Tables>(std::get<Routing>(result).forward);
}

// A connected pair without a way up and then down: then an up/down engine may refuse.
bool is_broken(const Topology& t) {
  for (u32 rail = 0; rail < t.fabric.columns(); ++rail)
    for (u32 b = 0; b < t.fabric.hosts(); ++b) {
      const Nic to = t.fabric.nic(Host{b}, rail);
      const UpDownWays ways(t, to);
      for (u32 a = 0; a < t.fabric.nics(); ++a)
        if (!ways.reaches(Nic{a}) && connected(t.fabric, Nic{a}, to)) return true;
    }
  return false;
}

// Follows the tables from every NIC that has a way; every step must be one of the permitted ones.
void check_complete(const Topology& t, const Routing& routing, bool shortest) {
  const Tables& table = std::get<Tables>(routing.forward);
  for (u32 b = 0; b < t.fabric.nics(); ++b) {
    const UpDownWays ways(t, Nic{b});
    for (u32 a = 0; a < t.fabric.nics(); ++a) {
      if (a == b || !ways.reaches(Nic{a})) continue;
      for (u32 i = 0; i < 1u << routing.lmc; ++i) {
        const Address to = address_of(Nic{b}, routing.lmc, i);
        u32 steps = 0;
        for (Node at{a}; at != Node{b}; ++steps) {
          RC_ASSERT(steps < 20u);
          const u32 port = index(table.next(at, {.to = to}).port);
          RC_ASSERT(!shortest || ways.ports[index(at)].count(port) == 1);
          RC_ASSERT(port < t.fabric.ports(at));
          at = t.fabric.to(t.fabric.channel(at, Port{port}));
          RC_ASSERT(at != none<Node>);
        }
      }
    }
  }
  RC_ASSERT(judge(t.fabric, routing, {.threads = 1}).yes());
}

RC_GTEST_PROP(TreePorts, AreForAHeaderWhatTheFormSaysNodeByNode, ()) {
  Random random(*rc::gen::arbitrary<u64>());
  const Topology t = random_tree(random);
  for (const char* engine : {"dmodk", "smodk", "random"}) {
    const RouteResult result = route(t, engine);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing) continue;
    const TreeForm& form = std::get<TreeForm>(routing->forward);
    const TreePorts ports(form);
    for (u32 i = 0; i < 20; ++i) {
      const Nic from{static_cast<u32>(random.below(t.fabric.nics()))},
          to{static_cast<u32>(random.below(t.fabric.nics()))};
      const Header header = routing->source.way(from, to, 0, 0);
      const TreePorts::Row row = ports.row(header);
      for (const Node node : t.fabric.nodes())
        RC_ASSERT(ports.at(ports.place(node), row) == index(form.next(node, header).port));
      Header other = header;
      other.tag = random();
      for (u32 k = 0; k < 20; ++k) {
        const Node a{static_cast<u32>(random.below(t.fabric.nodes().size()))},
            b{static_cast<u32>(random.below(t.fabric.nodes().size()))};
        if (!ports.alike(ports.place(a), ports.place(b), row)) continue;
        RC_ASSERT(form.next(a, header).port == form.next(b, header).port);
        RC_ASSERT(form.next(a, other).port == form.next(b, other).port);
      }
    }
  }
}

RC_GTEST_PROP(TreePaths, WaysOfManyPairsAreThoseOfEachPair, (u64 seed)) {
  Random random(seed);
  const Topology t = random_tree(random);
  const u32 in_plane = t.fabric.nics() / t.planes;
  for (const char* engine : {"smodk", "random", "random:seed=7", "disjoint:1", "shift1:1"}) {
    const RouteResult result = route(t, engine);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing) continue;
    std::vector<Nic> from, to;
    for (u32 i = 0; i < 40; ++i)
      (i % 2 ? from : to).push_back(Nic{static_cast<u32>(random.below(t.fabric.nics()))});
    const std::span<const Header> listed = routing->source.numbered();
    RC_ASSERT(listed.empty() == (routing->source.reads() != Reads::nic));
    if (listed.empty()) continue;
    std::vector<u32> numbers(from.size() * to.size());
    routing->source.numbers(from, to, 0, numbers.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Nic a = from[i / to.size()], b = to[i % to.size()];
      if (index(a) % in_plane == index(b) % in_plane) continue;  // itself, or its twin on another plane
      RC_ASSERT(numbers[i] < listed.size());
      Header way = listed[numbers[i]];
      way.to = address_of(b);
      RC_ASSERT(way == routing->source.way(a, b, 0, 0));
    }
  }
}

RC_GTEST_PROP(Dmodc, IsDmodkWhenNothingIsMissing, (u64 seed)) {
  Random random(seed);
  const Topology t = random_tree(random);
  RC_PRE(t.fabric.hosts() > 1u);
  const Routing closed = std::get<Routing>(route(t, "dmodk"));
  RC_ASSERT(tables(route(t, "dmodc")) == tables(tables_of(t, closed)));
}

RC_GTEST_PROP(Dmodc, SeveralAddressesAreDisjointOrShift1WhenNothingIsMissing, (u64 seed)) {
  Random random(seed);
  const Topology t = random_tree(random);
  RC_PRE(std::get<Pgft>(t.shape).m.back() > 1u);  // some pair meets at the top
  const u32 lmc = 1 + static_cast<u32>(random.below(2));
  for (const char* name : {"disjoint", "shift1"}) {
    // shift-1 has other addresses then, so as to be exact also where pairs meet below the top
    if (name == std::string_view("shift1") && !ways_share_freely(std::get<Pgft>(t.shape))) continue;
    const Routing closed = std::get<Routing>(route(t, fmt::format("{}:{}", name, 1u << lmc)));
    const Routing wanted = std::get<Routing>(tables_of(t, closed));
    const Routing found = std::get<Routing>(route(t, fmt::format("dmodc:lmc={},spread={}", lmc, name)));
    for (u32 b = 0; b < t.fabric.nics(); ++b)
      for (u32 i = 0; i < 1u << wanted.lmc; ++i) {
        const auto x = std::get<Tables>(wanted.forward).towards(address_of(Nic{b}, wanted.lmc, i));
        const auto y = std::get<Tables>(found.forward).towards(address_of(Nic{b}, lmc, i));
        RC_ASSERT(std::equal(x.begin(), x.end(), y.begin(), y.end()));
      }
  }
}

RC_GTEST_PROP(Dmodc, IsCompleteShortestAndFreeOfDeadlock, (u64 seed)) {
  Random random(seed);
  const Topology t = degraded_tree(random, 0.5, TreeFaults::at_hosts_too);
  const RouteResult result = route(t, fmt::format("dmodc:lmc={}", random.below(3)));
  if (const auto* routing = std::get_if<Routing>(&result))
    check_complete(t, *routing, true);
  else
    RC_ASSERT(is_broken(t));
}

// Without its shape: ranks and numbers come from the graph alone.
RC_GTEST_PROP(Dmodc, NeedsNoShape, (u64 seed)) {
  Random random(seed);
  const Topology t = degraded_tree(random, 0.25);
  Topology raw = t;
  raw.shape = Irregular{};
  raw.planes = 1;
  const RouteResult result = route(raw, "dmodc");
  if (const auto* routing = std::get_if<Routing>(&result))
    check_complete(t, *routing, true);
  else
    RC_ASSERT(is_broken(t));
}

Topology one_cable_less(const Topology& before, Random& random) {
  std::vector<Link> cables;
  before.fabric.each_link([&](const Link& link) { cables.push_back(link); });
  RC_PRE(!cables.empty());
  Topology after = before;
  after.fabric = without(before.fabric, std::vector<Link>{cables[random.below(cables.size())]});
  return after;
}

RC_GTEST_PROP(Dmodc, ChangesAnEntryOnlyIfItsPortIsLostOrTheAlternativesAreOthers, (u64 seed)) {
  Random random(seed);
  const Topology before = degraded_tree(random, 0.25);
  const Topology after = one_cable_less(before, random);
  const RouteResult first = route(before, "dmodc"), second = route(after, "dmodc");
  RC_PRE(std::holds_alternative<Routing>(first) && std::holds_alternative<Routing>(second));
  const Tables &x = tables(first), &y = tables(second);
  for (u32 b = 0; b < before.fabric.nics(); ++b) {
    const UpDownWays old_ways(before, Nic{b}), new_ways(after, Nic{b});
    for (Node v : before.fabric.nodes()) {
      if (!x.has(v) || x(v, Address{b}) == y(v, Address{b})) continue;
      const auto &old_ports = old_ways.ports[index(v)], &new_ports = new_ways.ports[index(v)];
      const bool only_lost =
          std::includes(old_ports.begin(), old_ports.end(), new_ports.begin(), new_ports.end());
      RC_ASSERT((only_lost ? !new_ports.count(x(v, Address{b})) : old_ports != new_ports));
    }
  }
}

RC_GTEST_PROP(Dmodc, ReroutesToTheSameTables, (u64 seed)) {
  Random random(seed);
  const Topology whole = random_tree(random), before = degraded(whole, random.unit() / 4, random);
  const Topology after = random.below(2) == 0 ? degraded(before, 0.05, random, random.below(4) == 0)
                                              : degraded(whole, random.unit() / 8, random);
  const DmodcOptions options{.lmc = static_cast<u32>(random.below(2))};
  const RouteResult first = route_dmodc(before, options);
  RC_PRE(std::holds_alternative<Routing>(first));
  const RouteResult again = reroute_dmodc(tables(first), before, after, options),
                    full = route_dmodc(after, options);
  RC_ASSERT(again.index() == full.index());
  if (std::holds_alternative<Routing>(full)) RC_ASSERT(tables(again) == tables(full));
}

// Also of tables that were not made anew, and of some with faults planted in them.
RC_GTEST_PROP(ChangeJudge, SaysWhatTheJudgeSays, (u64 seed)) {
  Random random(seed);
  const Topology before = degraded_tree(random, 0.125);
  const Topology after = one_cable_less(before, random);
  const RouteResult first = route(before, "dmodc"), second = route(after, "dmodc");
  RC_PRE(std::holds_alternative<Routing>(first) && std::holds_alternative<Routing>(second));
  Routing changed = std::get<Routing>(random.below(3) == 0 ? first : second);
  Tables& table = std::get<Tables>(changed.forward);
  if (random.below(3) == 0)
    for (u8& port : table.towards(Address{static_cast<u32>(random.below(table.addresses()))}))
      if (random.below(4) == 0) port = static_cast<u8>(random.below(6));
  const ChangeJudge change(before.fabric, std::get<Routing>(first), {.threads = 1});
  const auto quick = change.after(after.fabric, changed);
  RC_CLASSIFY(quick.has_value(), "quick");
  if (!quick) return;
  const Verdict slow = judge(after.fabric, changed, {.threads = 1});
  RC_CLASSIFY(!slow.yes(), "quick and no");
  RC_ASSERT(quick->yes == slow.yes());
  RC_ASSERT(quick->arriving == slow.pairs - slow.failing_pairs);
  RC_ASSERT(quick->max_destinations_per_channel == slow.max_destinations_per_channel);
  RC_ASSERT(quick->max_destinations_per_down_channel == slow.max_destinations_per_down_channel);
}

RC_GTEST_PROP(Ftree, IsCompleteShortestAndFreeOfDeadlock, (u64 seed)) {
  Random random(seed);
  const Topology t = degraded_tree(random, 0.5, TreeFaults::at_hosts_too);
  const RouteResult result = route(t, fmt::format("ftree:lmc={}", random.below(3)));
  if (const auto* routing = std::get_if<Routing>(&result))
    check_complete(t, *routing, true);
  else
    RC_ASSERT(is_broken(t));
}

// By breadth-first search in the whole graph.
RC_GTEST_PROP(Ecmp, TakesShortestPaths, (u64 seed)) {
  Random random(seed);
  const Topology t = degraded_tree(random, 0.5, TreeFaults::at_hosts_too);
  const Routing r = std::get<Routing>(route(t, fmt::format("ecmp:paths=3,seed={}", random.below(9))));
  const auto& forward = std::get<HashedNextHops>(r.forward);
  for (u32 a = 0; a < t.fabric.nics(); ++a)
    for (u32 b = 0; b < t.fabric.nics(); ++b) {
      const u32 shortest = distance(t.fabric, Nic{a}, Nic{b});
      for (u32 i = 0; a != b && i < r.source.count(Nic{a}, Nic{b}, 0); ++i) {
        const Header header = r.source.way(Nic{a}, Nic{b}, 0, i);
        Node at{a};
        for (u32 left = shortest; left-- > 0 && shortest != unreachable;) {
          const Hop hop = forward.next(at, header);
          RC_ASSERT(hop.left == left);
          at = t.fabric.to(t.fabric.channel(at, hop.port));
        }
        RC_ASSERT(at == Node{shortest == unreachable ? a : b});
        if (shortest == unreachable) RC_ASSERT(forward.next(at, header).port == none<Port>);
      }
    }
}

RC_GTEST_PROP(TableForm, TakesThePathsOfTheClosedForm, (u64 seed)) {
  Random random(seed);
  const Topology t = random_tree(random);
  for (const char* engine : {"dmodk", "shift1:2", "shift1:5", "disjoint:3", "disjoint:8", "umulti"}) {
    const Routing closed = std::get<Routing>(route(t, engine));
    const RouteResult result = tables_of(t, closed);
    if (std::holds_alternative<NotApplicable>(result)) continue;
    const Routing& routing = std::get<Routing>(result);
    const OtherPaths other = share_of_other_paths(t.fabric, closed, routing);
    RC_ASSERT(other.different == 0u);
    RC_ASSERT(other.compared > 0u || t.fabric.hosts() == 1u);
    RC_ASSERT(judge(t.fabric, routing, {.threads = 1}).yes());
  }
}

// Only shift-1 needs more addresses than paths, and only where cables are parallel below the top.
RC_GTEST_PROP(TableForm, HasNoMoreAddressesThanNeedBe, (u64 seed)) {
  Random random(seed);
  Topology t = random_tree(random);
  const bool only_above = random.below(2) == 0;
  if (only_above) {
    Pgft tree = std::get<Pgft>(t.shape);
    std::fill(tree.p.begin(), tree.p.end() - 1, 1);
    t = build(tree, t.planes);
  }
  for (const char* engine : {"shift1:4", "disjoint:4", "umulti"}) {
    const Routing closed = std::get<Routing>(route(t, engine));
    const RouteResult result = tables_of(t, closed);
    if (std::holds_alternative<NotApplicable>(result)) continue;
    u32 paths = 1;
    const u32 plane = std::get<Pgft>(t.shape).endpoints();
    for (u32 a = 0; a < plane; ++a)
      for (u32 b = 0; b < plane; ++b)
        if (a != b) paths = std::max(paths, closed.source.count(Nic{a}, Nic{b}, 0));
    const u32 addresses = 1u << std::get<Routing>(result).lmc;
    if (only_above || engine != std::string_view("shift1:4")) RC_ASSERT(addresses == std::bit_ceil(paths));
    RC_ASSERT(addresses <= std::bit_ceil(3 * paths));
  }
}

}  // namespace
}  // namespace banyan::tests
