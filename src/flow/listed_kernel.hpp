// Loads of any traffic under any routing, one round at a time: its flows are listed and measured one by one.
// This is the slow, general kernel.
#pragma once
#include <functional>
#include <optional>
#include <span>

#include "flow/load_meter.hpp"
#include "flow/round_loads.hpp"
#include "flow/tree_cuts.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::flow {

class ListedKernel {
 public:
  // Topology and routing must outlive this object. Without a split, flows use the first rail.
  ListedKernel(const Topology& topology, const Routing& routing, Traffic traffic, Placement placement,
               bool rates, Measure measure = Measure::demand, const RailSplit& split = {});

  // Round r of sample s has the number s * rounds + r.
  void run(u64 seed, u64 first, std::span<RoundLoads> out) const;

  std::vector<Flow> flows(u64 seed, u64 number) const;
  const WayLister& lister() const { return lister_; }
  const Traffic& traffic() const { return traffic_; }
  const Placement& placement() const { return placement_; }
  const std::optional<TreeCuts>& cuts() const { return cuts_; }
  // Whether loads are counts of flows on the first rail, and nothing else is found.
  bool counts_flows() const { return !rates_ && !rails_ && measure_ == Measure::demand; }
  LoadMeter meter() const { return LoadMeter(lister_, traffic_.in_bytes, measure_); }

 private:
  void list(u64 seed, u64 number, std::vector<Demand>& demands, std::vector<Flow>& flows) const;

  WayLister lister_;
  Traffic traffic_;
  Placement placement_;
  std::optional<RailFlows> rails_;
  bool rates_;
  Measure measure_;
  std::optional<TreeCuts> cuts_;
};

}  // namespace banyan::flow
