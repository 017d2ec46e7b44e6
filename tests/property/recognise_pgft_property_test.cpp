// A fat-tree built, damaged, shuffled and recognised again: every place it names is right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "support/shuffle.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::tests {
namespace {

struct Case {
  Pgft shape;
  u32 planes = 1;
  double missing_cables = 0, missing_hosts = 0;  // shares
  u32 lost_cables = 0;                           // besides these
  bool swap = false;
  u64 seed = 0;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.planes << " x " << c.shape.notation() << ", " << c.lost_cables << " cables, " << c.missing_cables
      << " of the cables and " << c.missing_hosts << " of the hosts missing"
      << (c.swap ? ", two swapped" : "") << ", seed " << c.seed;
}

Pgft pgft(std::vector<u32> m, std::vector<u32> w, std::vector<u32> p) {
  Pgft out;
  out.links.resize(m.size());
  out.host_slots = m[0];
  out.m = std::move(m), out.w = std::move(w), out.p = std::move(p);
  return out;
}

enum class Kind { any, planes, dual };  // dual: two leaves for every NIC

rc::Gen<Case> cases(bool damaged, Kind kind = Kind::any) {
  return rc::gen::exec([damaged, kind] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    Case c;
    const u32 h = from(1, 4), widest = h == 4 ? 4 : 6;
    std::vector<u32> m(h), w(h), p(h);
    const u32 max_ways = from(1, h == 4 ? 3 : 4), max_cables = from(1, 3);
    for (u32 l = 0; l < h; ++l) m[l] = from(1, widest), w[l] = from(1, max_ways), p[l] = from(1, max_cables);
    if (from(0, 2) > 0) w[0] = p[0] = 1;
    if (kind == Kind::dual) w[0] = 2, p[0] = 1;
    c.shape = pgft(m, w, p);
    c.shape.host_slots += from(0, 1);
    c.planes = kind == Kind::planes || from(0, 3) == 0 ? from(2, 3) : 1;
    c.seed = *rc::gen::arbitrary<u64>();
    if (!damaged) return c;
    c.missing_cables = from(0, 5) / 100.;
    c.missing_hosts = from(0, 5) / 100.;
    c.swap = from(0, 1);
    return c;
  });
}

// Cables by their two nodes; those that have lost an end left out.
using Cables = std::map<std::pair<Node, Node>, int>;

template <class Name>
Cables cables(const Fabric& fabric, const std::vector<Link>& links, const Name& name) {
  Cables out;
  for (const Link& link : links) {
    const Node a = name(fabric.from(link.a)), b = name(fabric.from(link.b));
    if (a != none<Node> && b != none<Node>) ++out[std::minmax(a, b)];
  }
  return out;
}

Cables difference(Cables all, const Cables& taken) {
  for (const auto& [pair, count] : taken) all[pair] -= count;
  std::erase_if(all, [](const auto& entry) { return entry.second <= 0; });
  return all;
}

struct Trial {
  Topology original;
  Shuffled seen;
  Cables was, swapped;  // between nodes of the original: as built, and as built but with the swap
  u64 removed = 0;      // cables, those of hosts that are gone included
  bool shows = true;    // no swapped cable happens to fill the place of a missing one
  std::variant<Recognition, Unrecognised> found;
};

Trial attempt(const Case& c) {
  Random random(c.seed);
  Topology original = build(c.shape, c.planes);
  const Fabric& fabric = original.fabric;
  Damage damage = undamaged(fabric);
  const auto share = [](double part, u64 all) { return static_cast<u64>(part * static_cast<double>(all)); };
  const auto now = [&] { return cables(fabric, damage.cables, [](Node n) { return n; }); };
  const Cables was = now();
  take_hosts(damage, fabric, share(c.missing_hosts, fabric.hosts()), random);
  take_cables(damage, share(c.missing_cables, fabric.links()) + c.lost_cables, random);
  const Cables before = now();
  if (c.swap) swap_cables(damage, fabric, random);
  const Cables added = difference(now(), before), taken = difference(before, now());

  Cables swapped = difference(was, taken);
  for (const auto& [pair, count] : added) swapped[pair] += count;
  const Cables missing = difference(was, before);
  const bool shows = std::ranges::none_of(added, [&](auto& entry) { return missing.contains(entry.first); });
  Shuffled seen = shuffled(fabric, damage, random);
  auto found = recognise(seen.fabric);
  const u64 removed = fabric.links() - seen.fabric.links();
  return {std::move(original), std::move(seen), was, swapped, removed, shows, std::move(found)};
}

// Damage can make an intact fabric of another shape: then nothing tells of it.
bool found_intact(const Trial& t) {
  const auto& found = std::get<Recognition>(t.found);
  return found.missing.empty() && found.wrong.empty() && found.undecided.empty();
}

// Hosts that are not there, and nothing else: the cables are those of a complete tree. One with fewer
// parallel cables at a level with a single pair of switches may be what damage made.
bool found_complete(const Trial& t) {
  const auto& found = std::get<Recognition>(t.found);
  const Fabric ideal = build(found.candidate.shape, found.candidate.planes).fabric;
  return found.wrong.empty() && found.undecided.empty() &&
         std::ranges::all_of(found.missing, [&](const MissingCable& cable) {
           return !ideal.is_switch(cable.ideal_a) && cable.raw_a == none<Node>;
         });
}

// Those of some cables of the original that are between placed nodes, in the raw fabric's numbers.
Cables between_placed(const Trial& t, const Cables& all) {
  Cables out;
  for (const auto& [pair, count] : all) {
    const Node a = t.seen.seen_as[pair.first], b = t.seen.seen_as[pair.second];
    const auto& place = std::get<Recognition>(t.found).candidate.place;
    if (a == none<Node> || b == none<Node> || place[a] == none<Node> || place[b] == none<Node>) continue;
    out[std::minmax(a, b)] += count;
  }
  return out;
}

// The shape is the same, but for hosts that may be missing at every leaf.
void check_shape(const Pgft& was, const Pgft& is) {
  RC_ASSERT(was.w == is.w);
  RC_ASSERT(was.p == is.p);
  RC_ASSERT(was.nics == is.nics);
  RC_ASSERT(std::vector(was.m.begin() + 1, was.m.end()) == std::vector(is.m.begin() + 1, is.m.end()));
  RC_ASSERT(was.m[0] >= is.m[0]);
}

// A switch that had lost all its cables to switches and got another's by the swap stands there now: no cable
// is wrong in what was found, one would be in what was. The graph is the same either way.
bool got_its_only_way_up_by_the_swap(const Trial& t) {
  const Fabric& raw = t.seen.fabric;
  const auto has_one = [&](Node v) {
    const auto to_switch = [&](Channel c) { return raw.cabled(c) && raw.is_switch(raw.to(c)); };
    return raw.is_switch(v) && std::ranges::count_if(raw.channels(v), to_switch) == 1;
  };
  return std::ranges::any_of(between_placed(t, difference(t.swapped, t.was)), [&](const auto& entry) {
    return has_one(entry.first.first) || has_one(entry.first.second);
  });
}

// A NIC that got by the swap the cable to the leaf of another NIC of its host, which had lost it, stands in
// the other's place: NICs of a host are alike, and the graph is the same either way.
bool stands_for_another_nic(const Trial& t) {
  const Fabric& raw = t.seen.fabric;
  const Cables was = between_placed(t, t.was);
  return std::ranges::any_of(between_placed(t, difference(t.swapped, t.was)), [&](const auto& entry) {
    const auto [nic, leaf] = entry.first;  // NICs have the smaller numbers
    if (raw.is_switch(nic) || !raw.is_switch(leaf)) return false;
    for (u32 rail = 0; rail < raw.columns(); ++rail) {
      const Node other = raw.node(raw.nic(raw.host(raw.nic(nic)), rail));
      if (other != nic && was.contains(std::minmax(other, leaf))) return true;
    }
    return false;
  });
}

// Every pair of placed nodes is joined as it was, and swapped cables are called wrong; or the pairs are
// joined as they were after the swap, because it gave the same shape again.
void check_right(const Trial& t) {
  const auto& found = std::get<Recognition>(t.found);
  const Fabric& raw = t.seen.fabric;
  const Fabric ideal = build(found.candidate.shape, found.candidate.planes).fabric;
  IdVector<Node, Node> standing(ideal.nodes().size(), none<Node>);
  for (Node v : raw.nodes()) {
    if (found.candidate.place[v] == none<Node>) continue;
    RC_ASSERT(standing[found.candidate.place[v]] == none<Node>);
    standing[found.candidate.place[v]] = v;
  }
  if (found_intact(t)) return;
  const Topology named = build(found.candidate.shape, found.candidate.planes);
  RC_LOG() << "found " << canonical_notation(named) << ", " << found.wrong.size() << " wrong, "
           << found.missing.size() << " missing, " << found.undecided.size() << " undecided\n";
  RC_ASSERT(std::holds_alternative<Pgft>(found.candidate.shape));
  const auto &was = std::get<Pgft>(t.original.shape), &is = std::get<Pgft>(found.candidate.shape);
  if (found_complete(t) && was.p != is.p) {
    Pgft thinner = was;
    for (u32 l = 1; l <= was.h(); ++l)
      if (was.M(was.h()) / was.M(l - 1) * was.W(l) == 1)
        thinner.p[l - 1] = std::min(was.p[l - 1], is.p[l - 1]);
    return check_shape(thinner, is);
  }
  check_shape(was, is);
  const Cables should = cables(ideal, undamaged(ideal).cables, [&](Node n) { return standing[n]; });
  if (should == between_placed(t, t.swapped)) return;
  if (found.wrong.empty() && (got_its_only_way_up_by_the_swap(t) || stands_for_another_nic(t))) return;
  RC_ASSERT(should == between_placed(t, t.was));
  const Cables wrong = cables(raw, found.wrong, [](Node n) { return n; });
  RC_ASSERT(difference(between_placed(t, difference(t.swapped, t.was)), wrong).empty());
}

RC_GTEST_PROP(RecognisePgft, IntactIsAlwaysFound, ()) {
  const Case c = *cases(false);
  const Trial t = attempt(c);
  if (const auto* refused = std::get_if<Unrecognised>(&t.found)) RC_FAIL(refused->why);
  RC_ASSERT(found_intact(t));
}

// Rail-optimised: two levels or three, with leaves in groups, each leaf perhaps one of two that are cabled
// alike.
rc::Gen<Case> rail_cases(bool damaged) {
  return rc::gen::exec([damaged] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    Case c;
    const u32 h = from(2, 3), rails = from(2, 4);
    std::vector<u32> m = {from(2, 6), rails * from(1, 3)}, w = {from(0, 3) ? 1u : 2u, from(2, 4)},
                     p = {1, from(1, 2)};
    if (h == 3) m.push_back(from(2, 3)), w.push_back(from(1, 2)), p.push_back(1);
    c.shape = pgft(m, w, p);
    c.shape.nics = HostNics::on_rails(rails);
    c.seed = *rc::gen::arbitrary<u64>();
    if (!damaged) return c;
    c.missing_cables = from(0, 5) / 100.;
    c.missing_hosts = from(0, 5) / 100.;
    c.swap = from(0, 1);
    return c;
  });
}

RC_GTEST_PROP(RecogniseRails, IntactIsAlwaysFound, ()) {
  const Case c = *rail_cases(false);
  const Trial t = attempt(c);
  if (const auto* refused = std::get_if<Unrecognised>(&t.found)) RC_FAIL(refused->why);
  RC_ASSERT(found_intact(t));
  RC_ASSERT(std::get<Pgft>(std::get<Recognition>(t.found).candidate.shape).nics == c.shape.nics);
}

// Hosts with several NICs on one leaf, or on each of a group of leaves.
rc::Gen<Case> nic_cases(bool damaged) {
  return rc::gen::exec([damaged] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    Case c;
    const u32 leaves = from(1, 3), on_leaf = from(leaves == 1 ? 2 : 1, 4), h = from(leaves == 1 ? 1 : 2, 3);
    std::vector<u32> m = {on_leaf * from(on_leaf == 1 ? 2 : 1, 5)}, w = {from(0, 3) ? 1u : 2u}, p = {1};
    if (h > 1) m.push_back(leaves * from(1, 3)), w.push_back(from(2, 4)), p.push_back(from(1, 2));
    if (h > 2) m.push_back(from(2, 3)), w.push_back(from(1, 2)), p.push_back(1);
    c.shape = pgft(m, w, p);
    c.shape.nics = HostNics::plain(on_leaf * leaves, leaves);
    c.seed = *rc::gen::arbitrary<u64>();
    if (!damaged) return c;
    c.missing_cables = from(0, 5) / 100.;
    c.missing_hosts = from(0, 5) / 100.;
    c.swap = from(0, 1);
    return c;
  });
}

RC_GTEST_PROP(RecogniseNics, IntactIsAlwaysFound, ()) {
  const Case c = *nic_cases(false);
  const Trial t = attempt(c);
  if (const auto* refused = std::get_if<Unrecognised>(&t.found)) RC_FAIL(refused->why);
  RC_ASSERT(found_intact(t));
  RC_ASSERT(std::get<Pgft>(std::get<Recognition>(t.found).candidate.shape).nics == c.shape.nics);
}

void expect_never_wrong(const Case& c) {
  const Trial t = attempt(c);
  if (!t.shows) RC_DISCARD("a swap that cannot be seen");
  const auto* found = std::get_if<Recognition>(&t.found);
  RC_CLASSIFY(!found, "refused");
  if (!found) return;
  RC_CLASSIFY(!found->undecided.empty(), "some undecided");
  check_right(t);
}

RC_GTEST_PROP(RecogniseNics, DamagedIsNeverWrong, ()) { expect_never_wrong(*nic_cases(true)); }
RC_GTEST_PROP(RecogniseRails, DamagedIsNeverWrong, ()) { expect_never_wrong(*rail_cases(true)); }
RC_GTEST_PROP(RecognisePgft, DamagedIsNeverWrong, ()) { expect_never_wrong(*cases(true)); }
RC_GTEST_PROP(RecognisePlanes, DamagedIsNeverWrong, ()) { expect_never_wrong(*cases(true, Kind::planes)); }
RC_GTEST_PROP(RecogniseDualLeaves, DamagedIsNeverWrong, ()) { expect_never_wrong(*cases(true, Kind::dual)); }

// Switches of the shape of which every cable is missing.
u64 reported_dead(const Recognition& found) {
  const Fabric ideal = build(found.candidate.shape, found.candidate.planes).fabric;
  IdVector<Node, u32> missing(ideal.nodes().size(), 0);
  for (const MissingCable& cable : found.missing) ++missing[cable.ideal_a], ++missing[cable.ideal_b];
  return static_cast<u64>(std::ranges::count_if(
      ideal.switch_nodes(), [&](Node v) { return missing[v] > 0 && missing[v] == ideal.cabled_ports(v); }));
}

struct Doubt {
  u64 cables = 0, switches = 0;
};

// Of nodes without a place, and of swaps that were found.
Doubt doubt(const Fabric& raw, const Recognition& found) {
  Doubt out{found.wrong.size()};
  for (const Node v : found.undecided) {
    out.cables += raw.cabled_ports(v);
    out.switches += raw.is_switch(v);
  }
  return out;
}

// What is reported as missing or dead exceeds what was removed by no more than the doubt. One lost cable is
// one missing cable, whatever is in doubt.
void expect_no_more_than_removed(const Case& c) {
  const Trial t = attempt(c);
  if (!t.shows) RC_DISCARD("a swap that cannot be seen");
  const auto* found = std::get_if<Recognition>(&t.found);
  RC_CLASSIFY(!found, "refused");
  if (!found) return;
  RC_CLASSIFY(!found->undecided.empty(), "some undecided");
  const Fabric& raw = t.seen.fabric;
  const Doubt excuse = c.lost_cables == 1 ? Doubt() : doubt(raw, *found);
  const auto dead = static_cast<u64>(
      std::ranges::count_if(raw.switch_nodes(), [&](Node v) { return raw.cabled_ports(v) == 0; }));
  RC_LOG() << found->missing.size() << " missing, " << t.removed << " removed, " << found->undecided.size()
           << " undecided\n";
  RC_ASSERT(found->missing.size() <= t.removed + excuse.cables);
  RC_ASSERT(reported_dead(*found) <= dead + excuse.switches);
  const Topology topology = as_topology(raw, *found);
  if (std::holds_alternative<Irregular>(topology.shape)) return;
  RC_ASSERT(topology.fabric.taken().size() <= t.removed + excuse.cables);
}

Case with_lost_cables(Case c) {
  c.lost_cables = *rc::gen::inRange(1u, 4u);
  return c;
}

RC_GTEST_PROP(RecognisePgft, FewLostCablesAreNoMoreThanThese, ()) {
  expect_no_more_than_removed(with_lost_cables(*cases(false)));
}
RC_GTEST_PROP(RecogniseRails, FewLostCablesAreNoMoreThanThese, ()) {
  expect_no_more_than_removed(with_lost_cables(*rail_cases(false)));
}
RC_GTEST_PROP(RecogniseNics, FewLostCablesAreNoMoreThanThese, ()) {
  expect_no_more_than_removed(with_lost_cables(*nic_cases(false)));
}
RC_GTEST_PROP(RecogniseRails, ReportsNoMoreThanWasRemoved, ()) {
  expect_no_more_than_removed(*rail_cases(true));
}
RC_GTEST_PROP(RecogniseNics, ReportsNoMoreThanWasRemoved, ()) {
  expect_no_more_than_removed(*nic_cases(true));
}
RC_GTEST_PROP(RecognisePgft, ReportsNoMoreThanWasRemoved, ()) { expect_no_more_than_removed(*cases(true)); }
RC_GTEST_PROP(RecognisePlanes, ReportsNoMoreThanWasRemoved, ()) {
  expect_no_more_than_removed(*cases(true, Kind::planes));
}
RC_GTEST_PROP(RecogniseDualLeaves, ReportsNoMoreThanWasRemoved, ()) {
  expect_no_more_than_removed(*cases(true, Kind::dual));
}

// The numbers of the shape, with what is missing in taken(), hold the same cables as the raw fabric.
RC_GTEST_PROP(RecognisePgft, TheTopologyIsTheSameFabric, ()) {
  const Case c = *cases(true);
  const Trial t = attempt(c);
  const auto* found = std::get_if<Recognition>(&t.found);
  if (!found || c.planes > 1) return;  // a plane may be numbered otherwise than the rails that name its NICs
  const Fabric& raw = t.seen.fabric;
  const Topology topology = as_topology(raw, *found);
  std::map<std::string, Node> by_name;
  for (Node v : topology.fabric.nodes()) by_name[topology.fabric.name(v)] = v;
  const auto same = [&](Node v) { return by_name.at(raw.name(v)); };
  RC_ASSERT(cables(topology.fabric, undamaged(topology.fabric).cables, [](Node n) { return n; }) ==
            cables(raw, undamaged(raw).cables, same));
  if (std::holds_alternative<Irregular>(topology.shape)) return;
  for (Node v : raw.nodes())
    if (found->candidate.place[v] != none<Node>) RC_ASSERT(same(v) == found->candidate.place[v]);
  RC_ASSERT(topology.fabric.nics() == build(topology.shape).fabric.nics());
  std::size_t undecided = 0;  // cables of undecided NICs are not missing, but may fit no place together
  for (Node v : found->undecided)
    if (!raw.is_switch(v)) undecided += raw.cabled_ports(v);
  RC_ASSERT(topology.fabric.taken().size() <= found->missing.size() + undecided);
}

}  // namespace
}  // namespace banyan::tests
