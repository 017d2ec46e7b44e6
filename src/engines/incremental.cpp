#include "engines/incremental.hpp"

#include <algorithm>
#include <set>

#include "fabric/attachments.hpp"

namespace banyan::engines {

Source source_for(IncrementalRule rule, const SwitchCables& graph) {
  if (rule == IncrementalRule::no_farther) return Source(SwitchTags{});
  return Source(SwitchTags{std::make_shared<const std::vector<u32>>(graph.leaf)});
}

std::optional<NotApplicable> refuse_incremental(const Topology& topology, std::string_view engine) {
  const Fabric& fabric = topology.fabric;
  if (topology.is<Pgft>())
    return NotApplicable{fmt::format("{} is not for fat-trees; 'adaptive' takes any way up there", engine)};
  if (!nics_have_one_port(fabric)) return NotApplicable{fmt::format("{} needs NICs with one port", engine)};
  for (const Node nic : fabric.nic_nodes())
    for (const Channel c : fabric.channels(nic))
      if (fabric.cabled(c) && !fabric.is_switch(fabric.to(c)))
        return NotApplicable{fmt::format("{} needs hosts at switches: {} is cabled to {}", engine,
                                         fabric.name(nic), fabric.name(fabric.to(c)))};
  constexpr u32 max_switches = 8192;  // a table of bytes has their square
  if (fabric.switches() > max_switches)
    return NotApplicable{
        fmt::format("{} handles up to {} switches, not {}", engine, max_switches, fabric.switches())};
  return refuse_many_hops(fabric, engine, 2);
}

u32 reach_of(const SwitchCables& graph) {
  std::set<u32> leaves;
  for (const u32 leaf : graph.leaf)
    if (leaf != SwitchCables::nowhere) leaves.insert(leaf);
  const std::vector<u8> distances = graph.distances();
  u32 out = 1;
  for (const u32 a : leaves)
    for (const u32 b : leaves)
      if (const u8 d = distances[std::size_t{a} * graph.switches() + b]; d != SwitchCables::far)
        out = std::max<u32>(out, d);
  return out;
}

u64 ExtraHops::hops(u32 reach) const {
  u32 more = reach;
  if (text != "auto") {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos)
      throw InputError(fmt::format("option '{}' is a number or 'auto', not '{}'", key, text));
    base::read_option_value(key, text, more);
  }
  return u64{reach} + more;
}

RouteResult route_by_hop_lanes(const Topology& topology, std::string_view engine, IncrementalRule rule,
                               const ExtraHops& extra) {
  if (auto refused = refuse_incremental(topology, engine)) return *refused;
  SwitchCables graph(topology.fabric);
  const u32 reach = reach_of(graph);
  const u64 all_hops = extra.hops(reach);
  if (all_hops > lanes_in_mask) {
    const std::string fewer =
        reach <= lanes_in_mask ? fmt::format("; {}={} needs no more", extra.key, lanes_in_mask - reach) : "";
    return NotApplicable{
        fmt::format("{} hops between switches, a lane for each: {} has at most {} lanes{}; surepath takes "
                    "such hops with two",
                    all_hops, engine, lanes_in_mask, fewer)};
  }
  const u32 hops = static_cast<u32>(all_hops);
  Source source = source_for(rule, graph);
  return Routing{IncrementalHops(std::move(graph), {.rule = rule, .max_hops = hops}), std::move(source),
                 hops};
}

}  // namespace banyan::engines
