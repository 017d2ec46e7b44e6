#include "formats/load.hpp"

#include <algorithm>

#include "fabric/faults.hpp"
#include "formats/with_shape.hpp"

namespace banyan::formats {

Loaded load_fabric(const std::string& fabric, const std::vector<std::string>& without) {
  FabricFile file = open_fabric(fabric);
  file.topology.fabric = fabric::without(file.topology.fabric, without);
  return with_shape(std::move(file));
}

Loaded with_shape(FabricFile file) {
  Topology& topology = file.topology;
  auto& ids = file.ids;
  if (topology.has_shape() || !topology.notation.empty())
    return {std::move(topology), std::nullopt, std::nullopt,
            std::move(ids),      file.unit,    std::move(file.notes)};
  auto found = recognise(topology.fabric);
  Fabric raw = topology.fabric;
  std::string remark = std::move(topology.remark);
  if (const auto* recognition = std::get_if<Recognition>(&found)) {
    topology = as_topology(raw, *recognition);
    ids = renumbered(ids, raw, topology.fabric);
  }
  topology.remark = std::move(remark);
  return {std::move(topology), std::move(raw), std::move(found),
          std::move(ids),      file.unit,      std::move(file.notes)};
}

bool Loaded::is_undecided(const std::string& host) const {
  const auto* found = recognition ? std::get_if<Recognition>(&*recognition) : nullptr;
  return found && std::any_of(found->undecided.begin(), found->undecided.end(), [&](Node v) {
           return !raw->is_switch(v) && raw->host_name(raw->host(raw->nic(v))) == host;
         });
}

}  // namespace banyan::formats
