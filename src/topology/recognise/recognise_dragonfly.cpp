// Recognising a Dragonfly: groups are switches with many neighbours in common; then the groups are numbered
// so that the first switch of each leads to the next ones (GlobalCabling, relative order), and the switches
// of a group by where their global cables lead.
#include <algorithm>
#include <map>
#include <numeric>

#include "topology/recognise/guess_graphs.hpp"
#include "topology/recognise/placed_switches.hpp"

namespace banyan::topology {
namespace {

struct Groups {
  std::vector<u32> of;                     // by switch
  std::vector<std::vector<u32>> switches;  // by group
  u32 size() const { return static_cast<u32>(switches.size()); }
};

u32 common_neighbours(const std::vector<SwitchNeighbour>& a, const std::vector<SwitchNeighbour>& b) {
  u32 out = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    out += x->to == y->to;
    const bool first = x->to <= y->to, second = y->to <= x->to;
    x += first, y += second;
  }
  return out;
}

// Switches that are joined by cables with so many common neighbours.
Groups joined_by(const SwitchNeighbours& graph, const std::vector<std::vector<u32>>& common, u32 least) {
  Groups out{std::vector<u32>(graph.size(), nowhere), {}};
  for (u32 start = 0; start < graph.size(); ++start) {
    if (out.of[start] != nowhere) continue;
    std::vector<u32> members = {start};
    out.of[start] = out.size();
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t k = 0; k < graph[members[i]].size(); ++k)
        if (const u32 to = graph[members[i]][k].to; common[members[i]][k] >= least && out.of[to] == nowhere) {
          out.of[to] = out.size();
          members.push_back(to);
        }
    out.switches.push_back(std::move(members));
  }
  return out;
}

// Every two switches of a group have a cable, but for a few. Two groups at least, of three switches or more;
// one group may lack a switch.
bool are_groups(const SwitchNeighbours& graph, const Groups& groups) {
  std::size_t largest = 0;
  for (const auto& members : groups.switches) largest = std::max(largest, members.size());
  if (groups.size() < 3 || largest < 3) return false;
  u64 cables = 0, pairs = 0, absent = 0;
  for (const auto& members : groups.switches) absent += largest - members.size();
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    for (const SwitchNeighbour& n : graph[sw]) cables += groups.of[n.to] == groups.of[sw];
    pairs += groups.switches[groups.of[sw]].size() - 1;
  }
  return 10 * cables >= 8 * pairs && 20 * absent <= graph.size();
}

std::optional<Groups> find_groups(const SwitchNeighbours& graph) {
  std::vector<std::vector<u32>> common(graph.size());
  u32 maximum = 0;
  for (u32 sw = 0; sw < graph.size(); ++sw)
    for (const SwitchNeighbour& n : graph[sw]) {
      common[sw].push_back(common_neighbours(graph[sw], graph[n.to]));
      maximum = std::max(maximum, common[sw].back());
    }
  for (u32 least = 1; least <= maximum; ++least)
    if (Groups groups = joined_by(graph, common, least); are_groups(graph, groups)) return groups;
  return std::nullopt;
}

class DragonflyLabels {
 public:
  DragonflyLabels(const SwitchNeighbours& graph, const Groups& groups, const Dragonfly& shape)
      : graph_(graph), groups_(groups), shape_(shape), cabling_(shape.cabling()) {
    targets_.resize(graph.size());
    for (u32 sw = 0; sw < graph.size(); ++sw) {
      for (const SwitchNeighbour& n : graph[sw])
        if (groups.of[n.to] != groups.of[sw])
          targets_[sw].insert(targets_[sw].end(), n.cables, groups.of[n.to]);
      std::sort(targets_[sw].begin(), targets_[sw].end());
    }
  }

  // Places of switches if the first switch of group 0 is `first`, and group 1 is `second`.
  std::optional<std::vector<u32>> from(u32 first, u32 second) {
    if (!number_groups(first, second)) return std::nullopt;
    number_switches();
    return place_;
  }

 private:
  // The first switch of a group leads to the next ones, up to global_ports of them.
  bool number_groups(u32 first, u32 second) {
    label_.assign(groups_.size(), nowhere);
    label_[groups_.of[first]] = 0;
    u32 at = first, next = second;
    for (u32 number = 1; number < groups_.size(); ++number) {
      if (next == nowhere || label_[next] != nowhere) return false;
      label_[next] = number;
      at = first_switch(at, next, number);
      next = next_group(at, number + 1);
    }
    return true;
  }

  // How much the switch, as the first of the group with that number, leads where it should: to the numbers
  // that follow, and where there is none yet, to what the first switch of the group before leads to.
  i64 continues(u32 before, u32 sw, u32 number) const {
    i64 out = 0;
    for (const u32 group : targets_[sw]) {
      const u32 offset = (label_[group] + groups_.size() - number) % groups_.size();
      if (label_[group] == nowhere)
        out += std::binary_search(targets_[before].begin(), targets_[before].end(), group);
      else
        out += offset >= 1 && offset <= shape_.global_ports ? 1 : -2;
    }
    return out;
  }
  u32 first_switch(u32 before, u32 group, u32 number) const {
    const auto& members = groups_.switches[group];
    return *std::max_element(members.begin(), members.end(), [&](u32 a, u32 b) {
      return continues(before, a, number) < continues(before, b, number);
    });
  }
  // Of the groups that it leads to, the one whose first switch leads to most of the others.
  u32 next_group(u32 sw, u32 number) {
    u32 out = nowhere;
    i64 best = 0;
    for (const u32 group : targets_[sw]) {
      if (label_[group] != nowhere) continue;
      label_[group] = number;  // for the while
      const i64 score = continues(sw, first_switch(sw, group, number), number);
      label_[group] = nowhere;
      if (out == nowhere || score > best) out = group, best = score;
    }
    if (out != nowhere) return out;
    for (u32 group = 0; group < groups_.size(); ++group)  // its cable is missing: if one is left, it is that
      if (label_[group] == nowhere) out = out == nowhere ? group : nowhere;
    return out;
  }

  // Cables of a switch that would be right with this number in its group. Far ends that have a number count
  // only if it is the right one.
  u32 fits(u32 sw, u32 number) const {
    const u32 group = label_[groups_.of[sw]], h = shape_.global_ports, a = shape_.group_switches;
    u32 out = 0;
    for (u32 slot = number * h; slot < (number + 1) * h; ++slot) {
      const auto far = cabling_.far_end({group, slot});
      if (!far) continue;
      for (const SwitchNeighbour& n : graph_[sw]) {
        if (groups_.of[n.to] == groups_.of[sw] || label_[groups_.of[n.to]] != far->group) continue;
        if (place_[n.to] != nowhere && place_[n.to] % a != far->slot / h) continue;
        ++out;
        break;
      }
    }
    return out;
  }

  // First those that only one number fits best; then the others, each by what is known by then.
  void number_switches() {
    const u32 a = shape_.group_switches;
    place_.assign(graph_.size(), nowhere);
    std::vector<bool> is_taken(std::size_t{a} * groups_.size());
    std::vector<u32> open(graph_.size());
    std::iota(open.begin(), open.end(), 0);
    for (bool is_forced = false; !open.empty();) {
      std::vector<u32> left;
      std::vector<std::pair<u32, u32>> found;
      for (const u32 sw : open) {
        u32 best = 0, number = nowhere, times = 0;
        for (u32 i = 0; i < a; ++i) {
          if (is_taken[label_[groups_.of[sw]] * a + i]) continue;
          const u32 score = fits(sw, i);
          if (score > best) best = score, number = i, times = 0;
          times += score == best;
        }
        if (best > 0 && (times == 1 || (is_forced && found.empty())))
          found.emplace_back(sw, label_[groups_.of[sw]] * a + number);
        else
          left.push_back(sw);
      }
      for (const auto& [sw, place] : found) {
        place_[sw] = place;
        is_taken[place] = true;
      }
      if (found.empty() && is_forced) return place_last(left, is_taken);
      is_forced = found.empty();
      open = std::move(left);
    }
  }

  // A switch without global cables has the number that the others of its group leave.
  void place_last(const std::vector<u32>& open, const std::vector<bool>& is_taken) {
    const u32 a = shape_.group_switches;
    for (const u32 sw : open) {
      const u32 first = label_[groups_.of[sw]] * a;
      u32 free = 0, number = 0, others = 0;
      for (u32 i = 0; i < a; ++i)
        if (!is_taken[first + i]) number = first + i, ++free;
      for (const u32 other : open) others += groups_.of[other] == groups_.of[sw];
      if (free == 1 && others == 1) place_[sw] = number;
    }
  }

  const SwitchNeighbours& graph_;
  const Groups& groups_;
  const Dragonfly& shape_;
  const GlobalCabling cabling_;
  std::vector<std::vector<u32>> targets_;  // by switch: groups that its global cables lead to, in order
  std::vector<u32> label_, place_;         // by group; by switch
};

// What most switches have.
u32 usual_global_ports(const SwitchNeighbours& graph, const Groups& groups) {
  std::map<u32, u32> often;
  for (u32 sw = 0; sw < graph.size(); ++sw) {
    u32 ports = 0;
    for (const SwitchNeighbour& n : graph[sw]) ports += groups.of[n.to] != groups.of[sw] ? n.cables : 0;
    ++often[ports];
  }
  return std::max_element(often.begin(), often.end(),
                          [](const auto& x, const auto& y) { return x.second < y.second; })
      ->first;
}

std::optional<PlacedSwitches> best_labels(const RawSwitches& raw, const Groups& groups,
                                          const Dragonfly& shape) {
  std::optional<PlacedSwitches> best;
  DragonflyLabels labels(raw.graph, groups, shape);
  const auto ideal = ideal_switches(shape);
  const auto attempt = [&](u32 first, u32 second) {
    auto place = labels.from(first, second);
    if (!place) return;
    PlacedSwitches next(raw, shape, ideal, std::move(*place));
    if (!best || next.faults() < best->faults()) best.emplace(std::move(next));
  };
  constexpr u32 starts = 3;  // groups, in case that one of them lacks what is looked at
  for (u32 group = 0; group < std::min(starts, groups.size()); ++group)
    for (const u32 first : groups.switches[group]) {
      u32 last = nowhere;
      for (const SwitchNeighbour& n : raw.graph[first]) {
        if (groups.of[n.to] == group || groups.of[n.to] == last) continue;
        attempt(first, last = groups.of[n.to]);
        if (best && best->faults() == 0) return best;
      }
    }
  return best;
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_dragonfly(const Fabric& fabric) {
  const auto seen = read_plane(fabric);
  if (const auto* why = std::get_if<Unrecognised>(&seen)) return *why;
  const auto& [raw, hosts] = std::get<PlaneOfSwitches>(seen);
  const auto groups = find_groups(raw.graph);
  if (!groups) return Unrecognised{"its switches form no groups in which all are connected to each other"};
  u32 size = 0;
  for (const auto& members : groups->switches) size = std::max(size, static_cast<u32>(members.size()));
  const u32 ports = usual_global_ports(raw.graph, *groups);
  if (ports == 0 || u64{size} * ports + 1 < groups->size())
    return Unrecognised{"its groups have too few cables between them"};
  const Dragonfly shape{hosts.count, size, ports, groups->size(), GlobalCabling::Order::relative,
                        {{}, {}, {}}};
  auto found = best_labels(raw, *groups, shape);
  if (!found) return Unrecognised{"its groups are cabled in no order that is known"};
  return found->candidate(fabric, hosts);
}

}  // namespace banyan::topology
