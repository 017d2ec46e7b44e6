// What InfiniBand knows of a fabric beyond its graph: GUIDs and LIDs. They exist in formats/ only.
#pragma once
#include <string_view>

#include "fabric/fabric.hpp"

namespace banyan {

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

// "node7 mlx5_0" is adapter mlx5_0 of host node7; a description of any other kind is a host by itself.
struct AdapterName {
  std::string_view host, adapter;
};
AdapterName split_description(std::string_view description);

}  // namespace banyan
