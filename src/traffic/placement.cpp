#include "traffic/placement.hpp"

namespace banyan::traffic {

#define PLACEMENT(name) PlacementRule name##_placement();
#include "traffic/placements.def"
#undef PLACEMENT

const std::vector<PlacementRule>& placement_rules() {
  static const std::vector<PlacementRule> all = {
#define PLACEMENT(name) name##_placement(),
#include "traffic/placements.def"
#undef PLACEMENT
  };
  return all;
}

Placement place(const PlacementSetting& setting, std::string_view placement) {
  const PluginText text = parse_plugin(placement);
  std::vector<std::string_view> known;
  for (const PlacementRule& rule : placement_rules()) {
    known.push_back(rule.name);
    if (rule.name != text.name) continue;
    if (setting.ranks > setting.free.size())
      throw InputError(fmt::format("found {} ranks, expected at most the {} hosts that are free",
                                   setting.ranks, setting.free.size()));
    return rule.make(setting, text);
  }
  throw InputError(
      fmt::format("unknown placement '{}': did you mean '{}'?", text.name, nearest(text.name, known)));
}

std::vector<Host> all_hosts(const Fabric& fabric) {
  std::vector<Host> out;
  for (u32 i = 0; i < fabric.hosts(); ++i) out.push_back(Host{i});
  return out;
}

Placement place(const Fabric& fabric, u32 ranks, u64 seed, std::string_view placement) {
  const std::vector<Host> hosts = all_hosts(fabric);
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
