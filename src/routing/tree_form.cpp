#include "routing/tree_form.hpp"

#include "base/assert.hpp"

namespace banyan::routing {

TreeForm::TreeForm(const Pgft& tree, u32 planes, u32 lmc)
    : tree_(tree), planes_(planes_of(tree, planes)), lmc_(lmc), height_(tree.h()) {
  BANYAN_ASSERT(height_ <= max_levels, "a tree has at most max_levels levels");
  levels_[0].M = 1;
  for (u32 l = 1; l <= height_; ++l) {
    const u32 first = tree.first_switch(l), last = first + tree.switches(l);
    levels_[l] = {first,
                  last,
                  static_cast<u32>(tree.M(l)),
                  static_cast<u32>(tree.W(l)),
                  static_cast<u32>(tree.M(l - 1)),
                  tree.m[l - 1],
                  tree.w[l - 1],
                  tree.down_stride(l),
                  tree.down_ports(l)};
    for (u32 number = first; number < last; ++number) places_.push_back({l, (number - first) / levels_[l].W});
  }
  number_digits();
}

void TreeForm::number_digits() {
  for (u32 l = 0; l < height_; ++l)
    if (tree_.p[l] > 1 || tree_.m[l] > 256) return;
  for (u32 l = 0; l < height_; ++l) first_up_ports_ |= u64{levels_[l].down_ports} << (8 * l);
  digits_.resize(planes_.nics());
  for (u32 endpoint = 0; endpoint < planes_.nics(); ++endpoint)
    for (u32 l = 0, rest = endpoint; l < height_; ++l, rest /= tree_.m[l - 1])
      digits_[endpoint] |= u64{rest % tree_.m[l]} << (8 * l);
}

}  // namespace banyan::routing
