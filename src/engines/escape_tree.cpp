#include "engines/escape_tree.hpp"

#include <algorithm>

namespace banyan::engines {

EscapeTree::EscapeTree(const Backbone& backbone, const std::vector<u32>& goals)
    : backbone_(&backbone),
      goals_(goals),
      up_(backbone.switches, Backbone::nothing),
      depth_(backbone.switches, Backbone::nothing) {
  const std::vector<double> between = betweenness(backbone, goals);
  std::vector<u32> root(backbone.switches, Backbone::nothing);  // by component
  for (u32 v = 0; v < backbone.switches; ++v) {
    u32& best = root[backbone.component[v]];
    if (best == Backbone::nothing || between[v] > between[best]) best = v;
  }
  for (u32 v : root)
    if (v != Backbone::nothing) grow(v);
  number();
}

void EscapeTree::grow(u32 root) {
  depth_[root] = 0;
  std::size_t i = found_.size();
  for (found_.push_back(root); i < found_.size(); ++i) {
    const u32 v = found_[i];
    for (u32 c = backbone_->first[v]; c < backbone_->first[v + 1]; ++c) {
      const u32 child = backbone_->to[c];
      if (depth_[child] != Backbone::nothing) continue;
      depth_[child] = depth_[v] + 1;
      up_[child] = backbone_->reverse[c];
      found_.push_back(child);
    }
  }
}

void EscapeTree::number() {
  std::vector<u32> size(backbone_->switches, 1), next(backbone_->switches, 0);
  for (std::size_t i = found_.size(); i-- > 0;)
    if (up_[found_[i]] != Backbone::nothing) size[parent(found_[i])] += size[found_[i]];
  preorder_.resize(backbone_->switches);
  u32 next_root = 0;
  for (u32 v : found_) {
    u32& place = up_[v] == Backbone::nothing ? next_root : next[parent(v)];
    preorder_[place] = v;
    next[v] = place + 1;
    place += size[v];
  }
}

void EscapeTree::claim(AcyclicDependencies& lane) const {
  const Backbone& b = *backbone_;
  std::vector<u32> goals_below = goals_, sources_below = b.nics;
  std::vector<u32> goals_all(b.switches), sources_all(b.switches);  // by component
  for (std::size_t i = found_.size(); i-- > 0;) {
    const u32 v = found_[i], above = up_[v] == Backbone::nothing ? Backbone::nothing : parent(v);
    u32& goals_above = above == Backbone::nothing ? goals_all[b.component[v]] : goals_below[above];
    u32& sources_above = above == Backbone::nothing ? sources_all[b.component[v]] : sources_below[above];
    goals_above += goals_below[v];
    sources_above += sources_below[v];
  }
  std::vector<u32> ways_in, ways_out;
  for (u32 v : found_) {
    ways_in.clear();
    ways_out.clear();
    for (u32 c = b.first[v]; c < b.first[v + 1]; ++c) {
      const bool is_up = c == up_[v];
      const u32 w = b.to[c];
      if (!is_up && up_[w] != b.reverse[c]) continue;
      const u32 goals = is_up ? goals_all[b.component[v]] - goals_below[v] : goals_below[w];
      const u32 sources = is_up ? sources_all[b.component[v]] - sources_below[v] : sources_below[w];
      if (goals > 0) ways_out.push_back(c);
      if (sources > 0) ways_in.push_back(b.reverse[c]);
    }
    for (u32 in : ways_in)
      for (u32 out : ways_out)
        if (out != b.reverse[in]) {
          [[maybe_unused]] const bool added = lane.add(in, out);
          assert(added);
        }
  }
  lane.settle([](u32, u32) { return true; });
}

namespace {

// One source's share of the betweenness, over shortest paths to goals.
class Brandes {
 public:
  explicit Brandes(const Backbone& b)
      : b_(b), distance_(b.switches), paths_(b.switches), share_(b.switches) {}

  void add(u32 source, const std::vector<u32>& goals, std::vector<double>& between) {
    search(source);
    std::fill(share_.begin(), share_.end(), 0.0);
    for (std::size_t i = queue_.size(); i-- > 1;) {
      const u32 w = queue_[i];
      const double part = (share_[w] + (goals[w] > 0)) / paths_[w];
      for (u32 c = b_.first[w]; c < b_.first[w + 1]; ++c)
        if (const u32 v = b_.to[c]; distance_[v] + 1 == distance_[w]) share_[v] += paths_[v] * part;
      between[w] += share_[w];
    }
  }

 private:
  void search(u32 source) {
    std::fill(distance_.begin(), distance_.end(), Backbone::nothing);
    std::fill(paths_.begin(), paths_.end(), 0.0);
    distance_[source] = 0;
    paths_[source] = 1;
    queue_.assign(1, source);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const u32 v = queue_[i];
      for (u32 c = b_.first[v]; c < b_.first[v + 1]; ++c) {
        const u32 w = b_.to[c];
        if (distance_[w] == Backbone::nothing) distance_[w] = distance_[v] + 1, queue_.push_back(w);
        if (distance_[w] == distance_[v] + 1) paths_[w] += paths_[v];
      }
    }
  }

  const Backbone& b_;
  std::vector<u32> distance_, queue_;
  std::vector<double> paths_, share_;
};

}  // namespace

std::vector<double> betweenness(const Backbone& backbone, const std::vector<u32>& goals) {
  constexpr std::size_t max_sources = 256;
  std::vector<u32> sources;
  for (u32 v = 0; v < backbone.switches; ++v)
    if (goals[v] > 0) sources.push_back(v);
  const std::size_t count = std::min(sources.size(), max_sources);
  std::vector<double> out(backbone.switches);
  Brandes brandes(backbone);
  for (std::size_t i = 0; i < count; ++i) brandes.add(sources[i * sources.size() / count], goals, out);
  return out;
}

}  // namespace banyan::engines
