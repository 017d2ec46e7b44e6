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
  u32 place = 0;  // of the port in its set
  for (u32 i = 0; i < sets_.words(); ++i)
    for (u64 bits = exits.words[i]; bits; bits &= bits - 1, ++place) {
      const Port port{64 * i + static_cast<u32>(std::countr_zero(bits))};
      const bool is_weighed = repeats_ && exits.sums;
      const u32 weight = is_weighed ? exits.sums[place] - (place > 0 ? exits.sums[place - 1] : 0) : 1;
      for (u32 k = 0; k < weight; ++k) out.push_back({port, lanes, header.state, exits.left});
    }
}

}  // namespace banyan::routing
