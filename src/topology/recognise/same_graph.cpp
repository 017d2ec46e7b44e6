#include "topology/recognise/same_graph.hpp"

#include <algorithm>
#include <map>

#include "base/assert.hpp"

namespace banyan::topology {
namespace {

u64 scattered(u64 x) {
  x = (x + 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 29;
}

// Both graphs as one: the vertices of the second stand behind those of the first.
class GraphMatch {
 public:
  GraphMatch(const ColouredGraph& a, const ColouredGraph& b, u64& steps)
      : a_(a), b_(b), count_(static_cast<u32>(a.colours.size())), steps_(steps) {}

  std::optional<std::vector<u32>> find() {
    if (a_.colours.size() != b_.colours.size()) return std::nullopt;
    std::vector<u32> colours = a_.colours;
    colours.insert(colours.end(), b_.colours.begin(), b_.colours.end());
    add_surroundings(colours);
    return search(std::move(colours)) ? std::optional(map_) : std::nullopt;
  }

 private:
  const std::vector<u32>& neighbours(u32 v) const {
    return v < count_ ? a_.neighbours[v] : b_.neighbours[v - count_];
  }
  u32 offset(u32 v) const { return v < count_ ? 0 : count_; }
  bool spend(u64 steps) {
    steps_ -= std::min(steps, steps_);
    return steps_ > 0;
  }

  // Colours by how many vertices are within two edges, and how many triangles a vertex is in.
  void add_surroundings(std::vector<u32>& colours) {
    std::vector<u32> seen(2 * std::size_t{count_}, ~u32{0});
    std::vector<u64> keys(colours.size());
    for (u32 v = 0; v < 2 * count_; ++v) {
      u64 near = 0, triangles = 0;
      for (const u32 w : neighbours(v)) seen[w] = v;
      for (const u32 w : neighbours(v))
        for (const u32 x : neighbours(w + offset(v)))
          if (seen[x] == v)
            ++triangles;
          else
            ++near;
      keys[v] = scattered(triangles) + near;
      spend(near + triangles);
    }
    renumber(keys, colours);
  }

  // Colours 0, 1, ... in the order of the old ones, then of the keys; how many there are. What had different
  // colours keeps different ones, whatever the keys.
  static u32 renumber(const std::vector<u64>& keys, std::vector<u32>& colours) {
    std::vector<std::pair<u32, u64>> known;
    for (std::size_t v = 0; v < keys.size(); ++v) known.emplace_back(colours[v], keys[v]);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (std::size_t v = 0; v < keys.size(); ++v) {
      const auto found = std::lower_bound(known.begin(), known.end(), std::pair(colours[v], keys[v]));
      colours[v] = static_cast<u32>(found - known.begin());
    }
    return static_cast<u32>(known.size());
  }

  // Until the colours of neighbours tell no more; whether both graphs have each colour equally often.
  bool refine(std::vector<u32>& colours) {
    std::vector<u64> keys(colours.size());
    for (u32 before = 0;;) {
      for (u32 v = 0; v < 2 * count_; ++v) {
        keys[v] = 0;
        for (const u32 w : neighbours(v)) keys[v] += scattered(colours[w + offset(v)]);
        if (!spend(1 + neighbours(v).size())) return false;
      }
      const u32 now = renumber(keys, colours);
      if (!is_balanced(colours, now)) return false;
      if (now == before) return true;
      before = now;
    }
  }
  bool is_balanced(const std::vector<u32>& colours, u32 count) const {
    std::vector<int> excess(count, 0);
    for (u32 v = 0; v < 2 * count_; ++v) excess[colours[v]] += v < count_ ? 1 : -1;
    return std::ranges::all_of(excess, [](int e) { return e == 0; });
  }

  // A vertex of the first graph has a colour of its own; those of the second that may be the same one.
  struct Branch {
    std::vector<u32> colours;
    std::vector<u32> others;  // still to be tried, from the back
  };

  // Depth first. Every branch has a colour more than the one before, so that there are at most as many as
  // vertices.
  bool search(std::vector<u32> colours) {
    std::vector<Branch> open;
    if (is_found(std::move(colours), open)) return true;
    while (!open.empty() && steps_ > 0) {
      BANYAN_ASSERT(open.size() <= count_, "a search is no deeper than there are vertices");
      Branch& last = open.back();
      if (last.others.empty()) {
        open.pop_back();
        continue;
      }
      std::vector<u32> next = last.colours;
      next[last.others.back()] = own_colour();
      last.others.pop_back();
      if (is_found(std::move(next), open)) return true;
    }
    return false;
  }
  u32 own_colour() const { return 2 * count_; }  // which no other vertex has

  // Whether these colours, refined, are a map. If they may become one, they are the next branch.
  bool is_found(std::vector<u32> colours, std::vector<Branch>& open) {
    if (!refine(colours)) return false;
    std::vector<std::vector<u32>> members(2 * std::size_t{count_});
    for (u32 v = 0; v < 2 * count_; ++v) members[colours[v]].push_back(v);
    const std::vector<u32>* least = nullptr;  // of those with several vertices in each graph
    for (const auto& one : members)
      if (one.size() > 2 && (!least || one.size() < least->size())) least = &one;
    if (!least) return is_map(members);
    Branch next{std::move(colours), {}};
    next.colours[least->front()] = own_colour();
    for (const u32 other : *least)
      if (other >= count_) next.others.push_back(other);
    std::reverse(next.others.begin(), next.others.end());
    open.push_back(std::move(next));
    return false;
  }

  // Every colour has one vertex of each graph: whether all edges are the same.
  bool is_map(const std::vector<std::vector<u32>>& members) {
    map_.assign(count_, 0);
    for (const auto& one : members)
      if (!one.empty()) map_[one[0]] = one[1] - count_;
    for (u32 v = 0; v < count_; ++v) {
      std::vector<u32> mapped, there = b_.neighbours[map_[v]];
      for (const u32 w : a_.neighbours[v]) mapped.push_back(map_[w]);
      std::sort(mapped.begin(), mapped.end());
      std::sort(there.begin(), there.end());
      if (mapped != there) return false;
    }
    return true;
  }

  const ColouredGraph &a_, &b_;
  const u32 count_;
  u64& steps_;  // that are left
  std::vector<u32> map_;
};

// A graph in which vertices with the same colour and neighbours are one, which knows how many they were.
struct MergedTwins {
  ColouredGraph graph;
  std::vector<std::vector<u32>> members;  // by vertex: those that it stands for

  explicit MergedTwins(const ColouredGraph& whole) {
    std::map<std::pair<u32, std::vector<u32>>, u32> known;
    std::vector<u32> number(whole.colours.size());
    for (u32 v = 0; v < number.size(); ++v) {
      std::vector<u32> near = whole.neighbours[v];
      std::sort(near.begin(), near.end());
      const auto next = static_cast<u32>(members.size());
      number[v] = known.try_emplace({whole.colours[v], std::move(near)}, next).first->second;
      if (number[v] == next) members.emplace_back();
      members[number[v]].push_back(v);
    }
    const auto first = [&](u32 v) { return members[number[v]].front() == v; };
    for (const auto& twins : members) {
      const u32 v = twins.front();
      graph.colours.push_back(whole.colours[v]);
      graph.neighbours.emplace_back();
      for (const u32 w : whole.neighbours[v])
        if (first(w)) graph.neighbours.back().push_back(number[w]);
    }
  }
};

// Colours by colour and number of twins, the same numbers for both.
void colour_by_twins(MergedTwins& a, MergedTwins& b) {
  std::map<std::pair<u32, std::size_t>, u32> known;
  for (MergedTwins* one : {&a, &b})
    for (std::size_t v = 0; v < one->members.size(); ++v) {
      u32& colour = one->graph.colours[v];
      const auto next = static_cast<u32>(known.size());
      colour = known.try_emplace({colour, one->members[v].size()}, next).first->second;
    }
}

}  // namespace

std::optional<std::vector<u32>> same_graph(const ColouredGraph& a, const ColouredGraph& b, u64& steps) {
  MergedTwins own(a), other(b);
  colour_by_twins(own, other);
  const auto map = GraphMatch(own.graph, other.graph, steps).find();
  if (!map) return std::nullopt;
  std::vector<u32> out(a.colours.size());
  for (std::size_t v = 0; v < map->size(); ++v)
    for (std::size_t i = 0; i < own.members[v].size(); ++i)
      out[own.members[v][i]] = other.members[(*map)[v]][i];
  return out;
}

}  // namespace banyan::topology
