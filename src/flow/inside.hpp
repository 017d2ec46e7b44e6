// The inside of a host: accelerators that reach each other without a NIC, each next to one of the NICs
// (traffic/nic_positions.hpp). What goes to or comes from another host by a NIC that is not next to its
// accelerator passes through the one that is.
#pragma once
#include <limits>

#include "fabric/ids.hpp"

namespace banyan::flow {

struct Inside {
  u32 accelerators = 0;  // of every host; 0: nothing is known of it, and what stays in a host takes no time
  double bandwidth = std::numeric_limits<double>::infinity();  // that each sends the others, and receives

  bool limits() const { return accelerators > 0 && bandwidth < std::numeric_limits<double>::infinity(); }
};

// What accelerators can send and receive as channels, numbered after those of the fabric.
class InsideChannels {
 public:
  InsideChannels(u32 first, const Inside& inside) : first_(first), accelerators_(inside.accelerators) {}

  Channel out_of(Host host, u32 accelerator) const { return at(host, accelerator, 0); }
  Channel into(Host host, u32 accelerator) const { return at(host, accelerator, 1); }
  // Of a channel that is one of them.
  Host host(Channel c) const { return Host{(index(c) - first_) / 2 / accelerators_}; }
  bool is_into(Channel c) const { return (index(c) - first_) % 2 == 1; }

 private:
  Channel at(Host host, u32 accelerator, u32 way) const {
    return Channel{first_ + 2 * (index(host) * accelerators_ + accelerator) + way};
  }

  u32 first_, accelerators_;
};

}  // namespace banyan::flow
