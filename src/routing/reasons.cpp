#include "routing/reasons.hpp"

#include <fmt/format.h>

#include "topology/place.hpp"

namespace banyan::routing {
namespace {

class Reasons {
 public:
  Reasons(const Topology& topology, const Routing& routing, Nic from, Nic to, const RoutedPath& path,
          Digits digits)
      : topology_(topology),
        fabric_(topology.fabric),
        places_(topology),
        routing_(routing),
        from_(from),
        to_(to),
        path_(path),
        digits_(digits),
        goal_(fabric_.name(fabric_.node(to))) {}

  std::vector<std::string> all() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < path_.channels.size(); ++i) {
      const Channel c = path_.channels[i];
      std::string text = fabric_.to(c) == fabric_.node(to_) ? goal_ + " is cabled here" : by_shape(c);
      const std::string how = how_chosen(c, path_.offers[i]);
      out.push_back(text.empty() ? how : how.empty() ? text : fmt::format("{}; {}", text, how));
    }
    return out;
  }

 private:
  std::string by_shape(Channel c) const {
    using enum ChannelRole::Is;
    switch (places_.role(c).is) {
      case up:
      case down:
        return topology_.is<Pgft>() ? in_tree(*topology_.as<Pgft>(), c) : "";
      case from_host:
        return "to the switch that it is cabled to";
      case dimension:
        return in_grid(c);
      case local:
      case global:
        return between_groups(c);
      default:
        return "";
    }
  }

  std::string in_tree(const Pgft& tree, Channel c) const {
    const Node a = fabric_.from(c), b = fabric_.to(c);
    const u32 l = places_.level(a), high = places_.level(b), goal = tree.endpoint_of_nic(to_);
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
    const u32 j = digits_ == Digits::of_source ? tree.endpoint_of_nic(from_) : goal;
    if (digits_ != Digits::unknown && j / tree.W(l) % choices == port)
      return fmt::format("{} is not below: up port {} = floor({} / {}) mod {}", goal_, port, j, tree.W(l),
                         choices);
    return fmt::format("{} is not below: up port {} of {}", goal_, port, choices);
  }

  std::string in_grid(Channel c) const {
    const u32 d = places_.role(c).which, wanted = places_.coordinate(fabric_.node(to_), d);
    const u32 x = places_.coordinate(fabric_.from(c), d), y = places_.coordinate(fabric_.to(c), d);
    return fmt::format("dimension {}: from {} to {}, {}", d + 1, x, y,
                       y == wanted   ? "as the destination has it"
                       : x == wanted ? fmt::format("away from {}, which was right: a detour", wanted)
                                     : fmt::format("on the way to {}", wanted));
  }

  std::string between_groups(Channel c) const {
    const u32 a = places_.group(fabric_.from(c)), b = places_.group(fabric_.to(c));
    const u32 goal = places_.group(fabric_.node(to_));
    if (a == b)
      return a == goal ? fmt::format("within group {}, the destination's", a)
                       : fmt::format("within group {}, to the switch with the cable out", a);
    return fmt::format("from group {} to {}{}", a, b, b == goal ? ", the destination's" : ": a detour");
  }

  // Not within the template below: g++ 14 takes what is formatted there for a constant expression.
  static std::string offered(u32 offers) { return fmt::format("one of {} that are offered", offers); }

  std::string how_chosen(Channel c, u32 offers) const {
    const Node at = fabric_.from(c);
    if (!fabric_.is_switch(at) && fabric_.ports(at) == 1) return "";
    const auto of_forward = [&]<class F>(const F& forward) -> std::string {
      if constexpr (requires { forward.reason(fabric_, c); }) return forward.reason(fabric_, c);
      return Adaptive<F> && offers > 1 ? offered(offers) : "";
    };
    return std::visit(of_forward, routing_.forward);
  }

  const Topology& topology_;
  const Fabric& fabric_;
  const Places places_;
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
