#include "flow/way_lister.hpp"

#include <fmt/format.h>

namespace banyan::flow {

std::string why_lost(const FlowWay& way, const Fabric& fabric) {
  const std::string& name = fabric.name(way.at);
  switch (way.loss) {
    case Loss::none:
      return "it does";
    case Loss::no_hop:
      return fmt::format("{} offers no hop", name);
    case Loss::no_port:
      return fmt::format("{} has no cabled port for it", name);
    case Loss::other_host:
      return fmt::format("it ends at {}", name);
    case Loss::circles:
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
