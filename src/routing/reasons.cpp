#include "routing/reasons.hpp"

#include <fmt/format.h>

namespace banyan::routing {
namespace {

class Reasons {
 public:
  Reasons(const Topology& topology, const Routing& routing, Nic from, Nic to, const RoutedPath& path,
          Digits digits)
      : topology_(topology),
        fabric_(topology.fabric),
        routing_(routing),
        from_(from),
        to_(to),
        path_(path),
        digits_(digits),
        goal_(fabric_.name(fabric_.node(to))) {}

  std::vector<std::string> all() const {
    const std::vector<std::size_t> offers = count_offers();
    std::vector<std::string> out;
    for (std::size_t i = 0; i < path_.channels.size(); ++i) {
      const Channel c = path_.channels[i];
      std::string text = fabric_.to(c) == fabric_.node(to_) ? goal_ + " is cabled here" : by_shape(c);
      const std::string how = how_chosen(c, offers[i]);
      out.push_back(text.empty() ? how : how.empty() ? text : fmt::format("{}; {}", text, how));
    }
    return out;
  }

 private:
  u32 plane_nics() const { return fabric_.nics() / topology_.planes; }
  u32 number(Node s) const { return (index(s) - fabric_.nics()) % (fabric_.switches() / topology_.planes); }
  u32 nic(Nic n) const { return index(n) % plane_nics(); }

  std::string by_shape(Channel c) const {
    const Node a = fabric_.from(c), b = fabric_.to(c);
    if (const auto* tree = std::get_if<Pgft>(&topology_.shape)) return in_tree(*tree, c);
    if (!fabric_.is_switch(a)) return "to the switch that it is cabled to";
    if (!fabric_.is_switch(b)) return "";
    if (const auto* x = std::get_if<HyperX>(&topology_.shape))
      return in_grid(x->grid, number(a), number(b), nic(to_) / x->hosts_per_switch);
    if (const auto* x = std::get_if<Torus>(&topology_.shape))
      return in_grid(x->grid, number(a), number(b), nic(to_) / x->hosts_per_switch);
    if (const auto* x = std::get_if<Dragonfly>(&topology_.shape))
      return between_groups(number(a) / x->group_switches, number(b) / x->group_switches,
                            nic(to_) / x->hosts_per_switch / x->group_switches);
    return "";
  }

  std::string in_tree(const Pgft& tree, Channel c) const {
    const Node a = fabric_.from(c), b = fabric_.to(c);
    const u32 l = fabric_.is_switch(a) ? tree.level(number(a)) : 0;
    const u32 high = fabric_.is_switch(b) ? tree.level(number(b)) : 0;
    const u32 goal = tree.endpoint_of_nic(Nic{nic(to_)});
    if (high < l) {
      const u32 child = static_cast<u32>(goal / tree.M(l - 1) % tree.m[l - 1]);
      const u32 went = index(fabric_.port(c)) % tree.down_stride(l);
      const std::string digit =
          fmt::format("down to child {} = floor({} / {}) mod {}", child, goal, tree.M(l - 1), tree.m[l - 1]);
      const u32 cable = index(fabric_.port(c)) / tree.down_stride(l);
      return went != child ? fmt::format("down to child {}, where {} is not", went, goal_)
             : tree.p[l - 1] > 1
                 ? fmt::format("{} is below: {}, by cable {} of {}", goal_, digit, cable, tree.p[l - 1])
                 : fmt::format("{} is below: {}", goal_, digit);
    }
    const u32 port = index(fabric_.port(c)) - (l ? tree.down_ports(l) : 0), choices = tree.up_ports(l);
    if (choices <= 1) return "up by the only port";
    const u32 j = digits_ == Digits::of_source ? tree.endpoint_of_nic(Nic{nic(from_)}) : goal;
    if (digits_ != Digits::unknown && j / tree.W(l) % choices == port)
      return fmt::format("{} is not below: up port {} = floor({} / {}) mod {}", goal_, port, j, tree.W(l),
                         choices);
    return fmt::format("{} is not below: up port {} of {}", goal_, port, choices);
  }

  static std::string in_grid(const Grid& grid, u32 a, u32 b, u32 goal) {
    for (u32 d = 0; d < grid.dimensions(); ++d) {
      const u32 x = grid.coordinate(a, d), y = grid.coordinate(b, d), wanted = grid.coordinate(goal, d);
      if (x == y) continue;
      return fmt::format("dimension {}: from {} to {}, {}", d + 1, x, y,
                         y == wanted   ? "as the destination has it"
                         : x == wanted ? fmt::format("away from {}, which was right: a detour", wanted)
                                       : fmt::format("on the way to {}", wanted));
    }
    return "";
  }

  static std::string between_groups(u32 a, u32 b, u32 goal) {
    if (a == b)
      return a == goal ? fmt::format("within group {}, the destination's", a)
                       : fmt::format("within group {}, to the switch with the cable out", a);
    return fmt::format("from group {} to {}{}", a, b, b == goal ? ", the destination's" : ": a detour");
  }

  // Asks again what was offered at every node; 0 where the path cannot be followed.
  std::vector<std::size_t> count_offers() const {
    std::vector<std::size_t> out(path_.channels.size(), 0);
    const auto by = [&](const auto& forward) {
      Header header = routing_.source.way(from_, to_, 0, path_.way);
      Hops hops;
      for (std::size_t i = 0; i < path_.channels.size(); ++i) {
        offered(forward, fabric_.from(path_.channels[i]), header, hops);
        out[i] = hops.size();
        for (const Hop& hop : hops)
          if (hop.port == fabric_.port(path_.channels[i]) && hop.lanes == path_.lanes[i]) {
            header.state = hop.state;
            break;
          }
      }
    };
    std::visit(by, routing_.forward);
    return out;
  }

  std::string how_chosen(Channel c, std::size_t offers) const {
    const Node at = fabric_.from(c);
    if (!fabric_.is_switch(at) && fabric_.ports(at) == 1) return "";
    if (std::holds_alternative<Tables>(routing_.forward))
      return fmt::format("port {} by its table", fabric_.port_label(c));
    if (std::holds_alternative<HashedNextHops>(routing_.forward)) return "chosen by a hash of the flow";
    if (is_adaptive(routing_) && offers > 1) return fmt::format("one of {} that are offered", offers);
    return "";
  }

  const Topology& topology_;
  const Fabric& fabric_;
  const Routing& routing_;
  Nic from_, to_;
  const RoutedPath& path_;
  Digits digits_;
  std::string goal_;
};

}  // namespace

std::vector<std::string> hop_reasons(const Topology& topology, const Routing& routing, Nic from, Nic to,
                                     const RoutedPath& path, Digits digits) {
  return Reasons(topology, routing, from, to, path, digits).all();
}

}  // namespace banyan::routing
