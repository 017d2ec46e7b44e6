#include "verify/dependencies.hpp"

#include <algorithm>

namespace banyan::verify {

Dependencies::Dependencies(const Fabric& fabric) : fabric_(fabric) {
  first_word_.reserve(fabric.channels().size() + 1);
  u32 words = 0;
  for (Channel c : fabric.channels()) {
    first_word_.push_back(words);
    if (fabric.cabled(c) && fabric.is_switch(fabric.from(c)) && fabric.is_switch(fabric.to(c)))
      words += (fabric.ports(fabric.to(c)) + 63) / 64;
  }
  first_word_.push_back(words);
}

void Dependencies::merge(const Dependencies& other) {
  lanes_ = std::max(lanes_, other.lanes_);
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    if (planes_[p].empty()) planes_[p] = other.planes_[p];
    for (std::size_t w = 0; w < other.planes_[p].size(); ++w) planes_[p][w] |= other.planes_[p][w];
  }
}

// A channel is numbered when all that wait for it are: the number is the longest chain that leads to it.
Dependencies::Sorted Dependencies::sort() const {
  Sorted s{std::vector<u32>(vertices()), std::vector<u32>(vertices())};
  for (u32 v = 0; v < vertices(); ++v)
    each_wanted(laned(v), [&](LanedChannel next) { ++s.waiting_for_it[vertex(next)]; });
  std::vector<u32> ready;
  for (u32 v = 0; v < vertices(); ++v)
    if (s.waiting_for_it[v] == 0) ready.push_back(v);
  for (std::size_t i = 0; i < ready.size(); ++i)
    each_wanted(laned(ready[i]), [&](LanedChannel next) {
      const u32 n = vertex(next);
      s.number[n] = std::max(s.number[n], s.number[ready[i]] + 1);
      if (--s.waiting_for_it[n] == 0) ready.push_back(n);
    });
  s.is_complete = ready.size() == vertices();
  return s;
}

std::vector<u32> Dependencies::numbering() const {
  Sorted sorted = sort();
  if (!sorted.is_complete) return {};
  for (u32 v = 0; v < vertices(); ++v)
    if (first_word_[v / lanes_] == first_word_[v / lanes_ + 1]) sorted.number[v] = 0;  // to a host
  return std::move(sorted.number);
}

// Whatever could not be numbered has someone before it that could not be either: going back finds a cycle.
std::vector<LanedChannel> Dependencies::cycle() const {
  const Sorted sorted = sort();
  if (sorted.is_complete) return {};
  std::vector<u32> before(vertices());
  u32 at = 0;
  for (u32 v = 0; v < vertices(); ++v)
    if (sorted.waiting_for_it[v])
      each_wanted(laned(v), [&](LanedChannel next) { before[vertex(next)] = at = v; });
  std::vector<bool> seen(vertices());
  for (; !seen[at]; at = before[at]) seen[at] = true;

  constexpr int max_tried = 32;
  std::vector<u32> best = shortest_way_back(at, sorted);
  u32 v = before[at];
  for (int i = 0; i < max_tried && v != at; ++i, v = before[v])
    if (auto way = shortest_way_back(v, sorted); way.size() < best.size()) best = std::move(way);
  std::vector<LanedChannel> out;
  for (u32 w : best) out.push_back(laned(w));
  return out;
}

std::vector<u32> Dependencies::shortest_way_back(u32 start, const Sorted& sorted) const {
  constexpr u32 unseen = ~u32{0};
  std::vector<u32> came_from(vertices(), unseen), queue = {start};
  for (std::size_t i = 0; came_from[start] == unseen; ++i)
    each_wanted(laned(queue[i]), [&](LanedChannel next) {
      const u32 n = vertex(next);
      if (came_from[n] != unseen || !sorted.waiting_for_it[n]) return;
      came_from[n] = queue[i];
      queue.push_back(n);
    });
  std::vector<u32> out;
  u32 at = start;
  do {
    at = came_from[at];
    out.push_back(at);
  } while (at != start);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace banyan::verify
