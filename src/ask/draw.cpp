#include "ask/draw.hpp"

namespace banyan::ask {

DrawAnswer draw(const Situation& at, const NoOptions&) {
  DrawAnswer out{canonical_notation(at.topology), fabric_map(at.topology)};
  out.data = map_data(at.topology.fabric, out.map);
  return out;
}

}  // namespace banyan::ask
