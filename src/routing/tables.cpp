#include "routing/tables.hpp"

#include "fabric/attachments.hpp"

namespace banyan::routing {

Tables::Tables(const Fabric& fabric, u32 lmc)
    : first_node_(nics_have_one_port(fabric) ? fabric.nics() : 0), addresses_(fabric.nics() << lmc) {
  BANYAN_ASSERT(lmc <= 7, "a NIC has at most 128 addresses");
  nodes_ = fabric.nodes().size() - first_node_;
  ports_.assign(std::size_t{addresses_} * nodes_, no_port);
}

}  // namespace banyan::routing
