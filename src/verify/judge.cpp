#include "verify/judge.hpp"

#include "verify/walk.hpp"

namespace banyan {

void Dependencies::add(Channel held, u16 held_lanes, Channel wanted, u16 wanted_lanes) {
  for (u32 a = 0; a < most_lanes; ++a)
    for (u32 b = 0; b < most_lanes; ++b)
      if ((held_lanes >> a & 1) && (wanted_lanes >> b & 1)) {
        auto& list = waits_for_[index(held) * most_lanes + a];
        const u32 target = index(wanted) * most_lanes + b;
        if (std::find(list.begin(), list.end(), target) == list.end()) list.push_back(target);
      }
}

// Depth-first search without recursion; a node that is met again on the way down closes a cycle.
std::vector<u32> Dependencies::cycle() const {
  enum class Mark : u8 { unseen, on_path, done };
  std::vector<Mark> mark(waits_for_.size(), Mark::unseen);
  std::vector<u32> path, position;
  for (u32 start = 0; start < waits_for_.size(); ++start) {
    if (mark[start] != Mark::unseen) continue;
    path.assign(1, start);
    position.assign(1, 0);
    mark[start] = Mark::on_path;
    while (!path.empty()) {
      const u32 at = path.back();
      if (position.back() == waits_for_[at].size()) {
        mark[at] = Mark::done;
        path.pop_back();
        position.pop_back();
        continue;
      }
      const u32 next = waits_for_[at][position.back()++];
      if (mark[next] == Mark::on_path) return {std::find(path.begin(), path.end(), next), path.end()};
      if (mark[next] == Mark::done) continue;
      mark[next] = Mark::on_path;
      path.push_back(next);
      position.push_back(0);
    }
  }
  return {};
}

Verdict judge(const Fabric& fabric, const Routing& routing) {
  return std::visit([&](const auto& forward) { return judge(fabric, forward, routing.source, routing.lmc); },
                    routing.forward);
}

}  // namespace banyan
