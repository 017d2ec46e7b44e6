#include "topology/recognise/square_classes.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace banyan::topology {
namespace {

// A graph of switches with numbers for its cables; cables in parallel count as one.
class CableGraph {
 public:
  CableGraph(const SwitchNeighbours& graph, const IgnoredCable& ignored) : edges_(graph.size()) {
    for (u32 u = 0; u < graph.size(); ++u)
      for (const SwitchNeighbour& n : graph[u]) {
        if ((u == ignored.a && n.to == ignored.b) || (u == ignored.b && n.to == ignored.a))
          edges_[u].emplace_back(n.to, nowhere);
        else
          edges_[u].emplace_back(n.to, u < n.to ? count_++ : find(n.to, u));
      }
  }

  u32 switches() const { return static_cast<u32>(edges_.size()); }
  u32 count() const { return count_; }
  const std::vector<std::pair<u32, u32>>& of(u32 sw) const { return edges_[sw]; }  // neighbour, edge
  u32 find(u32 u, u32 v) const {
    const auto found = std::lower_bound(edges_[u].begin(), edges_[u].end(), std::pair(v, u32{0}));
    return found == edges_[u].end() || found->first != v ? nowhere : found->second;
  }

  // f(edge v-a, edge v-b, edge a-t, edge b-t) of every square v, a, t, b, seen from each of its corners.
  template <class F>
  void each_square(F&& f) const {
    for (u32 v = 0; v < switches(); ++v)
      for (const auto& [a, va] : edges_[v])
        for (const auto& [b, vb] : edges_[v]) {
          if (b <= a || va == nowhere || vb == nowhere) continue;
          each_common(a, b, [&](u32 t, u32 at, u32 bt) {
            if (t != v && at != nowhere && bt != nowhere) f(va, vb, at, bt);
          });
        }
  }

 private:
  template <class F>
  void each_common(u32 a, u32 b, F&& f) const {
    auto x = edges_[a].begin(), y = edges_[b].begin();
    while (x != edges_[a].end() && y != edges_[b].end()) {
      if (x->first == y->first) {
        f(x->first, x->second, y->second);
        ++x, ++y;
      } else {
        x->first < y->first ? ++x : ++y;
      }
    }
  }

  std::vector<std::vector<std::pair<u32, u32>>> edges_;
  u32 count_ = 0;
};

class Joined {
 public:
  explicit Joined(u32 size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  u32 root(u32 x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(u32 x, u32 y) { parent_[root(x)] = root(y); }

 private:
  std::vector<u32> parent_;
};

// The neighbour of a switch by a cable of that class, if there is one.
std::optional<u32> along(const CableGraph& graph, Joined& joined, u32 sw, u32 root) {
  for (const auto& [to, edge] : graph.of(sw))
    if (edge != nowhere && joined.root(edge) == root) return to;
  return std::nullopt;
}

// Where the cable c-d of a square a, b, d, c is missing, two steps along cables of the same classes lead to a
// cable that is opposite as well. Whether any were joined.
bool join_over_gaps(const CableGraph& graph, Joined& joined) {
  bool is_changed = false;
  const auto step = [&](u32 edge, u32 c, u32 d) {  // the second one
    for (const auto& [c2, across] : graph.of(c)) {
      if (across == nowhere) continue;
      const auto d2 = along(graph, joined, d, joined.root(across));
      const u32 far = d2 && c2 != *d2 ? graph.find(c2, *d2) : nowhere;
      if (far == nowhere || joined.root(far) == joined.root(edge) || joined.root(across) == joined.root(edge))
        continue;
      joined.join(far, edge);
      is_changed = true;
    }
  };
  for (u32 a = 0; a < graph.switches(); ++a)
    for (const auto& [b, edge] : graph.of(a)) {
      if (b < a || edge == nowhere) continue;
      for (const auto& [c, beside] : graph.of(a)) {
        if (beside == nowhere || c == b || joined.root(beside) == joined.root(edge)) continue;
        const auto d = along(graph, joined, b, joined.root(beside));
        if (d && *d != c && graph.find(c, *d) == nowhere) step(edge, c, *d);
      }
    }
  return is_changed;
}

// Numbers of the classes with at least two cables, from 0; nowhere for the others.
std::vector<u32> number_classes(const CableGraph& graph, u32& count) {
  Joined joined(graph.count());
  graph.each_square([&](u32 va, u32 vb, u32 at, u32 bt) {
    joined.join(va, bt);
    joined.join(vb, at);
  });
  constexpr u32 max_passes = 4;
  for (u32 pass = 0; pass < max_passes && join_over_gaps(graph, joined);) ++pass;
  std::vector<u32> size(graph.count()), number(graph.count(), nowhere), out(graph.count());
  for (u32 e = 0; e < graph.count(); ++e) ++size[joined.root(e)];
  count = 0;
  for (u32 e = 0; e < graph.count(); ++e)
    if (joined.root(e) == e && size[e] > 1) number[e] = count++;
  for (u32 e = 0; e < graph.count(); ++e) out[e] = number[joined.root(e)];
  return out;
}

// Pairs of classes that meet at switches: in a square, or without one.
struct Meetings {
  u32 crossing = 0, straight = 0;
};

std::map<std::pair<u32, u32>, Meetings> meetings(const CableGraph& graph, const std::vector<u32>& of_edge) {
  std::map<std::pair<u32, u32>, Meetings> out;
  for (u32 v = 0; v < graph.switches(); ++v)
    for (const auto& [a, va] : graph.of(v))
      for (const auto& [b, vb] : graph.of(v)) {
        if (b <= a || va == nowhere || vb == nowhere) continue;
        const u32 x = of_edge[va], y = of_edge[vb];
        if (x == nowhere || y == nowhere || x == y) continue;
        bool has_square = false;
        for (const auto& [t, at] : graph.of(a))
          has_square |= t != v && at != nowhere && graph.find(b, t) != nowhere;
        Meetings& found = out[std::minmax(x, y)];
        ++(has_square ? found.crossing : found.straight);
      }
  return out;
}

// Classes of one dimension follow each other: a ring, a line, or one alone. None if they branch.
std::optional<LayeredDimension> in_order(const std::vector<std::vector<u32>>& next, u32 start) {
  std::vector<u32> all = {start};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const u32 c : next[all[i]])
      if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
  u32 first = start, ends = 0;
  for (const u32 c : all) {
    if (next[c].size() > 2) return std::nullopt;
    if (next[c].size() < 2) first = c, ++ends;
  }
  LayeredDimension out{{first}, ends == 0};
  for (u32 before = nowhere; out.classes.size() < all.size();) {
    const u32 last = out.classes.back();
    const auto& ways = next[last];
    const auto on = std::find_if(ways.begin(), ways.end(), [&](u32 c) { return c != before; });
    if (on == ways.end()) return std::nullopt;
    before = last;
    out.classes.push_back(*on);
  }
  return out;
}

}  // namespace

std::optional<SquareClasses> square_classes(const SwitchNeighbours& graph, const IgnoredCable& ignored) {
  const CableGraph cables(graph, ignored);
  u32 count = 0;
  const std::vector<u32> of_edge = number_classes(cables, count);
  std::vector<std::vector<u32>> next(count);
  std::vector<u32> size(count);
  for (const u32 c : of_edge)
    if (c != nowhere) ++size[c];
  // Classes that follow each other meet at all switches of a layer, as many as they have cables. Others meet
  // without a square only where a cable is missing.
  for (const auto& [pair, met] : meetings(cables, of_edge))
    if (met.straight > met.crossing && 2 * met.straight > std::min(size[pair.first], size[pair.second])) {
      next[pair.first].push_back(pair.second);
      next[pair.second].push_back(pair.first);
    }
  SquareClasses out;
  std::vector<bool> seen(count);
  for (u32 c = 0; c < count; ++c) {
    if (seen[c]) continue;
    auto dimension = in_order(next, c);
    if (!dimension) return std::nullopt;
    for (const u32 d : dimension->classes) seen[d] = true;
    out.dimensions.push_back(std::move(*dimension));
  }
  out.of_cable.resize(graph.size());
  for (u32 u = 0; u < graph.size(); ++u)
    for (const auto& [v, edge] : cables.of(u))
      out.of_cable[u].push_back(edge == nowhere ? nowhere : of_edge[edge]);
  return out;
}

std::vector<IgnoredCable> odd_cables(const SwitchNeighbours& graph, std::size_t maximum) {
  const CableGraph cables(graph, {});
  std::vector<u32> squares(cables.count());
  cables.each_square([&](u32 va, u32 vb, u32 at, u32 bt) {
    for (const u32 edge : {va, vb, at, bt}) ++squares[edge];
  });
  std::map<u32, u32> often;
  for (const u32 number : squares) ++often[number];
  const auto usual = std::max_element(often.begin(), often.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::pair<i64, IgnoredCable>> found;
  for (u32 u = 0; u < cables.switches(); ++u)
    for (const auto& [v, edge] : cables.of(u))
      if (u < v && squares[edge] > 0)
        found.push_back({-std::abs(i64{squares[edge]} - i64{usual->first}), {u, v}});
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<IgnoredCable> out;
  for (const auto& [odd, cable] : found)
    if (out.size() < maximum) out.push_back(cable);
  return out;
}

namespace {

// Two layers on both sides of one class.
void colour(const SwitchNeighbours& graph, const SquareClasses& classes, u32 between,
            const std::vector<u32>& part, std::vector<u32>& out) {
  std::map<u32, std::vector<u32>> beside;  // by part
  for (u32 u = 0; u < graph.size(); ++u)
    for (std::size_t i = 0; i < graph[u].size(); ++i)
      if (classes.of_cable[u][i] == between) beside[part[u]].push_back(part[graph[u][i].to]);
  std::map<u32, u32> best, colours;
  for (const auto& [start, others] : beside) {
    if (colours.contains(start)) continue;
    std::map<u32, u32> found{{start, 0}};
    std::vector<u32> queue = {start};
    bool is_even = true;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const u32 other : beside[queue[i]]) {
        const auto [at, is_new] = found.emplace(other, 1 - found[queue[i]]);
        if (is_new) queue.push_back(other);
        is_even &= at->second != found[queue[i]];
      }
    colours.insert(found.begin(), found.end());
    if (is_even && found.size() > best.size()) best = std::move(found);
  }
  for (u32 u = 0; u < graph.size(); ++u)
    if (const auto found = best.find(part[u]); found != best.end()) out[u] = found->second;
}

}  // namespace

std::vector<std::vector<u32>> layers(const SwitchNeighbours& graph, const SquareClasses& classes) {
  const u32 size = static_cast<u32>(graph.size());
  std::vector<std::vector<u32>> out(classes.dimensions.size(), std::vector<u32>(size, nowhere));
  for (std::size_t d = 0; d < out.size(); ++d) {
    const LayeredDimension& dimension = classes.dimensions[d];
    std::map<u32, u32> order;
    for (u32 i = 0; i < dimension.classes.size(); ++i) order.emplace(dimension.classes[i], i);
    Joined joined(size);  // by cables of the other dimensions: parts of layers
    for (u32 u = 0; u < size; ++u)
      for (std::size_t i = 0; i < graph[u].size(); ++i)
        if (const u32 c = classes.of_cable[u][i]; c != nowhere && !order.contains(c))
          joined.join(u, graph[u][i].to);
    std::vector<u32> part(size);
    for (u32 u = 0; u < size; ++u) part[u] = joined.root(u);
    if (dimension.classes.size() == 1) {
      colour(graph, classes, dimension.classes[0], part, out[d]);
      continue;
    }
    std::map<u32, std::map<u32, u32>> touched;  // by part: how often each class meets it
    std::vector<u32> members(size);
    for (u32 u = 0; u < size; ++u) {
      ++members[part[u]];
      for (const u32 c : classes.of_cable[u])
        if (const auto found = order.find(c); found != order.end()) ++touched[part[u]][found->second];
    }
    const u32 count = static_cast<u32>(dimension.classes.size()), width = dimension.width();
    std::map<u32, u32> layer;
    for (const auto& [p, met] : touched) {
      if (met.size() == 2) {
        const u32 a = met.begin()->first, b = met.rbegin()->first;
        if (b == a + 1) layer[p] = b;
        if (dimension.is_ring && a == 0 && b == count - 1 && count > 2) layer[p] = 0;
      } else if (met.size() == 1 && !dimension.is_ring && 2 * members[p] * width > size) {
        const u32 a = met.begin()->first;  // the first layer or the last
        if (a == 0) layer[p] = 0;
        if (a + 1 == count) layer[p] = width - 1;
      }
    }
    for (u32 u = 0; u < size; ++u)
      if (const auto found = layer.find(part[u]); found != layer.end()) out[d][u] = found->second;
  }
  return out;
}

}  // namespace banyan::topology
