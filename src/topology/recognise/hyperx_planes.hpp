// The planes of a HyperX found in a raw fabric, all of them in the same numbers: a host has one place in all.
#pragma once
#include <optional>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/recognise/placed_grid.hpp"

namespace banyan::topology {

// A raw fabric as switches, numbered from 0, and what hangs on them.
struct RawSwitches {
  SwitchGraph graph;
  std::vector<u32> switch_of;  // by NIC: a switch, or nowhere
  std::vector<u32> hosts_on;   // by switch: how many NICs
  u32 between_nics = 0;        // cables that reach no switch
};

// None if a NIC has several cables: then it is no HyperX.
std::optional<RawSwitches> read_switches(const Fabric& fabric);

struct SwitchPlanes {
  std::vector<PlacedGrid> grids;  // all on the same grid
  std::vector<u32> plane_of;      // by switch: a plane, or nowhere

  u32 place(u32 sw) const {  // nowhere, if it has none
    return sw == nowhere || plane_of[sw] == nowhere ? nowhere : grids[plane_of[sw]].place[sw];
  }
  u32 cables_between(u32 a, u32 b) const;  // as many as there should be
  u32 hold(u32 sw) const { return grids[plane_of[sw]].hold[sw]; }
  void loosen(u32 sw) { grids[plane_of[sw]].hold[sw] = 0; }
  bool decided(u32 sw) const { return place(sw) != nowhere && hold(sw) > 0; }
};

// One plane for each rail, each in numbers of its own; none if there is one that forms no grid.
std::optional<SwitchPlanes> find_planes(const Fabric& fabric, const RawSwitches& raw);

// Gives the planes the numbers of the first by the hosts they share; false if these do not allow it. Hosts of
// suspect switches are not asked.
bool align_planes(const Fabric& fabric, const RawSwitches& raw, const std::vector<bool>& suspect,
                  SwitchPlanes& planes);

// Calls f(switch of one NIC, switch of another) for all pairs of NICs of a host.
template <class F>
void each_tie(const Fabric& fabric, const RawSwitches& raw, F&& f) {
  for (u32 host = 0; host < fabric.hosts(); ++host)
    for (u32 r = 0; r < fabric.rails(); ++r)
      for (u32 q = 0; q < fabric.rails(); ++q) {
        const u32 a = raw.switch_of[index(fabric.nic(Host{host}, r))],
                  b = raw.switch_of[index(fabric.nic(Host{host}, q))];
        if (r != q && a != nowhere && b != nowhere) f(a, b);
      }
}

}  // namespace banyan::topology
