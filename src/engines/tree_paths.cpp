#include "engines/tree_paths.hpp"

namespace banyan {

TreePaths::TreePaths(const Pgft& tree) : tree_(tree), plane_(tree.endpoints()), all_paths_{1} {
  for (u32 t = 1; t <= tree.h(); ++t) {
    digits_.push_back({static_cast<u32>(tree.M(t - 1)), tree.w[t - 1], tree.w[t - 1] * tree.p[t - 1]});
    all_paths_.push_back(all_paths_.back() * choices(t));
  }
}

u64 TreePaths::paths_behind(u32 digit, u32 level) const {
  u64 out = 1;
  for (u32 t = digit + 1; t <= level; ++t) out *= choices(t);
  return out;
}

u64 TreePaths::mod_k(u32 endpoint, u32 level) const {
  u64 path = 0;
  for (u32 t = 1, j = endpoint; t <= level; ++t) {
    path = path * choices(t) + j % choices(t);
    j /= digits_[t - 1].w;
  }
  return path;
}

u64 TreePaths::tag(u64 path, u32 level) const {
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
