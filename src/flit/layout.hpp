// The fabric as the engine sees it: flat numbers by channel and lane, and which part of the fabric belongs to
// which thread, of which process. A lane is known by one number, exit << shift | lane, where the exit is the
// channel that leaves a node; the same number names the buffer of the channel that enters through the same
// port.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "flit/options.hpp"
#include "flit/zero_pages.hpp"

namespace banyan::flit {

constexpr u32 absent = ~u32{0};  // no entry, no lane, no packet

struct Exit {
  u32 far = absent;  // the first lane of the port at the other end; absent: no cable
  u32 flight = 1;    // cycles until what leaves is visible in the next switch, or consumed
  u32 latency = 1;   // cycles until a credit is there
  u32 step = 65536;  // cycles between flits, times 65536
  u32 node = 0;      // that it leaves
  u16 far_part = 0;
  bool to_nic = false;
};

// The parts of a fabric, of which a process has some.
struct Share {
  u32 parts = 1, first = 0, own = 1;
};

struct Layout {
  Layout(const Fabric& fabric, const NetworkOptions& options, const Share& share);

  u32 nics, nodes, parts;
  u32 first_part, own_parts;    // of this process
  u32 lanes, shift;             // lanes of a channel; a power of two of numbers is set aside for them
  u32 words;                    // of 64 slots, for the largest switch
  u32 port_words;               // of 64 ports
  u32 largest_flight;           // of any event
  u32 window;                   // cycles that parts may go on before they must meet
  bool has_slow;                // some channel has a rate below 1
  std::vector<u32> first_exit;  // by node, and one past the last
  PagedVector<Exit> exits;      // of nodes of this process
  std::vector<u16> part_of;     // by node

  bool is_own(u32 node) const { return u32{part_of[node]} - first_part < own_parts; }
  bool is_own_exit(u32 exit) const { return exits[exit].flight != 0; }
  u32 ports(u32 node) const { return first_exit[node + 1] - first_exit[node]; }
  u32 first_lane(u32 node) const { return first_exit[node] << shift; }
  u32 node_of(u32 lane) const { return exits[lane >> shift].node; }
  u32 lane_count() const { return static_cast<u32>(exits.size()) << shift; }
};

// For each node the part it belongs to: NICs with their switches, in order, then level by level.
std::vector<u16> split_nodes(const Fabric& fabric, u32 parts);

}  // namespace banyan::flit
