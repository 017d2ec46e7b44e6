#include "topology/recognise/placed_switches.hpp"

#include <algorithm>

namespace banyan::topology {
namespace {

u32 cables_to(const std::vector<SwitchNeighbour>& neighbours, u32 to) {
  const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), to,
                                      [](const SwitchNeighbour& n, u32 sw) { return n.to < sw; });
  return found == neighbours.end() || found->to != to ? 0 : found->cables;
}

bool are_twins(const std::vector<SwitchNeighbour>& a, const std::vector<SwitchNeighbour>& b) {
  return std::ranges::equal(a, b, [](const SwitchNeighbour& m, const SwitchNeighbour& n) {
    return m.to == n.to && m.cables == n.cables;
  });
}

}  // namespace

std::variant<PlaneOfSwitches, Unrecognised> read_plane(const Fabric& fabric) {
  if (fabric.hosts() == 0 || fabric.switches() < 2)
    return Unrecognised{"it has fewer than two switches, or no hosts"};
  if (fabric.slots() > 1) return Unrecognised{"its hosts have several NICs"};
  if (fabric.columns() > 1) return Unrecognised{"it has several rails"};
  auto raw = read_switches(fabric);
  if (!raw) return Unrecognised{"a NIC has several cables"};
  const HostsPerSwitch hosts = usual_hosts(fabric, *raw);
  if (hosts.count == 0) return Unrecognised{"most switches have no hosts"};
  return PlaneOfSwitches{std::move(*raw), hosts};
}

std::shared_ptr<const SwitchNeighbours> ideal_switches(const Shape& shape) {
  return std::make_shared<const SwitchNeighbours>(read_switches(build(shape).fabric)->graph);
}

PlacedSwitches::PlacedSwitches(const RawSwitches& raw, Shape shape,
                               std::shared_ptr<const SwitchNeighbours> ideal, std::vector<u32> place)
    : raw_(raw),
      shape_(std::move(shape)),
      graph_(std::move(ideal)),
      ideal_(*graph_),
      place_(std::move(place)),
      at_(ideal_.size(), nowhere) {
  std::vector<u32> standing(ideal_.size());
  for (const u32 x : place_)
    if (x != nowhere) ++standing[x];
  for (u32 sw = 0; sw < place_.size(); ++sw) {
    if (place_[sw] != nowhere && standing[place_[sw]] > 1) place_[sw] = nowhere;
    if (place_[sw] != nowhere) at_[place_[sw]] = sw;
    unplaced_ += place_[sw] == nowhere;
  }
  for (u32 sw = 0; sw < place_.size(); ++sw)
    for (const SwitchNeighbour& n : raw_.graph[sw]) {
      if (place_[sw] == nowhere || place_[n.to] == nowhere) continue;
      const u32 right = ideal_cables(place_[sw], place_[n.to]);
      if (n.cables > right) wrong_ends_.insert(wrong_ends_.end(), n.cables - right, sw);
    }
  for (u32 x = 0; x < ideal_.size(); ++x)
    for (const SwitchNeighbour& n : ideal_[x]) {
      if (n.to < x) continue;
      cables_ += n.cables;
      const u32 there =
          at_[x] == nowhere || at_[n.to] == nowhere ? 0 : cables_to(raw_.graph[at_[x]], at_[n.to]);
      missing_ += n.cables - std::min(n.cables, there);
    }
}

u32 PlacedSwitches::ideal_cables(u32 x, u32 y) const { return cables_to(ideal_[x], y); }

u32 PlacedSwitches::explained(u32 sw, u32 x, u32 other, u32 y) const {
  u32 out = 0;
  for (const SwitchNeighbour& n : raw_.graph[sw]) {
    const u32 place = n.to == other ? y : place_[n.to];
    if (place != nowhere) out += std::min(n.cables, ideal_cables(x, place));
  }
  return out;
}

u32 PlacedSwitches::hold(u32 sw) const {
  const u32 x = place_[sw], own = explained(sw, x, nowhere, 0);
  u32 out = own;
  std::vector<u32> places;  // at which some of its cables would be right
  for (const SwitchNeighbour& n : raw_.graph[sw])
    if (place_[n.to] != nowhere)
      for (const SwitchNeighbour& m : ideal_[place_[n.to]])
        if (m.to != x) places.push_back(m.to);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const u32 y : places) {
    const u32 other = at_[y];
    if (other != nowhere && are_twins(ideal_[x], ideal_[y])) continue;
    const u32 now = own + (other == nowhere ? 0 : explained(other, y, nowhere, 0));
    const u32 then = explained(sw, y, other, x) + (other == nowhere ? 0 : explained(other, x, sw, y));
    out = std::min(out, now - std::min(now, then));
  }
  return out;
}

bool PlacedSwitches::is_intact(const Fabric& fabric, u32 hosts) const {
  return missing_ == 0 && wrong_ends_.empty() && unplaced_ == 0 && place_.size() == ideal_.size() &&
         raw_.between_nics == 0 && fabric.hosts() == hosts * place_.size() &&
         std::all_of(raw_.hosts_on.begin(), raw_.hosts_on.end(), [&](u32 on) { return on == hosts; });
}

std::vector<bool> PlacedSwitches::suspects(u32 hosts) const {
  std::vector<bool> out(place_.size());
  for (u32 sw = 0; sw < out.size(); ++sw) out[sw] = raw_.hosts_on[sw] > hosts;
  for (const u32 end : wrong_ends_)
    for (const SwitchNeighbour& n : ideal_[place_[end]])
      if (const u32 sw = at_[n.to]; sw != nowhere && cables_to(raw_.graph[end], sw) < n.cables)
        out[sw] = true;
  return out;
}

std::optional<Unrecognised> PlacedSwitches::doubt(u32 firm) {
  constexpr u32 few = 12;  // switches of which a few faults make another fabric
  if (ideal_.size() < few || wrong_ends_.size() > std::max<u64>(4, cables_ / 200) ||
      16 * missing_ > cables_ + 24)
    return Unrecognised{"so much is missing or wrong that other sizes fit as well"};
  std::vector<u32> loose;
  for (u32 sw = 0; sw < place_.size(); ++sw)
    if (place_[sw] != nowhere && hold(sw) < firm) loose.push_back(sw);
  for (const u32 sw : loose) place_[sw] = nowhere;
  for (u32 sw = 0; sw < place_.size(); ++sw)
    if (place_[sw] == nowhere && !raw_.graph[sw].empty())
      return Unrecognised{"so much is missing or wrong that switches fit in several places"};
  return std::nullopt;
}

std::variant<Candidate, Unrecognised> PlacedSwitches::candidate(const Fabric& fabric,
                                                                const HostsPerSwitch& hosts,
                                                                bool is_doubtful) {
  const std::vector<bool> suspect = suspects(hosts.count);
  if (!is_intact(fabric, hosts.count)) {
    if (is_doubtful || !hosts.certain)
      return Unrecognised{"so much is missing or wrong that other sizes fit as well"};
    // A swap of two cables may speak for a wrong place twice. In a grid, cables that are only missing speak
    // for none; a damaged Dragonfly(1,6,1; groups=5) once had another place for a switch.
    const bool is_firm = wrong_ends_.empty() && std::holds_alternative<Torus>(shape_);
    if (auto why = doubt(is_firm ? 1 : 3)) return std::move(*why);
  }
  Candidate out{shape_, 1, IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  const u32 ideal_nics = static_cast<u32>(ideal_.size()) * hosts.count;
  for (u32 sw = 0; sw < place_.size(); ++sw)
    if (place_[sw] != nowhere) out.place[Node{fabric.nics() + sw}] = Node{ideal_nics + place_[sw]};
  std::vector<u32> taken(
      ideal_.size());  // the hosts of a switch take its slots in the order of their numbers
  for (u32 nic = 0; nic < fabric.nics(); ++nic) {
    const u32 sw = raw_.switch_of[nic];
    if (sw == nowhere || suspect[sw] || place_[sw] == nowhere || taken[place_[sw]] == hosts.count) continue;
    out.place[Node{nic}] = Node{place_[sw] * hosts.count + taken[place_[sw]]++};
  }
  return out;
}

}  // namespace banyan::topology
