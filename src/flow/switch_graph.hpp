// CapacityGraph: a fabric for flows that may be split. Parallel cables are one arc, and a host with one cable
// is part of its switch. The traffic of a fabric is one commodity for each destination place.
#pragma once
#include <vector>

#include "flow/linear_program.hpp"
#include "flow/measure.hpp"

namespace banyan::flow {

struct CapacityGraph {
  struct Arc {
    u32 from, to;     // places
    double capacity;  // of all its cables
  };

  CapacityGraph(const Fabric& fabric, Measure measure);

  bool forwards(u32 place) const { return place < switches; }
  bool may_use(const Arc& arc, u32 goal) const {  // hosts do not forward, and a flow ends at its goal
    return arc.from != goal && (forwards(arc.to) || arc.to == goal);
  }

  u32 switches, places;               // switches first, then NICs that are separate places
  std::vector<u32> place_of;          // by NIC; `nowhere` without a cable
  std::vector<double> host_capacity;  // by NIC: capacity of its one cable; 0 for a separate place
  std::vector<Arc> arcs;              // by from, then to
  static constexpr u32 nowhere = ~u32{0};
};

// Columns for the flow of a commodity on every arc, and rows for flow conservation.
class CommodityFlows {
 public:
  using Entry = LinearProgram::Entry;
  CommodityFlows(const CapacityGraph& graph, LinearProgram& program) : graph_(graph), program_(program) {
    on_arc_.resize(graph.arcs.size());
  }

  // supply(place, row) returns what the place sends to the goal; it may append terms to the row, which reads:
  // outflow - inflow + terms = supply.
  void add(u32 goal, auto&& supply);
  // Limits the flow on every arc to its capacity, times the column if one is given.
  void limit_arcs(const u32* times_column = nullptr);

 private:
  const CapacityGraph& graph_;
  LinearProgram& program_;
  std::vector<std::vector<u32>> on_arc_;  // by arc: a column for each commodity that may use it
};

void CommodityFlows::add(u32 goal, auto&& supply) {
  std::vector<std::vector<Entry>> rows(graph_.places);
  for (std::size_t a = 0; a < graph_.arcs.size(); ++a) {
    const CapacityGraph::Arc& arc = graph_.arcs[a];
    if (!graph_.may_use(arc, goal)) continue;
    const u32 column = program_.add_column();
    on_arc_[a].push_back(column);
    rows[arc.from].push_back({column, 1});
    if (arc.to != goal) rows[arc.to].push_back({column, -1});
  }
  for (u32 v = 0; v < graph_.places; ++v) {
    if (v == goal) continue;
    const double constant = supply(v, rows[v]);
    program_.add_row(constant, constant, rows[v]);
  }
}

}  // namespace banyan::flow
