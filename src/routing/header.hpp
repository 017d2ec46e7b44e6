// Header and Hop, the two values of every routing: what a packet carries, and where it may go next.
#pragma once
#include <array>
#include <span>

#include "base/assert.hpp"
#include "fabric/ids.hpp"

namespace banyan::routing {

enum class Address : u32 {};  // a routable destination: nic * 2^lmc + i

// Everything that a packet carries. The engine defines the meaning of tag and state.
struct Header {
  Address to{};
  u8 lane = 0, state = 0;
  u64 tag = 0;
  bool operator==(const Header&) const = default;
};

// What a header depends on at its source: nothing, the nodes to which the NIC is cabled, port by port, or the
// NIC itself. A caller that needs all pairs can ask once for all sources that are equal in this respect.
enum class Reads : u8 { nothing, attachment, nic };

// One permitted exit of a node.
struct Hop {
  Port port{};
  u16 lanes = 1;           // permitted lanes of the port's channel, as a mask
  u8 state = 0, left = 0;  // the header's next state; the number of channels after this one
  bool operator==(const Hop&) const = default;
};

// The hops offered at a node, in fixed storage: nothing is allocated while packets move.
class Hops {
 public:
  static constexpr std::size_t maximum = 512;

  void clear() { count_ = 0; }
  void push_back(const Hop& hop) {
    BANYAN_HOT_ASSERT(count_ < hops_.size(), "a header has room for its hops");
    hops_[count_++] = hop;
  }
  std::size_t size() const { return count_; }
  const Hop* begin() const { return hops_.data(); }
  const Hop* end() const { return hops_.data() + count_; }
  const Hop& operator[](std::size_t i) const { return hops_[i]; }

 private:
  std::array<Hop, maximum> hops_;
  std::size_t count_ = 0;
};

}  // namespace banyan::routing
