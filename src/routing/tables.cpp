#include "routing/tables.hpp"

namespace banyan::routing {

Tables::Tables(const Fabric& fabric, u32 lmc) : first_node_(fabric.nics()), addresses_(fabric.nics() << lmc) {
  for (Node nic : fabric.nic_nodes())
    if (fabric.ports(nic) > 1) first_node_ = 0;
  nodes_ = fabric.nodes().size() - first_node_;
  ports_.assign(std::size_t{addresses_} * nodes_, no_port);
}

}  // namespace banyan::routing
