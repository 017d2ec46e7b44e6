// Random choices that packets make: functions of who they are and where, so that no order of asking matters.
#pragma once
#include "fabric/ids.hpp"
#include "flit/options.hpp"

namespace banyan::flit {

// `packet` counts what the NIC has sent before.
inline u64 mix(u64 seed, Nic source, u64 packet, Node node) {
  const auto with = [](u64 x, u64 part) {
    x = (x ^ part) * 0x9E3779B97F4A7C15;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93;
    return x ^ x >> 29;
  };
  return with(with(with(seed, index(source)), packet), index(node));
}

// Which of `count` ways the p-th packet of a message takes.
inline u32 chosen_way(PathChoice choice, u64 seed, Nic source, u64 packet, u32 p, u32 count) {
  switch (choice) {
    case PathChoice::round_robin:
      return static_cast<u32>(packet % count);
    case PathChoice::in_message:
      return p % count;
    case PathChoice::random:
    case PathChoice::recycled:  // where it remembers none
    case PathChoice::flowlet:   // its first packet
      return static_cast<u32>(mix(seed, source, packet, none<Node>) % count);
    case PathChoice::message:
      return static_cast<u32>(mix(seed, source, packet - p, none<Node>) % count);
  }
  return 0;
}

}  // namespace banyan::flit
