// Finds the planes of a HyperX in a raw fabric and numbers them consistently: a host has the same place in
// all.
#pragma once
#include <optional>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/recognise/placed_grid.hpp"

namespace banyan::topology {

// A raw fabric as switches, numbered from 0, and the NICs attached to them.
struct RawSwitches {
  SwitchNeighbours graph;
  std::vector<u32> switch_of;  // by NIC: a switch, or nowhere
  std::vector<u32> hosts_on;   // by switch: how many NICs
  u32 between_nics = 0;        // cables that do not end at a switch
};

// None if a NIC has several cables: then the fabric is not a HyperX.
std::optional<RawSwitches> read_switches(const Fabric& fabric);

struct SwitchPlanes {
  std::vector<PlacedGrid> grids;  // all on the same grid
  std::vector<u32> plane_of;      // by switch: a plane, or nowhere

  u32 place(u32 sw) const {  // `nowhere` if it has no place
    return sw == nowhere || plane_of[sw] == nowhere ? nowhere : grids[plane_of[sw]].place[sw];
  }
  u32 cables_between(u32 a, u32 b) const;  // the number that the shape requires
  u32 hold(u32 sw) const { return grids[plane_of[sw]].hold[sw]; }
  void loosen(u32 sw) { grids[plane_of[sw]].hold[sw] = 0; }
  bool decided(u32 sw) const { return place(sw) != nowhere && hold(sw) > 0; }
};

// Finds one plane for each rail, each with its own numbers; none if a plane does not form a grid.
std::optional<SwitchPlanes> find_planes(const Fabric& fabric, const RawSwitches& raw);

// Renumbers the planes like the first, by the hosts they share; returns false if that is impossible. Hosts of
// suspect switches are ignored.
bool align_planes(const Fabric& fabric, const RawSwitches& raw, const std::vector<bool>& suspect,
                  SwitchPlanes& planes);

// Calls f(switch of one NIC, switch of another) for all pairs of NICs of a host.
template <class F>
void each_tie(const Fabric& fabric, const RawSwitches& raw, F&& f) {
  for (u32 host = 0; host < fabric.hosts(); ++host)
    for (u32 r = 0; r < fabric.nics(Host{host}); ++r)
      for (u32 q = 0; q < fabric.nics(Host{host}); ++q) {
        const u32 a = raw.switch_of[index(fabric.nic(Host{host}, r))],
                  b = raw.switch_of[index(fabric.nic(Host{host}, q))];
        if (r != q && a != nowhere && b != nowhere) f(a, b);
      }
}

}  // namespace banyan::topology
