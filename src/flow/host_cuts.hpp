// Lower bounds on the maximum load of traffic between hosts, whatever the routing: what leaves or enters a
// set of hosts has to cross the cables around the set. Sets are NICs, hosts of a switch, subtrees (switches
// up to a level that are connected without higher ones) and groups. On a complete fat-tree the bound of an
// order is ML(TM) (mahapatra, lemma 1). Missing cables are not counted.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "flow/measure.hpp"
#include "topology/topology.hpp"
#include "traffic/traffic.hpp"

namespace banyan::flow {

class HostCuts {
 public:
  // Of the first rail. The hosts are numbered 0, 1, ... in the order given.
  HostCuts(const Topology& topology, std::span<const Host> hosts, Measure measure = Measure::demand);

  // Rank r is on the host with number seats[r]: no routing has less.
  double bound(std::span<const Demand> demands, std::span<const u32> seats) const;
  // Every host has one rank: no order and no routing have less. A set of k hosts holds some k ranks; each of
  // them sends at most to the k - 1 others that it sends most to without leaving the set.
  double least(std::span<const Demand> demands) const;

 private:
  static constexpr u32 nowhere = ~u32{0};
  struct Family {
    std::vector<u32> set_of;     // by number of the host; or nowhere
    std::vector<double> cables;  // by set: what they can carry one way
  };

  void add_nics(const Fabric& fabric, std::span<const Host> hosts, Measure measure);
  // Switches with the same label, and the NICs that have all their cables there.
  void add_sets(const Fabric& fabric, std::span<const Host> hosts, const std::vector<u32>& label,
                Measure measure);

  u32 hosts_;
  std::vector<Family> families_;
  double widest_nic_ = 0;
  std::map<u32, double> narrowest_;  // by number of hosts in a set: the cables of the narrowest such set
};

}  // namespace banyan::flow
