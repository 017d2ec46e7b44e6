// Tables that spread destinations evenly, for `minhop` and `updn`: at every node each destination takes,
// among the ports that lead nearer, the one with the fewest destinations so far, or the lowest of these.
// Groups come one after the other, addresses ascending.
#pragma once
#include "engines/port_graph.hpp"

namespace banyan::engines {

class PortBalance {
 public:
  PortBalance(const PortGraph& graph, u32 lmc);

  void add(const NicGroup& group, const Dag& dag);  // routes the group's addresses
  Tables take() && { return std::move(tables_); }

 private:
  void offer(Channel c) {
    keys_.push_back(used_[c] + keys_.size());
    offered_.push_back(c);
  }
  void spread(Node node, std::span<const Address> addresses);  // assigns these to the channels just offered
  void add_exits(const NicGroup& group);
  void add_entries(const Dag& dag);

  const PortGraph& graph_;
  const Fabric& fabric_;
  u32 lmc_;
  Tables tables_;
  IdVector<Channel, u64> used_;  // destinations so far, times choice_step
  std::vector<u64> keys_;        // of the offered channels
  std::vector<Channel> offered_;
  std::vector<Address> addresses_;  // of the group
  std::vector<Channel> entries_;
};

// The tables along the ways that towards(group, dag) permits.
template <class Towards>
Tables balanced_tables(const PortGraph& graph, u32 lmc, Towards towards) {
  PortBalance balance(graph, lmc);
  Dag dag;
  for (const NicGroup& group : graph.groups()) {
    towards(group, dag);
    balance.add(group, dag);
  }
  Tables tables = std::move(balance).take();
  enter_direct(graph.fabric(), lmc, tables);
  return tables;
}

}  // namespace banyan::engines
