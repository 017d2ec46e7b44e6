// Attachments: the nodes to which NICs are cabled. A routing that reads only the position of a source treats
// NICs that are cabled alike in the same way, so one of them can be followed for all. The judge, the flow
// level and the searches for distances work by attachment and not by NIC.
#pragma once
#include <array>
#include <compare>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

// Compares the nodes at the ports of two NICs, port by port; an empty port comes last.
std::strong_ordering compare_cabling(const Fabric& fabric, Nic a, Nic b);

// Which pairs of NICs are looked at: all of a plane, or those of one rail of a plane. Vacant NICs are in
// no pair. NICs of one domain are pairs.
enum class PairScope : u8 { all, rail };
constexpr std::array<std::string_view, 2> option_names(PairScope) { return {"all", "rail"}; }
u32 domain_of(const Fabric& fabric, Nic nic, PairScope scope);

// Whether two NICs are of one domain and cabled to the same nodes, port by port.
bool cabled_alike(const Fabric& fabric, Nic a, Nic b, PairScope scope = PairScope::all);

// All NICs of a domain that are cabled alike.
struct Attachment {
  u32 domain = 0;
  std::vector<Node> at;   // by port; none<Node> where it is empty
  std::vector<Nic> nics;  // ascending
};
// In order of their first NICs; by sorting the NICs. Vacant ones are left out.
std::vector<Attachment> attachments(const Fabric& fabric, PairScope scope = PairScope::all);

// The first cable of a NIC that leads to a switch, as the channel that leaves the NIC, and that switch; none
// if there is no such cable.
Channel channel_to_switch(const Fabric& fabric, Nic nic);
Node switch_of(const Fabric& fabric, Nic nic);

// Whether no NIC has to choose among ports; tables then begin at the switches.
bool nics_have_one_port(const Fabric& fabric);

}  // namespace banyan::fabric
