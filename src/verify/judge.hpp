// The judge: follows every way and every hop that a routing offers, for all pairs of NICs of a plane. It
// decides whether all packets arrive, none loops, all paths are shortest, and the channel dependency graph
// over (channel, lane) is acyclic, or packets have an escape from its cycles (escape_judge.hpp). It includes
// no engine.
//
// Pairs that no routing could connect are counted separately and do not affect the verdict.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/or_null.hpp"
#include "base/parallel.hpp"
#include "routing/routing.hpp"
#include "verify/certificate.hpp"

namespace banyan::verify {

// A counterexample as channels, for drawing: a path that is lost or loops, a path to where no escape leads to
// the goal, or a cycle in which each channel waits for the next and the last for the first.
struct Evidence {
  enum class Kind : u8 { lost, loop, deadlock, no_escape };
  Kind kind{};
  std::vector<Channel> channels;
  std::vector<u32> lanes;  // for a cycle
  std::vector<Nic> from,
      to;  // one pair, or for each channel of a cycle one that waits there; none<Nic>: not found

  static void fields(auto& self, auto&& f) {
    f("kind", self.kind, "", "what is wrong");
    f("channels", self.channels, "", "of the path or circle");
    f("lanes", self.lanes, "", "of a circle, by channel");
    f("sources", self.from, "", "of the pair, or of one that waits for each channel; null: not found");
    f("destinations", self.to, "", "likewise");
  }
};
constexpr std::array<std::string_view, 4> option_names(Evidence::Kind) {
  return {"lost", "loop", "deadlock", "no-escape"};
}

// Why packets cannot wait for each other for ever.
enum class DeadlockProof : u8 { none, acyclic, escape };
constexpr std::array<std::string_view, 3> option_names(DeadlockProof) {
  return {"none", "acyclic", "escape"};
}

struct Verdict {
  // All lengths are over the pairs that arrive; the ways of a pair, and the hops offered, have equal weight.
  bool reachable = true, loop_free = true, minimal = true, deadlock_free = true;
  DeadlockProof deadlock_proof = DeadlockProof::none;
  u32 lanes = 0;  // the highest lane used, plus one
  PairScope pair_scope = PairScope::all;
  u64 pairs = 0;               // pairs that can be connected; these are judged
  u64 disconnected_pairs = 0;  // pairs that no routing could connect
  u64 failing_pairs = 0;       // pairs that do not arrive on at least one permitted path
  u64 longer_pairs = 0;        // pairs with a path longer than the shortest
  u32 longest_path = 0;        // in channels
  u32 longest_excess = 0;      // channels beyond the shortest
  double average_path = 0;     // in channels

  // For channels between switches. Destinations are NICs; down is towards the hosts.
  u64 idle_channels = 0, idle_switches = 0;
  u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;

  std::string counterexample;              // in words; empty when the verdict is yes
  std::vector<Evidence> evidence;          // the same as channels
  std::string detour;                      // one of the longest; empty when minimal
  std::optional<Certificate> certificate;  // when free of deadlocks

  bool yes() const { return reachable && loop_free && deadlock_free; }

  static void fields(auto& self, auto&& f) {
    f("yes", self.yes(), "", "the verdict: reachable, loop-free and deadlock-free");
    f("reachable", self.reachable, "",
      "packets of every pair that can be connected arrive, on every permitted path; one that goes in circles "
      "does not");
    f("loop_free", self.loop_free, "", "no packet goes in circles");
    f("minimal", self.minimal, "", "no path is longer than a shortest one in the fabric as it is");
    f("deadlock_free", self.deadlock_free, "",
      "no packets can wait for each other for ever, with the lanes as assigned");
    f("deadlock_proof", self.deadlock_proof, "",
      "why not; acyclic: the channel dependency graph over (channel, lane) has no cycle (Dally and Seitz "
      "1987); escape: it has, but packets that choose again have an escape that has none (Duato 1995)");
    f("lanes", self.lanes, "", "the highest lane used, plus one");
    f("pairs", self.pairs, "",
      "ordered pairs of different NICs of a plane that can be connected: these are judged");
    f("pair_scope", self.pair_scope, "",
      "all: every NIC of a plane sends to every other; rail: only to those on its rail");
    f("disconnected_pairs", self.disconnected_pairs, "",
      "pairs that no routing could connect, because cables are missing; they do not affect the verdict");
    f("failing_pairs", self.failing_pairs, "",
      "pairs whose packets do not arrive on at least one permitted path");
    f("longer_pairs", self.longer_pairs, "", "pairs with a path that is longer than the shortest one");
    f("longest_excess", self.longest_excess, "channels", "maximum excess of a path over the shortest one");
    f("longest_path", self.longest_path, "channels", "longest path of a pair that arrives, host to host");
    f("average_path", self.average_path, "channels",
      "mean over the pairs that arrive; the ways of a pair have equal weight, and so have the hops offered "
      "at a switch");
    f("idle_channels", self.idle_channels, "", "channels between switches that no route uses");
    f("idle_switches", self.idle_switches, "", "switches that no route uses");
    f("max_destinations_per_channel", self.max_destinations_per_channel, "",
      "maximum number of NICs that routes over one channel between switches lead to");
    f("max_destinations_per_down_channel", self.max_destinations_per_down_channel, "",
      "the same over channels that lead down: in a fat-tree by its levels, elsewhere towards the nearest "
      "host");
    f("counterexample", or_null(self.counterexample), "",
      "what is wrong, in names of switches and ports; null when nothing is wrong");
    f("evidence", self.evidence, "", "the counterexample as channels");
    f("detour", or_null(self.detour), "",
      "one of the longest detours, in names; null when the routing is minimal");
  }
};

struct JudgeOptions {
  unsigned threads = default_threads();
  PairScope pairs = PairScope::all;
  // By node, to determine which channels lead down; empty: the distance from the nearest host.
  IdVector<Node, u32> levels = {};
};

Verdict judge(const Fabric& fabric, const Routing& routing, const JudgeOptions& options = {});

}  // namespace banyan::verify
