// A fat-tree built, damaged, shuffled and recognised again: every place it names is right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "support/shuffle.hpp"
#include "topology/recognise.hpp"

namespace banyan {
namespace {

struct Case {
  Pgft shape;
  u32 planes = 1;
  double missing_cables = 0, missing_hosts = 0;  // shares
  bool swap = false;
  u64 seed = 0;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.planes << " x " << c.shape.notation() << ", " << c.missing_cables << " of the cables and " << c.missing_hosts
      << " of the hosts missing" << (c.swap ? ", two swapped" : "") << ", seed " << c.seed;
}

Pgft pgft(std::vector<u32> m, std::vector<u32> w, std::vector<u32> p) {
  Pgft out;
  out.links.resize(m.size());
  out.host_slots = m[0];
  out.m = std::move(m), out.w = std::move(w), out.p = std::move(p);
  return out;
}

rc::Gen<Case> cases(bool damaged) {
  return rc::gen::exec([damaged] {
    const auto from = [](u32 low, u32 high) { return *rc::gen::inRange(low, high + 1); };
    Case c;
    const u32 h = from(1, 4), widest = h == 4 ? 4 : 6;
    std::vector<u32> m(h), w(h), p(h);
    const u32 most_ways = from(1, h == 4 ? 3 : 4), most_cables = from(1, 3);
    for (u32 l = 0; l < h; ++l) m[l] = from(1, widest), w[l] = from(1, most_ways), p[l] = from(1, most_cables);
    if (from(0, 2) > 0) w[0] = p[0] = 1;
    c.shape = pgft(m, w, p);
    c.shape.host_slots += from(0, 1);
    c.planes = from(0, 3) == 0 ? from(2, 3) : 1;
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
  std::vector<Link> swapped;  // the cables of the original if only the swap is counted, none when there was none
  Shuffled seen;
  bool shows = true;  // no swapped cable happens to fill the place of a missing one
  std::variant<Recognition, Unrecognised> found;
};

Trial attempt(const Case& c) {
  Random random(c.seed);
  Topology original = build(c.shape, c.planes);
  const Fabric& fabric = original.fabric;
  Damage damage = undamaged(fabric);
  const auto share = [](double part, u64 all) { return static_cast<u64>(part * static_cast<double>(all)); };
  take_hosts(damage, fabric, share(c.missing_hosts, fabric.hosts()), random);
  take_cables(damage, share(c.missing_cables, fabric.links()), random);
  const auto self = [](Node n) { return n; };
  const std::vector<Link> before = damage.cables;
  if (c.swap) swap_cables(damage, fabric, random);

  const Cables whole = cables(fabric, undamaged(fabric).cables, self), left = cables(fabric, before, self);
  Cables added = difference(cables(fabric, damage.cables, self), left);
  Cables moved = difference(left, cables(fabric, damage.cables, self));
  const Cables missing = difference(whole, left);
  std::vector<Link> swapped = damage.cables;  // and those that are missing
  std::vector<Link> rest = undamaged(fabric).cables;
  Shuffled seen = shuffled(fabric, damage, random);
  Trial out{std::move(original), {}, std::move(seen), true, Unrecognised{}};
  for (const auto& [pair, count] : added)
    if (missing.contains(pair)) out.shows = false;
  if (!added.empty()) {
    Cables taken = difference(whole, left);
    for (const Link& link : rest) {
      const auto pair = std::minmax(out.original.fabric.from(link.a), out.original.fabric.from(link.b));
      if (taken[pair] > 0) --taken[pair], swapped.push_back(link);
    }
    out.swapped = std::move(swapped);
  }
  out.found = recognise(out.seen.fabric);
  return out;
}

// Every pair of placed nodes is joined as it was, or as it would be if the swap had given the same shape again.
bool all_places_right(const Trial& t, const Candidate& found) {
  const Fabric& original = t.original.fabric;
  const Fabric ideal = build(found.shape, found.planes).fabric;
  IdVector<Node, Node> standing(ideal.nodes().size(), none<Node>);
  for (Node v : t.seen.fabric.nodes()) {
    if (found.place[v] == none<Node>) continue;
    if (standing[found.place[v]] != none<Node>) return false;
    standing[found.place[v]] = v;
  }
  const auto placed = [&](Node n) {
    const Node seen = t.seen.seen_as[n];
    return seen != none<Node> && found.place[seen] != none<Node> ? seen : none<Node>;
  };
  const Cables should = cables(ideal, undamaged(ideal).cables, [&](Node n) { return standing[n]; });
  return should == cables(original, undamaged(original).cables, placed) ||
         should == cables(original, t.swapped, placed);
}

RC_GTEST_PROP(RecognisePgft, IntactIsAlwaysFound, ()) {
  const Case c = *cases(false);
  const Trial t = attempt(c);
  const auto* found = std::get_if<Recognition>(&t.found);
  if (!found) RC_FAIL(std::get<Unrecognised>(t.found).why);
  RC_ASSERT(found->missing.empty() && found->wrong.empty() && found->undecided.empty());
}

RC_GTEST_PROP(RecognisePgft, DamagedIsNeverWrong, ()) {
  const Case c = *cases(true);
  const Trial t = attempt(c);
  if (!t.shows) RC_DISCARD("a swap that cannot be seen");
  const auto* found = std::get_if<Recognition>(&t.found);
  RC_CLASSIFY(!found, "refused");
  if (!found) return;
  RC_CLASSIFY(!found->undecided.empty(), "some undecided");
  if (!all_places_right(t, found->candidate)) {
    Topology show{build(found->candidate.shape, found->candidate.planes)};
    RC_FAIL("wrong: " + canonical_notation(show) + " wrong cables " + std::to_string(found->wrong.size()) +
            " missing " + std::to_string(found->missing.size()) + " undecided " +
            std::to_string(found->undecided.size()));
  }
}

}  // namespace
}  // namespace banyan
