// Jellyfish (Singla et al., NSDI 2012): switches connected at random, each to r others. It has no closed
// form, so this file builds the fabric itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/random_graph.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

using Edge = std::pair<u32, u32>;

Edge sorted(u32 a, u32 b) { return {std::min(a, b), std::max(a, b)}; }

// Draws edges between switches with free ports; when none can be added, a random edge makes room for a switch
// that still has two: x-y becomes v-x, v-y. The result is r-regular, but for one port if n r is odd.
class RandomRegularGraph {
 public:
  RandomRegularGraph(u32 n, u32 r, u64 seed) : free_(n, r), open_(n), random_(seed) {
    std::iota(open_.begin(), open_.end(), 0);
    if (r == 0) open_.clear();
    while (add_edge() || make_room()) {
    }
  }
  const std::vector<Edge>& edges() const { return list_; }

 private:
  bool joinable(u32 a, u32 b) const { return a != b && !edges_.contains(sorted(a, b)); }

  void insert(u32 a, u32 b) {
    edges_.insert(sorted(a, b));
    list_.push_back(sorted(a, b));
    for (u32 v : {a, b})
      if (--free_[v] == 0) open_.erase(std::find(open_.begin(), open_.end(), v));
  }

  void release(u32 v) {
    if (free_[v]++ == 0) open_.push_back(v);
  }

  bool add_edge() {
    const auto& switches = open_;
    for (int tries = 0; tries < 100 && switches.size() > 1; ++tries) {
      const u32 a = switches[random_.below(switches.size())], b = switches[random_.below(switches.size())];
      if (joinable(a, b)) return insert(a, b), true;
    }
    for (u32 a : switches)
      for (u32 b : switches)
        if (joinable(a, b)) return insert(a, b), true;
    return false;
  }

  // Takes an edge x-y out for a-x and b-y, where a and b have a port each, or are the same with two.
  bool make_room() {
    const auto switches = open_;
    for (u32 a : switches)
      for (u32 b : switches)
        if ((a != b || free_[a] > 1) && replace_edge(a, b)) return true;
    return false;
  }

  bool replace_edge(u32 a, u32 b) {
    const std::size_t first = list_.empty() ? 0 : random_.below(list_.size());
    for (std::size_t i = 0; i < list_.size(); ++i) {
      Edge& edge = list_[(first + i) % list_.size()];
      const auto [x, y] = edge;
      if (!joinable(a, x) || !joinable(b, y)) continue;
      edges_.erase(edge);
      edge = list_.back();
      list_.pop_back();
      release(x), release(y);
      insert(a, x), insert(b, y);
      return true;
    }
    return false;
  }

  std::vector<u32> free_, open_;  // ports left; switches that have some
  Random random_;
  std::set<Edge> edges_;
  std::vector<Edge> list_;
};

bool is_buildable(u64 switches, u64 ports) { return switches <= 100'000 && switches * ports <= 10'000'000; }

// All ports are used.
void propose_jellyfish(const Proposals& out) {
  const SizeDemand& demand = out.demand();
  if (demand.rails != 1) return;
  for (u32 hosts = 1; hosts + 2 < demand.ports; ++hosts) {
    const u32 switches = (demand.hosts + hosts - 1) / hosts;
    u32 degree = demand.ports - hosts;
    if (u64{switches} * degree % 2 == 1) --degree;
    if (degree < 3 || degree + 1 >= switches || !is_buildable(switches, demand.ports)) continue;
    out.add(random_outline(fmt::format("Jellyfish({},{}; hosts={})", switches, degree, hosts), switches,
                           degree, hosts));
  }
}

FamilyResult jellyfish(const Notation& n) {
  n.allow_options({"hosts", "seed", "capacity", "latency"});
  const auto v = n.groups.size() == 1 ? n.numbers(0, "n,r") : std::vector<u32>();
  if (v.size() != 2) n.fail("expected the number of switches and of links of each: Jellyfish(n,r)");
  const u32 switches = v[0], degree = v[1], hosts = n.number("hosts", 1);
  if (degree >= switches) n.fail(fmt::format("{} switches cannot each have {} neighbours", switches, degree));
  if (!is_buildable(switches, degree + u64{hosts})) n.fail("too large");
  const auto links = read_link_classes(n, 2);
  const RandomRegularGraph graph(switches, degree, n.number("seed", 1, 0));
  FabricBuilder builder(switches * hosts);
  for (u32 i = 0; i < switches; ++i) builder.add_switch(hosts + degree);
  const Plane plane{0, switches * hosts};
  plane.connect_hosts(builder, switches * hosts, hosts, links[0]);
  const u8 link_class = builder.add_class(links[1]);
  std::vector<u32> next(switches, hosts);
  for (const auto& [a, b] : graph.edges())
    builder.connect(plane.switch_(a), Port{next[a]++}, plane.switch_(b), Port{next[b]++}, link_class);
  return std::move(builder).build();
}

}  // namespace

Family jellyfish_family() {
  return {"Jellyfish",
          "Jellyfish(n,r; hosts=T, seed=S)",
          "Jellyfish(16,4; hosts=2)",
          "n switches, each connected to r others at random",
          "Singla et al., NSDI 2012",
          jellyfish,
          propose_jellyfish};
}

}  // namespace banyan::topology
