#include "topology/distances.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "fabric/attachments.hpp"

namespace banyan::topology {
namespace {

// The far ends of a node's cables, parallel ones together, ascending.
void collect_arcs(const Fabric& fabric, Node node, bool to_switches_only, std::vector<Arc>& out) {
  out.clear();
  for (Channel c : fabric.channels(node))
    if (fabric.cabled(c) && (!to_switches_only || fabric.is_switch(fabric.to(c))))
      out.push_back({fabric.to(c), 1});
  std::sort(out.begin(), out.end());
  std::size_t kept = 0;
  for (const Arc& arc : out)
    if (kept > 0 && out[kept - 1].to == arc.to)
      ++out[kept - 1].cables;
    else
      out[kept++] = arc;
  out.resize(kept);
}

// Hosts that are cabled alike on every rail: seen from outside they are one.
struct HostClass {
  struct RailArc {
    u32 rail;
    Arc arc;
  };
  std::vector<RailArc> cables;
  std::vector<Host> hosts;  // ascending
};

std::vector<HostClass::RailArc> cables_of(const Fabric& fabric, Host host) {
  std::vector<HostClass::RailArc> out;
  std::vector<Arc> arcs;
  for (u32 slot = 0; slot < fabric.nics(host); ++slot) {
    const Nic nic = fabric.nic(host, slot);
    collect_arcs(fabric, fabric.node(nic), false, arcs);
    for (const Arc& arc : arcs) out.push_back({fabric.column(nic), arc});
  }
  return out;
}

}  // namespace

SwitchGraph::SwitchGraph(const Fabric& fabric) {
  std::vector<Arc> arcs;
  first_.push_back(0);
  for (Node node : fabric.nodes()) {
    if (fabric.is_switch(node)) {
      collect_arcs(fabric, node, true, arcs);
      std::erase_if(arcs, [&](const Arc& arc) { return arc.to == node; });
      arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
    }
    first_.push_back(static_cast<u32>(arcs_.size()));
  }
}

namespace {

// In order of their first hosts. Machines that are no hosts are left out: traffic runs between hosts.
std::vector<HostClass> host_classes(const Fabric& fabric) {
  std::vector<std::vector<u32>> at(fabric.hosts());  // by host: its attachment on every rail
  u32 number = 0;
  for (const Attachment& alike : attachments(fabric, PairScope::rail)) {
    for (Nic nic : alike.nics) at[index(fabric.host(nic))].push_back(number);
    ++number;
  }
  std::vector<HostClass> classes;
  std::map<std::vector<u32>, std::size_t> known;
  for (Host host : IdRange<Host>(fabric.hosts())) {
    if (!fabric.sends(host)) continue;
    const auto [found, is_new] = known.try_emplace(at[index(host)], classes.size());
    if (is_new) classes.push_back({cables_of(fabric, host), {}});
    classes[found->second].hosts.push_back(host);
  }
  return classes;
}

// One breadth-first search at a time from the NICs of a class on one rail, counting shortest paths.
class Search {
 public:
  Search(const Fabric& fabric, const SwitchGraph& graph, const std::vector<HostClass>& classes)
      : fabric_(fabric), graph_(graph), at_(fabric.nodes().size()), goals_(fabric.nodes().size(), false) {
    for (const HostClass& c : classes)
      for (const auto& [rail, arc] : c.cables) goals_[index(arc.to)] = true;
    goal_count_ = static_cast<u32>(std::count(goals_.begin(), goals_.end(), true));
  }

  void run(const HostClass& from, u32 rail) {
    for (Node node : reached_) at_[node] = {};
    reached_.clear();
    u32 goals_left = goal_count_;
    for (const auto& [r, arc] : from.cables)
      if (r == rail) reach(arc.to, 1, arc.cables, goals_left);
    for (std::size_t i = 0, level_end = reached_.size(); i < reached_.size(); ++i) {
      if (i == level_end) {
        if (goals_left == 0) break;
        level_end = reached_.size();
      }
      const PairDistance here = at_[reached_[i]];
      for (const Arc& arc : graph_.arcs(reached_[i]))
        reach(arc.to, here.channels + 1, saturating_multiply(here.paths, arc.cables), goals_left);
    }
  }

  // To the NIC of the goal on this rail; without a rail, to any.
  PairDistance to(const HostClass& goal, std::optional<u32> rail) const {
    PairDistance best;
    for (const auto& [r, arc] : goal.cables) {
      if (rail && r != *rail) continue;
      const PairDistance& nic = at_[fabric_.node(fabric_.in_column(goal.hosts.front(), r))];
      if (nic.channels == 1) return nic;  // cabled without a switch
      const PairDistance& there = at_[arc.to];
      if (!fabric_.is_switch(arc.to) || there.channels == 0) continue;
      const u64 paths = saturating_multiply(there.paths, arc.cables);
      if (best.channels == 0 || there.channels + 1 < best.channels)
        best = {there.channels + 1, paths};
      else if (there.channels + 1 == best.channels)
        best.paths = saturating_add(best.paths, paths);
    }
    return best;
  }

 private:
  void reach(Node node, u32 channels, u64 paths, u32& goals_left) {
    PairDistance& there = at_[node];
    if (there.channels == 0) {
      there = {channels, paths};
      reached_.push_back(node);
      goals_left -= goals_[index(node)];
    } else if (there.channels == channels) {
      there.paths = saturating_add(there.paths, paths);
    }
  }

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  IdVector<Node, PairDistance> at_;  // 0 channels: not reached
  std::vector<Node> reached_;
  std::vector<bool> goals_;  // nodes with hosts: when all are reached the search is over
  u32 goal_count_ = 0;
};

struct Tally {
  u32 diameter = 0;
  u64 sum = 0, pairs = 0, unreachable = 0, paths_max = 0;

  void add(const PairDistance& d, u64 count) {
    if (count == 0) return;
    if (d.channels == 0)
      unreachable += count;
    else
      pairs += count;
    sum += d.channels * count;
    diameter = std::max(diameter, d.channels);
    paths_max = std::max(paths_max, d.paths);
  }

  void add(const Tally& other) {
    diameter = std::max(diameter, other.diameter);
    paths_max = std::max(paths_max, other.paths_max);
    sum += other.sum, pairs += other.pairs, unreachable += other.unreachable;
  }
};

PairDistance nearer(const PairDistance& a, const PairDistance& b) {
  if (a.channels == b.channels) return a.paths < b.paths ? b : a;
  return b.channels == 0 || (a.channels != 0 && a.channels < b.channels) ? a : b;
}

// All pairs of a host in class i and one in the same or a later class.
Tally tally_from(Search& search, const std::vector<HostClass>& classes, u64 i, u32 rails) {
  std::vector<PairDistance> best(classes.size() - i);
  for (u32 rail = 0; rail < rails; ++rail) {
    search.run(classes[i], rail);
    for (u64 j = i; j < classes.size(); ++j) best[j - i] = nearer(best[j - i], search.to(classes[j], rail));
  }
  // Those that no rail connects may reach each other across rails.
  std::vector<bool> is_open(best.size());
  for (u64 j = 0; j < best.size(); ++j) is_open[j] = best[j].channels == 0;
  for (u32 rail = 0; rails > 1 && rail < rails && std::ranges::find(is_open, true) != is_open.end(); ++rail) {
    search.run(classes[i], rail);
    for (u64 j = i; j < classes.size(); ++j)
      if (is_open[j - i]) best[j - i] = nearer(best[j - i], search.to(classes[j], std::nullopt));
  }
  Tally out;
  const u64 own = classes[i].hosts.size();
  out.add(best[0], own * (own - 1) / 2);
  for (u64 j = i + 1; j < classes.size(); ++j) out.add(best[j - i], own * classes[j].hosts.size());
  return out;
}

}  // namespace

Distances search_distances(const Fabric& fabric, unsigned threads) {
  const SwitchGraph graph(fabric);
  const auto classes = host_classes(fabric);
  std::vector<Tally> tallies(classes.size());
  Progress progress("distances", classes.size());
  parallel_ranges(
      classes.size(), threads,
      [&](u64 first, u64 last) {
        Search search(fabric, graph, classes);
        for (u64 i = first; i < last; ++i) tallies[i] = tally_from(search, classes, i, fabric.columns());
      },
      &progress);
  Tally all;
  for (const Tally& tally : tallies) all.add(tally);
  const double average = all.pairs == 0 ? 0 : static_cast<double>(all.sum) / static_cast<double>(all.pairs);
  return {all.diameter, average, all.paths_max, all.unreachable};
}

PairDistance search_distance(const Fabric& fabric, Nic a, Nic b) {
  if (a == b) return {};
  const auto end = [&](Nic nic) {
    HostClass out{cables_of(fabric, fabric.host(nic)), {fabric.host(nic)}};
    std::erase_if(out.cables, [&](const auto& cable) { return cable.rail != fabric.column(nic); });
    return out;
  };
  const std::vector<HostClass> ends = {end(a), end(b)};
  const SwitchGraph graph(fabric);
  Search search(fabric, graph, ends);
  search.run(ends[0], fabric.column(a));
  return search.to(ends[1], std::nullopt);
}

void search_nic_distances(const Fabric& fabric, std::span<int> out, unsigned threads) {
  const SwitchGraph graph(fabric);
  const std::vector<Attachment> alike = attachments(fabric);
  const std::size_t nics = fabric.nics();
  parallel_for(alike.size(), threads, [&](u64 number) {
    IdVector<Node, int> far(fabric.nodes().size(), -1);
    std::vector<Node> reached;
    const auto reach = [&](Node node, int channels) {
      if (far[node] >= 0) return;
      far[node] = channels;
      if (fabric.is_switch(node)) reached.push_back(node);
    };
    const Nic first = alike[number].nics.front();
    for (const Channel c : fabric.channels(fabric.node(first)))
      if (fabric.cabled(c)) reach(fabric.to(c), 1);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Arc& arc : graph.arcs(reached[i])) reach(arc.to, far[reached[i]] + 1);
    // A NIC that is not cabled to the first one itself is a channel behind the nearest of its switches.
    std::vector<int> row(nics);
    for (const Attachment& to : alike) {
      int nearest = -1;
      for (const Channel c : fabric.channels(fabric.node(to.nics.front())))
        if (const Node at = fabric.to(c); fabric.cabled(c) && fabric.is_switch(at) && far[at] >= 0)
          nearest = nearest < 0 ? far[at] + 1 : std::min(nearest, far[at] + 1);
      for (const Nic nic : to.nics) {
        const int direct = far[fabric.node(nic)];
        row[index(nic)] = direct >= 0 ? direct : nearest;
      }
    }
    for (const Nic nic : alike[number].nics) {
      std::copy(row.begin(), row.end(), out.begin() + static_cast<std::ptrdiff_t>(index(nic) * nics));
      out[index(nic) * nics + index(nic)] = 0;
    }
  });
}

}  // namespace banyan::topology
