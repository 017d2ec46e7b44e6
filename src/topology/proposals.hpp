// What a family is asked for when a machine is sized, and where its proposals go.
#pragma once
#include <functional>

#include "topology/outline.hpp"

namespace banyan::topology {

// What a machine must have. A family proposes every choice of its parameters that meets it. Some choices
// differ only in the number that extends the fabric: the children of the roots, the groups, the hosts of a
// switch. Of these it proposes the smallest. It may leave out what another proposal makes needless, and says
// which.
struct SizeDemand {
  u32 hosts = 0;  // at least
  u32 ports = 0;  // of a switch, at most
  u32 rails = 1;
  u32 hosts_at_most = ~u32{0};
  double fill = 0;        // minimum share of the switches' ports that have a cable (Proposals::add: unless)
  double host_ports = 0;  // minimum share of the switches' ports that lead to hosts
  u32 taper = 1;          // maximum of cables down from a switch for each cable up
  u32 grows_to = 0;       // hosts: a shape that grows so far is not needless

  bool has_room(u64 hosts_of_shape) const {
    return hosts_of_shape >= hosts && hosts_of_shape <= hosts_at_most;
  }
  // Whether a fabric with these numbers of switches, used ports and NICs meets the two shares.
  bool fills(double switches, double used, double nics) const {
    return used >= fill * ports * switches * (1 - 1e-12) &&
           nics >= host_ports * ports * switches * (1 - 1e-12);
  }
};

class Proposals {
 public:
  // `tick` is called again and again while shapes are looked for. It may throw to end the search.
  Proposals(
      const SizeDemand& demand, std::function<void(Outline&&)> take, std::function<void()> tick = [] {})
      : demand_(demand), take_(std::move(take)), tick_(std::move(tick)) {}

  const SizeDemand& demand() const { return demand_; }
  void tick() const { tick_(); }

  // Takes the outline if it meets the demand, and returns whether it does. A single switch may have idle
  // ports. So may a fabric that is full, which means that more cables would not carry more.
  bool add(Outline outline, bool is_full = false) const {
    tick();
    if (!demand_.has_room(outline.hosts) || outline.widest_switch > demand_.ports ||
        outline.rails != demand_.rails ||
        u64{outline.switches} * outline.widest_switch + outline.nics() > max_ports)
      return false;
    const double used = is_full ? 1e18 : static_cast<double>(outline.ports_used());
    if (outline.switches > outline.planes &&
        !demand_.fills(outline.bought_switches(), used, static_cast<double>(outline.nics())))
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
  std::function<void()> tick_;
};

}  // namespace banyan::topology
