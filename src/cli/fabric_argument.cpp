#include "cli/fabric_argument.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
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
  if (!std::holds_alternative<Irregular>(topology.shape))
    return {std::move(topology), std::nullopt, std::nullopt, std::move(ids)};
  auto found = recognise(topology.fabric);
  Fabric raw = topology.fabric;
  if (const auto* recognition = std::get_if<Recognition>(&found)) {
    topology = as_topology(raw, *recognition);
    ids = renumbered(ids, raw, topology.fabric);
  }
  return {std::move(topology), std::move(raw), std::move(found), std::move(ids)};
}

Host find_host(const Fabric& fabric, const std::string& text) {
  for (u32 h = 0; h < fabric.hosts(); ++h)
    if (fabric.host_name(Host{h}) == text) return Host{h};
  const auto number = parse_unsigned(text);
  if (!number) throw InputError(fmt::format("there is no host called '{}'", text));
  if (*number >= fabric.hosts())
    throw InputError(fmt::format("there is no host {}: they are 0 to {}", text, fabric.hosts() - 1));
  return Host{static_cast<u32>(*number)};
}

}  // namespace banyan
