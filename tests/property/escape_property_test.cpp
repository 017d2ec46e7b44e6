// Routings that decide hop by hop offer what their definitions permit, told from coordinates and distances
// alone, on healthy and damaged fabrics; and the judge of escapes agrees with the plain one, faults planted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "fabric/attachments.hpp"
#include "fabric/faults.hpp"
#include "support/plain_escape.hpp"
#include "support/random_topology.hpp"
#include "support/slow_routing_check.hpp"
#include "verify/escape_judge.hpp"

namespace banyan::tests {
namespace {

using PortLanes = std::map<u32, std::pair<u16, u8>>;  // by port: lanes, and the state behind

PortLanes found_at(const Routing& routing, Node node, const Header& header) {
  Hops hops;
  std::get<IncrementalHops>(routing.forward).hops(node, header, hops);
  PortLanes out;
  for (const Hop& hop : hops) out[index(hop.port)] = {hop.lanes, hop.state};
  return out;
}

// By coordinates: any that is not right goes right or to another wrong one, if the lanes then suffice.
RC_GTEST_PROP(Omniwar, OffersEveryHopOfItsDefinition, ()) {
  const HyperX shape = random_hyperx();
  RC_PRE(shape.grid.size() > 1u);
  const Topology t = build(shape);
  const u32 deroutes = draw(0, 3);
  const RouteResult result = route(t, "omniwar:deroutes=" + std::to_string(deroutes));
  const auto& routing = std::get<Routing>(result);
  u32 dimensions = 0;
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) dimensions += shape.grid.widths[d] > 1;
  RC_ASSERT(routing.lanes == dimensions + deroutes);
  const u32 nics = t.fabric.nics();
  const auto differs = [&](u32 v, u32 w) {
    u32 out = 0;
    for (u32 d = 0; d < shape.grid.dimensions(); ++d)
      out += shape.grid.coordinate(v, d) != shape.grid.coordinate(w, d);
    return out;
  };
  for (u32 goal = 0; goal < shape.grid.size(); ++goal)
    for (u32 v = 0; v < shape.grid.size(); ++v) {
      if (v == goal) continue;
      const u32 used = draw(0, routing.lanes);
      PortLanes expected;
      for (Channel c : t.fabric.channels(Node{nics + v})) {
        if (!t.fabric.is_switch(t.fabric.to(c))) continue;
        const u32 w = index(t.fabric.to(c)) - nics;
        if (differs(w, goal) <= differs(v, goal) && used + 1 + differs(w, goal) <= routing.lanes)
          expected[index(t.fabric.port(c))] = {static_cast<u16>(1u << used), static_cast<u8>(used + 1)};
      }
      const Header header{.to = Address{goal * shape.hosts_per_switch}, .state = static_cast<u8>(used)};
      RC_ASSERT(found_at(routing, Node{nics + v}, header) == expected);
    }
}

// By distances in what is left of a fabric.
RC_GTEST_PROP(Polarized, OffersEveryHopOfItsDefinition, ()) {
  Topology t = random_topology();
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 25);
  const RouteResult result = route(t, "polarized");
  const auto* routing = std::get_if<Routing>(&result);
  const bool is_routed = routing != nullptr;  // a pointer would be shown by what it points to
  RC_PRE(is_routed && t.fabric.nics() >= 2u && t.fabric.nics() <= 60u);
  const Fabric& fabric = t.fabric;
  const Nic from{draw(0, fabric.nics() - 1)}, to{draw(0, fabric.nics() - 1)};
  const Node source = switch_of(fabric, from), goal = switch_of(fabric, to);
  RC_PRE(source != none<Node> && goal != none<Node>);
  const auto s = slow_distances(fabric, fabric.node(from)), t_ = slow_distances(fabric, fabric.node(to));
  const u32 used = draw(0, routing->lanes - 1);
  Header header = routing->source.way(from, to, 0, 0);
  header.state = static_cast<u8>(used);
  for (Node v : fabric.switch_nodes()) {
    if (v == goal || s[index(v)] == ~u32{0} || t_[index(v)] == ~u32{0}) continue;
    PortLanes by_rule, shortest;
    bool has_shortest = false;
    for (Channel c : fabric.channels(v)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
      const u32 w = index(fabric.to(c));
      const int ds = int(s[w]) - int(s[index(v)]), dt = int(t_[w]) - int(t_[index(v)]);
      if (used + t_[w] > routing->lanes) continue;  // t counts the channel to the host too
      const std::pair hop{static_cast<u16>(1u << used), static_cast<u8>(used + 1)};
      const bool nearer_to_source = s[index(v)] < t_[index(v)];
      if (ds > dt || (ds == 1 && dt == 1 && nearer_to_source) ||
          (ds == -1 && dt == -1 && !nearer_to_source)) {
        by_rule[index(fabric.port(c))] = hop;
        has_shortest |= dt == -1;
      }
      if (dt == -1) shortest[index(fabric.port(c))] = hop;
    }
    if (!has_shortest) by_rule.insert(shortest.begin(), shortest.end());
    RC_ASSERT(found_at(*routing, v, header) == by_rule);
  }
}

// A forward with an escape, some hops of which are taken away or changed at random.
struct Faulty {
  const IncrementalHops& base;
  u64 seed;
  u32 percent;

  void hops(Node node, const Header& header, Hops& out) const {
    Hops right;
    base.hops(node, header, right);
    for (Hop hop : right) {
      const u64 place = (u64{index(node)} << 40) ^ (u64{index(header.to)} << 24) ^ (u64{header.state} << 16) ^
                        (u64{index(hop.port)} << 8) ^ hop.state;
      const u64 number = Random(seed, place).at(0);
      if (number % 100 >= percent) {
        out.push_back(hop);
        continue;
      }
      switch (number / 100 % 4) {
        case 0:
          continue;  // it is missing
        case 1:
          hop.lanes ^= 3;
          if (hop.lanes == 0) hop.lanes = 1;
          break;
        case 2:
          hop.state = is_escape(hop) ? 0 : 255;
          break;
        default:
          hop.state = is_escape(hop) ? 255 : hop.state;  // up after down
      }
      out.push_back(hop);
    }
  }
  bool has_escape() const { return true; }
  bool is_escape(const Hop& hop) const { return base.is_escape(hop); }
};

RC_GTEST_PROP(Escapes, AreJudgedAsByThePlainJudge, ()) {
  Topology t = draw(0, 1) == 0 ? build(random_hyperx(2, 3)) : build(random_torus(2, 3));
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 3);
  RC_PRE(t.fabric.nics() >= 2u && t.fabric.nics() <= 12u);
  const char* names[] = {"surepath:extra=1", "surepath:candidates=omniwar", "tera"};
  RouteResult result = route(t, names[draw(0, 2)]);
  if (!std::holds_alternative<Routing>(result)) result = route(t, "surepath:extra=1");
  const auto* routing = std::get_if<Routing>(&result);
  const bool is_routed = routing != nullptr;
  RC_PRE(is_routed);
  const Faulty forward{std::get<IncrementalHops>(routing->forward), draw(0, 100'000),
                       draw(0, 2) == 0 ? 0 : draw(1, 12)};
  RC_LOG() << canonical_notation(t) << " without " << t.fabric.taken().size() << ", faults "
           << forward.percent << " %" << std::endl;
  const std::vector<Attachment> attached = attachments(t.fabric);
  const EscapeJudge<Faulty> judge(t.fabric, forward, routing->source, attached, draw(1, 3));
  const bool holds = !judge.dead_end().is_there() && judge.certificate().has_value();
  RC_CLASSIFY(holds, "free of deadlocks");
  RC_ASSERT(holds == plain_escape(t.fabric, forward, routing->source));
  RC_ASSERT(holds || forward.percent > 0);
}

}  // namespace
}  // namespace banyan::tests
