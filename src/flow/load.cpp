#include "flow/load.hpp"

namespace banyan {
namespace {

template <class F>
void add_load(const Fabric& fabric, const F& forward, Node node, const Header& header, Node goal,
              double share, IdVector<Channel, double>& load) {
  if (node == goal) return;
  Hops hops;
  offered(forward, node, header, hops);
  for (const Hop& hop : hops) {
    const Channel channel = fabric.channel(node, hop.port);
    assert(fabric.cabled(channel));
    const double part = share / static_cast<double>(hops.size());
    load[channel] += part;
    Header next = header;
    next.state = hop.state;
    add_load(fabric, forward, fabric.to(channel), next, goal, part, load);
  }
}

}  // namespace

IdVector<Channel, double> loads(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows) {
  IdVector<Channel, double> load(fabric.channels().size());
  std::visit(
      [&](const auto& forward) {
        for (const Flow& flow : flows) {
          if (flow.from == flow.to) continue;
          const u32 ways = routing.source.count(flow.from, flow.to, long_message);
          for (u32 i = 0; i < ways; ++i)
            add_load(fabric, forward, fabric.node(flow.from),
                     routing.source.way(flow.from, flow.to, long_message, i), fabric.node(flow.to),
                     flow.demand / ways, load);
        }
      },
      routing.forward);
  return load;
}

}  // namespace banyan
