#include "routing/paths.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace banyan::routing {
namespace {

template <class F>
class PathWalk {
 public:
  PathWalk(const Fabric& fabric, const F& forward, Nic to, std::size_t maximum)
      : fabric_(fabric), forward_(forward), goal_(fabric.node(to)), max_(maximum) {}

  void follow(Node node, const Header& header, RoutedPath path) {
    path.arrives = node == goal_;
    const bool has_moved = !path.channels.empty();
    if (path.arrives || comes_back(path) || (has_moved && !fabric_.is_switch(node)))
      return keep(std::move(path));
    Hops hops;
    offered(forward_, node, header, hops);
    if (hops.size() == 0) return keep(std::move(path));
    path.weight /= static_cast<double>(hops.size());
    for (const Hop& hop : hops) take(node, header, hop, path);
  }

  std::vector<RoutedPath> out;

 private:
  void take(Node node, Header header, const Hop& hop, RoutedPath path) {
    if (index(hop.port) >= fabric_.ports(node)) return keep(std::move(path));
    const Channel c = fabric_.channel(node, hop.port);
    if (!fabric_.cabled(c)) return keep(std::move(path));
    path.channels.push_back(c);
    path.lanes.push_back(hop.lanes);
    header.state = hop.state;
    follow(fabric_.to(c), header, std::move(path));
  }

  // Over the same channel three times: with the few states there are, it would go on for ever.
  static bool comes_back(const RoutedPath& path) {
    return !path.channels.empty() &&
           std::count(path.channels.begin(), path.channels.end(), path.channels.back()) > 2;
  }

  void keep(RoutedPath path) {
    if (out.size() == max_) throw InputError(fmt::format("there are more than {} paths", max_));
    out.push_back(std::move(path));
  }

  const Fabric& fabric_;
  const F& forward_;
  Node goal_;
  std::size_t max_;
};

}  // namespace

std::vector<RoutedPath> paths(const Fabric& fabric, const Routing& routing, Nic from, Nic to, u64 bytes,
                              std::size_t maximum) {
  return std::visit(
      [&](const auto& forward) {
        PathWalk walk(fabric, forward, to, maximum);
        const u32 ways = routing.source.count(from, to, bytes);
        for (u32 i = 0; i < ways; ++i)
          walk.follow(fabric.node(from), routing.source.way(from, to, bytes, i), {i, 1.0 / ways, {}, {}});
        return std::move(walk.out);
      },
      routing.forward);
}

std::optional<u64> path_index(const Topology& topology, const RoutedPath& path) {
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (!tree || !path.arrives || path.channels.size() % 2) return std::nullopt;
  const Fabric& fabric = topology.fabric;
  const u32 up = static_cast<u32>(path.channels.size() / 2);
  if (up > tree->h()) return std::nullopt;
  u64 number = 0;
  for (u32 l = 0; l < up; ++l) {  // by a level-l node
    const u32 port = index(fabric.port(path.channels[l])), down = l ? tree->down_ports(l) : 0;
    if (port < down) return std::nullopt;
    number = number * tree->up_ports(l) + (port - down);
  }
  return number;
}

}  // namespace banyan::routing
