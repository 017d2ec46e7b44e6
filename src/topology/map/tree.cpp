// A fat-tree by level, the hosts below; every subtree has a strip of its own and looks like the whole.
#include <fmt/format.h>

#include <algorithm>

#include "topology/map/sheet.hpp"

namespace banyan::topology {
namespace {

class TreeLayout {
 public:
  TreeLayout(Sheet& sheet, const Pgft& tree, const PlanePlace& plane)
      : sheet_(sheet), tree_(tree), plane_(plane), width_{1}, height_{0} {
    for (u32 l = 1; l <= tree.h(); ++l) {
      const double inside = tree.m[l - 1] * width_[l - 1];
      width_.push_back(inside + (l < tree.h() ? std::max(1.0, 0.15 * width_[l - 1] + 0.05 * inside) : 0));
      height_.push_back(height_[l - 1] + std::max(2.0, 0.5 * width_[l]));
    }
  }

  void draw() {
    if (tree_.h() == 1) return draw_subtree(1, 0, 0, plane_.group);
    for (u32 t = 0; t < tree_.m.back(); ++t)
      draw_subtree(tree_.h() - 1, t, t * width_[tree_.h() - 1], plane_.group);
    draw_roots();
  }

 private:
  double y(u32 level) const { return height_.back() - height_[level]; }
  Node switch_(u32 level, u32 number) const { return plane_.switch_(tree_.first_switch(level) + number); }

  // Subtree t of its level, whose strip begins at x.
  void draw_subtree(u32 l, u32 t, double x, u32 parent) {
    const u32 switches = static_cast<u32>(tree_.W(l));
    const std::string name =
        l == 1 && switches == 1
            ? sheet_.topology.fabric.name(switch_(1, t))
            : fmt::format("subtree {}{}", t, tree_.h() > 3 ? fmt::format(" of level {}", l) : "");
    const u32 group = tree_.h() == 1 ? parent : sheet_.add_group(name, parent, width_[l - 1]);
    const double inside = tree_.m[l - 1] * width_[l - 1];
    for (u32 i = 0; i < switches; ++i)
      sheet_.place(switch_(l, t * switches + i), {x + (i + 0.5) * inside / switches, y(l)}, l, group);
    for (u32 i = 0; i < tree_.m[l - 1]; ++i) {
      const u32 child = t * tree_.m[l - 1] + i;
      const double at = x + i * width_[l - 1];
      if (l > 1)
        draw_subtree(l - 1, child, at, group);
      else
        sheet_.place(plane_.nic(index(tree_.nic_of_endpoint(child))), {at + 0.5, y(0)}, 0, group);
    }
  }

  // Roots above the same switches of every subtree belong together.
  void draw_roots() {
    const u32 h = tree_.h(), roots = static_cast<u32>(tree_.W(h)), together = tree_.w[h - 1];
    const double step = width_[h] / roots;
    u32 group = plane_.group;
    for (u32 i = 0; i < roots; ++i) {
      if (together > 1 && together < roots && i % together == 0)
        group = sheet_.add_group(fmt::format("roots {} to {}", i, i + together - 1), plane_.group, step);
      sheet_.place(switch_(h, i), {(i + 0.5) * step, y(h)}, h, group);
    }
  }

  Sheet& sheet_;
  const Pgft& tree_;
  const PlanePlace& plane_;
  std::vector<double> width_, height_;  // by level
};

}  // namespace

void draw_tree(Sheet& sheet, const Pgft& tree, const PlanePlace& plane) {
  TreeLayout(sheet, tree, plane).draw();
}

}  // namespace banyan::topology
