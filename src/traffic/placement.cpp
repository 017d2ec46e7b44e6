#include "traffic/placement.hpp"

namespace banyan::traffic {

const Registry<PlacementRule>& placement_rules() {
  static const Registry<PlacementRule> all{
      "placement",
#define PLACEMENT(name) BANYAN_PLUGIN(PlacementRule, name##_placement),
#include "traffic/placements.def"
#undef PLACEMENT
  };
  return all;
}

Placement place(const PlacementSetting& setting, std::string_view placement) {
  const PluginText text = placement_rules().bind(placement);
  if (setting.ranks > setting.free.size())
    throw InputError(fmt::format("found {} ranks, expected at most the {} hosts that are free", setting.ranks,
                                 setting.free.size()));
  return placement_rules().at(text.name).make(setting, text);
}

std::vector<Host> traffic_hosts(const Fabric& fabric) {
  std::vector<Host> out;
  for (const Host host : IdRange<Host>(fabric.hosts()))
    if (fabric.sends(host)) out.push_back(host);
  return out;
}

Placement place(const Fabric& fabric, u32 ranks, u64 seed, std::string_view placement) {
  const std::vector<Host> hosts = traffic_hosts(fabric);
  return place({fabric, hosts, ranks, seed}, placement);
}

Placement place_linearly(u32 ranks) {
  Placement out;
  for (u32 i = 0; i < ranks; ++i) out.push_back(Host{i});
  return out;
}

void append_flows(const std::vector<Demand>& demands, const Placement& placement, std::vector<Flow>& out) {
  for (const Demand& demand : demands)
    out.push_back({Nic{index(placement[demand.from])}, Nic{index(placement[demand.to])}, demand.amount});
}

}  // namespace banyan::traffic
