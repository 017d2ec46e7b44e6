#include "ask/draw.hpp"

namespace banyan::ask {

DrawAnswer draw(const Situation& at, const NoOptions&) {
  DrawAnswer out{canonical_notation(at.topology), fabric_map(at.topology)};
  out.data = map_data(at.topology.fabric, out.map);
  return out;
}

DrawAnswer draw_loaded(const Loaded& loaded) {
  DrawAnswer out = draw({loaded.topology}, {});
  if (loaded.raw) out.data.hosts = loaded.raw->hosts(), out.data.switches = loaded.raw->switches();
  return out;
}

}  // namespace banyan::ask
