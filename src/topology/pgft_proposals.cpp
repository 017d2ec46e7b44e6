// Trees of equal switches for a machine: PGFTs whose NICs have one cable.
//
// A switch of level l has d_l = m_l p_l cables down and u_l = w_{l+1} p_{l+1} up, where d_l <= t u_l for a
// taper of t. So m, u and p decide the tree, where p_l divides u_{l-1}. A switch may have more cables up than
// down, but fewer than twice as many: then they divide among fewer switches above.
//
// Trees that another one makes needless are left out:
// - where k switches of a subtree could be one switch with k times the cables;
// - where more cables could lead from a switch to each of fewer roots;
// - where a tree with the same leaves is at least as good in all of Tree::keys, and better in one;
// - where a tree without a taper has fewer levels, two at least, and may grow as far as is asked for. More
//   levels cost more and carry no more.
#include <algorithm>
#include <array>

#include "topology/pgft.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

u32 ceil_of(u64 a, u64 b) { return static_cast<u32>((a + b - 1) / b); }

u32 smallest_factor(u32 number) {
  for (u32 k = 2; k * k <= number; ++k)
    if (number % k == 0) return k;
  return number;
}

struct Level {
  u32 m, p, up;
  u32 down() const { return m * p; }
};

struct Tree {
  Pgft shape;
  // Less is better: hosts, switches, cables, and with a minus sign what the leanest level carries, the
  // bisection, the cables that part hosts and the hosts that it may grow to; the mean distance.
  std::array<double, 8> keys;

  bool is_beaten_by(const Tree& other) const {
    return keys != other.keys && std::equal(keys.begin(), keys.end(), other.keys.begin(),
                                            [](double mine, double its) { return its <= mine; });
  }
};

// The trees of so many levels whose hosts have these NICs.
class TreeProposals {
 public:
  TreeProposals(const Proposals& out, u32 levels, const HostNics& nics)
      : out_(out),
        demand_(out.demand()),
        levels_(levels),
        nics_(nics),
        endpoints_(u64{demand_.hosts} * nics.count()) {}

  // Whether one of them is full: no level is tapered.
  bool run() {
    if (levels_ == 1) add_single_switch();
    for (u32 m = nics_.on_leaf(); levels_ > 1 && m < demand_.ports; m += nics_.on_leaf()) run_leaves(m);
    return found_full_;
  }

 private:
  // Of the levels chosen so far, for each endpoint: switches, ports with a cable, cables to the next level.
  struct Sums {
    double switches = 0, used = 0, cables = 1;
    u64 endpoints = 1;  // below a switch
  };

  // All trees whose leaves have m endpoints. Those with more cables up than down compete with those that have
  // as many.
  void run_leaves(u32 m) {
    std::vector<Tree> balanced;
    each_up(m, 1, [&](u32 up) {
      front_ = up > m ? balanced : std::vector<Tree>();
      const std::size_t rivals = front_.size();
      enter({m, 1, up}, Sums{});
      if (up == m) balanced = front_;
      for (Tree& tree : front_)
        if (rivals == 0 || tree.shape.up_ports(1) > m) out_.add(std::move(tree.shape), planes());
    });
  }

  // f(cables up) for a switch of a level with so many down. Of switches with more than 128 ports, and in
  // trees of three levels of more than 64, not all. In trees of four levels or more, switches above the
  // leaves are tapered as the leaves are, or not at all.
  template <class F>
  void each_up(u32 down, u32 level, F&& f) const {
    if (down >= demand_.ports) return;
    const u32 least = ceil_of(down, demand_.taper), most = std::min(2 * down - 1, demand_.ports - down);
    if (level > 1 && levels_ > 3) {
      const u32 as_leaves = ceil_of(u64{down} * chosen_[0].up, chosen_[0].m);
      if (as_leaves < down && as_leaves >= least && as_leaves <= most) f(as_leaves);
      if (down <= most) f(down);
      return;
    }
    const u32 step = ceil_of(demand_.ports, levels_ > 2 ? 64 : 128);
    for (u32 up = least; up <= most; ++up)
      if (up % step == 0 || up == down || up == ceil_of(down, ceil_of(down, up))) f(up);
  }

  u32 planes() const { return demand_.rails / nics_.count(); }

  void add_single_switch() {
    if (nics_.leaves() != 1 || endpoints_ > demand_.ports) return;
    front_.clear();
    finish({{static_cast<u32>(endpoints_), 1, 0}});
    for (Tree& tree : front_) out_.add(std::move(tree.shape), planes());
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
    if (chosen_.size() < 2) out_.tick();
    chosen_.push_back(level);
    if (chosen_.size() + 1 < levels_)
      add_levels(below);
    else
      add_tops(below);
    chosen_.pop_back();
  }

  // Whether full switches on all levels to come could make up for the ports that are idle so far, and how
  // many switches these levels have at least.
  bool may_fill(const Sums& below) const {
    double max_used = 0, fewest = 0, most_cables = below.cables, cables = below.cables;
    for (u32 level = static_cast<u32>(chosen_.size()) + 2; level <= levels_; ++level) {
      const bool is_top = level == levels_;
      max_used += most_cables * (is_top ? 1 : 3);
      most_cables *= 2;
      const double up = is_top ? 0 : 1.0 / demand_.taper;
      fewest += cables * (1 + up) / demand_.ports;
      cables *= up;
    }
    return demand_.fills(below.switches + max_used / demand_.ports, below.used + max_used, 1e18) &&
           demand_.fills(below.switches + fewest, 1e18, 1);
  }

  void add_levels(const Sums& below) {
    const u32 level = static_cast<u32>(chosen_.size()) + 1, cables = chosen_.back().up;
    for (u32 p = 1; p <= cables; ++p) {
      if (cables % p != 0) continue;
      const u32 k = smallest_factor(cables / p);  // so many switches could be one, if it has the ports
      for (u32 m = 2; m * p < demand_.ports && m * below.endpoints < endpoints_; ++m)
        if (level > 2 || m % nics_.leaves() == 0)
          each_up(m * p, level, [&](u32 up) {
            if (k == 1 || k * (m * p + up) > demand_.ports) enter({m, p, up}, below);
          });
    }
  }

  // The fewest subtrees below the roots that have all endpoints, with as many cables from a switch to a root
  // as there can be; and with as many as let it grow as far as is asked for.
  void add_tops(const Sums& below) {
    const u32 cables = chosen_.back().up;
    const auto children_for = [&](u64 endpoints) {
      const u64 fewest = (endpoints + below.endpoints - 1) / below.endpoints;
      const u32 leaves = nics_.leaves();
      return levels_ == 2 ? (fewest + leaves - 1) / leaves * leaves : fewest;
    };
    const u64 m = children_for(endpoints_), largest = children_for(u64{demand_.grows_to} * nics_.count());
    u32 done = 0;  // cables to a root
    for (const u64 children : {m, std::max(m, largest)}) {
      u32 p = std::min<u32>(cables, static_cast<u32>(demand_.ports / children));
      while (p > 0 && cables % p != 0) --p;
      if (p == 0 || p == done) continue;
      done = p;
      chosen_.push_back({static_cast<u32>(m), p, 0});
      finish(chosen_);
      chosen_.pop_back();
    }
  }

  // Takes a tree that meets the demand, unless another of the same leaves beats it.
  void finish(const std::vector<Level>& levels) {
    Tree tree = tree_of(levels);
    const double nics = static_cast<double>(tree.shape.endpoints());
    if (!demand_.has_room(tree.shape.hosts()) ||
        (levels_ > 1 && !demand_.fills(tree.keys[1], 2 * tree.keys[2] - nics, nics)))
      return;
    const auto is_full = [](const Level& level) { return level.up >= level.down(); };
    found_full_ |= std::all_of(levels.begin(), levels.end() - 1, is_full);
    const auto beats = [&](const Tree& other) { return tree.is_beaten_by(other); };
    if (std::any_of(front_.begin(), front_.end(), beats)) return;
    std::erase_if(front_, [&](const Tree& other) { return other.is_beaten_by(tree); });
    front_.push_back(std::move(tree));
  }

  Tree tree_of(const std::vector<Level>& levels) const {
    Tree out;
    Pgft& tree = out.shape;
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
    u64 switches = 0, parts = ~u64{0};
    double leanest = 1;
    for (u32 l = 1; l <= tree.h(); ++l) switches += tree.switches(l);
    tree.each_cut([&](HostCut cut) {
      leanest =
          std::min(leanest, static_cast<double>(cut.cables) / static_cast<double>(cut.hosts * nics_.count()));
      parts = std::min({parts, cut.cables, u64{tree.m[0]} * nics_.leaves()});
    });
    const double nics = tree.endpoints();
    out.keys = {static_cast<double>(tree.hosts()),
                static_cast<double>(switches),
                nics + static_cast<double>(tree.switch_cables()),
                -leanest,
                -std::min(1.0, static_cast<double>(tree.best_cut().links) / (nics / 2)),
                -static_cast<double>(parts),
                -static_cast<double>(std::min(tree.grows_to(demand_.ports), demand_.grows_to)),
                tree.distances().value_or(Distances{}).average};
    return out;
  }

  const Proposals& out_;
  const SizeDemand& demand_;
  const u32 levels_;
  const HostNics nics_;
  const u64 endpoints_;
  std::vector<Level> chosen_;
  std::vector<Tree> front_;  // of the same leaves, those that none beats
  bool found_full_ = false;
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

void propose_trees(const Proposals& out, const HostNics& nics) {
  constexpr u32 max_levels = 8;
  const u32 ports = out.demand().ports;
  const u64 grows_to = u64{out.demand().grows_to} * nics.count();
  u64 capacity = ports;  // endpoints of the largest full tree
  bool is_full = false;
  for (u32 levels = 1; levels <= max_levels; ++levels) {
    is_full |= TreeProposals(out, levels, nics).run();
    if (is_full && levels > 1 && capacity >= grows_to) return;
    capacity = std::min<u64>(capacity * (ports / 2), u64{1} << 40);
  }
}

}  // namespace

void propose_trees(const Proposals& out) {
  for (const HostNics& nics : ways_to_have_nics(out.demand().rails)) propose_trees(out, nics);
}

}  // namespace banyan::topology
