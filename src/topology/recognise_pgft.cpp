#include <fmt/format.h>

#include <algorithm>

#include "topology/recognise.hpp"
#include "topology/tree_doubts.hpp"
#include "topology/tree_fit.hpp"

namespace banyan {
namespace {

// The same levels without the highest: switches there are taken for children of the next that lost their own.
TreeLevels lower(const TreeLevels& levels) {
  TreeLevels out = levels;
  --out.top;
  for (u32& level : out.of)
    if (level == levels.top) level = levels.top >= 3 ? levels.top - 2 : TreeLevels::unknown;
  return out;
}

// Two nodes at one place: neither is certain.
void part_twins(IdVector<Node, Node>& place) {
  std::vector<Node> order;
  for (Node v : place.ids())
    if (place[v] != none<Node>) order.push_back(v);
  std::sort(order.begin(), order.end(), [&](Node u, Node v) { return place[u] < place[v]; });
  std::vector<Node> twins;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (place[order[i - 1]] == place[order[i]]) twins.push_back(order[i - 1]), twins.push_back(order[i]);
  for (Node v : twins) place[v] = none<Node>;
}

struct Attempt {
  Candidate candidate;
  u32 agreeing = 0;  // cables between placed nodes
};

Attempt attempt(const Fabric& raw, TreeLevels levels) {
  TreeFit fit = fit_tree(raw, std::move(levels));
  doubt_moved_hosts(raw, fit);
  Attempt out{{fit.shape, fit.planes, number_tree(raw, fit), {}}};
  IdVector<Node, Node>& place = out.candidate.place;
  part_twins(place);
  doubt_weak_places(raw, fit, place);
  raw.each_link([&](const Link& link) {
    Node u = raw.from(link.a), v = raw.from(link.b);
    if (fit.levels.of[u] > fit.levels.of[v]) std::swap(u, v);
    out.agreeing += place[u] != none<Node> && place[v] != none<Node> && fit.agrees(u, v);
  });
  return out;
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_pgft(const Fabric& raw) {
  TreeLevels levels = find_levels(raw);
  if (levels.top == 0) return Unrecognised{"no switch has hosts"};
  std::optional<Attempt> best;
  std::string why;
  for (u32 tries = 0; tries < 2 && levels.top >= 1; ++tries, levels = lower(levels)) {
    try {
      Attempt next = attempt(raw, levels);
      if (!best || next.agreeing > best->agreeing) best = std::move(next);
    } catch (const NotATree& reason) {
      if (why.empty()) why = reason.what();
    }
  }
  if (!best) return Unrecognised{why};
  return std::move(best->candidate);
}

}  // namespace banyan
