#include "ask/draw.hpp"

#include "fabric/names.hpp"

namespace banyan::ask {

DrawAnswer draw(const Situation& at, const NoOptions&) {
  DrawAnswer out{canonical_notation(at.topology), fabric_map(at.topology)};
  out.data = map_data(at.topology.fabric, out.map);
  return out;
}

namespace {

// The same places and groups for the numbers of the file. Names are kept.
FabricMap map_as_read(const FabricMap& map, const Fabric& shaped, const Fabric& read) {
  const NameIndex names(shaped);
  FabricMap out = map;
  out.at.assign(read.nodes().size(), {});
  out.level.assign(read.nodes().size(), 0);
  out.group.assign(read.nodes().size(), MapGroup::none);
  for (Node v : read.nodes())
    if (const auto node = names.find(read.name(v)))
      out.at[v] = map.at[*node], out.level[v] = map.level[*node], out.group[v] = map.group[*node];
  return out;
}

}  // namespace

DrawAnswer draw_loaded(const Loaded& loaded, const DrawOptions& options) {
  DrawAnswer out = draw({loaded.topology}, {});
  if (loaded.raw && options.as_read) {
    out.map = map_as_read(out.map, loaded.topology.fabric, *loaded.raw);
    out.data = map_data(*loaded.raw, out.map);
  }
  if (loaded.raw) out.data.hosts = loaded.raw->hosts(), out.data.switches = loaded.raw->switches();
  return out;
}

}  // namespace banyan::ask
