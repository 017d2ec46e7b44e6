// The channels between switches, numbered densely switch by switch, in which `lash` and `nue` search. Host
// cables are left out, because no cycle of dependencies passes through a NIC.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "engines/ids.hpp"
#include "engines/table_limits.hpp"

namespace banyan::engines {

// One cable between a NIC and a switch.
struct Plug {
  Switch leaf;
  u8 leaf_port;  // the switch's port to the NIC
  u8 nic_port;   // the NIC's port to the switch
};

struct Backbone {
  explicit Backbone(const Fabric& fabric);  // requires at most Tables::max_ports ports per switch

  static constexpr u32 nothing = ~u32{0};

  u32 switches = 0, channels = 0;
  u32 max_exits = 0;       // maximum over the switches
  std::vector<u32> first;  // by switch, with one entry more at the end: its first channel
  IdVector<SwitchChannel, Switch> from, to;
  IdVector<SwitchChannel, SwitchChannel> reverse;
  IdVector<SwitchChannel, u8> port;    // its port at `from`
  IdVector<Switch, u32> nics;          // its number of plugs
  IdVector<Switch, Switch> component;  // its connected part
  std::vector<u32> first_plug;         // by NIC, and one past the last
  std::vector<Plug> plug;

  IdRange<Switch> all_switches() const { return IdRange<Switch>(switches); }
  IdRange<SwitchChannel> exits(Switch v) const { return {first[index(v)], first[index(v) + 1]}; }
  // Its index among the exits of `from`.
  u32 slot(SwitchChannel c) const { return index(c) - first[index(from[c])]; }
  std::span<const Plug> plugs(Nic nic) const {
    return {plug.data() + first_plug[index(nic)], plug.data() + first_plug[index(nic) + 1]};
  }

  // By switch, the distance in channels to the nearest of these switches; `nothing` where there is no way.
  IdVector<Switch, u32> distances(std::span<const Switch> to_switches) const;

  // An order of all channels in which the dependencies of shortest paths tend to rise: away from switches
  // with hosts first, then across by port number, then back. By channel: its position.
  IdVector<SwitchChannel, u32> natural_order() const;

 private:
  void add_channels(const Fabric& fabric);
  void add_plugs(const Fabric& fabric);
};

}  // namespace banyan::engines
