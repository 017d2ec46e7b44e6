#include "topology/recognise/tree_places.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "topology/plane.hpp"

namespace banyan::topology {
namespace {

// Numbers the members of a nesting: outer number * width + place among its siblings; none when there is no
// place. Where `fills`, members of no outer one take what is vacant.
std::vector<u32> number_within(const std::vector<u32>& outer_of, const std::vector<u32>& outer_number,
                               u64 outers, u32 width, bool fills) {
  std::vector<u32> used(outers, 0), out(outer_of.size(), TreeFit::none);
  const auto take = [&](u32 member, u32 outer) { out[member] = outer * width + used[outer]++; };
  for (u32 i = 0; i < outer_of.size(); ++i) {
    const u32 outer = outer_of[i] == TreeFit::none ? TreeFit::none : outer_number[outer_of[i]];
    if (outer != TreeFit::none && used[outer] < width) take(i, outer);
  }
  u32 vacant = 0;
  for (u32 i = 0; fills && i < out.size(); ++i) {
    if (out[i] != TreeFit::none) continue;
    while (vacant < outers && used[vacant] == width) ++vacant;
    if (vacant < outers) take(i, vacant);
  }
  return out;
}

// Both nestings in the numbers of the ideal fabric; columns are counted on all planes.
class TreeNumbers {
 public:
  TreeNumbers(const TreeFit& fit, bool fills)
      : fit_(fit),
        planes_(planes_of(fit.shape, fit.planes)),
        subtree_(fit.top() + 1),
        column_(fit.top() + 1) {
    const Pgft& shape = fit.shape;
    const u32 h = fit.top();
    subtree_[h] = {0};
    for (u32 l = h; l-- > 0;)
      subtree_[l] = number_within(fit.above_subtree[l], subtree_[l + 1], shape.M(h) / shape.M(l + 1),
                                  shape.m[l], fills && l > 0);
    std::vector<u32> plane_numbers(fit.planes);
    std::iota(plane_numbers.begin(), plane_numbers.end(), 0u);
    for (u32 l = 1; l <= h; ++l)
      column_[l] = number_within(fit.below_column[l], l == 1 ? plane_numbers : column_[l - 1],
                                 fit.planes * shape.W(l - 1), shape.w[l - 1], fills);
  }

  u32 nodes() const { return planes_.all_nics() + planes_.count() * planes_.switches(); }

  // None where a nesting is undecided.
  Node place(Node v) const {
    const u32 level = fit_.levels.of[v];
    if (level > fit_.top() || subtree(v) == TreeFit::none) return none<Node>;
    if (level == 0)
      return fit_.column[v] == TreeFit::none ? none<Node> : planes_[fit_.column[v]].nic(subtree(v));
    return column(v) == TreeFit::none ? none<Node> : switch_at(level, subtree(v), column(v));
  }

  // Every place of a switch that agrees with what is decided.
  template <class F>
  void each_place(Node v, const F& f) const {
    const u32 level = fit_.levels.of[v];
    if (level > fit_.top()) return;
    const Pgft& shape = fit_.shape;
    const u32 t = subtree(v), x = column(v);
    const auto each = [](u32 decided, u64 count, const auto& g) {
      if (decided != TreeFit::none) return g(decided);
      for (u32 i = 0; i < count; ++i) g(i);
    };
    each(t, shape.M(shape.h()) / shape.M(level), [&](u32 subtree) {
      each(x, fit_.planes * shape.W(level), [&](u32 column) { f(switch_at(level, subtree, column)); });
    });
  }

 private:
  static u32 of(const std::vector<u32>& numbers, u32 id) {
    return id == TreeFit::none ? TreeFit::none : numbers[id];
  }
  u32 subtree(Node v) const { return of(subtree_[fit_.levels.of[v]], fit_.subtree[v]); }
  u32 column(Node v) const { return of(column_[fit_.levels.of[v]], fit_.column[v]); }
  Node switch_at(u32 level, u32 subtree, u32 column) const {
    const u32 width = static_cast<u32>(fit_.shape.W(level));
    return planes_[column / width].switch_(fit_.shape.first_switch(level) + subtree * width + column % width);
  }

  const TreeFit& fit_;
  const Planes planes_;
  std::vector<std::vector<u32>> subtree_, column_;  // [l][id]
};

}  // namespace

IdVector<Node, Node> number_tree(const Fabric& raw, const TreeFit& fit) {
  const TreeNumbers numbers(fit, false);
  IdVector<Node, Node> place(raw.nodes().size(), none<Node>);
  for (Node v : raw.nodes()) place[v] = numbers.place(v);
  return place;
}

IdVector<Node, Node> fill_tree(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node> place) {
  const TreeNumbers numbers(fit, true);
  IdVector<Node, bool> is_taken(numbers.nodes(), false);
  for (Node at : place)
    if (at != none<Node>) is_taken[at] = true;
  const auto try_place = [&](Node v, Node at) {
    if (place[v] == none<Node> && at != none<Node> && !is_taken[at]) place[v] = at, is_taken[at] = true;
  };
  for (Node v : raw.nodes()) try_place(v, numbers.place(v));
  for (Node v : raw.switch_nodes())
    if (place[v] == none<Node>) numbers.each_place(v, [&](Node at) { try_place(v, at); });
  return place;
}

}  // namespace banyan::topology
