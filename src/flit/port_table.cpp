#include "flit/port_table.hpp"

namespace banyan::flit {

PortTable::PortTable(const Layout& layout, const Routing& routing)
    : first_(layout.nics), addresses_(layout.nics) {
  const auto* forward = std::get_if<DimensionOrder>(&routing.forward);
  const u64 bytes = u64{layout.nodes - layout.nics} * layout.nics;
  if (!forward || routing.lanes != 1 || routing.lmc != 0 || bytes > max_bytes) return;
  ports_.reserve(bytes);
  for (u32 v = first_; v < layout.nodes; ++v)
    for (u32 to = 0; to < addresses_; ++to) {
      const Hop hop = forward->next(Node{v}, {.to = Address{to}});
      const bool reads_tag = forward->next(Node{v}, {.to = Address{to}, .tag = 1}) != hop;  // of a trunk
      if (reads_tag || hop.lanes != 1 || hop.state != 0 || index(hop.port) > 255) {
        ports_.clear();
        return;
      }
      ports_.push_back(static_cast<u8>(index(hop.port)));
    }
}

}  // namespace banyan::flit
