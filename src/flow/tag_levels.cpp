#include "flow/tag_levels.hpp"

#include <algorithm>

namespace banyan::flow {
namespace {

void count_flows(TagLevel& level, u32 subtrees) {
  std::vector<u32> towards(level.channels), inside(subtrees);
  std::vector<u32> down(std::size_t{subtrees} * level.channels);
  for (std::size_t rank = 0; rank < level.subtree.size(); ++rank) {
    const u32 t = level.subtree[rank], offset = level.offset[rank];
    level.max_up = std::max(level.max_up, ++towards[offset]);
    level.max_inside = std::max(level.max_inside, ++inside[t]);
    level.max_down = std::max(level.max_down, ++down[std::size_t{t} * level.channels + offset]);
  }
  level.max_up = std::min(level.max_up, level.max_inside);
}

}  // namespace

std::optional<std::vector<TagLevel>> tag_levels(const Topology& topology, const Routing& routing,
                                                const Placement& placement) {
  const auto* form = std::get_if<TreeForm>(&routing.forward);
  if (!form || routing.source.reads() != Reads::nothing || !topology.is_intact()) return std::nullopt;
  const Pgft& tree = form->tree();
  std::vector<TagLevel> out(tree.h() - 1);
  for (const Host host : placement) {
    const Nic to{index(host)};
    if (routing.source.count(to, to, 0) != 1) return std::nullopt;
    const u64 tag = routing.source.way(to, to, 0, 0).tag;
    const u32 endpoint = tree.endpoint_of_nic(to);
    u32 x = 0;
    for (u32 l = 1; l < tree.h(); ++l) {
      TagLevel& level = out[l - 1];
      x = x * tree.w[l - 1] + TreeForm::up_port(tag, l - 1) % tree.w[l - 1];
      level.subtree.push_back(static_cast<u32>(endpoint / tree.M(l)));
      level.offset.push_back(x * tree.up_ports(l) + TreeForm::up_port(tag, l));
    }
  }
  for (u32 l = 1; l < tree.h(); ++l) {
    TagLevel& level = out[l - 1];
    level.fan = tree.m[l];
    level.channels = static_cast<u32>(tree.W(l)) * tree.up_ports(l);
    count_flows(level, static_cast<u32>(tree.endpoints() / tree.M(l)));
  }
  return out;
}

}  // namespace banyan::flow
