#include "cli/fabric_argument.hpp"

#include <algorithm>

#include "fabric/faults.hpp"

namespace banyan {

void FabricArgument::declare(Arguments& arguments, const std::string& name, const std::string& meaning) {
  arguments.positional(name, fabric, meaning);
  arguments.values("--without", without, "WHAT",
                   "take cables away: links=N,seed=S; share=X,seed=S; link=NAME:PORT; switch=NAME; "
                   "host=NAME; may be repeated");
}

FabricFile FabricArgument::open() const {
  FabricFile file = open_fabric(fabric);
  file.topology.fabric = banyan::without(file.topology.fabric, without);
  return file;
}

Loaded load(const FabricArgument& argument) {
  auto [topology, ids] = argument.open();
  if (!std::holds_alternative<Irregular>(topology.shape) || !topology.notation.empty())
    return {std::move(topology), std::nullopt, std::nullopt, std::move(ids)};
  auto found = recognise(topology.fabric);
  Fabric raw = topology.fabric;
  if (const auto* recognition = std::get_if<Recognition>(&found)) {
    topology = as_topology(raw, *recognition);
    ids = renumbered(ids, raw, topology.fabric);
  }
  return {std::move(topology), std::move(raw), std::move(found), std::move(ids)};
}

bool Loaded::is_undecided(const std::string& host) const {
  const auto* found = recognition ? std::get_if<Recognition>(&*recognition) : nullptr;
  return found && std::any_of(found->undecided.begin(), found->undecided.end(), [&](Node v) {
           return !raw->is_switch(v) && raw->host_name(raw->host(raw->nic(v))) == host;
         });
}

}  // namespace banyan
