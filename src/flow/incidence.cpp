#include "flow/incidence.hpp"

#include "flow/flow_lister.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::flow {

void Incidence::clear() {
  first.assign(1, 0);
  channels.clear();
  shares.clear();
  hops.clear();
}

void list_channels(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows, Demands demands,
                   Incidence& out) {
  visit_forward(
      [&](const auto& forward) { list_flows(fabric, forward, routing.source, flows, demands, out); },
      routing.forward);
}

Incidence incidence(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                    Demands demands) {
  Incidence out;
  list_channels(fabric, routing, flows, demands, out);
  return out;
}

void select(const Incidence& all, std::span<const u32> flows, Incidence& out) {
  out.clear();
  for (const u32 flow : flows) {
    const auto channels = all.channels_of(flow);
    const auto shares = all.shares_of(flow);
    out.channels.insert(out.channels.end(), channels.begin(), channels.end());
    out.shares.insert(out.shares.end(), shares.begin(), shares.end());
    out.first.push_back(out.channels.size());
    out.hops.push_back(all.hops[flow]);
  }
}

}  // namespace banyan::flow
