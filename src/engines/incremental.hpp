// What the engines that decide hop by hop share (routing/incremental_hops.hpp).
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engines/open_ways.hpp"

namespace banyan::engines {

// The source names its switch where the forward asks for it.
struct SwitchTags {
  std::shared_ptr<const std::vector<u32>> leaf;  // by NIC; null: nobody asks

  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic from, Nic to, u64, u32) const {
    return {.to = address_of(to), .tag = leaf ? (*leaf)[index(from)] : 0};
  }
  Reads reads() const { return leaf ? Reads::attachment : Reads::nothing; }
};
Source source_for(IncrementalRule rule, const SwitchCables& graph);

// Why such an engine cannot route a fabric, if so: NICs with several ports, NICs that are cabled to NICs,
// trees, switches with too many ports, tables that would be too large.
std::optional<NotApplicable> refuse_incremental(const Topology& topology, std::string_view engine);

// The longest shortest way between two switches with hosts; at least 1.
u32 reach_of(const SwitchCables& graph);

// The option that says how many hops a packet may take beyond the longest shortest way: a number, or "auto"
// for as many again.
struct ExtraHops {
  std::string_view key, text;

  // All hops, with those of the longest shortest way. Throws InputError where the text is neither.
  u64 hops(u32 reach) const;
};

// With a lane for each hop.
RouteResult route_by_hop_lanes(const Topology& topology, std::string_view engine, IncrementalRule rule,
                               const ExtraHops& extra);

}  // namespace banyan::engines
