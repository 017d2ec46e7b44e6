// The hashes of equal-cost multi-path. A flow is a queue pair of a connection: the switches see the 5-tuple
// of its packets as RoCEv2 has it (addresses of the NICs, by default 10.0.0.0 + NIC, UDP, a source port of
// the queue pair, destination port 4791) and take one of their next hops by a hash of it and of their seed.
//
// The header's state says which hash, its tag holds what the hash reads besides the destination.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "fabric/ids.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

// mix: a hash without structure, every bit of which depends on all input. The others are those of switch
// chips; they are linear: another seed exchanges the choices, and does not make them independent.
enum class HashKind : u8 { mix, crc32, crc16, xor16 };
constexpr std::array<std::string_view, 4> option_names(HashKind) {
  return {"mix", "crc32", "crc16", "xor16"};
}

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

// CRC-32 (ISO-HDLC) and CRC-16 (ARC) from an initial register; that of check values is ~0 and 0.
u32 crc32(std::span<const u8> bytes, u32 initial);
u16 crc16(std::span<const u8> bytes, u16 initial);

}  // namespace banyan::routing
