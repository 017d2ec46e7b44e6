#include "engines/escape_tree.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace banyan::engines {

EscapeTree::EscapeTree(const Backbone& backbone, const IdVector<Switch, u32>& goals)
    : backbone_(&backbone),
      goals_(goals),
      up_(backbone.switches, none<SwitchChannel>),
      depth_(backbone.switches, Backbone::nothing) {
  const IdVector<Switch, double> between = betweenness(backbone, goals);
  IdVector<Switch, Switch> root(backbone.switches, none<Switch>);  // by component
  for (Switch v : backbone.all_switches()) {
    Switch& best = root[backbone.component[v]];
    if (best == none<Switch> || between[v] > between[best]) best = v;
  }
  for (Switch v : root)
    if (v != none<Switch>) grow(v);
  number();
}

void EscapeTree::grow(Switch root) {
  depth_[root] = 0;
  std::size_t i = found_.size();
  for (found_.push_back(root); i < found_.size(); ++i) {
    const Switch v = found_[i];
    for (SwitchChannel c : backbone_->exits(v)) {
      const Switch child = backbone_->to[c];
      if (depth_[child] != Backbone::nothing) continue;
      depth_[child] = depth_[v] + 1;
      up_[child] = backbone_->reverse[c];
      found_.push_back(child);
    }
  }
}

void EscapeTree::number() {
  IdVector<Switch, u32> size(backbone_->switches, 1), next(backbone_->switches, 0);
  for (std::size_t i = found_.size(); i-- > 0;)
    if (up_[found_[i]] != none<SwitchChannel>) size[parent(found_[i])] += size[found_[i]];
  preorder_.resize(backbone_->switches);
  u32 next_root = 0;
  for (Switch v : found_) {
    u32& place = up_[v] == none<SwitchChannel> ? next_root : next[parent(v)];
    preorder_[place] = v;
    next[v] = place + 1;
    place += size[v];
  }
}

void EscapeTree::claim(AcyclicDependencies& lane) const {
  const Backbone& b = *backbone_;
  IdVector<Switch, u32> goals_below = goals_, sources_below = b.nics;
  IdVector<Switch, u32> goals_all(b.switches), sources_all(b.switches);  // by component
  for (std::size_t i = found_.size(); i-- > 0;) {
    const Switch v = found_[i], above = up_[v] == none<SwitchChannel> ? none<Switch> : parent(v);
    u32& goals_above = above == none<Switch> ? goals_all[b.component[v]] : goals_below[above];
    u32& sources_above = above == none<Switch> ? sources_all[b.component[v]] : sources_below[above];
    goals_above += goals_below[v];
    sources_above += sources_below[v];
  }
  std::vector<SwitchChannel> ways_in, ways_out;
  for (Switch v : found_) {
    ways_in.clear();
    ways_out.clear();
    for (SwitchChannel c : b.exits(v)) {
      const bool is_up = c == up_[v];
      const Switch w = b.to[c];
      if (!is_up && up_[w] != b.reverse[c]) continue;
      const u32 goals = is_up ? goals_all[b.component[v]] - goals_below[v] : goals_below[w];
      const u32 sources = is_up ? sources_all[b.component[v]] - sources_below[v] : sources_below[w];
      if (goals > 0) ways_out.push_back(c);
      if (sources > 0) ways_in.push_back(b.reverse[c]);
    }
    for (SwitchChannel in : ways_in)
      for (SwitchChannel out : ways_out)
        if (out != b.reverse[in]) {
          [[maybe_unused]] const bool added = lane.add(in, out);
          BANYAN_ASSERT(added, "a dependency of an escape tree closes no circle");
        }
  }
  lane.settle([](SwitchChannel, SwitchChannel) { return true; });
}

namespace {

// One source's share of the betweenness, over shortest paths to goals.
class Brandes {
 public:
  explicit Brandes(const Backbone& b)
      : b_(b), distance_(b.switches), paths_(b.switches), share_(b.switches) {}

  void add(Switch source, const IdVector<Switch, u32>& goals, IdVector<Switch, double>& between) {
    search(source);
    std::fill(share_.begin(), share_.end(), 0.0);
    for (std::size_t i = queue_.size(); i-- > 1;) {
      const Switch w = queue_[i];
      const double part = (share_[w] + (goals[w] > 0)) / paths_[w];
      for (SwitchChannel c : b_.exits(w))
        if (const Switch v = b_.to[c]; distance_[v] + 1 == distance_[w]) share_[v] += paths_[v] * part;
      between[w] += share_[w];
    }
  }

 private:
  void search(Switch source) {
    std::fill(distance_.begin(), distance_.end(), Backbone::nothing);
    std::fill(paths_.begin(), paths_.end(), 0.0);
    distance_[source] = 0;
    paths_[source] = 1;
    queue_.assign(1, source);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Switch v = queue_[i];
      for (SwitchChannel c : b_.exits(v)) {
        const Switch w = b_.to[c];
        if (distance_[w] == Backbone::nothing) distance_[w] = distance_[v] + 1, queue_.push_back(w);
        if (distance_[w] == distance_[v] + 1) paths_[w] += paths_[v];
      }
    }
  }

  const Backbone& b_;
  IdVector<Switch, u32> distance_;
  std::vector<Switch> queue_;
  IdVector<Switch, double> paths_, share_;
};

}  // namespace

IdVector<Switch, double> betweenness(const Backbone& backbone, const IdVector<Switch, u32>& goals) {
  constexpr std::size_t max_sources = 256;
  std::vector<Switch> sources;
  for (Switch v : backbone.all_switches())
    if (goals[v] > 0) sources.push_back(v);
  const std::size_t count = std::min(sources.size(), max_sources);
  IdVector<Switch, double> out(backbone.switches);
  Brandes brandes(backbone);
  for (std::size_t i = 0; i < count; ++i) brandes.add(sources[i * sources.size() / count], goals, out);
  return out;
}

}  // namespace banyan::engines
