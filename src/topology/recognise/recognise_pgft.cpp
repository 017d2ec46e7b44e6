#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/recognise/pair_counts.hpp"
#include "topology/recognise/recognise.hpp"
#include "topology/recognise/tree_doubts.hpp"
#include "topology/recognise/tree_fit.hpp"
#include "topology/recognise/tree_places.hpp"

namespace banyan::topology {
namespace {

// Whether the highest level may be a few switches gone astray.
bool few_on_top(const Fabric& raw, const TreeLevels& levels) {
  return 8 * std::count(levels.of.begin(), levels.of.end(), levels.top) <= raw.switches();
}

// The same levels without the highest: switches there are taken for children of the next that lost their own.
TreeLevels without_top(const TreeLevels& levels) {
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

u64 pairs_joined(const Candidate& candidate, u32 level) {
  const auto& shape = std::get<Pgft>(candidate.shape);
  return candidate.planes * (shape.M(shape.h()) / shape.M(level - 1)) * shape.W(level);
}

u64 ideal_links(const Candidate& candidate) {
  const auto& shape = std::get<Pgft>(candidate.shape);
  u64 links = 0;
  for (u32 l = 1; l <= shape.h(); ++l) links += pairs_joined(candidate, l) * shape.p[l - 1];
  return links;
}

// A switch may be dead and not be seen at all; but then the others must leave no doubt about the tree.
void doubt_absent_switches(const Fabric& raw, const Candidate& candidate) {
  u64 ideal = 0;
  for (u32 count : std::get<Pgft>(candidate.shape).switches_per_level())
    ideal += u64{count} * candidate.planes;
  if (ideal <= raw.switches()) return;
  const u64 absent = ideal - raw.switches();
  const bool all_placed = std::none_of(raw.switch_nodes().begin(), raw.switch_nodes().end(),
                                       [&](Node v) { return candidate.place[v] == none<Node>; });
  if (!all_placed || absent > 1 + ideal / 50)
    throw NotATree(
        fmt::format("{} of the {} switches that its tree should have are not there", absent, ideal));
}

struct Attempt {
  Candidate candidate;
  u64 right = 0, unlike = 0;    // cables between placed nodes as in the ideal fabric, and where it has none
  std::vector<u32> whole = {};  // by level, pairs of nodes with all their cables
  std::vector<u32> over = {};   // likewise, with more than these
};

Attempt attempt(const Fabric& raw, TreeLevels levels) {
  TreeFit fit = fit_tree(raw, std::move(levels));
  doubt_moved_hosts(raw, fit);
  Attempt out{{fit.shape, fit.planes, number_tree(raw, fit), {}}};
  IdVector<Node, Node>& place = out.candidate.place;
  part_twins(place);
  const IdVector<Node, Node> undoubted = place;
  doubt_weak_places(raw, fit, place);
  if (std::find(place.begin(), place.end(), none<Node>) != place.end())
    out.candidate.likely = fill_tree(raw, fit, undoubted);
  PairCounts cables(raw.links());
  out.whole.resize(fit.top(), 0), out.over.resize(fit.top(), 0);
  raw.each_link([&](const Link& link) {
    Node u = raw.from(link.a), v = raw.from(link.b);
    if (fit.levels.of[u] > fit.levels.of[v]) std::swap(u, v);
    if (place[u] == none<Node> || place[v] == none<Node>) return;
    if (!fit.agrees(u, v)) {
      ++out.unlike;
      return;
    }
    const u32 level = fit.levels.of[u], count = ++cables(u, v);
    out.right += count <= fit.shape.p[level];
    out.whole[level] += count == fit.shape.p[level];
    out.over[level] += count == fit.shape.p[level] + 1;
  });
  return out;
}

// Missing cables, and those that are not right, which are rarer.
u64 faults(const Fabric& raw, const Attempt& found) {
  return ideal_links(found.candidate) - found.right + 2 * (raw.links() - found.right);
}

// Whether so many pairs may have lost one of their parallel cables each, by chance: a twentieth of all cables
// is lost, and what happens once in a million fabrics does not count.
bool may_all_lack_one(u64 pairs, u32 parallel) {
  return std::pow(parallel / 20.0, static_cast<double>(pairs)) > 1e-6;
}

// A lone switch at the end of a chain may have lost what was below it. Where few pairs are joined at a level,
// each may have lost a cable, or the few that have most may have one too many: then nothing tells how many
// there should be.
void doubt_thin_levels(const Fabric& raw, const Attempt& found) {
  const auto& shape = std::get<Pgft>(found.candidate.shape);
  const u64 gone = u64{shape.hosts() - raw.hosts()} * found.candidate.planes * shape.nic_ports();
  const u64 links = ideal_links(found.candidate) - gone;
  if (found.right == links && raw.links() == links) return;
  if (shape.h() > 1 && shape.m.back() == 1 && shape.w.back() == 1)
    throw NotATree(
        "cables are missing or wrong, and the only switch above all others may belong to a lower level");
  for (u32 l = 1; l <= shape.h(); ++l) {
    const u64 pairs = pairs_joined(found.candidate, l) - (l == 1 ? gone / shape.p[0] : 0);
    const u64 more = links + pairs, lacking = pairs - std::min<u64>(pairs, found.over[l - 1]);
    const u64 bearable = more / 20 + (found.right == raw.links() ? 0 : 2);
    const bool may_be_more =
        more <= raw.links() - found.unlike + bearable && may_all_lack_one(lacking, shape.p[l - 1] + 1);
    if (may_be_more || (shape.p[l - 1] > 1 && found.whole[l - 1] <= 2))
      throw NotATree(fmt::format(
          "cables are missing or wrong, and it is not certain whether {} parallel cables or another "
          "number should connect level {} to the one below",
          shape.p[l - 1], l));
  }
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_pgft(const Fabric& raw) {
  const TreeLevels levels = find_levels(raw);
  if (levels.top == 0) return Unrecognised{"no switch has hosts"};
  std::optional<Attempt> best;
  std::string why;
  const auto consider = [&](const TreeLevels& tried) {
    try {
      Attempt next = attempt(raw, tried);
      if (!best || faults(raw, next) < faults(raw, *best)) best = std::move(next);
    } catch (const NotATree& reason) {
      if (why.empty()) why = reason.what();
    }
  };
  consider(levels);
  if (levels.top > 1 && (!best || few_on_top(raw, levels))) consider(without_top(levels));
  if (!best) return Unrecognised{why};
  try {
    doubt_absent_switches(raw, best->candidate);
    doubt_thin_levels(raw, *best);
  } catch (const NotATree& reason) {
    return Unrecognised{reason.what()};
  }
  return std::move(best->candidate);
}

}  // namespace banyan::topology
