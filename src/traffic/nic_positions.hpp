// The NICs that hosts have, in order of their slots, and which of them are next to which accelerator.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::traffic {

// The accelerators (or processes) and the NICs of one host, each counted from 0: those of which there are
// fewer are divided evenly among the others. There is at least one of each.
struct Nearness {
  u64 accelerators, nics;

  // The NIC that an accelerator owns: the first of those next to it.
  u32 own(u32 accelerator) const { return static_cast<u32>(accelerator * nics / accelerators); }
  bool are_next(u32 accelerator, u32 nic) const {
    return own(accelerator) == nic || nic * accelerators / nics == accelerator;
  }
  u32 first_next_to(u32 nic) const {
    const u64 all = nic * accelerators;
    return static_cast<u32>(accelerators < nics ? all / nics : (all + nics - 1) / nics);
  }
};

// The NICs of each host by their positions: slots without those that are vacant. Where every host has a NIC
// in every column, in order, all is arithmetic; otherwise positions are looked up in a table.
class NicPositions {
 public:
  explicit NicPositions(u32 columns = 1) : columns_(columns) {}  // a NIC in every column
  explicit NicPositions(const Fabric& fabric);

  bool is_even() const { return first_.empty(); }
  u32 count(Host host) const { return is_even() ? columns_ : first_[index(host) + 1] - first_[index(host)]; }
  u32 column(Host host, u32 position) const {
    return is_even() ? position : column_[first_[index(host)] + position];
  }
  u32 position(Host host, u32 column) const;  // of a column that the host has; at most 256 steps

 private:
  u32 columns_;
  std::vector<u32> first_;   // by host, in column_; one more at the end; empty: even
  std::vector<u16> column_;  // by host and position
};

}  // namespace banyan::traffic
