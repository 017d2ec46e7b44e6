#include "topology/recognise/hyperx_planes.hpp"

#include <algorithm>
#include <array>

namespace banyan::topology {
namespace {

// The switches at the far ends of a node's cables, in ascending order; cables that lead back to it are left
// out.
std::vector<u32> switches_next_to(const Fabric& fabric, Node node) {
  std::vector<u32> out;
  for (Channel c : fabric.channels(node))
    if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && fabric.to(c) != node)
      out.push_back(index(fabric.to(c)) - fabric.nics());
  std::sort(out.begin(), out.end());
  return out;
}

// A pair of places, in one plane and in another, that share a host.
struct Tie {
  u32 here, there;
};

// For every coordinate of dimension d here, the one of dimension e there that most ties lead to; and how many
// do.
struct Match {
  std::vector<u32> to;
  u64 ties = 0;
};

bool is_permutation(std::vector<u32> values) {
  std::sort(values.begin(), values.end());
  for (u32 i = 0; i < values.size(); ++i)
    if (values[i] != i) return false;
  return true;
}

// A tie that contradicts another tells of a swapped cable: then it takes two to outvote it.
Match match(const std::vector<Tie>& ties, const Grid& grid, u32 d, const Grid& other, u32 e) {
  const u32 width = grid.widths[d];
  std::vector<u32> count(width * width);
  for (const Tie& tie : ties) ++count[grid.coordinate(tie.here, d) * width + other.coordinate(tie.there, e)];
  std::vector<std::array<u32, 2>> maximum(width);  // how many ties go to the first and to the second choice
  Match out{std::vector<u32>(width, nowhere), 0};
  for (u32 c = 0; c < width; ++c) {
    for (u32 to = 0; to < width; ++to) {
      const u32 n = count[c * width + to];
      if (n > maximum[c][0])
        maximum[c] = {n, maximum[c][0]}, out.to[c] = to;
      else
        maximum[c][1] = std::max(maximum[c][1], n);
    }
    out.ties += maximum[c][0];
  }
  const bool contradicted = out.ties < ties.size();
  for (u32 c = 0; c < width; ++c)
    if (maximum[c][0] - maximum[c][1] < (contradicted ? 2 : 1)) out.to[c] = nowhere;
  const auto open = std::find(out.to.begin(), out.to.end(), nowhere);
  if (open != out.to.end() && !contradicted)  // what the others leave
    for (*open = 0; std::count(out.to.begin(), out.to.end(), *open) > 1;) ++*open;
  return is_permutation(out.to) ? out : Match{};
}

// Renumbers the places of a plane so that a host has the same in both; false if the hosts do not allow it.
bool align(PlacedGrid& plane, const PlacedGrid& with, const std::vector<Tie>& ties) {
  const Grid& grid = plane.grid;
  std::vector<u32> renumbered(grid.size(), 0);
  std::vector<bool> used(grid.dimensions());
  if (grid.dimensions() != with.grid.dimensions()) return false;
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    Match best;
    u32 to = nowhere;
    for (u32 e = 0; e < grid.dimensions(); ++e) {
      if (used[e] || grid.widths[d] != with.grid.widths[e] || plane.trunk[d] != with.trunk[e]) continue;
      Match m = match(ties, grid, d, with.grid, e);
      if (m.ties > best.ties) best = std::move(m), to = e;
    }
    if (to == nowhere || best.ties * 10 < ties.size() * 9) return false;
    used[to] = true;
    for (u32 x = 0; x < grid.size(); ++x)
      renumbered[x] += best.to[grid.coordinate(x, d)] * with.grid.stride(to);
  }
  plane.grid = with.grid;
  plane.trunk = with.trunk;
  const std::vector<u32> place = plane.place;
  std::fill(plane.switch_at.begin(), plane.switch_at.end(), nowhere);
  for (u32 sw = 0; sw < place.size(); ++sw)
    if (place[sw] != nowhere) plane.put(sw, renumbered[place[sw]]);
  return true;
}

// SwitchPlanes in the order of their first NICs: where every rail is a plane, each keeps its number.
void number_like_rails(const RawSwitches& raw, SwitchPlanes& planes) {
  std::vector<u32> number(planes.grids.size(), nowhere);
  u32 next = 0;
  for (u32 sw : raw.switch_of) {
    const u32 plane = sw == nowhere ? nowhere : planes.plane_of[sw];
    if (plane != nowhere && number[plane] == nowhere) number[plane] = next++;
  }
  if (next < number.size()) return;  // planes without hosts cannot be tied to the others anyway
  std::vector<PlacedGrid> grids(number.size());
  for (u32 plane = 0; plane < number.size(); ++plane) grids[number[plane]] = std::move(planes.grids[plane]);
  planes.grids = std::move(grids);
  for (u32& plane : planes.plane_of)
    if (plane != nowhere) plane = number[plane];
}

}  // namespace

std::optional<RawSwitches> read_switches(const Fabric& fabric) {
  RawSwitches out{SwitchNeighbours(fabric.switches()), std::vector<u32>(fabric.nics(), nowhere),
                  std::vector<u32>(fabric.switches()), 0};
  u32 nic_ends = 0;
  for (Node nic : fabric.nic_nodes()) {
    const u32 cables = fabric.cabled_ports(nic);
    if (cables > 1) return std::nullopt;
    const std::vector<u32> far = switches_next_to(fabric, nic);
    nic_ends += cables - static_cast<u32>(far.size());
    if (!far.empty()) ++out.hosts_on[out.switch_of[index(nic)] = far[0]];
  }
  out.between_nics = nic_ends / 2;
  for (Node node : fabric.switch_nodes()) {
    auto& neighbours = out.graph[index(node) - fabric.nics()];
    for (u32 to : switches_next_to(fabric, node)) {
      if (neighbours.empty() || neighbours.back().to != to) neighbours.push_back({to, 0});
      ++neighbours.back().cables;
    }
  }
  return out;
}

u32 SwitchPlanes::cables_between(u32 a, u32 b) const {
  if (place(a) == nowhere || plane_of[a] != plane_of[b]) return 0;
  const PlacedGrid& grid = grids[plane_of[a]];
  const u32 d = grid.dimension_between(place(a), place(b));
  return d == nowhere ? 0 : grid.trunk[d];
}

std::optional<SwitchPlanes> find_planes(const Fabric& fabric, const RawSwitches& raw) {
  const u32 count = fabric.switches() / fabric.columns();
  if (count < 2 || count * fabric.columns() != fabric.switches()) return std::nullopt;
  SwitchPlanes out{{}, std::vector<u32>(fabric.switches(), nowhere)};
  std::vector<bool> free(fabric.switches(), true);
  for (u32 plane = 0; plane < fabric.columns(); ++plane) {
    auto grid = place_on_grid(raw.graph, count, free);
    if (!grid) return std::nullopt;
    for (u32 sw = 0; sw < free.size(); ++sw)
      if (grid->place[sw] != nowhere) free[sw] = false, out.plane_of[sw] = plane;
    out.grids.push_back(std::move(*grid));
  }
  number_like_rails(raw, out);
  return out;
}

bool align_planes(const Fabric& fabric, const RawSwitches& raw, const std::vector<bool>& suspect,
                  SwitchPlanes& planes) {
  for (u32 plane = 1; plane < planes.grids.size(); ++plane) {
    std::vector<Tie> ties;
    each_tie(fabric, raw, [&](u32 a, u32 b) {
      if (!suspect[a] && !suspect[b] && planes.decided(a) && planes.decided(b) &&
          planes.plane_of[a] == plane && planes.plane_of[b] == 0)
        ties.push_back({planes.place(a), planes.place(b)});
    });
    if (!align(planes.grids[plane], planes.grids[0], ties)) return false;
  }
  return true;
}

}  // namespace banyan::topology
