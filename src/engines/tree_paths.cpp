#include "engines/tree_paths.hpp"

namespace banyan {

TreePaths::TreePaths(const Pgft& tree)
    : tree_(tree), height_(tree.h()), endpoints_(tree.endpoints()), choices_(1, 1) {
  for (u32 t = 1; t <= height_; ++t) choices_.push_back(tree.w[t - 1] * tree.p[t - 1]);
  paths_behind_.assign(std::size_t{height_ + 1} * (height_ + 1), 1);
  for (u32 digit = 0; digit <= height_; ++digit)
    for (u32 level = digit + 1; level <= height_; ++level)
      paths_behind_[digit * (height_ + 1) + level] = paths_behind(digit, level - 1) * choices(level);
  tags_.resize(height_ + 1);
  for (u32 level = 0; level <= height_; ++level)
    for (u64 path = 0; path < std::min(paths_behind(0, level), most_kept_tags); ++path)
      tags_[level].push_back(computed_tag(path, level));
}

TreePaths::Pair TreePaths::pair(Nic from, Nic to) const {
  const u32 a = tree_.endpoint_of_nic(Nic{index(from) % endpoints_});
  const u32 b = tree_.endpoint_of_nic(Nic{index(to) % endpoints_});
  const u32 level = tree_.meeting_level(a, b);
  return {a, b, level, paths_behind(0, level), mod_k(b, level)};
}

u64 TreePaths::mod_k(u32 endpoint, u32 level) const {
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
  for (u32 t = level; t >= 1; --t) {
    out |= path % choices(t) << (8 * (t - 1));
    path /= choices(t);
  }
  return out;
}

std::optional<NotApplicable> refuse_tree(const Topology& topology, std::string_view engine) {
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (!tree) return NotApplicable{fmt::format("{} needs a fat-tree", engine)};
  if (!topology.is_intact())
    return NotApplicable{fmt::format("{} needs a complete fat-tree; cables are missing", engine)};
  if (tree->h() > TreeForm::most_levels)
    return NotApplicable{fmt::format("{} handles up to {} levels", engine, TreeForm::most_levels)};
  for (u32 l = 0; l < tree->h(); ++l)
    if (u64{tree->w[l]} * tree->p[l] > TreeForm::most_up_ports)
      return NotApplicable{fmt::format("{} handles up to {} up ports", engine, TreeForm::most_up_ports)};
  return std::nullopt;
}

}  // namespace banyan
