#include "flow/group_matching.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace banyan::flow {
namespace {

// Prices y of groups and z of destinations with y + z >= weight on every edge, so that their sum bounds every
// matching; edges where they are equal are tight. Groups that may still send look for the cheapest way to do
// so, or to give it up, which costs y. When all have, matching and prices are worth the same.
class Matcher {
 public:
  Matcher(std::span<const u32> members, u32 destinations, std::span<const MatchEdge> edges)
      : left_(members.begin(), members.end()),
        first_(members.size() + 1),
        y_(members.size()),
        z_(destinations),
        group_of_(destinations, none),
        group_distance_(members.size()),
        to_distance_(destinations) {
    for (const MatchEdge& e : edges) ++first_[e.group + 1];
    for (std::size_t g = 0; g < members.size(); ++g) first_[g + 1] += first_[g];
    edges_.resize(edges.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const MatchEdge& e : edges) {
      edges_[next[e.group]++] = {e.to, e.weight};
      y_[e.group] = std::max(y_[e.group], i64{e.weight});
    }
  }

  GroupMatching run() {
    while (std::any_of(left_.begin(), left_.end(), [](u32 n) { return n > 0; })) {
      change_prices(search());
      while (augment_many()) {
      }
    }
    return result();
  }

 private:
  static constexpr u32 none = GroupMatching::unmatched;
  static constexpr i64 far = i64{1} << 62;
  struct Edge {
    u32 to;
    i64 weight;
  };

  i64 slack(u32 g, const Edge& e) const { return y_[g] + z_[e.to] - e.weight; }

  // Distances by Dijkstra in the slack, from all groups that may still send; the least at which one of them
  // ends: at a free destination, or at a group that gives one up.
  i64 search() {
    std::fill(group_distance_.begin(), group_distance_.end(), far);
    std::fill(to_distance_.begin(), to_distance_.end(), far);
    std::priority_queue<std::pair<i64, u32>, std::vector<std::pair<i64, u32>>, std::greater<>> queue;
    for (u32 g = 0; g < left_.size(); ++g)
      if (left_[g] > 0) group_distance_[g] = 0, queue.push({0, g});
    i64 end = far;
    while (!queue.empty() && queue.top().first < end) {
      const auto [distance, g] = queue.top();
      queue.pop();
      if (distance > group_distance_[g]) continue;
      end = std::min(end, distance + y_[g]);
      for (std::size_t i = first_[g]; i < first_[g + 1]; ++i) {
        const u32 to = edges_[i].to, owner = group_of_[to];
        const i64 there = distance + slack(g, edges_[i]);
        if (there >= to_distance_[to] || there >= end) continue;
        to_distance_[to] = there;
        if (owner == none)
          end = there;
        else if (there < group_distance_[owner])
          group_distance_[owner] = there, queue.push({there, owner});
      }
    }
    return end;
  }

  // What was nearer than the end becomes so much cheaper, or dearer, that a tight way leads there.
  void change_prices(i64 end) {
    for (std::size_t g = 0; g < y_.size(); ++g) y_[g] -= std::max(i64{0}, end - group_distance_[g]);
    for (std::size_t t = 0; t < z_.size(); ++t) z_[t] += std::max(i64{0}, end - to_distance_[t]);
  }

  // Disjoint ways along tight edges, each destination tried once.
  bool augment_many() {
    seen_.assign(z_.size(), false);
    arc_.assign(first_.begin(), first_.end() - 1);
    bool any = false;
    for (u32 g = 0; g < left_.size(); ++g)
      while (left_[g] > 0 && augment(g)) --left_[g], any = true;
    return any;
  }

  // Finds a place for one more of this group's; without recursion, since ways may be long.
  bool augment(u32 start) {
    path_.assign(1, {start, none});
    while (!path_.empty()) {
      const u32 g = path_.back().group;
      if (y_[g] == 0) return shift_path(none);  // gives one up
      if (arc_[g] == first_[g + 1]) {
        path_.pop_back();
        continue;
      }
      const Edge& e = edges_[arc_[g]++];
      const u32 owner = group_of_[e.to];
      if (owner == g || seen_[e.to] || slack(g, e) != 0) continue;
      seen_[e.to] = true;
      if (owner == none) return shift_path(e.to);
      path_.push_back({owner, e.to});
    }
    return false;
  }

  // Every group on the way takes the destination behind it from its owner; the last takes the free one, if
  // any.
  bool shift_path(u32 last) {
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      if (last != none) group_of_[last] = step->group;
      last = step->through;
    }
    return true;
  }

  GroupMatching result() const {
    GroupMatching out{0, group_of_};
    for (u32 g = 0; g + 1 < first_.size(); ++g)
      for (std::size_t i = first_[g]; i < first_[g + 1]; ++i)
        if (group_of_[edges_[i].to] == g) out.weight += static_cast<u64>(edges_[i].weight);
    return out;
  }

  struct Step {
    u32 group;
    u32 through;  // the destination that it would lose
  };

  std::vector<u32> left_;  // by group: how many it may still send
  std::vector<std::size_t> first_;
  std::vector<Edge> edges_;
  std::vector<i64> y_, z_;
  std::vector<u32> group_of_;
  std::vector<i64> group_distance_, to_distance_;
  std::vector<bool> seen_;        // by destination
  std::vector<std::size_t> arc_;  // by group: edge to look at
  std::vector<Step> path_;
};

}  // namespace

GroupMatching heaviest_matching(std::span<const u32> members, u32 destinations,
                                std::span<const MatchEdge> edges) {
  return Matcher(members, destinations, edges).run();
}

}  // namespace banyan::flow
