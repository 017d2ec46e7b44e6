// Upper bounds on what a fabric carries, by formula, whatever the routing: no cut is asked for more than it
// has, nor are all cables together, nor those between parts that all send to the next. A share of what NICs
// can send. Of a random fabric, what is to be expected of it.
#pragma once
#include "topology/outline.hpp"

namespace banyan::size {

struct ThroughputBounds {
  double uniform = 1;  // every host sends as much to each other host
  double worst = 1;    // some permutation of the hosts
};
ThroughputBounds throughput_bounds(const Outline& outline);

// The fewest cables between switches, on all planes, without which some hosts cannot reach others; 0: there
// is only one switch on a plane.
u64 cables_to_part_hosts(const Outline& outline);

}  // namespace banyan::size
