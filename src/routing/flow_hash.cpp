#include "routing/flow_hash.hpp"

namespace banyan::routing {

u16 FlowHash::source_port(Nic from, Nic to, u32 queue_pair) const {
  return PathTag::source_port(seed, index(from), index(to), queue_pair);
}

Header FlowHash::with_port(Nic from, Nic to, u16 source_port) const {
  return {.to = Address{index(to)},
          .state = static_cast<u8>(2 * static_cast<u32>(kind) + static_cast<u32>(seeds)),
          .tag = PathTag::with_port(seed, index(from), source_port)};
}

Header FlowHash::header(Nic from, Nic to, u32 queue_pair) const {
  Header out = with_port(from, to, 0);
  out.tag = PathTag::of(kind, seed, index(from), index(to), queue_pair);
  return out;
}

u32 hash_choice(const Header& header, Node node, u32 count, std::span<const u32> addresses) {
  const PathHash hash{static_cast<HashKind>(header.state / 2), header.state % 2 == 1,
                      addresses.empty() ? nullptr : addresses.data()};
  return hash.choice(header.tag, index(header.to), index(node), count);
}

}  // namespace banyan::routing
