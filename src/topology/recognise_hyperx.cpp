// Recognising a HyperX. Switches find their places by their cables (placed_grid), one plane after the other;
// the hosts tell which switch of one plane stands where another does. What a swapped cable makes ambiguous
// stays undecided.
#include <algorithm>
#include <numeric>

#include "topology/placed_grid.hpp"
#include "topology/recognise.hpp"

namespace banyan {
namespace {

// A raw fabric as switches, numbered from 0, and what hangs on them.
struct Raw {
  SwitchGraph graph;
  std::vector<u32> switch_of;  // by NIC: a switch, or nowhere
  std::vector<u32> hosts_on;   // by switch: how many NICs
  u32 between_nics = 0;        // cables that reach no switch
};

// No HyperX if a NIC has several cables.
std::optional<Raw> read(const Fabric& fabric) {
  Raw out{SwitchGraph(fabric.switches()), std::vector<u32>(fabric.nics(), nowhere),
          std::vector<u32>(fabric.switches()), 0};
  for (Node nic : fabric.nic_nodes()) {
    if (fabric.cabled_ports(nic) > 1) return std::nullopt;
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c)) continue;
      if (fabric.is_switch(fabric.to(c)))
        out.switch_of[index(nic)] = index(fabric.to(c)) - fabric.nics();
      else
        out.between_nics += fabric.to(c) > nic;
    }
  }
  for (u32 sw : out.switch_of)
    if (sw != nowhere) ++out.hosts_on[sw];
  std::vector<u32> far;
  for (Node node : fabric.switch_nodes()) {
    far.clear();
    for (Channel c : fabric.channels(node))
      if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && fabric.to(c) != node)
        far.push_back(index(fabric.to(c)) - fabric.nics());
    std::sort(far.begin(), far.end());
    auto& neighbours = out.graph[index(node) - fabric.nics()];
    for (u32 to : far) {
      if (neighbours.empty() || neighbours.back().to != to) neighbours.push_back({to, 0});
      ++neighbours.back().cables;
    }
  }
  return out;
}

// How many hosts a switch should have. A swap can give one switch one too many, but makes no hosts: the count
// that leaves few missing and none over. None if two would do.
std::optional<u32> usual_hosts(const std::vector<u32>& hosts_on) {
  const u32 most = *std::max_element(hosts_on.begin(), hosts_on.end());
  const u64 all = std::accumulate(hosts_on.begin(), hosts_on.end(), u64{0});
  const auto with = [&](u32 hosts) { return std::count(hosts_on.begin(), hosts_on.end(), hosts); };
  const auto possible = [&](u32 hosts, u32 percent_missing) {
    const u64 ideal = u64{hosts} * hosts_on.size();
    return hosts > 0 && all <= ideal && ideal - all <= std::max<u64>(1, ideal * percent_missing / 100);
  };
  if (with(most) > 1 || !possible(most - 1, 20))
    return possible(most, 20) ? std::optional(most) : std::nullopt;
  return !possible(most, 12) || with(most - 1) >= 16 ? std::optional(most - 1) : std::nullopt;
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

Match match(const std::vector<Tie>& ties, const Grid& grid, u32 d, const Grid& other, u32 e) {
  const u32 width = grid.widths[d];
  std::vector<u32> count(width * width);
  for (const Tie& tie : ties) ++count[grid.coordinate(tie.here, d) * width + other.coordinate(tie.there, e)];
  Match out;
  for (u32 c = 0; c < width; ++c) {
    const auto row = count.begin() + c * width, best = std::max_element(row, row + width);
    const bool clear = *best > 0 && std::count(row, row + width, *best) == 1;
    out.to.push_back(clear ? static_cast<u32>(best - row) : nowhere);
    out.ties += *best;
  }
  std::vector<u32> free;
  for (u32 c = 0; c < width; ++c)
    if (std::find(out.to.begin(), out.to.end(), c) == out.to.end()) free.push_back(c);
  const auto open = std::count(out.to.begin(), out.to.end(), nowhere);
  if (free.size() > 1 || open != static_cast<i64>(free.size())) return {};
  if (open == 1) std::replace(out.to.begin(), out.to.end(), nowhere, free[0]);
  return out;
}

// Renumbers the places of a plane so that a host has the same in both; false if the hosts do not allow it.
bool align(PlacedGrid& plane, const PlacedGrid& with, const std::vector<Tie>& ties) {
  const Grid& grid = plane.grid;
  std::vector<u32> renumbered(grid.size(), 0);
  std::vector<bool> used(grid.dimensions());
  std::vector<u32> trunk(grid.dimensions());
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

struct Planes {
  std::vector<PlacedGrid> grids;  // all on the same grid
  std::vector<u32> plane_of;      // by switch: a plane, or nowhere

  u32 place(u32 sw) const {
    return sw == nowhere || plane_of[sw] == nowhere ? nowhere : grids[plane_of[sw]].place[sw];
  }
  bool decided(u32 sw) const { return place(sw) != nowhere && !grids[plane_of[sw]].doubtful[sw]; }
};

std::optional<Planes> find_planes(const Fabric& fabric, const Raw& raw) {
  const u32 count = fabric.switches() / fabric.rails();
  if (count < 2 || count * fabric.rails() != fabric.switches()) return std::nullopt;
  Planes out{{}, std::vector<u32>(fabric.switches(), nowhere)};
  std::vector<bool> free(fabric.switches(), true);
  for (u32 plane = 0; plane < fabric.rails(); ++plane) {
    auto grid = place_on_grid(raw.graph, count, free);
    if (!grid) return std::nullopt;
    for (u32 sw = 0; sw < free.size(); ++sw)
      if (grid->place[sw] != nowhere) free[sw] = false, out.plane_of[sw] = plane;
    out.grids.push_back(std::move(*grid));
  }
  return out;
}

// Calls f(switch of one NIC, switch of another) for all pairs of NICs of a host.
template <class F>
void each_tie(const Fabric& fabric, const Raw& raw, F&& f) {
  for (u32 host = 0; host < fabric.hosts(); ++host)
    for (u32 r = 0; r < fabric.rails(); ++r)
      for (u32 q = 0; q < fabric.rails(); ++q) {
        const u32 a = raw.switch_of[index(fabric.nic(Host{host}, r))],
                  b = raw.switch_of[index(fabric.nic(Host{host}, q))];
        if (r != q && a != nowhere && b != nowhere) f(a, b);
      }
}

bool align_planes(const Fabric& fabric, const Raw& raw, Planes& planes) {
  for (u32 plane = 1; plane < planes.grids.size(); ++plane) {
    std::vector<Tie> ties;
    each_tie(fabric, raw, [&](u32 a, u32 b) {
      if (planes.decided(a) && planes.decided(b) && planes.plane_of[a] == plane && planes.plane_of[b] == 0)
        ties.push_back({planes.place(a), planes.place(b)});
    });
    if (!align(planes.grids[plane], planes.grids[0], ties)) return false;
  }
  return true;
}

// Another trunk would do as well: a cable more between all neighbours of a dimension, if there are few such
// pairs and the lot of them is within what is usually missing. Of a handful of switches any fault makes
// another handful.
bool has_rival(const Raw& raw, const Planes& planes, const HyperX& shape) {
  const u64 count = planes.grids.size(), hosts = shape.hosts() * count;
  const u64 missing_hosts = hosts - std::accumulate(raw.hosts_on.begin(), raw.hosts_on.end(), u64{0});
  Fit all{missing_hosts, raw.between_nics};
  for (const PlacedGrid& grid : planes.grids) {
    const Fit f = fit(raw.graph, grid);
    all.missing += f.missing;
    all.wrong += f.wrong;
  }
  if (all.missing + all.wrong == 0) return false;
  if (shape.grid.size() <= 4 && (all.missing > missing_hosts || all.wrong > 0)) return true;
  const u64 cables = hosts + count * (shape.switch_ports() - shape.hosts()) / 2;
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) {
    const u64 pairs = count * shape.grid.size() * (shape.grid.widths[d] - 1) / 2;
    if (pairs <= 6 && (all.missing + pairs) * 100 <= (cables + pairs) * 6) return true;
  }
  return false;
}

// A switch of which half the hosts hang elsewhere in another plane may itself be what is misplaced.
void doubt_untied(const Fabric& fabric, const Raw& raw, Planes& planes) {
  std::vector<u32> ties(raw.graph.size()), untied(raw.graph.size());
  each_tie(fabric, raw, [&](u32 a, u32 b) {
    if (planes.place(a) == nowhere || planes.place(b) == nowhere) return;
    ++ties[a];
    untied[a] += planes.place(a) != planes.place(b);
  });
  for (u32 sw = 0; sw < ties.size(); ++sw)
    if (untied[sw] > 0 && untied[sw] * 2 >= ties[sw]) planes.grids[planes.plane_of[sw]].doubtful[sw] = true;
}

// By switch: one of its hosts may hang there only because its cable was swapped, and nothing tells which.
std::vector<bool> suspects(const Raw& raw, const Planes& planes, u32 hosts_per_switch) {
  std::vector<bool> out(raw.graph.size());
  bool surplus = false;
  for (u32 sw = 0; sw < out.size(); ++sw)
    if (raw.hosts_on[sw] > hosts_per_switch) out[sw] = surplus = true;
  if (surplus) return out;
  std::vector<u32> ends;  // of wrong cables
  for (u32 sw = 0; sw < out.size(); ++sw)
    for (const Neighbour& n : raw.graph[sw]) {
      u32 right = 0;
      if (planes.place(sw) != nowhere && planes.plane_of[sw] == planes.plane_of[n.to]) {
        const PlacedGrid& grid = planes.grids[planes.plane_of[sw]];
        const u32 d = grid.dimension_between(planes.place(sw), planes.place(n.to));
        if (d != nowhere) right = grid.trunk[d];
      }
      if (n.cables > right) ends.insert(ends.end(), n.cables - right, sw);
    }
  if (ends.size() != 2) return out;  // none, or a pair swapped between switches
  for (u32 end : ends) {
    if (planes.place(end) == nowhere) continue;
    const PlacedGrid& grid = planes.grids[planes.plane_of[end]];
    std::vector<u32> cables(out.size());
    for (const Neighbour& n : raw.graph[end]) cables[n.to] = n.cables;
    for (u32 sw = 0; sw < out.size(); ++sw) {
      if (grid.place[sw] == nowhere) continue;
      const u32 d = grid.dimension_between(grid.place[end], grid.place[sw]);
      if (d != nowhere && cables[sw] < grid.trunk[d]) out[sw] = true;
    }
  }
  return out;
}

// The place on the grid that most planes see a host at.
struct Sight {
  u32 place = nowhere;
  u32 planes = 0;
};

std::vector<Sight> see_hosts(const Fabric& fabric, const Raw& raw, const Planes& planes,
                             const std::vector<bool>& suspect) {
  std::vector<Sight> out(fabric.hosts());
  bool contradiction = false;
  std::vector<u32> seen, in;
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    seen.clear(), in.clear();
    for (u32 rail = 0; rail < fabric.rails(); ++rail) {
      const u32 sw = raw.switch_of[index(fabric.nic(Host{host}, rail))];
      if (sw == nowhere) continue;
      in.push_back(planes.plane_of[sw]);
      if (planes.decided(sw) && !suspect[sw]) seen.push_back(planes.place(sw));
    }
    std::sort(in.begin(), in.end());
    std::sort(seen.begin(), seen.end());
    if (std::adjacent_find(in.begin(), in.end()) != in.end()) {
      contradiction = true;
      continue;
    }
    for (u32 x : seen) {
      const u32 planes_there = static_cast<u32>(std::count(seen.begin(), seen.end(), x));
      if (planes_there * 2 > seen.size()) out[host] = {x, planes_there};
      contradiction |= planes_there < seen.size();
    }
  }
  if (contradiction)
    for (Sight& sight : out)
      if (sight.planes < 2) sight = {};
  return out;
}

// The hosts of a switch take its slots in the order of their numbers: host -> host of the ideal fabric, or
// nowhere.
std::vector<u32> slots(const std::vector<Sight>& sights, u32 places, u32 hosts_per_switch) {
  std::vector<u32> out(sights.size(), nowhere), taken(places);
  for (u32 host = 0; host < sights.size(); ++host)
    if (sights[host].place != nowhere)
      out[host] = sights[host].place * hosts_per_switch + taken[sights[host].place]++;
  for (u32 host = 0; host < sights.size(); ++host)
    if (sights[host].place != nowhere && taken[sights[host].place] > hosts_per_switch) out[host] = nowhere;
  return out;
}

// The plane of every NIC; one without a cable has the plane that the others of its host leave.
std::vector<u32> planes_of_nics(const Fabric& fabric, const Raw& raw, const Planes& planes) {
  std::vector<u32> out(fabric.nics(), nowhere);
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    u32 left = fabric.rails() * (fabric.rails() - 1) / 2, lost = nowhere, losses = 0;
    for (u32 rail = 0; rail < fabric.rails(); ++rail) {
      const u32 nic = index(fabric.nic(Host{host}, rail)), sw = raw.switch_of[nic];
      if (sw != nowhere) out[nic] = planes.plane_of[sw];
      if (out[nic] == nowhere)
        lost = nic, ++losses;
      else
        left -= out[nic];
    }
    if (losses == 1) out[lost] = left;
  }
  return out;
}

}  // namespace

std::optional<Candidate> guess_hyperx(const Fabric& fabric) {
  const auto raw = read(fabric);
  if (!raw || fabric.hosts() == 0 || fabric.switches() < 2) return std::nullopt;
  auto planes = find_planes(fabric, *raw);
  if (!planes || !align_planes(fabric, *raw, *planes)) return std::nullopt;
  const auto hosts_per_switch = usual_hosts(raw->hosts_on);
  if (!hosts_per_switch) return std::nullopt;
  doubt_untied(fabric, *raw, *planes);

  const PlacedGrid& grid = planes->grids[0];
  const HyperX shape{grid.grid, grid.trunk, *hosts_per_switch,
                     std::vector<LinkClass>(grid.grid.dimensions() + 1)};
  const u32 places = static_cast<u32>(grid.grid.size());
  if (has_rival(*raw, *planes, shape)) return std::nullopt;
  Candidate out{shape, fabric.rails(), IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  const auto suspect = suspects(*raw, *planes, *hosts_per_switch);
  const auto host = slots(see_hosts(fabric, *raw, *planes, suspect), places, *hosts_per_switch);
  const auto plane = planes_of_nics(fabric, *raw, *planes);
  for (Node nic : fabric.nic_nodes()) {
    const u32 h = index(fabric.host(fabric.nic(nic)));
    if (host[h] != nowhere && plane[index(nic)] != nowhere)
      out.place[nic] = Node{plane[index(nic)] * shape.hosts() + host[h]};
  }
  for (u32 sw = 0; sw < fabric.switches(); ++sw)
    if (planes->decided(sw))
      out.place[Node{fabric.nics() + sw}] =
          Node{fabric.rails() * shape.hosts() + planes->plane_of[sw] * places + planes->place(sw)};
  return out;
}

}  // namespace banyan
