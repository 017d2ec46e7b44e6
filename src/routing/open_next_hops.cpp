#include "routing/open_next_hops.hpp"

#include <bit>

namespace banyan::routing {

void OpenNextHops::hops(Node node, const Header& header, Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, Nic{index(header.to)});
  u16 lanes = static_cast<u16>(1u << header.lane);
  if (lanes_ > 0) {  // nobody waits for a channel from a host, and none behind one to a host
    const bool between_switches = index(node) >= nics_ && exits.left > 0;
    lanes = static_cast<u16>(between_switches ? 1u << (exits.left - 1) : (1u << lanes_) - 1);
  }
  if (!exits.words) {
    if (exits.only != none<Port>) out.push_back({exits.only, lanes, header.state, exits.left});
    return;
  }
  for (u32 i = 0; i < sets_.words(); ++i)
    for (u64 bits = exits.words[i]; bits; bits &= bits - 1)
      out.push_back(
          {Port{64 * i + static_cast<u32>(std::countr_zero(bits))}, lanes, header.state, exits.left});
}

}  // namespace banyan::routing
