// The switches of a fabric and the cables between them in flat arrays, for forwards that ask for neighbours
// and distances at every hop. Switches are counted from 0. Every NIC has one port.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::routing {

struct SwitchCables {
  static constexpr u32 nowhere = ~u32{0};
  static constexpr u8 far = 255;  // unreachable; longer distances count as that

  explicit SwitchCables(const Fabric& fabric);

  u32 switches() const { return static_cast<u32>(first.size()) - 1; }

  // f(cable, neighbour) for every cable to another switch; the cable's port is cable - first[v].
  template <class F>
  void each_cable(u32 v, F&& f) const {
    for (u32 cable = first[v]; cable < first[v + 1]; ++cable)
      if (to[cable] != nowhere) f(cable, to[cable]);
  }
  Port port(u32 v, u32 cable) const { return Port{cable - first[v]}; }

  // By goal * switches() + switch: channels on a shortest way. O(switches * cables).
  std::vector<u8> distances() const;

  u32 nics;
  std::vector<u32> first;       // by switch: its first port in `to`, with one entry more at the end
  std::vector<u32> to;          // by port of a switch: the neighbour, or nowhere
  std::vector<u32> leaf;        // by NIC: its switch, or nowhere
  std::vector<Port> host_port;  // by NIC: the port there
};

}  // namespace banyan::routing
