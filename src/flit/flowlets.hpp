// The paths of flowlets, for `path-choice flowlet` (docs/simulator.md, "Flowlets"; Kandula et al., Dynamic
// Load Balancing Without Packet Reordering, 2007; Vanini et al., Let It Flow, NSDI 2017). A flowlet is a run
// of packets from one NIC to another without a pause; all of them take one path.
#pragma once
#include <unordered_map>

#include "fabric/ids.hpp"

namespace banyan::flit {

class Flowlets {
 public:
  // A pause is longer than so many cycles, from one packet that is taken up to the next.
  explicit Flowlets(u32 gap) : gap_(gap) {}

  // The path, of `count` of them, of a packet that is taken up in cycle `now`: that of its flowlet, or
  // `drawn` if it begins one. Cycles of one pair never fall.
  u32 choose(Nic from, Nic to, u32 drawn, u32 count, u64 now) {
    const auto [place, is_first] = last_.try_emplace(u64{index(from)} << 32 | index(to), Flowlet{now, drawn});
    Flowlet& flowlet = place->second;
    if (!is_first && now - flowlet.cycle > gap_) flowlet.path = drawn;
    flowlet.cycle = now;
    return flowlet.path %= count;
  }

 private:
  struct Flowlet {
    u64 cycle;  // of its last packet
    u32 path;
  };

  const u64 gap_;
  std::unordered_map<u64, Flowlet> last_;  // by pair
};

}  // namespace banyan::flit
