// Hops between switches as OpenSM's LID matrix has them: for each pair of switches a row with the hops by
// port, where the port is on a shortest path, and the least of them in front. Most rows of a switch are
// equal; each is kept once.
#pragma once
#include <span>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::opensm_plugin {

class HopRows {
 public:
  static constexpr u8 no_path = 255;

  HopRows() = default;
  explicit HopRows(const Fabric& fabric);

  // By the numbers printed beside ports; all no_path where there is no way.
  std::span<const u8> row(u32 at, u32 goal) const {
    return {bytes_.data() + first_[std::size_t{at} * length_.size() + goal], length_[at]};
  }

 private:
  std::vector<u8> bytes_;
  std::vector<u32> first_;   // by switch and goal: where its row begins
  std::vector<u32> length_;  // of the rows of a switch
};

}  // namespace banyan::opensm_plugin
