// The properties that `describe` prints besides counts. Shapes answer from formulas, everything else by
// search; tests compare the two.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/or_null.hpp"
#include "base/parallel.hpp"
#include "base/saturating.hpp"
#include "fabric/fabric.hpp"

namespace banyan::topology {

struct Distances {
  u32 diameter = 0;            // in channels, host to host; 0 when no two hosts can reach each other
  double average = 0;          // over pairs of distinct hosts that can reach each other
  u64 shortest_paths_max = 0;  // sequences of channels, so parallel cables count; stops at 2^64 - 1
  u64 unreachable_pairs = 0;   // unordered
  bool operator==(const Distances&) const = default;
};

// The minimum number of cables to cut so that the hosts form two halves (of floor and ceil N/2). Hosts stay
// with their switch, on all rails. Only where switches do not divide evenly, as with a single one, some hosts
// change sides alone and their cables are cut, at most half as many as the largest switch has.
struct Bisection {
  u64 links = 0;
  bool exact = false;  // true from a formula; false for the best cut that a search found
  bool operator==(const Bisection&) const = default;
};

struct Topology;

// How many machines there are of each role.
struct RoleCounts {
  std::array<u32, option_names(Role{}).size()> of{};  // by role

  static void fields(auto& self, auto&& f) {
    f("host", self.of[0], "", "hosts, between which traffic runs");
    f("storage", self.of[1], "", "storage servers");
    f("service", self.of[2], "", "managers, login nodes, gateways, routers");
    f("aggregation", self.of[3], "", "aggregation nodes inside switches");
    f("unknown", self.of[4], "", "adapters without a host's name, and names that nobody gave");
  }
};

struct Properties {
  std::string notation;
  std::string family;
  u32 rails = 1, hosts = 0, nics = 0, planes = 1, switches = 0;
  std::vector<std::vector<u64>> nics_per_host;  // {number of NICs, hosts that have so many}
  RoleCounts roles;
  std::vector<u32> switches_per_level;
  u32 links = 0, channels = 0;
  u32 switch_ports_min = 0, switch_ports_max = 0;
  Distances distances;
  Bisection bisection;
  double bisection_ratio = 0;
  std::optional<bool> constant_bisection;  // of trees, as they were planned
  std::optional<bool> rlft;
  std::vector<std::string> rlft_failed;
  u64 missing_links = 0;

  static void fields(auto& self, auto&& f) {
    f("notation", self.notation, "", "canonical; empty for an irregular fabric");
    f("family", self.family, "", "of fabrics that it belongs to");
    f("rails", self.rails, "", "labels of NICs that belong together; 1 where there are none");
    f("hosts", self.hosts, "", "machines of role host");
    f("nics", self.nics, "", "of these hosts");
    f("switches", self.switches, "", "of all planes");
    f("switches_per_level", self.switches_per_level, "", "from the leaves up, of all planes");
    f("links", self.links, "", "cables, those of hosts included");
    f("channels", self.channels, "", "directions of cables");
    f("switch_ports_min", self.switch_ports_min, "", "of any switch, empty ports too");
    f("switch_ports_max", self.switch_ports_max, "", "of any switch, empty ports too");
    f("diameter", self.distances.diameter, "channels", "the longest distance between two hosts");
    f("average_distance", self.distances.average, "channels", "over pairs of hosts that reach each other");
    f("bisection_links", self.bisection.links, "", "the fewest cables whose cut halves the hosts");
    f("bisection_ratio", self.bisection_ratio, "",
      "bisection_links over half the cables of hosts; 1, full, where there are more");
    f("bisection_exact", self.bisection.exact, "", "from a formula; otherwise the best cut that was found");
    f("constant_bisection", or_null(self.constant_bisection), "", "of trees, as they were planned");
    f("rlft", or_null(self.rlft), "", "of trees: whether it is a real-life fat-tree");
    f("rlft_failed", self.rlft_failed, "", "the conditions of one that fail, in words");
    f("shortest_paths_max", self.distances.shortest_paths_max, "", "between two hosts");
    f("missing_links", self.missing_links, "", "cables that the shape has and the fabric has not");
    f("unreachable_pairs", self.distances.unreachable_pairs, "", "of hosts");
    f("nics_per_host", self.nics_per_host, "", "pairs of a number of NICs and how many hosts have so many");
    f("planes", self.planes, "", "connected parts that share hosts only");
    f("roles", self.roles, "", "machines by role");
  }
};

// Uses the formulas of the shape where it has some and no cable is missing, otherwise a search. For a
// topology that was recognised in a fabric, only nodes and cables that exist are counted.
Properties properties(const Topology& topology, unsigned threads = default_threads(),
                      const Fabric* found = nullptr);

// Properties of two hosts on one rail (petrini01).
struct PairProperties {
  u32 distance = 0;  // in channels; 0: the same host, or unreachable
  u64 shortest_paths = 0;
  // For trees only. Digits count from the most significant: 0 when the hosts meet only at the roots, h - 1 on
  // one leaf, h when they are the same. The ancestors are those from which both hosts can be reached going
  // down.
  std::optional<u32> minimal_different_index;
  std::vector<Node> nearest_common_ancestors;
};

PairProperties pair_properties(const Topology& topology, Host a, Host b, u32 rail = 0);

}  // namespace banyan::topology
