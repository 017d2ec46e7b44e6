#include "engines/lane_graph.hpp"

namespace banyan::engines {

LaneGraph::LaneGraph(const PortGraph& graph)
    : graph_(graph),
      fabric_(graph.fabric()),
      first_(fabric_.channels().size()),
      place_(fabric_.channels().size()) {
  u32 count = 0;
  for (Channel c : fabric_.channels()) {
    first_[c] = count;
    if (between_switches(c)) count += fabric_.ports(fabric_.to(c));
  }
  paths_.resize(count);
}

bool LaneGraph::between_switches(Channel c) const {
  return fabric_.cabled(c) && fabric_.is_switch(fabric_.from(c)) && fabric_.is_switch(fabric_.to(c));
}

void LaneGraph::break_cycles(const std::function<void(Channel, Port)>& take) {
  mark_.assign(fabric_.channels().size(), Mark::unseen);
  refused_.assign(paths_.size(), false);
  placed_ = 0;
  for (Channel start : fabric_.channels()) {
    if (!between_switches(start) || mark_[start] != Mark::unseen) continue;
    mark_[start] = Mark::on_path;
    stack_.assign(1, {start, 0});
    while (!stack_.empty()) {
      const std::size_t first = advance();
      if (first >= stack_.size()) continue;
      const Step step = weakest(first);
      take(step.channel, Port{step.next_port - 1});
      unwind();
    }
  }
}

std::size_t LaneGraph::advance() {
  Step& top = stack_.back();
  const Node v = fabric_.to(top.channel);
  const u32 *const paths = paths_.data() + first_[top.channel], ports = fabric_.ports(v);
  while (top.next_port < ports && paths[top.next_port] == 0) ++top.next_port;
  if (top.next_port == ports) {
    mark_[top.channel] = Mark::done;
    place_[top.channel] = placed_++;
    stack_.pop_back();
    return stack_.size();
  }
  const Channel next = fabric_.channel(v, Port{top.next_port++});
  if (mark_[next] == Mark::on_path) {
    const auto same = [&](const Step& step) { return step.channel == next; };
    return std::find_if(stack_.begin(), stack_.end(), same) - stack_.begin();
  }
  if (mark_[next] == Mark::unseen) {
    mark_[next] = Mark::on_path;
    stack_.push_back({next, 0});
  }
  return stack_.size();
}

LaneGraph::Step LaneGraph::weakest(std::size_t first) const {
  return *std::min_element(stack_.begin() + first, stack_.end(),
                           [&](const Step& a, const Step& b) { return paths_of(a) < paths_of(b); });
}

// What was taken may have emptied other dependencies of the stack too: it ends before the first of these.
void LaneGraph::unwind() {
  std::size_t kept = 1;
  while (kept < stack_.size() && paths_of(stack_[kept - 1]) > 0) ++kept;
  for (std::size_t i = kept; i < stack_.size(); ++i) mark_[stack_[i].channel] = Mark::unseen;
  stack_.resize(kept);
}

bool LaneGraph::admits(Channel held, Port port) {
  const Channel wanted = fabric_.channel(fabric_.to(held), port);
  if (place_[wanted] < place_[held]) return true;
  if (refused_[first_[held] + index(port)]) return false;
  ahead_.clear();
  behind_.clear();
  const bool cycle = reaches(wanted, held);
  if (!cycle) reach_back(held, place_[wanted]);
  for (Channel c : ahead_) mark_[c] = Mark::done;
  for (Channel c : behind_) mark_[c] = Mark::done;
  if (!cycle) reorder();
  refused_[first_[held] + index(port)] = cycle;
  return !cycle;
}

// Collects in ahead_ what depends on `from` down to the place of the goal.
bool LaneGraph::reaches(Channel from, Channel goal) {
  if (from == goal) return true;
  ahead_.assign(1, from);
  mark_[from] = Mark::on_path;
  for (std::size_t i = 0; i < ahead_.size(); ++i) {
    const Node v = fabric_.to(ahead_[i]);
    const u32 *const paths = paths_.data() + first_[ahead_[i]], ports = fabric_.ports(v);
    for (u32 port = 0; port < ports; ++port) {
      if (paths[port] == 0) continue;
      const Channel next = fabric_.channel(v, Port{port});
      if (next == goal) return true;
      if (mark_[next] == Mark::on_path || place_[next] < place_[goal]) continue;
      mark_[next] = Mark::on_path;
      ahead_.push_back(next);
    }
  }
  return false;
}

// Collects in behind_ what leads to `from`, up to a place in the order.
void LaneGraph::reach_back(Channel from, u32 limit) {
  behind_.assign(1, from);
  mark_[from] = Mark::on_path;
  for (std::size_t i = 0; i < behind_.size(); ++i) {
    const Channel c = behind_[i];
    for (const Way& way : graph_.ways(graph_.number(fabric_.from(c)))) {
      const Channel before = fabric_.reverse(way.channel);
      if (paths(before, fabric_.port(c)) == 0 || mark_[before] == Mark::on_path || place_[before] > limit)
        continue;
      mark_[before] = Mark::on_path;
      behind_.push_back(before);
    }
  }
}

// The channels ahead and behind share out the places they have: those ahead get the first.
void LaneGraph::reorder() {
  const auto earlier = [&](Channel a, Channel b) { return place_[a] < place_[b]; };
  std::sort(ahead_.begin(), ahead_.end(), earlier);
  std::sort(behind_.begin(), behind_.end(), earlier);
  ahead_.insert(ahead_.end(), behind_.begin(), behind_.end());
  places_.clear();
  for (Channel c : ahead_) places_.push_back(place_[c]);
  std::sort(places_.begin(), places_.end());
  for (std::size_t i = 0; i < places_.size(); ++i) place_[ahead_[i]] = places_[i];
}

}  // namespace banyan::engines
