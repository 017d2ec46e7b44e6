// The channels of every way of a flow, without allocating anything for it.
#pragma once
#include <optional>
#include <vector>

#include "routing/routing.hpp"
#include "routing/tree_channels.hpp"

namespace banyan {

// A channel and how much of the way's share passes it: all, unless the routing is adaptive.
struct Part {
  Channel channel;
  double share = 1;
};

// Appends the parts of the ways that a header may take; an adaptive routing is taken to use the hops it
// offers evenly. False where it does not arrive within so many steps.
template <class F>
bool append_parts(const Fabric& fabric, const F& forward, Node node, Header header, Node goal, u32 steps,
                  double share, std::vector<Part>& out) {
  if constexpr (Deterministic<F>) {
    for (; node != goal; --steps) {
      const Hop hop = forward.next(node, header);
      if (steps == 0 || index(hop.port) >= fabric.ports(node)) return false;
      const Channel channel = fabric.channel(node, hop.port);
      if (!fabric.cabled(channel)) return false;
      out.push_back({channel, share});
      header.state = hop.state;
      node = fabric.to(channel);
    }
    return true;
  } else {
    if (node == goal) return true;
    Hops hops;
    offered(forward, node, header, hops);
    bool arrives = hops.size() > 0 && steps > 0;
    for (std::size_t i = 0; arrives && i < hops.size(); ++i) {
      const Channel channel = fabric.channel(node, hops[i].port);
      const double part = share / static_cast<double>(hops.size());
      out.push_back({channel, part});
      header.state = hops[i].state;
      arrives = fabric.cabled(channel) &&
                append_parts(fabric, forward, fabric.to(channel), header, goal, steps - 1, part, out);
    }
    return arrives;
  }
}

class PathLister {
 public:
  PathLister(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {
    if (const auto* form = std::get_if<TreeForm>(&routing.forward)) tree_.emplace(fabric, *form);
  }

  const Fabric& fabric() const { return fabric_; }
  const Source& source() const { return routing_.source; }
  const Forward& forward() const { return routing_.forward; }

  // Puts the parts of one way into `out`; false where it does not arrive. F is what forward() holds.
  template <class F>
  bool list(const F& forward, Nic from, Nic to, const Header& header, std::vector<Part>& out) const {
    out.clear();
    if constexpr (std::is_same_v<F, TreeForm>) {
      tree_->each(from, to, header.tag, [&](Channel c) { out.push_back({c}); });
      return true;
    } else {
      return append_parts(fabric_, forward, fabric_.node(from), header, fabric_.node(to),
                          fabric_.nodes().size(), 1, out);
    }
  }

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  std::optional<TreeChannels> tree_;
};

}  // namespace banyan
