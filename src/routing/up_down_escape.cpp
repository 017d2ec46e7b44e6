#include "routing/up_down_escape.hpp"

#include <algorithm>
#include <numeric>

namespace banyan::routing {

UpDownEscape::UpDownEscape(const SwitchCables& graph, std::vector<bool> cables, bool takes_direct_cables)
    : cables_(std::move(cables)), rank_(graph.switches(), SwitchCables::nowhere) {
  rank_switches(graph);
  highest_first_.resize(rank_.size());
  std::iota(highest_first_.begin(), highest_first_.end(), 0u);
  std::sort(highest_first_.begin(), highest_first_.end(), [&](u32 a, u32 b) { return goes_up(b, a); });
  const std::size_t size = rank_.size() * rank_.size();
  for (auto* table : {&up_, &down_, &left_up_, &left_down_}) table->assign(size, SwitchCables::far);
  for (u32 goal = 0; goal < rank_.size(); ++goal) {
    find_lengths(graph, goal);
    find_left(graph, goal, takes_direct_cables);
  }
}

u32 UpDownEscape::longest() const {
  u32 out = 0;
  for (const u8 length : up_)
    if (length != SwitchCables::far) out = std::max<u32>(out, length);
  return out;
}

// The root of a component is the switch with the most cables of the escape, the first of several.
void UpDownEscape::rank_switches(const SwitchCables& graph) {
  std::vector<u32> degree(rank_.size()), by_degree(rank_.size()), queue;
  for (u32 v = 0; v < rank_.size(); ++v)
    graph.each_cable(v, [&](u32 cable, u32) { degree[v] += cables_[cable]; });
  std::iota(by_degree.begin(), by_degree.end(), 0u);
  std::stable_sort(by_degree.begin(), by_degree.end(), [&](u32 a, u32 b) { return degree[a] > degree[b]; });
  for (const u32 root : by_degree) {
    if (rank_[root] != SwitchCables::nowhere) continue;
    rank_[root] = 0;
    queue.assign(1, root);
    for (std::size_t i = 0; i < queue.size(); ++i)
      graph.each_cable(queue[i], [&](u32 cable, u32 next) {
        if (!cables_[cable] || rank_[next] != SwitchCables::nowhere) return;
        rank_[next] = rank_[queue[i]] + 1;
        queue.push_back(next);
      });
  }
}

// Down: a search from the goal against channels down. Then, from the top on, up to whoever is nearest.
void UpDownEscape::find_lengths(const SwitchCables& graph, u32 goal) {
  std::vector<u32> queue = {goal};
  down_[place(goal, goal)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const u8 next = static_cast<u8>(std::min<u32>(down_[place(goal, queue[i])] + 1u, SwitchCables::far));
    graph.each_cable(queue[i], [&](u32 cable, u32 before) {
      u8& length = down_[place(goal, before)];
      if (!cables_[cable] || goes_up(before, queue[i]) || length <= next) return;
      length = next;
      queue.push_back(before);
    });
  }
  for (const u32 v : highest_first_) {
    u32 best = down_[place(goal, v)];
    graph.each_cable(v, [&](u32 cable, u32 above) {
      if (cables_[cable] && goes_up(v, above)) best = std::min(best, up_[place(goal, above)] + 1u);
    });
    up_[place(goal, v)] = static_cast<u8>(std::min<u32>(best, SwitchCables::far));
  }
}

void UpDownEscape::find_left(const SwitchCables& graph, u32 goal, bool takes_direct_cables) {
  const auto find = [&](u32 v, bool may_go_up) {
    u8& out = (may_go_up ? left_up_ : left_down_)[place(goal, v)];
    out = v == goal ? 0 : SwitchCables::far;
    const u8 here = length(goal, v, may_go_up);
    if (here == SwitchCables::far) return;
    graph.each_cable(v, [&](u32 cable, u32 next) {
      if (next == goal && takes_direct_cables && !cables_[cable]) out = 1;
      const bool up = goes_up(v, next);
      if (!cables_[cable] || (up && !may_go_up) || length(goal, next, up) + 1 != here) return;
      out = static_cast<u8>(std::min<u32>(out, left(goal, next, up) + 1u));
    });
  };
  for (auto v = highest_first_.rbegin(); v != highest_first_.rend(); ++v) find(*v, false);
  for (const u32 v : highest_first_) find(v, true);
}

}  // namespace banyan::routing
