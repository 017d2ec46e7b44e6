// InfiniBand's ids of a fabric: GUIDs and LIDs. Only formats/ uses them.
#pragma once
#include <string>
#include <string_view>

#include "fabric/fabric.hpp"

namespace banyan::formats {

constexpr u32 max_infiniband_ports = 254;  // of a node

struct InfinibandIds {
  struct Attachment {  // a port with an address: each of a NIC, port 0 of a switch
    u64 guid = 0;      // 0: not known
    u16 lid = 0;       // 0: none assigned
    u8 lmc = 0;
    u8 port = 0;  // its number on an adapter whose ports are several NICs; 0: as the fabric has it
    bool operator==(const Attachment&) const = default;
  };
  struct NodeIds {
    u64 guid = 0, system_guid = 0;
    Attachment port0;  // of a switch
    bool operator==(const NodeIds&) const = default;
  };

  IdVector<Node, NodeIds> nodes;               // empty when nothing is known, otherwise by node
  IdVector<Channel, Attachment> nic_channels;  // by the channels that leave NICs, which are the first ones

  bool empty() const { return nodes.empty(); }
  bool operator==(const InfinibandIds&) const = default;
};

// The ids with all GUIDs filled in. Unknown GUIDs are made from node numbers; if no id was known, LIDs are
// assigned as well, as long as there are enough of them.
InfinibandIds complete_ids(const Fabric& fabric, InfinibandIds ids);

// The node description: "leaf3" for a switch, "h12 HCA-1" for the NIC of host h12 on the first rail.
std::string infiniband_description(const Fabric& fabric, Node node);

// The ids for the same fabric under other numbers. Switches are matched by name, NICs by the port of the
// switch to which they are cabled. Nodes without a counterpart get none.
InfinibandIds renumbered(const InfinibandIds& ids, const Fabric& from, const Fabric& to);

// Splits a node description: "node7 mlx5_0" is adapter mlx5_0 of host node7, and so is "node7 mlx5_0
// (product)"; any other description is a host name.
struct AdapterName {
  std::string_view host, adapter;
};
AdapterName split_description(std::string_view description);

}  // namespace banyan::formats
