// GraphShape: the shape of families whose cables follow a rule but no formula for their numbers, such as
// graphs over finite fields. The family lists the cables; ports, planes and the drawing follow from the list.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/cables.hpp"
#include "topology/notation.hpp"
#include "topology/plane.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

struct GraphShape {
  struct Edge {
    u32 a, b;
    auto operator<=>(const Edge&) const = default;
  };

  std::string parameters;  // its notation up to the options: "SlimFly(5"
  u32 leaves = 0;          // switches with hosts; they are the first ones
  u32 others = 0;          // switches without
  u32 hosts_per_switch = 1;
  std::string options;           // besides those that all families have, as in "seed=2"
  std::vector<LinkClass> links;  // of hosts, between switches
  std::vector<Edge> edges;       // between different switches; their order is that of the ports
  std::vector<u32> groups;       // by switch, from 0: switches of a group stand together

  u32 switches() const { return leaves + others; }
  u32 hosts() const { return leaves * hosts_per_switch; }
  std::string notation() const;
  std::vector<u32> switches_per_level() const;
  u64 switch_ports() const { return hosts() + 2 * edges.size(); }
  void add_switches(FabricBuilder& builder, const std::string& prefix) const;
  void connect(FabricBuilder& builder, const Plane& plane) const;

  u32 group(u32 plane_switch) const { return groups[plane_switch]; }
  u32 leaf(u32 nic) const { return nic / hosts_per_switch; }

  // Outlined (outline.hpp), of families that propose shapes: they say what is known of them.
  struct Known {
    Distances distances{};
    u64 cut = 0;    // cables of a cut into halves
    u64 least = 0;  // no such cut has fewer; 0: not known
    bool operator==(const Known&) const = default;
  } known;
  static constexpr bool far_permutation = true;
  u64 switch_cables() const { return edges.size(); }
  u32 widest_switch() const;
  Bisection best_cut() const { return {known.cut, false}; }
  u64 least_cut() const { return known.least; }
  void each_cut(auto&& f) const { f(HostCut{hosts_per_switch, least_degree()}); }  // a switch
  u32 grows_to(u32) const { return hosts(); }  // another switch changes all cables
  u64 cables(u32 link_class) const { return link_class == 0 ? hosts() : edges.size(); }
  std::optional<CableEnds> cable(u32 link_class, u64 i) const {
    if (link_class == 0) return CableEnds{static_cast<u32>(i), leaf(static_cast<u32>(i))};
    return CableEnds{edges[i].a, edges[i].b};
  }
  Distances distances_without_paths() const { return known.distances; }

  bool operator==(const GraphShape&) const = default;

 private:
  u32 least_degree() const;
  std::vector<u32> ports() const;  // by switch
};

// An empty shape for a notation with room for `leaves` switches of `degree` cables, each with the hosts that
// the notation asks for, or else with `hosts`. Reads the options hosts, capacity and latency and allows no
// others but `more`; fails before the family lists its cables if there would be too many.
struct GraphSize {
  u64 leaves, degree;
  u64 hosts;
  u64 others = 0;
};
GraphShape read_graph(const Notation& notation, std::string parameters, const GraphSize& size,
                      std::vector<std::string_view> more = {});

}  // namespace banyan::topology
