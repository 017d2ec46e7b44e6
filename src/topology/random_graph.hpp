// What is to be expected of a random graph of equal degrees, before it is drawn.
#pragma once
#include "topology/outline.hpp"

namespace banyan::topology {

// A fabric of `switches` switches with `degree` cables to others, drawn at random, and with `hosts` hosts
// each. Its distances and its bisection are expected values.
Outline random_outline(std::string notation, u32 switches, u32 degree, u32 hosts);

}  // namespace banyan::topology
