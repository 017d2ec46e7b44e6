// The subnet as OpenSM tells it: plain records, cheap to collect and to compare with those of an earlier
// sweep. A fabric is made of them only if something changed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formats/raw_fabric.hpp"
#include "formats/subnet.hpp"

namespace banyan::opensm_plugin {

struct ToldNode {
  u64 guid = 0;
  bool is_switch = false;
  u32 ports = 0;
  std::string description;
  bool operator==(const ToldNode&) const = default;
};

struct ToldPort {
  u64 node_guid = 0, port_guid = 0, far_guid = 0;  // port 0 of a switch has no far end
  u32 port = 0, far_port = 0;
  u16 lid = 0;
  u8 lmc = 0;
  bool operator==(const ToldPort&) const = default;
};

struct Told {
  std::vector<ToldNode> nodes;
  std::vector<ToldPort> ports;
  u32 max_lanes = 1;
  bool operator==(const Told&) const = default;
};

// The ports that an earlier sweep had and this one has not, where nothing else differs.
std::optional<std::vector<ToldPort>> only_gone(const Told& before, const Told& now);

// Every port of an adapter is a host of its own, since in a subnet each may send to any other. It has the
// name of its machine, with the adapter's where that is needed.
RawFabric raw_fabric(const Told& told);
LidsByGuid lids_by_guid(const Told& told);

}  // namespace banyan::opensm_plugin
