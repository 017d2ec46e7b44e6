#include "engines/tree_paths.hpp"

namespace banyan::engines {

TreePaths::TreePaths(const Pgft& tree)
    : tree_(tree), height_(tree.h()), endpoints_(tree.endpoints()), choices_(1, 1) {
  for (u32 t = 1; t <= height_; ++t) choices_.push_back(tree.w[t - 1] * tree.p[t - 1]);
  paths_behind_.assign(std::size_t{height_ + 1} * (height_ + 1), 1);
  for (u32 digit = 0; digit <= height_; ++digit)
    for (u32 level = digit + 1; level <= height_; ++level)
      paths_behind_[digit * (height_ + 1) + level] = paths_behind(digit, level - 1) * choices(level);
  for (u32 j = 0; j < endpoints_; ++j) {
    for (u32 height = 0; height < height_; ++height)
      subtrees_.push_back(static_cast<u32>(j / tree.M(height)));
    for (u32 level = 0; level <= height_; ++level) mod_k_.push_back(computed_mod_k(j, level));
  }
  tags_.resize(height_ + 1);
  for (u32 level = 0; level <= height_; ++level)
    for (u64 path = 0; path < std::min(paths_behind(0, level), max_kept_tags); ++path)
      tags_[level].push_back(computed_tag(path, level));
}

u64 TreePaths::computed_mod_k(u32 endpoint, u32 level) const {
  u64 path = 0;
  u32 j = endpoint;
  for (u32 t = 1; t <= level; ++t) {
    path = path * choices(t) + j % choices(t);
    j /= tree_.w[t - 1];
  }
  return path;
}

u64 TreePaths::computed_tag(u64 path, u32 level) const {
  u64 out = 0;
  u32 t = level;
  for (; t >= 1 && path >> 32; --t) {
    out |= path % choices(t) << (8 * (t - 1));
    path /= choices(t);
  }
  for (u32 rest = static_cast<u32>(path); t >= 1; --t) {  // dividing 32 bits takes half the time
    out |= u64{rest % choices(t)} << (8 * (t - 1));
    rest /= choices(t);
  }
  return out;
}

ListedPaths list_paths(const TreePaths& paths, u32 height) {
  constexpr u64 maximum = 8192;
  ListedPaths out;
  for (u32 level = 0; level <= height; ++level) {
    const u64 count = paths.paths_behind(0, level);
    if (out.headers.size() + count > maximum) return {};
    out.first.push_back(static_cast<u32>(out.headers.size()));
    for (u64 path = 0; path < count; ++path) out.headers.push_back({.tag = paths.tag(path, level)});
  }
  return out;
}

std::optional<NotApplicable> refuse_tree(const Topology& topology, std::string_view engine) {
  const auto* tree = topology.as<Pgft>();
  if (!tree) return NotApplicable{fmt::format("{} needs a fat-tree", engine)};
  if (!topology.is_intact())
    return NotApplicable{fmt::format("{} needs a complete fat-tree; cables are missing", engine)};
  if (tree->h() > TreeForm::max_levels)
    return NotApplicable{fmt::format("{} handles up to {} levels", engine, TreeForm::max_levels)};
  for (u32 l = 0; l < tree->h(); ++l)
    if (u64{tree->w[l]} * tree->p[l] > TreeForm::max_up_ports)
      return NotApplicable{fmt::format("{} handles up to {} up ports", engine, TreeForm::max_up_ports)};
  return std::nullopt;
}

}  // namespace banyan::engines
