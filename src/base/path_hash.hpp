// The hashes by which switches choose among next hops, as constant expressions: processors and devices
// compute the same numbers from the same lines. routing/flow_hash.hpp says what they stand for.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "base/philox.hpp"

namespace banyan::base {

// mix: a hash without structure, every bit of which depends on all input. The others are those of switch
// chips; they are linear: another seed exchanges the choices, and does not make them independent.
enum class HashKind : u8 { mix, crc32, crc16, xor16 };
constexpr std::array<std::string_view, 4> option_names(HashKind) {
  return {"mix", "crc32", "crc16", "xor16"};
}

// CRC-32 (ISO-HDLC) and CRC-16 (ARC) from an initial register; that of check values is ~0 and 0.
constexpr u32 crc32(std::span<const u8> bytes, u32 initial) {
  u32 out = initial;
  for (const u8 byte : bytes) {
    out ^= byte;
    for (int i = 0; i < 8; ++i) out = out >> 1 ^ (out & 1 ? 0xEDB88320 : 0);
  }
  return ~out;
}
constexpr u16 crc16(std::span<const u8> bytes, u16 initial) {
  u32 out = initial;
  for (const u8 byte : bytes) {
    out ^= byte;
    for (int i = 0; i < 8; ++i) out = out >> 1 ^ (out & 1 ? 0xA001 : 0);
  }
  return static_cast<u16>(out);
}

// The tag of a flow's header: what a hash reads besides the destination. Of `mix` a number that is drawn for
// the queue pair; of the others the NIC that sends, the source port, and the seed above them.
struct PathTag {
  static constexpr u32 nic_bits = 24, port_bits = 16;
  static constexpr u32 nic_mask = (u32{1} << nic_bits) - 1;

  // Of a queue pair: 49152 to 65535, as RoCEv2 recommends.
  static constexpr u16 source_port(u64 seed, u32 from, u32 to, u32 queue_pair) {
    constexpr u32 first = 49152, count = 16384;
    return static_cast<u16>(first + philox_number(seed, u64{from} << 32 | to, queue_pair) % count);
  }
  static constexpr u64 with_port(u64 seed, u32 from, u16 source_port) {
    return u64{from & nic_mask} | u64{source_port} << nic_bits | seed << (nic_bits + port_bits);
  }
  static constexpr u64 of(HashKind kind, u64 seed, u32 from, u32 to, u32 queue_pair) {
    return kind == HashKind::mix ? philox_number(seed, u64{from} << 32 | to, queue_pair)
                                 : with_port(seed, from, source_port(seed, from, to, queue_pair));
  }
};

// The 5-tuple of a packet of RoCEv2.
constexpr std::array<u8, 13> five_tuple(u32 from, u32 to, u16 source_port) {
  constexpr u16 rocev2 = 4791;
  constexpr u8 udp = 17;
  const auto byte = [](u32 value, u32 i) { return static_cast<u8>(value >> (8 * i)); };
  return {byte(from, 3),        byte(from, 2),   byte(from, 1),  byte(from, 0), byte(to, 3),
          byte(to, 2),          byte(to, 1),     byte(to, 0),    udp,           byte(source_port, 1),
          byte(source_port, 0), byte(rocev2, 1), byte(rocev2, 0)};
}

// How a switch chooses.
struct PathHash {
  HashKind kind = HashKind::mix;
  bool is_same = false;            // all switches have one seed
  const u32* addresses = nullptr;  // by NIC, of IPv4; null: 10.0.0.0 + NIC

  // Which of `count` next hops towards NIC `to` a switch takes.
  constexpr u32 choice(u64 tag, u32 to, u32 node, u32 count) const {
    const u64 of_node = is_same ? 0 : u64{node} * 0x9E3779B97F4A7C15;
    if (kind == HashKind::mix) return static_cast<u32>((mixed(tag + of_node) >> 32) * count >> 32);
    const auto nic = static_cast<u32>(tag) & PathTag::nic_mask;
    const auto port = static_cast<u16>(tag >> PathTag::nic_bits);
    const auto seed = static_cast<u32>(mixed((tag >> (PathTag::nic_bits + PathTag::port_bits)) + of_node));
    return of_tuple(five_tuple(address(nic), address(to), port), seed) % count;
  }

 private:
  static constexpr u64 mixed(u64 x) {
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
    return x ^ x >> 32;
  }
  constexpr u32 address(u32 nic) const {
    return addresses ? addresses[nic] : u32{10} << 24 | (nic & PathTag::nic_mask);
  }
  static constexpr u16 xor16(const std::array<u8, 13>& tuple, u16 initial) {
    u32 out = initial;
    for (std::size_t i = 0; i < tuple.size(); ++i) out ^= u32{tuple[i]} << (i % 2 == 0 ? 8 : 0);
    return static_cast<u16>(out);
  }
  constexpr u32 of_tuple(const std::array<u8, 13>& tuple, u32 seed) const {
    return kind == HashKind::crc32   ? crc32(tuple, seed)
           : kind == HashKind::crc16 ? crc16(tuple, static_cast<u16>(seed))
                                     : xor16(tuple, static_cast<u16>(seed));
  }
};

}  // namespace banyan::base
