// Hops between switches of a connected graph whose cables are listed: for families that have no formula for
// them.
#pragma once
#include <span>
#include <vector>

#include "topology/graph_shape.hpp"

namespace banyan::topology {

struct HopSum {
  u64 sum = 0;  // over pairs
  u32 farthest = 0;
};

class ListedHops {
 public:
  explicit ListedHops(const GraphShape& shape);

  // From each of these switches to all switches, 64 sources at a time: 2 cables / 64 steps for a source and
  // hop.
  HopSum from(std::span<const u32> sources) const;
  HopSum from_all() const;

 private:
  std::vector<u32> first_, next_;  // by switch, with one entry more at the end: its neighbours
};

// Of hosts, where all switches have the same number of them and `all` is of all switches.
Distances distances_by(const HopSum& all, u32 switches, u32 hosts_per_switch);

// Whether a permutation of the switches sends each as far as the farthest is: yes where more than half of
// them are that far from each, for a graph in which each has so many neighbours has a Hamiltonian cycle
// (Dirac 1952). False: not known.
bool has_far_permutation(u64 switches, u64 degree, u32 farthest);

// Cables that halve the switches: the first half in this order against the others. Where switches are odd in
// number, the hosts of one are parted too.
u64 cut_in_order(const GraphShape& shape, std::span<const u32> order);
// No more than this, for the mean over all cuts into halves is not more.
u64 mean_cut(const GraphShape& shape);
// The best of `known` and of a short search, where there are at most so many cables. `describe` begins its
// search in the same way, so it finds no larger cut.
u64 searched_cut(const GraphShape& shape, u64 known, std::size_t max_cables = 1 << 14);

}  // namespace banyan::topology
