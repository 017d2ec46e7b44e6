// The channels between switches, numbered densely switch by switch: what engines for any graph search in.
// Host cables stay outside, for no cycle of dependencies passes through a NIC.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "engines/table_limits.hpp"

namespace banyan::engines {

// Where a NIC is plugged in.
struct Plug {
  u32 leaf;      // a switch of the backbone
  u8 leaf_port;  // the switch's port to the NIC
  u8 nic_port;   // the NIC's port to the switch
};

struct Backbone {
  explicit Backbone(const Fabric& fabric);  // no switch has more than Tables::max_ports

  static constexpr u32 nothing = ~u32{0};

  u32 switches = 0, channels = 0;
  u32 max_exits = 0;            // of a switch
  std::vector<u32> first;       // by switch, and one past the last: its first channel
  std::vector<u32> from, to;    // by channel
  std::vector<u32> reverse;     // by channel
  std::vector<u8> port;         // by channel: its port at `from`
  std::vector<u32> nics;        // by switch: how many plugs it has
  std::vector<u32> component;   // by switch: the smallest switch it is connected with
  std::vector<u32> first_plug;  // by NIC, and one past the last
  std::vector<Plug> plug;

  u32 slot(u32 channel) const {
    return channel - first[from[channel]];
  }  // its place among the exits of `from`
  std::span<const Plug> plugs(Nic nic) const {
    return {plug.data() + first_plug[index(nic)], plug.data() + first_plug[index(nic) + 1]};
  }

  // Fewest channels from each switch to the nearest of these; `nothing` where there is no way.
  std::vector<u32> distances(std::span<const u32> to_switches) const;

  // An order of all channels in which the dependencies of shortest paths tend to rise: away from switches
  // with hosts first, then across by port number, then back. By channel: its place.
  std::vector<u32> natural_order() const;

 private:
  void add_channels(const Fabric& fabric);
  void add_plugs(const Fabric& fabric);
  void find_components();
};

}  // namespace banyan::engines
