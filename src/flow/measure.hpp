// Measure: a load counts demand, as in the papers, or demand divided by the capacity of the channel.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan::flow {

enum class Measure : u8 { demand, per_capacity };

inline double capacity(const LinkClass& link, Measure measure) {
  return measure == Measure::demand ? 1 : link.capacity;
}
inline double capacity(const Fabric& fabric, Channel c, Measure measure) {
  return capacity(fabric.link_class(c), measure);
}

}  // namespace banyan::flow
