// Looks at a whole simulation between two cycles: that nothing was lost, and whether packets wait for each
// other for ever. Slow and plain; not for every cycle of a large fabric.
#pragma once
#include <optional>
#include <string>

#include "flit/parts.hpp"

namespace banyan::flit {

// What is wrong with the credits of some lane; empty if they are conserved: credits, flits on their way,
// flits in the buffer, credits on their way back, and what a packet was promised add up to the buffer.
std::string find_lost_credit(const Machine& machine, const Parts& parts);

// Packets that wait for each other in a circle and can never move, told for a person. A packet can move if a
// lane that it may take has room, or if the packet that stands in its way there can move.
std::optional<std::string> find_deadlock(const Machine& machine, const Parts& parts,
                                         const Exchange* exchange);

}  // namespace banyan::flit
