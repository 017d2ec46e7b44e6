// One step along a route: where a hop leads from a node. All code that follows a routing takes this step, so
// that "arrived" and "lost" have one meaning: routing/walk.hpp, the flow level, the judge and the recheck of
// its certificates. Tests compare kernels that list channels without stepping with it.
#pragma once
#include "fabric/fabric.hpp"
#include "routing/routing.hpp"

namespace banyan::routing {

// Why a packet does not arrive.
enum class Loss : u8 {
  none,
  no_hop,      // the node offers none
  no_port,     // there is no such port, it has no cable, or no lane is permitted
  other_host,  // it reached a NIC that is not its goal; NICs do not forward
  circles,     // it returned to a node in the same state
};

struct Step {
  enum class Kind : u8 { next, arrived, lost };

  Kind kind = Kind::next;
  Loss why = Loss::none;            // set if it is lost
  u8 state = 0;                     // the header's next state
  u16 lanes = 0;                    // permitted on the channel, as a mask
  u16 offers = 1;                   // number of hops that the node offers, including this one
  Channel channel = none<Channel>;  // the channel it takes; none if it cannot leave the node
  Node node{};                      // the node it reaches

  bool leads_on() const { return kind == Kind::next; }
  bool arrived() const { return kind == Kind::arrived; }
  bool lost() const { return kind == Kind::lost; }
};

// The step by one of the hops that a node offers to a packet for the goal. The lanes need not be looked at
// where they are those of a header that has one.
template <bool has_lane = false>
[[gnu::always_inline]] inline Step take(const Fabric& fabric, Node node, const Hop& hop, Node goal) {
  Step out{.kind = Step::Kind::lost, .why = Loss::no_port, .state = hop.state, .lanes = hop.lanes};
  out.node = node;
  if (index(hop.port) >= fabric.ports(node) || (!has_lane && hop.lanes == 0)) return out;
  const Channel channel = fabric.channel(node, hop.port);
  const Node next = fabric.to(channel);
  if (next == none<Node>) return out;
  out.channel = channel;
  out.node = next;
  out.why = Loss::none;
  if (next == goal)
    out.kind = Step::Kind::arrived;
  else if (fabric.is_switch(next))
    out.kind = Step::Kind::next;
  else
    out.why = Loss::other_host;
  return out;
}

// The one step of a deterministic forward.
template <Deterministic F>
[[gnu::always_inline]] inline Step step(const Fabric& fabric, const F& forward, Node node,
                                        const Header& header, Node goal) {
  return take<KeepsHeader<F>>(fabric, node, forward.next(node, header), goal);
}

}  // namespace banyan::routing
