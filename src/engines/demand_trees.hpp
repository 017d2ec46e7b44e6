// Trees with minimum accumulated weight, one address after another, where the weight of a channel is the
// traffic over it (domke19, Algorithm 1; scheduling-aware routing). Towards a destination with known demands
// every path adds its demand, towards any other it adds 1. `parx`, `sssp` and `dfsssp` use it. Without
// demands the result equals that of weighted_trees.hpp in ascending order, which is faster.
#pragma once
#include <functional>

#include "engines/port_graph.hpp"
#include "routing/node_demands.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

class DemandTrees {
 public:
  DemandTrees(const PortGraph& graph, u32 lmc, const NodeDemands& demands);

  // Routes one address of a NIC of the group, along ways of the Dag.
  void route(const Dag& dag, const NicGroup& group, Nic nic, u32 number);
  Tables take() &&;

 private:
  void place_switches(const Dag& dag);
  void set_amounts(const Dag& dag, Nic nic);
  void choose_exits(const Dag& dag, std::size_t roots, Nic nic, Address to);
  void choose_ways(const Dag& dag, std::size_t roots, Address to);
  void choose_entries(const Dag& dag, Nic nic, Address to);
  void add_amounts(const Dag& dag, std::size_t roots);
  u64 amount(Nic from, Nic to) const;

  const PortGraph& graph_;
  const Fabric& fabric_;
  const NodeDemands& demands_;
  Tables tables_;
  bool nics_choose_;  // some NIC has several ports: NICs have rows in the tables
  u32 lmc_;
  IdVector<Channel, u64> weight_;
  std::vector<Switch> switch_of_;  // by NIC, where NICs do not choose
  // State of the address that is being routed, by position in the Dag.
  IdVector<Switch, u32> place_;
  std::vector<u64> cost_, amount_;
  std::vector<Channel> chosen_;
  std::vector<Channel> entries_;
};

// Routes destinations with demands first, then the others, each along all its shortest paths: SSSP that knows
// the traffic.
Tables demand_trees(const PortGraph& graph, u32 lmc, const NodeDemands& demands);

// The same from a file or folder of demands (open_node_demands). With an empty name, it uses the faster
// weighted_trees. The graph is that of the topology.
Tables balanced_trees(const Topology& topology, const PortGraph& graph, u32 lmc, const std::string& demands);

// Calls f(group, nic) for the NICs in the order of Algorithm 1.
void each_destination(const PortGraph& graph, const NodeDemands& demands,
                      const std::function<void(const NicGroup&, Nic)>& f);

}  // namespace banyan::engines
