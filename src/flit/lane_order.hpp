// Puts the packets that are routed in a cycle in the order of their lanes. A lane has at most one in a cycle,
// so that a bit for each lane says the order. For adaptive forwards: who chooses first takes the shortest
// queue. And for marks: who comes first has fewer flits before it.
#pragma once
#include <bit>
#include <vector>

#include "flit/ids.hpp"

namespace banyan::flit {

class LaneOrder {
 public:
  static constexpr u32 max_lanes = 1u << 18;  // what it remembers of them should stay in a cache

  explicit LaneOrder(u32 lanes) : packets_(lanes), bits_((lanes + 63) / 64), any_((bits_.size() + 63) / 64) {}

  [[gnu::always_inline]] void add(LaneId lane, PacketId packet) {
    const u32 word = index(lane) / 64;
    packets_[index(lane)] = packet;
    bits_[word] |= u64{1} << (index(lane) % 64);
    any_[word / 64] |= u64{1} << (word % 64);
  }
  // f(lane, packet) for all of them; there are none afterwards.
  template <class F>
  [[gnu::always_inline]] void take_all(F&& f) {
    for (u32 i = 0; i < any_.size(); ++i) {
      for (u64 words = any_[i]; words != 0; words &= words - 1) {
        const u32 word = i * 64 + static_cast<u32>(std::countr_zero(words));
        for (u64 bits = bits_[word]; bits != 0; bits &= bits - 1) {
          const u32 lane = word * 64 + static_cast<u32>(std::countr_zero(bits));
          f(LaneId{lane}, packets_[lane]);
        }
        bits_[word] = 0;
      }
      any_[i] = 0;
    }
  }

 private:
  std::vector<PacketId> packets_;  // by lane, where it has one
  std::vector<u64> bits_;          // by lane: it has a packet
  std::vector<u64> any_;           // by word of these: it has a bit
};

}  // namespace banyan::flit
