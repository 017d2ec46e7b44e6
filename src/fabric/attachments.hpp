// Attachments: the nodes to which NICs are cabled. A routing that reads only the position of a source treats
// NICs that are cabled alike in the same way, so one of them can be followed for all. The judge, the flow
// level and the searches for distances work by attachment and not by NIC.
#pragma once
#include <compare>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

// Compares the nodes at the ports of two NICs, port by port; an empty port comes last.
std::strong_ordering compare_cabling(const Fabric& fabric, Nic a, Nic b);

// Whether two NICs are on one rail and cabled to the same nodes, port by port.
bool cabled_alike(const Fabric& fabric, Nic a, Nic b);

// All NICs of a fabric that are cabled alike.
struct Attachment {
  u32 rail = 0;
  std::vector<Node> at;   // by port; none<Node> where it is empty
  std::vector<Nic> nics;  // ascending
};
std::vector<Attachment> attachments(
    const Fabric& fabric);  // in order of their first NICs; by sorting the NICs

// The first cable of a NIC that leads to a switch, as the channel that leaves the NIC, and that switch; none
// if there is no such cable.
Channel channel_to_switch(const Fabric& fabric, Nic nic);
Node switch_of(const Fabric& fabric, Nic nic);

// Whether no NIC has to choose among ports; tables then begin at the switches.
bool nics_have_one_port(const Fabric& fabric);

}  // namespace banyan::fabric
