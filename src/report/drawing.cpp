#include "report/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "verify/levels.hpp"

namespace banyan::report {
namespace {

constexpr u32 no_strand = ~u32{0};

// What a shape decides. Switches are counted within a plane.
struct Plan {
  Drawing::Kind kind = Drawing::Kind::groups;
  std::vector<u32> widths{};
  std::vector<std::string> kinds{};  // without that of hosts
  std::vector<u32> cell_of{}, row_of{}, group_of{};
  std::function<u32(u32 from, u32 to)> kind_of{};  // of a cable between two switches
};

// Consecutive switches of a level in one cell: the fewest, out of what divides the subtrees, that leave few
// enough cells.
u32 cell_size(const Pgft& tree, u32 level, u32 maximum) {
  const u32 count = tree.switches(level);
  u64 whole = 1;
  const auto try_divisors = [&](u64 of) -> u32 {
    for (u64 d = 1; d <= of; ++d)
      if (of % d == 0 && count <= maximum * whole * d) return static_cast<u32>(whole * d);
    whole *= of;
    return 0;
  };
  for (u32 l = level; l >= 1; --l)  // positions first, the last digit first
    if (const u32 size = try_divisors(tree.w[l - 1])) return size;
  for (u32 l = level + 1; l <= tree.h(); ++l)
    if (const u32 size = try_divisors(tree.m[l - 1])) return size;
  return count;
}

Plan plan_of(const Pgft& tree, u32 maximum) {
  Plan out{.kind = Drawing::Kind::tree, .kinds = {"up", "down"}};
  u32 first = 0;
  for (u32 level = 1; level <= tree.h(); ++level) {
    const u32 size = cell_size(tree, level, maximum), count = tree.switches(level);
    const u64 below_top = tree.h() == 1 ? 1 : tree.M(tree.h() - 1);
    for (u32 n = 0; n < count; ++n) {
      const u64 endpoint = n / tree.W(level) * tree.M(level);
      out.cell_of.push_back(first + n / size);
      out.row_of.push_back(level);
      out.group_of.push_back(level == tree.h() ? 0 : static_cast<u32>(endpoint / below_top));
    }
    first += (count + size - 1) / size;
  }
  out.kind_of = [rows = out.row_of](u32 from, u32 to) { return rows[from] < rows[to] ? 1u : 2u; };
  return out;
}

Plan plan_of_grid(const Grid& grid, u32 maximum) {
  Plan out{.kind = Drawing::Kind::grid};
  u32 block = 1;
  const auto cells = [&](u32 d) { return (grid.widths[d] + block - 1) / block; };
  const auto all_cells = [&] {
    u64 n = 1;
    for (u32 d = 0; d < grid.dimensions(); ++d) n *= cells(d);
    return n;
  };
  while (all_cells() > 4 * maximum) ++block;  // a cell of a grid takes less room than one of a tree
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    out.widths.push_back(cells(d));
    out.kinds.push_back(fmt::format("dimension {}", d + 1));
  }
  for (u32 n = 0; n < grid.size(); ++n) {
    u32 cell = 0, stride = 1;
    for (u32 d = 0; d < grid.dimensions(); stride *= cells(d++))
      cell += grid.coordinate(n, d) / block * stride;
    out.cell_of.push_back(cell);
  }
  out.row_of = out.group_of = std::vector<u32>(out.cell_of.size());
  out.kind_of = [grid](u32 from, u32 to) {
    u32 d = 0;
    while (grid.coordinate(from, d) == grid.coordinate(to, d)) ++d;
    return d + 1;
  };
  return out;
}
Plan plan_of(const HyperX& shape, u32 maximum) { return plan_of_grid(shape.grid, maximum); }
Plan plan_of(const Torus& shape, u32 maximum) { return plan_of_grid(shape.grid, maximum); }

// Groups of switches, whose first `rows[r]` in each row are one after another; a cell for each, or each
// group.
Plan plan_of_groups(u32 groups, const std::vector<u32>& rows, u32 maximum) {
  Plan out{.kinds = {"within the group", "to other groups"}};
  u32 first = 0;
  for (u32 row = 0; row < rows.size(); ++row) {
    const bool is_whole = u64{groups} * rows[row] > 2 * maximum;
    for (u32 n = 0; n < groups * rows[row]; ++n) {
      out.cell_of.push_back(first + (is_whole ? n / rows[row] : n));
      out.row_of.push_back(row);
      out.group_of.push_back(n / rows[row]);
    }
    first = out.cell_of.back() + 1;
  }
  out.kind_of = [group = out.group_of](u32 from, u32 to) { return group[from] == group[to] ? 1u : 2u; };
  return out;
}
Plan plan_of(const Dragonfly& shape, u32 maximum) {
  return plan_of_groups(shape.groups, {shape.group_switches}, maximum);
}
Plan plan_of(const DragonflyPlus& shape, u32 maximum) {
  return plan_of_groups(shape.groups, {shape.leaves, shape.spines}, maximum);
}

// By how far they are from hosts.
Plan plan_of_any(const Topology& topology, u32 maximum) {
  Plan out{.kinds = {"to switches"}};
  const auto rank = ranks(topology.fabric);
  const u32 count = topology.fabric.switches() / topology.planes;
  const u32 size = (count + 2 * maximum - 1) / (2 * maximum);
  std::map<std::pair<u32, u32>, u32> cells;  // row, place in it
  std::map<u32, u32> seen;                   // by row
  for (u32 n = 0; n < count; ++n) {
    const u32 row = std::min(rank[Node{topology.fabric.nics() + n}], 99u);
    out.row_of.push_back(row);
    cells[{row, seen[row]++ / std::max(1u, size)}] = 0;
  }
  u32 next = 0;
  for (auto& [place, cell] : cells) cell = next++;
  seen.clear();
  for (u32 n = 0; n < count; ++n)
    out.cell_of.push_back(cells[{out.row_of[n], seen[out.row_of[n]]++ / std::max(1u, size)}]);
  out.group_of = out.row_of;
  out.kind_of = [](u32, u32) { return 1u; };
  return out;
}

Plan plan_of(const Topology& topology, u32 maximum) {
  return std::visit(
      [&](const auto& shape) {
        if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Irregular>)
          return plan_of_any(topology, maximum);
        else
          return plan_of(shape, maximum);
      },
      topology.shape);
}

class Drafter {
 public:
  Drafter(const Topology& topology, Plan plan)
      : fabric_(topology.fabric),
        plan_(std::move(plan)),
        plane_switches_(fabric_.switches() / topology.planes) {
    out_.kind = plan_.kind;
    out_.planes = topology.planes;
    out_.widths = plan_.widths;
    out_.kinds = {"hosts"};
    out_.kinds.insert(out_.kinds.end(), plan_.kinds.begin(), plan_.kinds.end());
    out_.strand_of = IdVector<Channel, u32>(fabric_.channels().size(), no_strand);
  }

  Drawing draft() && {
    add_cells();
    fabric_.each_link([&](const Link& link) { add_cable(link); });
    for (const Link& link : fabric_.taken()) add_cable(link);
    number_hubs();
    return std::move(out_);
  }

 private:
  u32 number(Node node) const { return (index(node) - fabric_.nics()) % plane_switches_; }

  void add_cells() {
    for (u32 n = 0; n < plane_switches_; ++n) {
      const u32 cell = plan_.cell_of[n];
      if (cell >= out_.cells.size()) out_.cells.resize(cell + 1);
      Drawing::Cell& c = out_.cells[cell];
      const std::string name = fabric_.name(Node{fabric_.nics() + n});
      if (c.switches++ == 0)
        c = {name, plan_.row_of[n], plan_.group_of[n], 1};
      else
        c.name = c.name.substr(0, c.name.find(" to ")) + " to " + name;
    }
  }

  // The strand of the cables that leave this node for that one.
  u32 strand(Node from, Node to) {
    const u32 cell = plan_.cell_of[number(from)];
    const u32 kind = fabric_.is_switch(to) ? plan_.kind_of(number(from), number(to)) : 0;
    const auto [found, is_new] = index_.try_emplace({cell, kind}, static_cast<u32>(out_.strands.size()));
    if (is_new) {
      out_.strands.push_back({cell, kind, 0, 0});
      joined_.push_back(found->second);
    }
    return found->second;
  }

  void add_cable(const Link& link) {
    const Node a = fabric_.from(link.a), b = fabric_.from(link.b);
    const auto leave = [&](Node from, Node to, Channel c) {
      if (!fabric_.is_switch(from)) return no_strand;
      const u32 s = strand(from, to);
      out_.strand_of[c] = s;
      ++out_.strands[s].cables;
      return s;
    };
    const u32 s = leave(a, b, link.a), t = leave(b, a, link.b);
    if (s != no_strand && t != no_strand) joined_[root(s)] = root(t);
  }

  u32 root(u32 s) {
    while (joined_[s] != s) s = joined_[s] = joined_[joined_[s]];
    return s;
  }

  // Strands by cell and kind, hubs in the order in which they are met.
  void number_hubs() {
    std::map<u32, u32> hubs;
    std::vector<u32> place(out_.strands.size());
    std::vector<Drawing::Strand> sorted;
    for (const auto& [key, s] : index_) {
      place[s] = static_cast<u32>(sorted.size());
      sorted.push_back(out_.strands[s]);
      sorted.back().hub = hubs.try_emplace(root(s), static_cast<u32>(hubs.size())).first->second;
    }
    out_.strands = std::move(sorted);
    for (const Channel c : fabric_.channels())
      if (out_.strand_of[c] != no_strand) out_.strand_of[c] = place[out_.strand_of[c]];
  }

  const Fabric& fabric_;
  const Plan plan_;
  const u32 plane_switches_;
  Drawing out_;
  std::map<std::pair<u32, u32>, u32> index_;  // by cell and kind
  std::vector<u32> joined_;
};

}  // namespace

Drawing draw(const Topology& topology, u32 max_cells) {
  return Drafter(topology, plan_of(topology, max_cells)).draft();
}

Shades shade(const Drawing& drawing, const Fabric& fabric, const IdVector<Channel, double>& load) {
  Shades out{std::vector<double>(drawing.strands.size()), std::vector<double>(drawing.strands.size())};
  const auto raise = [&](std::vector<double>& by_strand, Channel c, double value) {
    const u32 s = drawing.strand_of[c];
    if (s != no_strand) by_strand[s] = std::max(by_strand[s], value);
  };
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    raise(out.out, c, load[c]);
    raise(out.in, fabric.reverse(c), load[c]);
  }
  return out;
}

std::vector<u32> missing_cables(const Drawing& drawing, const Fabric& fabric) {
  std::vector<u32> out(drawing.strands.size());
  for (const Link& link : fabric.taken())
    for (const Channel c : {link.a, link.b})
      if (drawing.strand_of[c] != no_strand) ++out[drawing.strand_of[c]];
  return out;
}

}  // namespace banyan::report
