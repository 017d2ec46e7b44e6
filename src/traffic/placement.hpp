// Placement: the host of each rank of a job. Written linear, random, clustered:0.8, file:PATH. A placement
// rule is a function and a line in placements.def.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "fabric/fabric.hpp"
#include "traffic/flow.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

using Placement = IdVector<Rank, Host>;

Placement place_linearly(u32 ranks);

// Appends the flows of these demands, on the first rail.
void append_flows(const std::vector<Demand>& demands, const Placement& placement, std::vector<Flow>& out);

struct PlacementSetting {
  const Fabric& fabric;
  std::span<const Host> free;  // in order of numbers: hosts that no other job uses
  u32 ranks;                   // at most the number of free hosts
  u64 seed = 0;
};

struct PlacementRule {
  std::string_view name;
  std::string_view source;
  std::string_view summary;
  std::vector<OptionInfo> options;
  Placement (*make)(const PlacementSetting&, const PluginText&);
};

const Registry<PlacementRule>& placement_rules();

// Places the ranks. Throws InputError, also when there are fewer free hosts than ranks.
Placement place(const PlacementSetting& setting, std::string_view placement);
// The same on a fabric without other jobs.
Placement place(const Fabric& fabric, u32 ranks, u64 seed, std::string_view placement);

// Those between which traffic runs, in order of numbers: of role host, and not vacant.
std::vector<Host> traffic_hosts(const Fabric& fabric);

}  // namespace banyan::traffic
