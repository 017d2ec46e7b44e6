#include "ask/check.hpp"

#include <algorithm>

#include "fabric/names.hpp"
#include "topology/place.hpp"

namespace banyan::ask {

Verdict verdict(const Situation& at, const NoOptions&) {
  return judge(at.topology.fabric, *at.routing, {at.threads, levels(at.topology)});
}

CheckAnswer check(const Situation& at) {
  CheckAnswer out{verdict(at, {})};
  if (at.routing->source.choice()) out.choice = report_choice(at.topology.fabric, *at.routing);
  return out;
}

Result<ShiftsAnswer> shifts(const Situation& at, const ShiftsOptions& options) {
  constexpr std::size_t max_listed = 16;
  const Fabric& fabric = at.topology.fabric;
  auto result = judge_shifts(fabric, *at.routing, options);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  ShiftsAnswer out{std::get<ShiftVerdict>(std::move(result))};
  const ShiftVerdict& v = out.verdict;
  if (v.channel != none<Channel>) out.worst_channel = port_name(fabric, v.channel);
  for (std::size_t i = 0; i < std::min(max_listed, v.flows.size()); ++i)
    out.flows.push_back({fabric.name(fabric.node(v.flows[i].from)), fabric.name(fabric.node(v.flows[i].to)),
                         static_cast<double>(v.flows[i].units) / static_cast<double>(v.per)});
  return out;
}

}  // namespace banyan::ask
