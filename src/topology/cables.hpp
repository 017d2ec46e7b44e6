// Cables and cuts of a shape by formula, so that a fabric can be judged and priced before it is built.
#pragma once
#include <optional>

#include "base/types.hpp"

namespace banyan::topology {

// The ends of a cable in a plane: two switches, or a NIC and its switch, by their numbers in the plane.
struct CableEnds {
  u32 from, to;
  bool operator==(const CableEnds&) const = default;
};

// Cables between switches of a plane. Without them, `hosts` hosts are parted from all others.
struct HostCut {
  u64 hosts, cables;
};

// Pair number i of the n (n - 1) / 2 pairs of n things: those one apart on a ring first, then two apart.
inline CableEnds ring_pair(u32 n, u64 i) {
  const u32 first = static_cast<u32>(i % n), apart = static_cast<u32>(i / n) + 1;
  return {first, (first + apart) % n};
}

}  // namespace banyan::topology
