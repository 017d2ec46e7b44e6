#include "topology/place.hpp"

#include <algorithm>

#include "fabric/levels.hpp"

namespace banyan::topology {

Places::Places(const Topology& topology) : fabric_(&topology.fabric), planes_(topology.numbering()) {
  std::visit(
      [&]<class S>(const S& shape) {
        const u32 switches = planes_.switches();
        if constexpr (std::same_as<S, Irregular>) {
          const auto level = levels_from_hosts(topology.fabric);
          level_.assign(level.begin() + topology.fabric.nics(), level.end());
        } else {
          level_.assign(switches, 1);
          if constexpr (requires { shape.level(0u); })
            for (u32 s = 0; s < switches; ++s) level_[s] = shape.level(s);
          if constexpr (requires { shape.group(0u); })
            for (u32 s = 0; s < switches; ++s) group_.push_back(shape.group(s));
          if constexpr (requires { shape.grid.coordinate(0u, 0u); }) grid_ = shape.grid;
          for (u32 nic = 0; nic < planes_.nics(); ++nic) leaf_.push_back(shape.leaf(nic));
          is_tree_ = requires { shape.level(0u); } && group_.empty();
        }
      },
      topology.shape);
  for (const u32 level : level_)
    if (level != no_level) top_ = std::max(top_, level);
}

ChannelRole Places::role(Channel c) const {
  using enum ChannelRole::Is;
  const Node from = fabric_->from(c), to = fabric_->to(c);
  if (is_tree_) return {level(from) < level(to) || level(from) == 0 ? up : down, level(from)};
  if (planes_.is_nic(from)) return {from_host};
  if (planes_.is_nic(to)) return {to_host};
  if (!has(from) || !has(to)) return {};
  if (has_groups()) return {group(from) == group(to) ? local : global};
  for (u32 d = 0; grid_ && d < grid_->dimensions(); ++d)
    if (coordinate(from, d) != coordinate(to, d)) return {dimension, d};
  return {};
}

IdVector<Node, u32> levels(const Topology& topology) {
  const Places places(topology);
  if (!places.is_tree()) return levels_from_hosts(topology.fabric);
  IdVector<Node, u32> out(topology.fabric.nodes().size(), 0);
  for (const Node v : topology.fabric.switch_nodes()) out[v] = places.level(v);
  return out;
}

}  // namespace banyan::topology
