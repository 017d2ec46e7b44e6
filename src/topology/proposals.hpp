// What a family is asked for when a machine is sized, and where its proposals go.
#pragma once
#include <functional>

#include "topology/outline.hpp"

namespace banyan::topology {

// Shapes that meet it have at least so many hosts, and switches of at most so many ports. A family proposes
// every choice of its parameters that does; of choices that differ only in the number that extends the fabric
// (the children of the roots, the groups, the hosts of a switch) it proposes the smallest.
struct SizeDemand {
  u32 hosts = 0, ports = 0;
  u32 rails = 1;
  u32 hosts_at_most = ~u32{0};
  double fill = 0;        // least share of the switches' ports that have a cable, where more could help
  double host_ports = 0;  // least share of the switches' ports that lead to hosts
  u32 taper = 1;          // at most so many cables lead down from a switch for one that leads up

  // Whether so many switches, used ports and NICs meet the two shares.
  bool fills(double switches, double used, double nics) const {
    return used >= fill * ports * switches * (1 - 1e-12) &&
           nics >= host_ports * ports * switches * (1 - 1e-12);
  }
};

class Proposals {
 public:
  Proposals(const SizeDemand& demand, std::function<void(Outline&&)> take)
      : demand_(demand), take_(std::move(take)) {}

  const SizeDemand& demand() const { return demand_; }

  // Takes it if it meets the demand, and says whether. The ports of a single switch may be idle; so may
  // those of a fabric that is full: no cable more would carry more.
  bool add(Outline outline, bool is_full = false) const {
    if (outline.hosts < demand_.hosts || outline.hosts > demand_.hosts_at_most ||
        outline.widest_switch > demand_.ports || outline.rails != demand_.rails ||
        u64{outline.switches} * outline.widest_switch + outline.nics() > max_ports)
      return false;
    const double used = is_full ? 1e18 : static_cast<double>(outline.ports_used());
    if (outline.switches > outline.planes &&
        !demand_.fills(outline.switches, used, static_cast<double>(outline.nics())))
      return false;
    take_(std::move(outline));
    return true;
  }
  template <Outlined S>
  bool add(S shape, u32 planes, bool is_full = false) const {
    return add(outline(std::move(shape), planes, demand_.ports), is_full);
  }

 private:
  const SizeDemand& demand_;
  std::function<void(Outline&&)> take_;
};

}  // namespace banyan::topology
