// What a fabric costs once it stands in a hall: racks, cables by length class, ports, watts, money. Of a
// fabric that is built, cable by cable; of an outline by formula, with the same result.
#pragma once
#include <array>
#include <vector>

#include "size/hall.hpp"
#include "size/prices.hpp"
#include "topology/outline.hpp"

namespace banyan::size {

struct Cost {
  u32 racks = 0, switches = 0, nics = 0;
  u64 switch_ports = 0, ports_used = 0;                         // bought, and with a cable
  std::vector<u64> cables{};                                    // by line of the price list
  std::array<u64, option_names(CableKind{}).size()> of_kind{};  // by kind of cable
  double cable_metres = 0, longest_cable = 0;
  Price of_switches{}, of_cables{}, of_nics{};
  bool exact = true;  // false: some cables stand for all

  u64 cables_of(CableKind kind) const { return of_kind[static_cast<std::size_t>(kind)]; }
  double money() const { return of_switches.money + of_cables.money + of_nics.money; }
  double watts() const { return of_switches.watts + of_cables.watts + of_nics.watts; }
};
// `built_in`: so many switches are parts of their hosts (Outline::built_in), the first ones of each plane.
Cost cost(const Fabric& fabric, const HallOptions& options, const PriceList& prices, u32 built_in = 0,
          u32 planes = 1);

// Every switch has `switch_ports` ports. A cable that is longer than any of the list is priced as its
// longest; `longest_cable` tells. Where a class has more than `max_cables` cables, that many stand for all of
// them, spread over the class, or drawn at random if the outline has no shape.
Cost cost(const Outline& outline, u32 switch_ports, const HallOptions& options, const PriceList& prices,
          u64 max_cables = ~u64{0});

}  // namespace banyan::size
