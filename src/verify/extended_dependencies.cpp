#include "verify/extended_dependencies.hpp"

#include <algorithm>

namespace banyan::verify {

void ExtendedDependencies::merge(const ExtendedDependencies& other) {
  for (Vertex held = 0; held < other.wanted_.size(); ++held)
    for (const Vertex wanted : other.wanted_[held]) add(held, wanted);
}

std::vector<ExtendedDependencies::Vertex> ExtendedDependencies::order() const {
  std::vector<u32> waiting(wanted_.size());
  for (const auto& row : wanted_)
    for (const Vertex wanted : row) ++waiting[wanted];
  std::vector<Vertex> out;
  for (Vertex v = 0; v < wanted_.size(); ++v)
    if (waiting[v] == 0) out.push_back(v);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const Vertex wanted : wanted_[out[i]])
      if (--waiting[wanted] == 0) out.push_back(wanted);
  return out;
}

std::vector<u32> ExtendedDependencies::numbering() const {
  const std::vector<Vertex> sorted = order();
  if (sorted.size() != wanted_.size()) return {};
  std::vector<u32> out(wanted_.size());
  for (const Vertex held : sorted)
    for (const Vertex wanted : wanted_[held]) out[wanted] = std::max(out[wanted], out[held] + 1);
  return out;
}

// Whatever cannot be numbered has someone before it that cannot be either: going back finds a cycle.
std::vector<ExtendedDependencies::Vertex> ExtendedDependencies::cycle() const {
  std::vector<bool> is_numbered(wanted_.size());
  for (const Vertex v : order()) is_numbered[v] = true;
  std::vector<Vertex> before(wanted_.size());
  Vertex at = 0;
  for (Vertex held = 0; held < wanted_.size(); ++held)
    if (!is_numbered[held])
      for (const Vertex wanted : wanted_[held]) before[wanted] = at = held;
  std::vector<bool> seen(wanted_.size());
  for (; !seen[at]; at = before[at]) seen[at] = true;

  constexpr Vertex unseen = ~Vertex{0};
  std::vector<Vertex> came_from(wanted_.size(), unseen), queue = {at};
  for (std::size_t i = 0; i < queue.size() && came_from[at] == unseen; ++i)
    for (const Vertex wanted : wanted_[queue[i]]) {
      if (came_from[wanted] != unseen) continue;
      came_from[wanted] = queue[i];
      queue.push_back(wanted);
    }
  std::vector<Vertex> out;
  Vertex v = at;
  do out.push_back(v = came_from[v]);
  while (v != at);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace banyan::verify
