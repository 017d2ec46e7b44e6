// Recognising a HyperX. Switches find their places by their cables (placed_grid), one plane after the other;
// the hosts tell which switch of one plane stands where another does. What a swapped cable makes ambiguous
// stays undecided.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
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

// None if a NIC has several cables: then it is no HyperX.
std::optional<Raw> read(const Fabric& fabric) {
  Raw out{SwitchGraph(fabric.switches()), std::vector<u32>(fabric.nics(), nowhere),
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

// How likely it is that switches that should have that many hosts have these, each host being lost with the
// same chance: its logarithm. A swap may have given one switch one too many.
double likelihood(const std::vector<u32>& hosts_on, u32 hosts) {
  constexpr double impossible = -std::numeric_limits<double>::infinity(), swapped = -7;
  const double all = double(hosts) * double(hosts_on.size());
  double lost = 0, out = 0;
  u32 over = 0;
  for (u32 on : hosts_on) {
    if (on > hosts && (on > hosts + 1 || ++over > 1)) return impossible;
    if (on > hosts) continue;
    lost += hosts - on;
    out += std::lgamma(hosts + 1.) - std::lgamma(on + 1.) - std::lgamma(hosts - on + 1.);  // which of them
  }
  if (lost > std::max(1., all / 5)) return impossible;
  if (lost > 0) out += lost * std::log(lost / all) + (all - lost) * std::log1p(-lost / all);
  return out + swapped * over;
}

// How many hosts a switch should have: the likeliest number. It is certain if any other is a million times
// less likely, or would leave more than the usual 5 % of all hosts absent.
struct HostsPerSwitch {
  u32 count = 0;
  bool certain = false;
};

HostsPerSwitch usual_hosts(const Fabric& fabric, const Raw& raw) {
  const u64 switches = fabric.switches() / fabric.rails();
  const u32 most = *std::max_element(raw.hosts_on.begin(), raw.hosts_on.end());
  const double clearly = 14. * fabric.rails();  // a host that is gone is so on all rails
  HostsPerSwitch out;
  double best = -std::numeric_limits<double>::infinity();
  for (u32 hosts = std::max(2u, most) - 1; hosts <= most + most / 4 + 1; ++hosts) {
    if (hosts * switches < fabric.hosts()) continue;
    const double likely = likelihood(raw.hosts_on, hosts);
    const bool usual = (hosts * switches - fabric.hosts()) * 20 <= hosts * switches;
    if (likely > best)
      out = {hosts, best < likely - clearly}, best = likely;
    else if (usual && likely > best - clearly)
      out.certain = false;
  }
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
  std::vector<std::array<u32, 2>> most(width);  // how many ties go to the first and to the second choice
  Match out{std::vector<u32>(width, nowhere), 0};
  for (u32 c = 0; c < width; ++c) {
    for (u32 to = 0; to < width; ++to) {
      const u32 n = count[c * width + to];
      if (n > most[c][0])
        most[c] = {n, most[c][0]}, out.to[c] = to;
      else
        most[c][1] = std::max(most[c][1], n);
    }
    out.ties += most[c][0];
  }
  const bool contradicted = out.ties < ties.size();
  for (u32 c = 0; c < width; ++c)
    if (most[c][0] - most[c][1] < (contradicted ? 2 : 1)) out.to[c] = nowhere;
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

struct Planes {
  std::vector<PlacedGrid> grids;  // all on the same grid
  std::vector<u32> plane_of;      // by switch: a plane, or nowhere

  u32 place(u32 sw) const {
    return sw == nowhere || plane_of[sw] == nowhere ? nowhere : grids[plane_of[sw]].place[sw];
  }
  u32 cables_between(u32 a, u32 b) const {  // as it should be
    if (place(a) == nowhere || plane_of[a] != plane_of[b]) return 0;
    const PlacedGrid& grid = grids[plane_of[a]];
    const u32 d = grid.dimension_between(place(a), place(b));
    return d == nowhere ? 0 : grid.trunk[d];
  }
  u32 hold(u32 sw) const { return grids[plane_of[sw]].hold[sw]; }
  void loosen(u32 sw) { grids[plane_of[sw]].hold[sw] = 0; }
  bool decided(u32 sw) const { return place(sw) != nowhere && hold(sw) > 0; }
};

// Planes in the order of their first NICs: where every rail is a plane, each keeps its number.
void number_like_rails(const Raw& raw, Planes& planes) {
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
  number_like_rails(raw, out);
  return out;
}

// Wrong cables between switches by their two ends, each cable twice.
std::vector<u32> ends_of_wrong_cables(const Raw& raw, const Planes& planes) {
  std::vector<u32> out;
  for (u32 sw = 0; sw < raw.graph.size(); ++sw)
    for (const Neighbour& n : raw.graph[sw]) {
      const u32 right = planes.cables_between(sw, n.to);
      if (n.cables > right) out.insert(out.end(), n.cables - right, sw);
    }
  return out;
}

// By switch: one of its hosts may hang there only because its cable was swapped, and nothing tells which. If
// no switch has too many hosts, but a single cable between switches is wrong, then it is one that has lost a
// cable to its ends.
std::vector<bool> suspects(const Raw& raw, const Planes& planes, u32 hosts_per_switch) {
  std::vector<bool> out(raw.graph.size());
  for (u32 sw = 0; sw < out.size(); ++sw) out[sw] = raw.hosts_on[sw] > hosts_per_switch;
  const std::vector<u32> ends = ends_of_wrong_cables(raw, planes);
  if (ends.size() != 2 || std::find(out.begin(), out.end(), true) != out.end()) return out;
  for (u32 end : ends) {
    std::vector<u32> cables(out.size());
    for (const Neighbour& n : raw.graph[end]) cables[n.to] = n.cables;
    for (u32 sw = 0; sw < out.size(); ++sw)
      if (cables[sw] < planes.cables_between(end, sw)) out[sw] = true;
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

bool align_planes(const Fabric& fabric, const Raw& raw, const std::vector<bool>& suspect, Planes& planes) {
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

// How well all planes fit, hosts included, if the trunk of one dimension were another.
Fit fit_with(const Raw& raw, const Planes& planes, const HyperX& shape, u32 dimension, u32 trunk) {
  const u64 hosts = std::accumulate(raw.hosts_on.begin(), raw.hosts_on.end(), u64{0});
  Fit out{shape.hosts() * planes.grids.size() - hosts, 2 * raw.between_nics};
  for (PlacedGrid grid : planes.grids) {
    grid.trunk[dimension] = trunk;
    const Fit f = fit(raw.graph, grid);
    out.missing += f.missing;
    out.wrong_ends += f.wrong_ends;
  }
  return out;
}

bool is_intact(const Raw& raw, const Planes& planes, const Candidate& found) {
  const HyperX& shape = std::get<HyperX>(found.shape);
  const Fit f = fit_with(raw, planes, shape, 0, shape.trunk[0]);
  if (f.missing + f.wrong_ends > 0) return false;
  if (std::find(found.place.begin(), found.place.end(), none<Node>) != found.place.end()) return false;
  for (u32 nic = 0; nic < raw.switch_of.size(); ++nic) {
    const u32 place = index(found.place[Node{nic}]), sw = raw.switch_of[nic];
    if (place != planes.plane_of[sw] * shape.hosts() + planes.place(sw) * shape.hosts_per_switch +
                     place % shape.hosts_per_switch)
      return false;
  }
  return true;
}

// A fault may have made this of something else. Few switches, or few neighbours of each, leave room for other
// places. And where there are few pairs of neighbours to tell the trunk, one cable more or fewer between all
// of them may be within what is usually missing or swapped.
bool is_uncertain(const Raw& raw, const Planes& planes, const HyperX& shape) {
  const u64 count = planes.grids.size(), ports = shape.switch_ports() - shape.hosts();
  const u64 cables = count * (shape.hosts() + ports / 2);
  const Fit found = fit_with(raw, planes, shape, 0, shape.trunk[0]);
  if (found.wrong_ends > std::max<u64>(4, cables / 50)) return true;
  if (shape.grid.size() == 4 && ports == 12)
    return true;  // 4, or 2x2 with trunk 2 and 1: a swap leads to the other
  for (const PlacedGrid& grid : planes.grids) {
    const Fit f = fit(raw.graph, grid);
    if (shape.grid.size() <= 4 && f.missing + f.wrong_ends > 0) return true;
  }
  u32 neighbours = 0;
  for (u32 width : shape.grid.widths) neighbours += width - 1;
  if (neighbours <= 5 && shape.grid.dimensions() > 1 && found.wrong_ends > 0) return true;
  const auto plausible = [&](const Fit& f) { return f.wrong_ends <= 4 && f.missing <= cables / 6 + 1; };
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) {
    const u32 trunk = shape.trunk[d];
    if (count * shape.grid.size() * (shape.grid.widths[d] - 1) / 2 > 6) continue;
    if (plausible(fit_with(raw, planes, shape, d, trunk + 1))) return true;
    if (trunk > 1 && plausible(fit_with(raw, planes, shape, d, trunk - 1))) return true;
  }
  return false;
}

// A switch of which all hosts hang elsewhere in another plane may itself be what is misplaced, unless its
// cables hold it.
void doubt_untied(const Fabric& fabric, const Raw& raw, Planes& planes) {
  std::vector<u32> ties(raw.graph.size()), untied(raw.graph.size());
  each_tie(fabric, raw, [&](u32 a, u32 b) {
    if (planes.place(a) == nowhere || planes.place(b) == nowhere) return;
    ++ties[a];
    untied[a] += planes.place(a) != planes.place(b);
  });
  for (u32 sw = 0; sw < ties.size(); ++sw)
    if (ties[sw] > 0 && untied[sw] == ties[sw] && planes.hold(sw) <= 2) planes.loosen(sw);
}

// Once one wrong cable is seen, there may be another behind what an exchange would explain. And a switch with
// hardly more cables in its own plane than into another may belong there.
void doubt_swapped(const Raw& raw, Planes& planes, u32 hosts_per_switch) {
  const std::vector<u32> ends = ends_of_wrong_cables(raw, planes);
  u64 wrong = ends.size() / 2 + raw.between_nics;
  for (u32 hosts : raw.hosts_on) wrong += hosts > hosts_per_switch;
  for (u32 sw = 0; sw < raw.graph.size(); ++sw)
    if (planes.place(sw) != nowhere && wrong == 1 && planes.hold(sw) <= 1) planes.loosen(sw);
  for (u32 sw : ends) {
    u32 inside = 0, outside = 0;
    for (const Neighbour& n : raw.graph[sw])
      (planes.plane_of[n.to] == planes.plane_of[sw] ? inside : outside) += n.cables;
    if (planes.place(sw) != nowhere && outside > 0 && inside <= outside + 2) planes.loosen(sw);
  }
}

// The place on the grid that most planes see a host at.
struct Sight {
  u32 place = nowhere;
  bool complete = false;  // all planes see it
};

// If hosts contradict themselves a cable was swapped: one that has lost a cable as well may have been the
// other half.
std::vector<Sight> see_hosts(const Fabric& fabric, const Raw& raw, const Planes& planes,
                             const std::vector<bool>& suspect) {
  std::vector<Sight> out(fabric.hosts());
  bool contradiction = false;
  std::vector<u32> in, at, surely_at;
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    in.clear(), at.clear(), surely_at.clear();
    for (u32 rail = 0; rail < fabric.rails(); ++rail) {
      const u32 sw = raw.switch_of[index(fabric.nic(Host{host}, rail))];
      if (sw == nowhere) continue;
      in.push_back(planes.plane_of[sw]);
      if (suspect[sw]) continue;
      at.push_back(planes.place(sw));
      if (planes.decided(sw)) surely_at.push_back(planes.place(sw));
    }
    out[host].complete = surely_at.size() == fabric.rails();
    std::sort(in.begin(), in.end());
    const bool twice = std::adjacent_find(in.begin(), in.end()) != in.end();
    contradiction |= twice || std::adjacent_find(at.begin(), at.end(), std::not_equal_to()) != at.end();
    for (u32 x : surely_at)
      if (!twice && std::count(at.begin(), at.end(), x) * 2 > static_cast<i64>(at.size()))
        out[host].place = x;
  }
  if (contradiction)
    for (Sight& sight : out)
      if (!sight.complete) sight.place = nowhere;
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

// The plane of every NIC; one without a trusted cable has the plane that the others of its host leave.
std::vector<u32> planes_of_nics(const Fabric& fabric, const Raw& raw, const Planes& planes,
                                const std::vector<bool>& suspect) {
  std::vector<u32> out(fabric.nics(), nowhere);
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    u32 left = fabric.rails() * (fabric.rails() - 1) / 2, lost = nowhere, losses = 0;
    for (u32 rail = 0; rail < fabric.rails(); ++rail) {
      const u32 nic = index(fabric.nic(Host{host}, rail)), sw = raw.switch_of[nic];
      if (sw != nowhere && !suspect[sw]) out[nic] = planes.plane_of[sw];
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
  const auto [hosts_per_switch, hosts_certain] = usual_hosts(fabric, *raw);
  auto planes = find_planes(fabric, *raw);
  if (hosts_per_switch == 0 || !planes) return std::nullopt;
  const auto suspect = suspects(*raw, *planes, hosts_per_switch);
  if (!align_planes(fabric, *raw, suspect, *planes)) return std::nullopt;
  const PlacedGrid& grid = planes->grids[0];
  const HyperX shape{grid.grid, grid.trunk, hosts_per_switch,
                     std::vector<LinkClass>(grid.grid.dimensions() + 1)};
  doubt_untied(fabric, *raw, *planes);
  doubt_swapped(*raw, *planes, hosts_per_switch);

  Candidate out{shape, fabric.rails(), IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  const u32 places = static_cast<u32>(grid.grid.size());
  const auto host = slots(see_hosts(fabric, *raw, *planes, suspect), places, hosts_per_switch);
  const auto plane = planes_of_nics(fabric, *raw, *planes, suspect);
  for (Node nic : fabric.nic_nodes()) {
    const u32 h = host[index(fabric.host(fabric.nic(nic)))], p = plane[index(nic)];
    if (h != nowhere && p != nowhere) out.place[nic] = Node{p * shape.hosts() + h};
  }
  const u32 nics = fabric.rails() * shape.hosts();
  for (u32 sw = 0; sw < fabric.switches(); ++sw)
    if (planes->decided(sw))
      out.place[Node{fabric.nics() + sw}] = Node{nics + planes->plane_of[sw] * places + planes->place(sw)};
  if (is_intact(*raw, *planes, out)) return out;
  return hosts_certain && !is_uncertain(*raw, *planes, shape) ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace banyan
