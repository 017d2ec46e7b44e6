#include "routing/open_next_hops.hpp"

#include <bit>

namespace banyan::routing {

namespace {

// f(port, its place in the set) for each port of a set.
template <class F>
void each_port(const u64* words, u32 count, F&& f) {
  u32 place = 0;
  for (u32 i = 0; i < count; ++i)
    for (u64 bits = words[i]; bits; bits &= bits - 1, ++place)
      f(Port{64 * i + static_cast<u32>(std::countr_zero(bits))}, place);
}

}  // namespace

// Asked at every hop of a packet: all that it calls is compiled into it.
[[gnu::flatten]] void OpenNextHops::hops(Node node, const Header& header, Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, Nic{index(header.to)});
  u16 lanes = static_cast<u16>(1u << header.lane);
  if (lanes_ > 0) {  // nobody waits for a channel from a host, and none behind one to a host
    const bool between_switches = index(node) >= nics_ && exits.left > 0;
    lanes = static_cast<u16>(between_switches ? 1u << (exits.left - 1) : (1u << lanes_) - 1);
  }
  const auto add = [&, state = header.state](Port port) { out.push_back({port, lanes, state, exits.left}); };
  if (!exits.words) {
    if (exits.only != none<Port>) add(exits.only);
  } else if (repeats_ && exits.sums) {
    each_port(exits.words, sets_.words(), [&](Port port, u32 place) {
      const u32 weight = exits.sums[place] - (place > 0 ? exits.sums[place - 1] : 0);
      for (u32 k = 0; k < weight; ++k) add(port);
    });
  } else {
    each_port(exits.words, sets_.words(), [&](Port port, u32) { add(port); });
  }
}

}  // namespace banyan::routing
