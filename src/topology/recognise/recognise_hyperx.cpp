// Recognising a HyperX. Switches find their places by their cables (placed_grid), one plane after the other;
// the hosts tell which switch of one plane stands where another does. What a swapped cable makes ambiguous
// stays undecided.
#include <algorithm>
#include <functional>
#include <numeric>

#include "topology/recognise/hosts_per_switch.hpp"
#include "topology/recognise/hyperx_planes.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::topology {
namespace {

// Wrong cables between switches by their two ends, each cable twice.
std::vector<u32> ends_of_wrong_cables(const RawSwitches& raw, const SwitchPlanes& planes) {
  std::vector<u32> out;
  for (u32 sw = 0; sw < raw.graph.size(); ++sw)
    for (const SwitchNeighbour& n : raw.graph[sw]) {
      const u32 right = planes.cables_between(sw, n.to);
      if (n.cables > right) out.insert(out.end(), n.cables - right, sw);
    }
  return out;
}

// By switch: one of its hosts may hang there only because its cable was swapped, and nothing tells which. If
// no switch has too many hosts, but a single cable between switches is wrong, then it is one that has lost a
// cable to its ends.
std::vector<bool> suspects(const RawSwitches& raw, const SwitchPlanes& planes, u32 hosts_per_switch) {
  std::vector<bool> out(raw.graph.size());
  for (u32 sw = 0; sw < out.size(); ++sw) out[sw] = raw.hosts_on[sw] > hosts_per_switch;
  const std::vector<u32> ends = ends_of_wrong_cables(raw, planes);
  if (ends.size() != 2 || std::find(out.begin(), out.end(), true) != out.end()) return out;
  for (u32 end : ends) {
    std::vector<u32> cables(out.size());
    for (const SwitchNeighbour& n : raw.graph[end]) cables[n.to] = n.cables;
    for (u32 sw = 0; sw < out.size(); ++sw)
      if (cables[sw] < planes.cables_between(end, sw)) out[sw] = true;
  }
  return out;
}

// How well all planes fit, hosts included, if the trunk of one dimension were another.
GridFit fit_with(const RawSwitches& raw, const SwitchPlanes& planes, const HyperX& shape, u32 dimension,
                 u32 trunk) {
  const u64 hosts = std::accumulate(raw.hosts_on.begin(), raw.hosts_on.end(), u64{0});
  GridFit out{shape.hosts() * planes.grids.size() - hosts, 2 * raw.between_nics};
  for (PlacedGrid grid : planes.grids) {
    grid.trunk[dimension] = trunk;
    const GridFit f = fit(raw.graph, grid);
    out.missing += f.missing;
    out.wrong_ends += f.wrong_ends;
  }
  return out;
}

bool is_intact(const RawSwitches& raw, const SwitchPlanes& planes, const Candidate& found) {
  const HyperX& shape = std::get<HyperX>(found.shape);
  const GridFit f = fit_with(raw, planes, shape, 0, shape.trunk[0]);
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
bool is_uncertain(const RawSwitches& raw, const SwitchPlanes& planes, const HyperX& shape) {
  const u64 count = planes.grids.size(), ports = shape.switch_ports() - shape.hosts();
  const u64 cables = count * (shape.hosts() + ports / 2);
  const GridFit found = fit_with(raw, planes, shape, 0, shape.trunk[0]);
  if (found.wrong_ends > std::max<u64>(4, cables / 50)) return true;
  if (shape.grid.size() == 4 && ports == 12)
    return true;  // 4, or 2x2 with trunk 2 and 1: a swap leads to the other
  for (const PlacedGrid& grid : planes.grids) {
    const GridFit f = fit(raw.graph, grid);
    if (shape.grid.size() <= 4 && f.missing + f.wrong_ends > 0) return true;
  }
  u32 neighbours = 0;
  for (u32 width : shape.grid.widths) neighbours += width - 1;
  if (neighbours <= 5 && shape.grid.dimensions() > 1 && found.wrong_ends > 0) return true;
  const auto plausible = [](const GridFit& f, u64 missing) {
    return f.wrong_ends <= 4 && f.missing <= missing;
  };
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) {
    const u32 trunk = shape.trunk[d];
    if (count * shape.grid.size() * (shape.grid.widths[d] - 1) / 2 > 6) continue;
    if (plausible(fit_with(raw, planes, shape, d, trunk + 1), cables / 10 + 1)) return true;
    if (trunk > 1 && plausible(fit_with(raw, planes, shape, d, trunk - 1), cables / 6 + 1)) return true;
  }
  return false;
}

// A switch of which all hosts hang elsewhere in another plane may itself be what is misplaced, unless its
// cables hold it.
void doubt_untied(const Fabric& fabric, const RawSwitches& raw, SwitchPlanes& planes) {
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
void doubt_swapped(const RawSwitches& raw, SwitchPlanes& planes, u32 hosts_per_switch) {
  const std::vector<u32> ends = ends_of_wrong_cables(raw, planes);
  u64 wrong = ends.size() / 2 + raw.between_nics;
  for (u32 hosts : raw.hosts_on) wrong += hosts > hosts_per_switch;
  for (u32 sw = 0; sw < raw.graph.size(); ++sw)
    if (planes.place(sw) != nowhere && wrong == 1 && planes.hold(sw) <= 1) planes.loosen(sw);
  for (u32 sw : ends) {
    u32 inside = 0, outside = 0;
    for (const SwitchNeighbour& n : raw.graph[sw])
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
std::vector<Sight> see_hosts(const Fabric& fabric, const RawSwitches& raw, const SwitchPlanes& planes,
                             const std::vector<bool>& suspect) {
  std::vector<Sight> out(fabric.hosts());
  bool contradiction = false;
  std::vector<u32> in, at, surely_at;
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    in.clear(), at.clear(), surely_at.clear();
    for (u32 slot = 0; slot < fabric.nics(Host{host}); ++slot) {
      const u32 sw = raw.switch_of[index(fabric.nic(Host{host}, slot))];
      if (sw == nowhere) continue;
      in.push_back(planes.plane_of[sw]);
      if (suspect[sw]) continue;
      at.push_back(planes.place(sw));
      if (planes.decided(sw)) surely_at.push_back(planes.place(sw));
    }
    out[host].complete = surely_at.size() == fabric.columns();
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
std::vector<u32> planes_of_nics(const Fabric& fabric, const RawSwitches& raw, const SwitchPlanes& planes,
                                const std::vector<bool>& suspect) {
  std::vector<u32> out(fabric.nics(), nowhere);
  for (u32 host = 0; host < fabric.hosts(); ++host) {
    u32 left = fabric.columns() * (fabric.columns() - 1) / 2, lost = nowhere, losses = 0;
    for (u32 rail = 0; rail < fabric.columns(); ++rail) {
      if (fabric.in_column(Host{host}, rail) == none<Nic>) {
        losses += 2;  // which plane is left is not certain
        continue;
      }
      const u32 nic = index(fabric.in_column(Host{host}, rail)), sw = raw.switch_of[nic];
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

std::variant<Candidate, Unrecognised> guess_hyperx(const Fabric& fabric) {
  const auto raw = read_switches(fabric);
  if (fabric.hosts() == 0 || fabric.switches() < 2)
    return Unrecognised{"it has fewer than two switches, or no hosts"};
  if (!raw) return Unrecognised{"a NIC has several cables"};
  const auto [hosts_per_switch, hosts_certain] = usual_hosts(fabric, *raw);
  auto planes = find_planes(fabric, *raw);
  if (hosts_per_switch == 0) return Unrecognised{"most switches have no hosts"};
  if (!planes) return Unrecognised{"its switches do not form lines in which all are connected to each other"};
  const auto suspect = suspects(*raw, *planes, hosts_per_switch);
  if (!align_planes(fabric, *raw, suspect, *planes))
    return Unrecognised{"its rails are not the same grid in the same order"};
  const PlacedGrid& grid = planes->grids[0];
  const HyperX shape{grid.grid, grid.trunk, hosts_per_switch,
                     std::vector<LinkClass>(grid.grid.dimensions() + 1)};
  doubt_untied(fabric, *raw, *planes);
  doubt_swapped(*raw, *planes, hosts_per_switch);

  Candidate out{shape, fabric.columns(), IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  const Planes numbering = planes_of(shape, fabric.columns());
  const auto host = slots(see_hosts(fabric, *raw, *planes, suspect), numbering.switches(), hosts_per_switch);
  const auto plane = planes_of_nics(fabric, *raw, *planes, suspect);
  for (Node nic : fabric.nic_nodes()) {
    const u32 h = host[index(fabric.host(fabric.nic(nic)))], p = plane[index(nic)];
    if (h != nowhere && p != nowhere) out.place[nic] = numbering[p].nic(h);
  }
  for (u32 sw = 0; sw < fabric.switches(); ++sw)
    if (planes->decided(sw))
      out.place[Node{fabric.nics() + sw}] = numbering[planes->plane_of[sw]].switch_(planes->place(sw));
  if (is_intact(*raw, *planes, out)) return out;
  if (!hosts_certain || is_uncertain(*raw, *planes, shape))
    return Unrecognised{"so much is missing that other sizes fit as well"};
  return out;
}

}  // namespace banyan::topology
