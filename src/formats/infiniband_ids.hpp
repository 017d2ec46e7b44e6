// What InfiniBand knows of a fabric beyond its graph: GUIDs and LIDs. They exist in formats/ only.
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

// The ids with every GUID there is a place for. Those not known are made from node numbers; if none were
// known, LIDs are made as well, as far as there are enough of them.
InfinibandIds complete_ids(const Fabric& fabric, InfinibandIds ids);

// What a node says of itself: "leaf3" of a switch, "h12 HCA-1" of the NIC of host h12 on the first rail.
std::string infiniband_description(const Fabric& fabric, Node node);

// The ids of one fabric for the same fabric under other numbers: switches are the same by name, NICs by the
// port of a switch that they are cabled to. Nodes that have no counterpart get none.
InfinibandIds renumbered(const InfinibandIds& ids, const Fabric& from, const Fabric& to);

// "node7 mlx5_0" is adapter mlx5_0 of host node7; a description of any other kind is a host by itself.
struct AdapterName {
  std::string_view host, adapter;
};
AdapterName split_description(std::string_view description);

}  // namespace banyan::formats
