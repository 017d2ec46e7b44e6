// The channels of every flow, and what part of the flow each of them carries: flow -> (channel, share), flat.
// Ways have equal shares; an adaptive routing is taken to use the hops it offers evenly, as in load.hpp.
#pragma once
#include <span>
#include <vector>

#include "routing/routing.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

struct Incidence {
  std::vector<u64> first = {0};   // by flow, and one past the last
  std::vector<Channel> channels;  // of flow f: from first[f] on; none where a host sends to itself
  std::vector<double> shares;     // beside each channel; 1 where the whole flow goes through it
  std::vector<u32> hops;          // by flow: channels on its longest way

  std::size_t flows() const { return hops.size(); }
  std::span<const Channel> channels_of(std::size_t flow) const {
    return std::span(channels).subspan(first[flow], first[flow + 1] - first[flow]);
  }
  std::span<const double> shares_of(std::size_t flow) const {
    return std::span(shares).subspan(first[flow], first[flow + 1] - first[flow]);
  }
  void clear();
};

// What a flow's demand means to sources that choose by the size of a message.
enum class Demands : u8 { relative, bytes };

// Throws InputError for a flow that does not arrive, naming it. The second form reuses the memory of `out`.
Incidence incidence(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                    Demands demands = Demands::relative);
void list_channels(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows, Demands demands,
                   Incidence& out);

// Some of the flows, in this order.
void select(const Incidence& all, std::span<const u32> flows, Incidence& out);

}  // namespace banyan::flow
