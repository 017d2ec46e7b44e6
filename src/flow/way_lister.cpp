#include "flow/way_lister.hpp"

#include <fmt/format.h>

namespace banyan::flow {

std::string why_lost(const FlowWay& way, const Fabric& fabric) {
  const std::string& name = fabric.name(way.at);
  switch (way.stray) {
    case FlowWay::Stray::none:
      return "it does";
    case FlowWay::Stray::no_hop:
      return fmt::format("{} offers no hop", name);
    case FlowWay::Stray::no_port:
      return fmt::format("{} has no cabled port for it", name);
    case FlowWay::Stray::other_host:
      return fmt::format("it ends at {}", name);
    case FlowWay::Stray::circles:
      return "it goes in circles";
  }
  return "";
}

bool is_complete(const Fabric& fabric, const TreeForm& form) {
  const Pgft& tree = form.tree();
  u64 cables = 0;
  for (u32 l = 0; l < tree.h(); ++l)
    cables += u64{l == 0 ? tree.endpoints() : tree.switches(l)} * tree.up_ports(l);
  return fabric.links() == cables * (fabric.nics() / tree.endpoints());
}

}  // namespace banyan::flow
