// Subnet: a fabric as a subnet manager addresses it, with GUIDs and LIDs of every node that has a cable.
#pragma once
#include <algorithm>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <variant>

#include "base/error.hpp"
#include "formats/infiniband_ids.hpp"
#include "routing/address_choice.hpp"

namespace banyan::formats {

constexpr u32 max_lid = 0xbfff;  // unicast LIDs are 1 to max_lid

struct LidBlock {
  u16 first = 0, last = 0;  // 0: none
};
using LidsByGuid = std::unordered_map<u64, LidBlock>;  // by port GUID

struct Subnet {
  const Fabric* fabric = nullptr;
  InfinibandIds ids;         // complete
  u32 lmc = 0;               // a NIC has 2^lmc LIDs, a switch one
  IdVector<Node, u16> lids;  // the first LID of each node; 0: it has no cable, so it is not in the subnet
  u32 group_lids = 0;        // if not 0, the NICs of group g have the LIDs from g * group_lids on

  bool has(Node node) const { return lids[node] != 0; }
  u16 lid(Address to) const {
    const u32 block = lids[Node{index(to) >> lmc}];
    return static_cast<u16>(block == 0 ? 0 : block + (index(to) & ((1u << lmc) - 1)));
  }
  u32 lid_count(Node node) const { return fabric->is_switch(node) ? 1 : 1u << lmc; }
  u32 top_lid() const;
  u64 port_guid(Node node) const;  // for a switch that of port 0
};

// Assigns LIDs. Nodes keep the LIDs they have where these fit; the others get the lowest free ones, NICs in
// aligned blocks. Not applicable if there are too few LIDs, or if a NIC has several cables, because each of
// its ports would have separate addresses.
std::variant<Subnet, NotApplicable> assign_lids(const Fabric& fabric, InfinibandIds ids, u32 lmc);

// The same, so that a message layer can derive the groups of a choice from LIDs (domke19, notes 5 and 9):
// group g has the LIDs from 1000 g on, or from a larger multiple where a group needs more; switches come
// after them. Existing LIDs of NICs are ignored. If the groups do not fit, LIDs are assigned as above.
std::variant<Subnet, NotApplicable> assign_lids(const Fabric& fabric, InfinibandIds ids, u32 lmc,
                                                const AddressChoice& choice);

// The subnet with LIDs from a file. Throws InputError if a node has none there.
Subnet subnet_with(const Fabric& fabric, InfinibandIds ids, const LidsByGuid& lids, const std::string& file);
LidsByGuid lids_of(const Fabric& fabric, const InfinibandIds& ids);

// guid2lid, in OpenSM's format: for each port a line with GUID, first and last LID, and blank lines between.
LidsByGuid read_guid2lid(std::istream& in, const std::string& file);
void write_guid2lid(std::ostream& out, const Subnet& subnet);

// Reads LIDs from guid2lid or from a fabric that knows its LIDs: opensm-subnet.lst, ibnetdiscover's output.
LidsByGuid open_lids(const std::string& path);

}  // namespace banyan::formats
