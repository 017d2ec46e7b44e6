// Compares planned with observed cabling, by node names and port labels, and finds the shortest
// repair.
//
// Each port has at most one planned and one observed cable, so the differences form chains and rings of
// alternately missing and extra cables. A move plugs one end of a cable into another port, lays a cable or
// removes one. Every move completes at most one missing cable, or removes one extra cable of the same chain;
// so a chain with m missing and e extra cables needs max(m, e) moves, and that many suffice.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "base/number_or_text.hpp"
#include "fabric/fabric.hpp"

namespace banyan::fabric {

struct PortName {
  std::string node;
  NumberOrText port{};
  auto operator<=>(const PortName&) const = default;
  std::string str() const { return node + ":" + port.str(); }
};

struct NamedCable {
  PortName a, b;  // a < b
  auto operator<=>(const NamedCable&) const = default;
  std::string str() const { return a.str() + " - " + b.str(); }

  static void fields(auto& self, auto&& f) {
    f("from", self.a.node, "", "a node");
    f("from_port", self.a.port, "", "its label: a number, or a text such as swp49");
    f("to", self.b.node, "", "another");
    f("to_port", self.b.port, "", "its label");
  }
};

struct Move {
  enum class Kind { replug, lay, take_away };
  Kind kind{};
  PortName fixed;  // replug: the end that stays; lay, take_away: one end
  PortName from,
      to;  // replug: the plug goes from one port to the other; lay, take_away: `to` is the other end
  bool in_hand = false;  // pulled out now and plugged in at the end of the ring, when its port is free
  std::string str() const;

  static void fields(auto& self, auto&& f) {
    f("kind", self.kind, "", "plug an end elsewhere, lay a cable, or take one away");
    f("fixed", self.fixed.str(), "", "the end that stays; else one end");
    f("from", self.kind == Kind::replug ? std::optional(self.from.str()) : std::nullopt, "",
      "where the other end is plugged now");
    f("to", self.to.str(), "", "where it goes; else the other end");
    f("in_hand", self.in_hand, "", "pulled out now, and plugged in when its port is free");
    f("text", self.str(), "", "for a person");
  }
};
constexpr std::array<std::string_view, 3> option_names(Move::Kind) { return {"replug", "lay", "take_away"}; }

// A switch that has planned cables and no observed one.
struct DeadSwitch {
  std::string name;
  u64 cables = 0;  // planned

  static void fields(auto& self, auto&& f) {
    f("name", self.name, "", "the switch");
    f("cables", self.cables, "", "planned; all of them are missing");
  }
};

struct CablingDiff {
  std::vector<DeadSwitch> dead_switches;                 // by name
  std::vector<std::string> absent_nodes, unknown_nodes;  // only planned; only observed
  std::vector<NamedCable> missing, extra;                // without the swapped ones
  struct Swap {
    NamedCable observed_1, observed_2, planned_1, planned_2;

    static void fields(auto& self, auto&& f) {
      f("observed", std::vector{self.observed_1, self.observed_2}, "", "two cables");
      f("planned", std::vector{self.planned_1, self.planned_2}, "", "what they should be");
    }
  };
  std::vector<Swap> swapped;  // two cables that have exchanged one end each
  std::vector<Move> moves;    // in an order in which each port is free when a plug arrives
  u64 unrepairable = 0;       // planned cables that wait for an absent switch
  u64 same = 0;               // cables that are as planned

  bool is_empty() const {
    return absent_nodes.empty() && unknown_nodes.empty() && missing.empty() && extra.empty() &&
           swapped.empty();
  }

  static void fields(auto& self, auto&& f) {
    f("same", self.same, "", "cables that are as planned");
    f("dead_switches", self.dead_switches, "", "dead or unplugged: no cable of theirs is there");
    f("absent_nodes", self.absent_nodes, "", "planned and not there");
    f("unknown_nodes", self.unknown_nodes, "", "there and not planned");
    f("missing", self.missing, "", "cables, without the swapped ones");
    f("extra", self.extra, "", "cables, without the swapped ones");
    f("swapped", self.swapped, "", "pairs of cables that have exchanged one end each");
    f("unrepairable", self.unrepairable, "", "planned cables that wait for an absent switch");
    f("moves", self.moves, "", "the shortest repair, in order");
  }
};

CablingDiff diff_cabling(const Fabric& plan, const Fabric& observed);

}  // namespace banyan::fabric
