#include "flow/switch_graph.hpp"

#include <algorithm>
#include <tuple>

namespace banyan::flow {

CapacityGraph::CapacityGraph(const Fabric& fabric, Measure measure)
    : switches(fabric.switches()),
      places(fabric.switches()),
      place_of(fabric.nics(), nowhere),
      host_capacity(fabric.nics()) {
  const u32 nics = fabric.nics();
  for (Node nic : fabric.nic_nodes()) {
    if (fabric.cabled_ports(nic) == 0) continue;
    for (Channel c : fabric.channels(nic))
      if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && fabric.cabled_ports(nic) == 1) {
        place_of[index(nic)] = index(fabric.to(c)) - nics;
        host_capacity[index(nic)] = capacity(fabric, c, measure);
      }
    if (place_of[index(nic)] == nowhere) place_of[index(nic)] = places++;
  }
  const auto place = [&](Node v) { return fabric.is_switch(v) ? index(v) - nics : place_of[index(v)]; };
  for (Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const u32 from = place(fabric.from(c)), to = place(fabric.to(c));
    if (from != to) arcs.push_back({from, to, capacity(fabric, c, measure)});
  }
  std::sort(arcs.begin(), arcs.end(),
            [](const Arc& a, const Arc& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  std::vector<Arc> joined;
  for (const Arc& arc : arcs)
    if (!joined.empty() && joined.back().from == arc.from && joined.back().to == arc.to)
      joined.back().capacity += arc.capacity;
    else
      joined.push_back(arc);
  arcs = std::move(joined);
}

void CommodityFlows::limit_arcs(const u32* times_column) {
  std::vector<Entry> row;
  for (std::size_t a = 0; a < on_arc_.size(); ++a) {
    row.clear();
    for (u32 column : on_arc_[a]) row.push_back({column, 1});
    const double maximum = graph_.arcs[a].capacity;
    if (times_column) row.push_back({*times_column, -maximum});
    program_.add_row(-unlimited, times_column ? 0 : maximum, row);
  }
}

}  // namespace banyan::flow
