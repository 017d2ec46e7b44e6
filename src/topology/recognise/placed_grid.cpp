// In a grid of full lines two switches of a line share the rest of it as neighbours, and two that differ in
// two coordinates share exactly two. So the neighbours of one switch fall apart into its lines; these give
// the widths and the first places. Every switch that stands votes for all places next to it: the place that
// most neighbours of a switch agree on is its own. Faults are outvoted; how firmly a switch stands is what an
// exchange with another would cost.
#include "topology/recognise/placed_grid.hpp"

#include <algorithm>
#include <numeric>

namespace banyan::topology {

u32 PlacedGrid::dimension_between(u32 x, u32 y) const {
  u32 found = nowhere;
  for (u32 d = 0; d < grid.dimensions(); ++d, x /= grid.widths[d - 1], y /= grid.widths[d - 1]) {
    if (x % grid.widths[d] == y % grid.widths[d]) continue;
    if (found != nowhere) return nowhere;
    found = d;
  }
  return found;
}

u32 PlacedGrid::explained(const SwitchNeighbours& graph, u32 sw, u32 x) const {
  u32 out = 0;
  for (const SwitchNeighbour& n : graph[sw]) {
    if (place[n.to] == nowhere) continue;
    const u32 d = dimension_between(place[n.to], x);
    if (d != nowhere) out += std::min(n.cables, trunk[d]);
  }
  return out;
}

void PlacedGrid::put(u32 sw, u32 x) {
  place[sw] = x;
  switch_at[x] = sw;
}

void PlacedGrid::remove(u32 sw) {
  switch_at[place[sw]] = nowhere;
  place[sw] = nowhere;
}

GridFit fit(const SwitchNeighbours& graph, const PlacedGrid& grid) {
  u64 ideal = 0, raw = 0, explained = 0;  // each cable from both of its ends
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    if (grid.place[sw] == nowhere) continue;
    for (const SwitchNeighbour& n : graph[sw]) raw += n.cables;
    explained += grid.explained(graph, sw, grid.place[sw]);
  }
  for (u32 d = 0; d < grid.grid.dimensions(); ++d)
    ideal += grid.grid.size() * (grid.grid.widths[d] - 1) * grid.trunk[d];
  return {(ideal - explained) / 2, raw - explained};
}

namespace {

// How many of a switch's cables every place would explain.
class Votes {
 public:
  explicit Votes(u32 places) : votes_(places) {}

  void count(const SwitchNeighbours& graph, const PlacedGrid& grid, u32 sw) {
    for (u32 x : voted_) votes_[x] = 0;
    voted_.clear();
    for (const SwitchNeighbour& n : graph[sw])
      if (grid.place[n.to] != nowhere) add(grid, grid.place[n.to], n.cables);
  }

  u32 operator[](u32 x) const { return votes_[x]; }
  const std::vector<u32>& voted() const { return voted_; }  // the places with at least one vote

 private:
  void add(const PlacedGrid& grid, u32 x, u32 cables) {
    u32 stride = 1;
    for (u32 d = 0; d < grid.grid.dimensions(); ++d) {
      const u32 width = grid.grid.widths[d], own = x / stride % width,
                cabled = std::min(cables, grid.trunk[d]);
      for (u32 c = 0; c < width; ++c) {
        if (c == own) continue;
        u32& votes = votes_[x + (c - own) * stride];
        if (votes == 0) voted_.push_back(x + (c - own) * stride);
        votes += cabled;
      }
      stride *= width;
    }
  }

  std::vector<u32> votes_, voted_;
};

// The neighbours of a switch fall into lines: those that are connected with each other. A switch that has
// lost its cable to the base, but has most of those to one line, belongs to it.
std::vector<std::vector<u32>> lines_through(const SwitchNeighbours& graph, u32 base,
                                            const std::vector<bool>& free) {
  std::vector<std::vector<u32>> lines;
  std::vector<bool> open(graph.size());
  for (const SwitchNeighbour& n : graph[base]) open[n.to] = free[n.to];
  std::vector<u32> seen(graph.size());
  for (const SwitchNeighbour& first : graph[base]) {
    if (!open[first.to]) continue;
    std::vector<u32> line = {first.to};
    open[first.to] = false;
    for (u32 i = 0; i < line.size(); ++i)
      for (const SwitchNeighbour& n : graph[line[i]])
        if (open[n.to]) open[n.to] = false, line.push_back(n.to);
    const u32 sure = static_cast<u32>(line.size());
    for (u32 i = 0; i < sure; ++i)
      for (const SwitchNeighbour& n : graph[line[i]])
        if (++seen[n.to] == std::max(3u, sure / 2 + 1) && free[n.to] && n.to != base &&
            std::find(line.begin(), line.end(), n.to) == line.end())
          line.push_back(n.to);
    for (u32 i = 0; i < sure; ++i)
      for (const SwitchNeighbour& n : graph[line[i]]) seen[n.to] = 0;
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return lines;
}

// The grid with only one switch and the lines through it in their places, if it has as many places as it
// should.
std::optional<PlacedGrid> sown(const SwitchNeighbours& graph, u32 base, u32 count,
                               const std::vector<bool>& free) {
  const auto lines = lines_through(graph, base, free);
  PlacedGrid out;
  for (const auto& line : lines) out.grid.widths.push_back(static_cast<u32>(line.size()) + 1);
  if (out.grid.size() != count || out.grid.dimensions() > 16) return std::nullopt;
  out.trunk.assign(lines.size(), 1);
  out.place.assign(graph.size(), nowhere);
  out.switch_at.assign(count, nowhere);
  out.hold.assign(graph.size(), 3);
  out.put(base, 0);
  for (u32 d = 0; d < lines.size(); ++d)
    for (u32 i = 0; i < lines[d].size(); ++i) {
      if (out.place[lines[d][i]] != nowhere) return std::nullopt;
      out.put(lines[d][i], (i + 1) * out.grid.stride(d));
    }
  return out;
}

struct Claim {
  u32 sw = nowhere, votes = 0;
  bool disputed = false;
};

// One round: every switch without a place claims the vacant one that most of its neighbours vote for, if
// there is one such; the claim with most votes wins. Returns how many were placed.
u32 spread_once(const SwitchNeighbours& graph, PlacedGrid& grid, const std::vector<bool>& free, u32 least,
                Votes& votes) {
  std::vector<Claim> claims(grid.switch_at.size());
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    if (!free[sw] || grid.place[sw] != nowhere) continue;
    votes.count(graph, grid, sw);
    u32 best = 0, where = nowhere;
    for (u32 x : votes.voted()) {
      if (grid.switch_at[x] != nowhere || votes[x] < best) continue;
      where = votes[x] == best ? nowhere : x;
      best = votes[x];
    }
    if (where == nowhere || best < least || best < claims[where].votes) continue;
    claims[where] = {sw, best, best == claims[where].votes};
  }
  u32 placed = 0;
  for (u32 x = 0; x < claims.size(); ++x)
    if (claims[x].sw != nowhere && !claims[x].disputed) grid.put(claims[x].sw, x), ++placed;
  return placed;
}

// A single vote counts only when nothing else is left to do.
void spread(const SwitchNeighbours& graph, PlacedGrid& grid, const std::vector<bool>& free, Votes& votes) {
  for (u32 least = 2; least > 0;) least = spread_once(graph, grid, free, least, votes) > 0 ? 2 : least - 1;
}

// Takes switches away from places that their neighbours do not want them at; returns how many.
u32 lift_misplaced(const SwitchNeighbours& graph, PlacedGrid& grid, Votes& votes) {
  std::vector<u32> misplaced;
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    if (grid.place[sw] == nowhere) continue;
    votes.count(graph, grid, sw);
    const auto better = [&](u32 x) { return votes[x] > votes[grid.place[sw]]; };
    if (std::any_of(votes.voted().begin(), votes.voted().end(), better)) misplaced.push_back(sw);
  }
  for (u32 sw : misplaced) grid.remove(sw);
  return static_cast<u32>(misplaced.size());
}

// The number of cables of the middle one of all pairs of neighbours in a dimension.
std::vector<u32> usual_trunk(const SwitchNeighbours& graph, const PlacedGrid& grid) {
  std::vector<std::vector<u32>> cables(grid.grid.dimensions());  // of every pair, from both ends
  for (u32 sw = 0; sw < graph.size(); ++sw)
    for (const SwitchNeighbour& n : graph[sw]) {
      if (grid.place[sw] == nowhere || grid.place[n.to] == nowhere) continue;
      const u32 d = grid.dimension_between(grid.place[sw], grid.place[n.to]);
      if (d != nowhere) cables[d].push_back(n.cables);
    }
  std::vector<u32> out;
  for (u32 d = 0; d < cables.size(); ++d) {
    cables[d].resize(grid.grid.size() * (grid.grid.widths[d] - 1));
    const auto middle = cables[d].begin() + static_cast<i64>(cables[d].size() / 2);
    std::nth_element(cables[d].begin(), middle, cables[d].end());
    out.push_back(std::max(1u, *middle));
  }
  return out;
}

// To exchange these two is a symmetry of the grid.
bool are_twins(const PlacedGrid& grid, u32 x, u32 y) {
  if (grid.grid.dimensions() == 1) return true;
  return grid.grid.size() == 4 && grid.trunk[0] == grid.trunk[1] && grid.dimension_between(x, y) == nowhere;
}

// How many cables fewer are explained when a switch and whoever stands at y exchange their places.
i64 loss_of_exchange(const SwitchNeighbours& graph, PlacedGrid& grid, u32 sw, u32 y) {
  const u32 x = grid.place[sw], other = grid.switch_at[y];
  const auto both = [&] {
    return i64{grid.explained(graph, sw, grid.place[sw])} +
           (other == nowhere ? 0 : i64{grid.explained(graph, other, grid.place[other])});
  };
  const auto exchange = [&](u32 a, u32 b) {
    grid.switch_at[x] = grid.switch_at[y] = nowhere;
    grid.put(sw, a);
    if (other != nowhere) grid.put(other, b);
  };
  const i64 before = both();
  exchange(y, x);
  const i64 after = both();
  exchange(x, y);
  return before - after;
}

// Calls f(switch, place, loss) for every exchange that loses at most that many cables and is no symmetry.
template <class F>
void each_cheap_exchange(const SwitchNeighbours& graph, PlacedGrid& grid, i64 maximum, Votes& votes, F&& f) {
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    if (grid.place[sw] == nowhere) continue;
    votes.count(graph, grid, sw);
    const i64 own = votes[grid.place[sw]];
    const std::vector<u32> voted = votes.voted();
    for (u32 y : voted) {
      const u32 x = grid.place[sw];
      if (y == x || are_twins(grid, x, y)) continue;
      const u32 d = grid.dimension_between(x, y);  // a cable between the two survives the exchange
      if (own - i64{votes[y]} - (d == nowhere ? 0 : grid.trunk[d]) > maximum / 2) continue;
      const i64 loss = loss_of_exchange(graph, grid, sw, y);
      if (loss <= maximum) f(sw, y, loss);
    }
  }
}

// Exchanges switches while that explains more.
void improve(const SwitchNeighbours& graph, PlacedGrid& grid, Votes& votes) {
  for (u32 round = 0, changes = 1; round < 8 && changes > 0; ++round) {
    changes = 0;
    each_cheap_exchange(graph, grid, -1, votes, [&](u32 sw, u32 y, i64) {
      const u32 x = grid.place[sw], other = grid.switch_at[y];
      grid.remove(sw);
      if (other != nowhere) grid.put(other, x);
      grid.put(sw, y);
      ++changes;
    });
  }
}

void weigh(const SwitchNeighbours& graph, PlacedGrid& grid, Votes& votes) {
  each_cheap_exchange(graph, grid, 2, votes, [&](u32 sw, u32 y, i64 loss) {
    for (u32 s : {sw, grid.switch_at[y]})
      if (s != nowhere) grid.hold[s] = std::min(grid.hold[s], static_cast<u32>(std::max<i64>(0, loss)));
  });
}

bool is_plausible(const SwitchNeighbours& graph, const PlacedGrid& grid) {
  const GridFit f = fit(graph, grid);
  u64 cables = 0;
  for (u32 d = 0; d < grid.grid.dimensions(); ++d)
    cables += grid.grid.size() * (grid.grid.widths[d] - 1) * grid.trunk[d] / 2;
  return f.wrong_ends <= std::max<u64>(4, cables / 50) && f.missing <= cables / 8 + 1;
}

// Lets the places spread from one switch over the whole grid.
std::optional<PlacedGrid> grown(const SwitchNeighbours& graph, PlacedGrid grid, const std::vector<bool>& free,
                                Votes& votes) {
  spread(graph, grid, free, votes);
  for (u32 round = 0; round < 3 && lift_misplaced(graph, grid, votes) > 0; ++round)
    spread(graph, grid, free, votes);
  grid.trunk = usual_trunk(graph, grid);
  improve(graph, grid, votes);
  return is_plausible(graph, grid) ? std::optional(std::move(grid)) : std::nullopt;
}

}  // namespace

// Faults can make the lines through some switches those of another grid. So every grid that any switch
// suggests is tried from a few of them; the one that fits best must do so clearly.
std::optional<PlacedGrid> place_on_grid(const SwitchNeighbours& graph, u32 count,
                                        const std::vector<bool>& free) {
  constexpr u32 max_attempts = 16;
  struct Attempts {
    Grid grid;
    u32 count = 0;
  };
  std::vector<Attempts> tried;
  std::optional<PlacedGrid> best;
  u64 best_faults = 0, next_faults = ~u64{0};
  Votes votes(count);
  for (u32 base = 0; base < graph.size(); ++base) {
    if (!free[base]) continue;
    auto seed = sown(graph, base, count, free);
    if (!seed) continue;
    auto before =
        std::find_if(tried.begin(), tried.end(), [&](const Attempts& t) { return t.grid == seed->grid; });
    if (before == tried.end()) before = tried.insert(tried.end(), {seed->grid, 0});
    if (before->count >= max_attempts) continue;
    auto grid = grown(graph, std::move(*seed), free, votes);
    before->count = grid ? max_attempts : before->count + 1;
    if (!grid) continue;
    const GridFit f = fit(graph, *grid);
    const u64 faults = f.missing + f.wrong_ends / 2;
    next_faults = std::min(next_faults, best ? std::max(faults, best_faults) : next_faults);
    if (best && faults >= best_faults) continue;
    best = std::move(grid);
    best_faults = faults;
    if (faults == 0) break;
  }
  if (!best || next_faults <= 3 * best_faults + 2) return std::nullopt;
  weigh(graph, *best, votes);
  return best;
}

}  // namespace banyan::topology
