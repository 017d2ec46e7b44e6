// Trees of equal switches for a machine: every PGFT whose NICs have one cable, with any number of levels.
//
// A switch of level l has d_l = m_l p_l cables down and u_l = w_{l+1} p_{l+1} up; a tapered one has the
// fewest up with d_l <= t u_l. So d and p decide the tree, where p_l divides u_{l-1} and d_l.
#include <algorithm>
#include <span>

#include "topology/pgft.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

struct TreeTaper {
  u32 at_leaves, above;

  u32 up(u32 down, u32 level) const {
    const u32 taper = level == 1 ? at_leaves : above;
    return (down + taper - 1) / taper;
  }
};

// None, at the leaves only, at every level.
std::vector<TreeTaper> tree_tapers(u32 most, u32 levels) {
  std::vector<TreeTaper> out = {{1, 1}};
  if (levels < 2) return out;
  for (u32 t = 2; t <= most; ++t) {
    out.push_back({t, 1});
    if (levels > 2) out.push_back({t, t});
  }
  return out;
}

class TreeProposals {
 public:
  // `milder`: tapers whose trees were proposed before.
  TreeProposals(const Proposals& out, u32 levels, const HostNics& nics, TreeTaper taper,
                std::span<const TreeTaper> milder)
      : out_(out),
        demand_(out.demand()),
        levels_(levels),
        nics_(nics),
        taper_(taper),
        milder_(milder),
        endpoints_(u64{demand_.hosts} * nics.count()) {}

  // Whether it proposed any.
  bool run() {
    if (levels_ == 1) add_single_switch();
    for (u32 m = nics_.on_leaf(); levels_ > 1 && m < demand_.ports; m += nics_.on_leaf())
      enter({m, 1, taper_.up(m, 1)}, Sums{});
    return found_;
  }

 private:
  struct Level {
    u32 m, p, up;
    u32 down() const { return m * p; }
  };
  // Of the levels chosen so far, for each endpoint: switches, ports with a cable, cables to the next level.
  struct Sums {
    double switches = 0, used = 0, cables = 1;
    u64 endpoints = 1;  // below a switch
  };

  // Of a few ports, as many lead up with a taper of 2 as of 3.
  bool was_proposed() const {
    return std::any_of(milder_.begin(), milder_.end(), [&](const TreeTaper& taper) {
      for (u32 l = 1; l < levels_; ++l)
        if (chosen_[l - 1].up != taper.up(chosen_[l - 1].down(), l)) return false;
      return true;
    });
  }

  void add_single_switch() {
    if (nics_.leaves() == 1 && endpoints_ <= demand_.ports) finish({{static_cast<u32>(endpoints_), 1, 0}});
  }

  // Takes a level below the top, and goes on with the next.
  void enter(Level level, Sums below) {
    const u32 ports = level.down() + level.up;
    if (ports > demand_.ports) return;
    below.switches += below.cables / level.down();
    below.used += below.cables / level.down() * ports;
    below.cables *= static_cast<double>(level.up) / level.down();
    below.endpoints *= level.m;
    if (below.endpoints >= endpoints_ || !may_fill(below)) return;
    chosen_.push_back(level);
    if (chosen_.size() + 1 < levels_)
      add_levels(below);
    else if (!was_proposed())
      add_tops(below);
    chosen_.pop_back();
  }

  // Whether full switches on all levels to come could make up for the ports that are idle so far, and how
  // many switches these levels have at least. No switch has more cables up than down.
  bool may_fill(const Sums& below) const {
    double max_used = 0, fewest = 0, cables = below.cables;
    for (u32 level = static_cast<u32>(chosen_.size()) + 2; level <= levels_; ++level) {
      const double up = level == levels_ ? 0 : 1.0 / taper_.above;
      max_used += below.cables * (level == levels_ ? 1 : 2);
      fewest += cables * (1 + up) / demand_.ports;
      cables *= up;
    }
    return demand_.fills(below.switches + max_used / demand_.ports, below.used + max_used, 1e18) &&
           demand_.fills(below.switches + fewest, 1e18, 1);
  }

  void add_levels(const Sums& below) {
    const u32 level = static_cast<u32>(chosen_.size()) + 1, cables = chosen_.back().up;
    for (u32 p = 1; p <= cables; ++p)
      for (u32 m = 2; cables % p == 0 && m * p < demand_.ports; ++m)
        if (level > 2 || m % nics_.leaves() == 0) enter({m, p, taper_.up(m * p, level)}, below);
  }

  // The fewest subtrees below the roots that have all endpoints.
  void add_tops(const Sums& below) {
    const u32 cables = chosen_.back().up;
    u64 m = (endpoints_ + below.endpoints - 1) / below.endpoints;
    if (levels_ == 2) m = (m + nics_.leaves() - 1) / nics_.leaves() * nics_.leaves();
    for (u32 p = 1; p <= cables && m * p <= demand_.ports; ++p) {
      if (cables % p != 0) continue;
      chosen_.push_back({static_cast<u32>(m), p, 0});
      finish(chosen_);
      chosen_.pop_back();
    }
  }

  void finish(const std::vector<Level>& levels) {
    Pgft tree;
    u32 up = 1;
    for (const Level& level : levels) {
      tree.m.push_back(level.m);
      tree.w.push_back(up / level.p);
      tree.p.push_back(level.p);
      up = level.up;
    }
    tree.host_slots = tree.m[0];
    tree.nics = nics_;
    tree.links.resize(levels.size());
    found_ |= out_.add(std::move(tree), demand_.rails / nics_.count());
  }

  const Proposals& out_;
  const SizeDemand& demand_;
  const u32 levels_;
  const HostNics nics_;
  const TreeTaper taper_;
  const std::span<const TreeTaper> milder_;
  const u64 endpoints_;
  std::vector<Level> chosen_;
  bool found_ = false;
};

// Planes of trees with a NIC of each host, a rail-optimised tree, and trees with all NICs of a host on a leaf
// or on two.
std::vector<HostNics> ways_to_have_nics(u32 count) {
  std::vector<HostNics> out;
  out.reserve(4);
  out.push_back(HostNics());
  if (count > 1) out.push_back(HostNics::on_rails(count));
  if (count > 1) out.push_back(HostNics::plain(count));
  if (count > 2 && count % 2 == 0) out.push_back(HostNics::plain(count, 2));
  return out;
}

}  // namespace

// A taper saves levels: a tapered tree with more levels than the lowest one without a taper is not proposed.
void propose_trees(const Proposals& out) {
  constexpr u32 max_levels = 8;
  const std::vector<HostNics> ways = ways_to_have_nics(out.demand().rails);
  u32 fewest = max_levels;  // levels, without a taper
  for (u32 levels = 1; levels <= max_levels; ++levels) {
    const std::vector<TreeTaper> tapers = tree_tapers(out.demand().taper, levels);
    for (std::size_t i = 0; i < tapers.size(); ++i) {
      const std::span milder(tapers.data(), i);
      if (i > 0 && levels > fewest) break;
      bool found = false;
      for (const HostNics& nics : ways) found |= TreeProposals(out, levels, nics, tapers[i], milder).run();
      if (i == 0 && found) fewest = std::min(fewest, levels);
    }
  }
}

}  // namespace banyan::topology
