#include "ask/route.hpp"

namespace banyan::ask {

Result<RouteAnswer> route(const Situation& at, const InfinibandIds& ids) {
  RouteResult result = tables_of(at.topology, *at.routing);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  Routing& routing = std::get<Routing>(result);
  const Fabric& fabric = at.topology.fabric;
  const AddressChoice* choice = routing.source.choice();
  const auto subnet =
      choice ? assign_lids(fabric, ids, routing.lmc, *choice) : assign_lids(fabric, ids, routing.lmc);
  if (const auto* reason = std::get_if<NotApplicable>(&subnet)) return *reason;
  Situation tabled = at;
  tabled.routing = &routing;
  RouteAnswer out{1u << routing.lmc, share_of_other_paths(fabric, *at.routing, routing),
                  std::get<Verdict>(verdict(tabled, {}))};
  out.tables = std::move(routing);
  out.subnet = std::get<Subnet>(subnet);
  return out;
}

}  // namespace banyan::ask
