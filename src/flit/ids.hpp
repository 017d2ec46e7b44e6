// The ids of the simulator, besides those of a fabric. An exit of a node is the Channel that leaves it; the
// same number names the port through which the reverse channel enters.
#pragma once
#include "fabric/ids.hpp"
#include "routing/header.hpp"

namespace banyan::flit {

// A lane of a port, among all: exit << Layout::shift | its number in the channel, a Lane. It names the lane
// of the channel that leaves, and the buffer of the channel that enters through the same port.
enum class LaneId : u32 {};
enum class Lane : u8 {};        // its number in its channel
enum class EntryId : u32 {};    // a packet in a node; a number of one part
enum class PacketId : u32 {};   // in State::packets
enum class MessageId : u32 {};  // in State::messages
enum class ParcelId : u32 {};   // in RailMachine::parcels

}  // namespace banyan::flit
