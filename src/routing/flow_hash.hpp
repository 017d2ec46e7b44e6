// The hashes of equal-cost multi-path. A flow is a queue pair of a connection: the switches see the 5-tuple
// of its packets as RoCEv2 has it (addresses of the NICs, by default 10.0.0.0 + NIC, UDP, a source port of
// the queue pair, destination port 4791) and take one of their next hops by a hash of it and of their seed.
//
// The header's state says which hash, its tag holds what the hash reads besides the destination.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "base/path_hash.hpp"
#include "fabric/ids.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

enum class HashSeeds : u8 { of_switch, same };
constexpr std::array<std::string_view, 2> option_names(HashSeeds) { return {"switch", "same"}; }

struct FlowHash {
  HashKind kind = HashKind::mix;
  HashSeeds seeds = HashSeeds::of_switch;
  u64 seed = 1;  // draws the seeds of the switches, and the source ports

  Header header(Nic from, Nic to, u32 queue_pair) const;
  u16 source_port(Nic from, Nic to, u32 queue_pair) const;  // 49152 to 65535, as RoCEv2 recommends
  // Of a queue pair with this source port; not of mix, which knows no ports.
  Header with_port(Nic from, Nic to, u16 source_port) const;
};

// Which of `count` next hops a switch takes. `addresses`: by NIC, of IPv4; empty: 10.0.0.0 + NIC.
u32 hash_choice(const Header& header, Node node, u32 count, std::span<const u32> addresses = {});

}  // namespace banyan::routing
