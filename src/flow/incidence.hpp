// The channels of every flow and the share of the flow on each, as flat arrays: flow -> (channel, share).
// Ways have equal shares; an adaptive routing is assumed to use the hops it offers evenly, as in load.hpp.
#pragma once
#include <span>
#include <vector>

#include "routing/routing.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

struct Incidence {
  std::vector<u64> first = {0};   // by flow, with one entry more at the end
  std::vector<Channel> channels;  // those of flow f begin at first[f]; none if a host sends to itself
  std::vector<double> shares;     // by channel entry; 1 if the whole flow goes through it
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

// The meaning of a flow's demand for sources that choose by the size of a message.
enum class Demands : u8 { relative, bytes };

// Throws InputError for a flow that does not arrive, naming it. The second form reuses the memory of `out`.
Incidence incidence(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                    Demands demands = Demands::relative);
void list_channels(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows, Demands demands,
                   Incidence& out);

// Selects some of the flows, in this order.
void select(const Incidence& all, std::span<const u32> flows, Incidence& out);

}  // namespace banyan::flow
