#include "routing/flow_hash.hpp"

#include "base/random.hpp"

namespace banyan::routing {
namespace {

u64 mixed(u64 x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}

constexpr u32 nic_bits = 24, port_bits = 16;  // in a tag, the seed above them

using FiveTuple = std::array<u8, 13>;

FiveTuple five_tuple(u32 from, u32 to, u16 source_port) {
  constexpr u16 rocev2 = 4791;
  constexpr u8 udp = 17;
  const auto byte = [](u32 value, u32 i) { return static_cast<u8>(value >> (8 * i)); };
  return {byte(from, 3),        byte(from, 2),   byte(from, 1),  byte(from, 0), byte(to, 3),
          byte(to, 2),          byte(to, 1),     byte(to, 0),    udp,           byte(source_port, 1),
          byte(source_port, 0), byte(rocev2, 1), byte(rocev2, 0)};
}

u16 xor16(const FiveTuple& tuple, u16 initial) {
  u32 out = initial;
  for (std::size_t i = 0; i < tuple.size(); ++i) out ^= u32{tuple[i]} << (i % 2 == 0 ? 8 : 0);
  return static_cast<u16>(out);
}

u32 hash_of(HashKind kind, const FiveTuple& tuple, u32 seed) {
  switch (kind) {
    case HashKind::crc32:
      return crc32(tuple, seed);
    case HashKind::crc16:
      return crc16(tuple, static_cast<u16>(seed));
    default:
      return xor16(tuple, static_cast<u16>(seed));
  }
}

u64 pair_of(Nic from, Nic to) { return u64{index(from)} << 32 | index(to); }

}  // namespace

u32 crc32(std::span<const u8> bytes, u32 initial) {
  u32 out = initial;
  for (const u8 byte : bytes) {
    out ^= byte;
    for (int i = 0; i < 8; ++i) out = out >> 1 ^ (out & 1 ? 0xEDB88320 : 0);
  }
  return ~out;
}

u16 crc16(std::span<const u8> bytes, u16 initial) {
  u32 out = initial;
  for (const u8 byte : bytes) {
    out ^= byte;
    for (int i = 0; i < 8; ++i) out = out >> 1 ^ (out & 1 ? 0xA001 : 0);
  }
  return static_cast<u16>(out);
}

u16 FlowHash::source_port(Nic from, Nic to, u32 queue_pair) const {
  constexpr u32 first = 49152, count = 16384;
  return static_cast<u16>(first + Random(seed, pair_of(from, to)).at(queue_pair) % count);
}

Header FlowHash::with_port(Nic from, Nic to, u16 source_port) const {
  const u64 nic = index(from) & ((u64{1} << nic_bits) - 1);
  return {.to = Address{index(to)},
          .state = static_cast<u8>(2 * static_cast<u32>(kind) + static_cast<u32>(seeds)),
          .tag = nic | u64{source_port} << nic_bits | seed << (nic_bits + port_bits)};
}

Header FlowHash::header(Nic from, Nic to, u32 queue_pair) const {
  Header out = with_port(from, to, kind == HashKind::mix ? u16{0} : source_port(from, to, queue_pair));
  if (kind == HashKind::mix) out.tag = Random(seed, pair_of(from, to)).at(queue_pair);
  return out;
}

u32 hash_choice(const Header& header, Node node, u32 count, std::span<const u32> addresses) {
  const auto kind = static_cast<HashKind>(header.state / 2);
  const bool is_same = header.state % 2 == 1;
  const u64 of_node = is_same ? 0 : u64{index(node)} * 0x9E3779B97F4A7C15;
  if (kind == HashKind::mix) return static_cast<u32>((mixed(header.tag + of_node) >> 32) * count >> 32);
  const auto nic = static_cast<u32>(header.tag & ((u64{1} << nic_bits) - 1));
  const auto port = static_cast<u16>(header.tag >> nic_bits);
  const auto seed = static_cast<u32>(mixed((header.tag >> (nic_bits + port_bits)) + of_node));
  const auto address = [&](u32 of) {
    return addresses.empty() ? u32{10} << 24 | (of & ((u32{1} << nic_bits) - 1)) : addresses[of];
  };
  return hash_of(kind, five_tuple(address(nic), address(index(header.to)), port), seed) % count;
}

}  // namespace banyan::routing
