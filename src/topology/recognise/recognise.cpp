#include "topology/recognise/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "topology/plane.hpp"
#include "topology/recognise/guess_graphs.hpp"
#include "topology/recognise/pair_counts.hpp"

namespace banyan::topology {
namespace {

// Wherever it belongs, a NIC has no business on this switch of the ideal fabric.
bool has_hosts(const Fabric& ideal, Node node) {
  for (Channel c : ideal.channels(node))
    if (ideal.cabled(c) && !ideal.is_switch(ideal.to(c))) return true;
  return false;
}

std::string list_names(const Fabric& raw, const std::vector<Node>& nodes) {
  constexpr std::size_t maximum = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(maximum, nodes.size()); ++i)
    out += (i ? ", " : "") + raw.name(nodes[i]);
  return nodes.size() <= maximum ? out : fmt::format("{} and {} more", out, nodes.size() - maximum);
}

// The words for nodes without a place.
void tell_undecided(const Fabric& raw, Recognition& out) {
  std::vector<Node> nics, switches;
  for (Node v : out.undecided) (raw.is_switch(v) ? switches : nics).push_back(v);
  if (!switches.empty())
    out.doubts.push_back(fmt::format("too few cables determine the place of {}", list_names(raw, switches)));
  if (!nics.empty())
    out.doubts.push_back(fmt::format("the cables do not determine the place of {}", list_names(raw, nics)));
}

// A NIC without a cable stands where its host does on the other rails.
void place_by_other_rails(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node>& place) {
  if (raw.columns() < 2 || ideal.columns() != raw.columns()) return;
  std::vector<bool> taken(ideal.nics(), false);
  for (Node nic : raw.nic_nodes())
    if (place[nic] != none<Node>) taken[index(place[nic])] = true;
  for (Node nic : raw.nic_nodes()) {
    if (place[nic] != none<Node> || raw.cabled_ports(nic) > 0) continue;
    const Host host = raw.host(raw.nic(nic));
    for (u32 slot = 0; slot < raw.nics(host); ++slot) {
      const Nic beside = raw.nic(host, slot);
      const Node other = place[raw.node(beside)];
      if (other == none<Node> || ideal.column(ideal.nic(other)) != raw.column(beside)) continue;
      const Node here = ideal.node(ideal.in_column(ideal.host(ideal.nic(other)), raw.column(raw.nic(nic))));
      if (!taken[index(here)]) place[nic] = here, taken[index(here)] = true;
      break;
    }
  }
}

// What the cables of each class of the shape can do: what most of them say. Capacities are relative, so where
// all are alike they are 1.
template <class S>
void adopt_link_classes(const Fabric& raw, const Candidate& candidate, S& shape) {
  if (raw.link_classes().size() <= 1) return shape.links.assign(shape.links.size(), LinkClass{});
  S marked = shape;
  for (std::size_t i = 0; i < marked.links.size(); ++i) marked.links[i] = {static_cast<double>(i + 1), 1};
  const Fabric ideal = build(marked, candidate.planes).fabric;
  PairCounts class_of(ideal.links());  // one more than that; 0: no cable
  ideal.each_link([&](const Link& link) {
    const Node a = ideal.from(link.a), b = ideal.from(link.b);
    class_of(std::min(a, b), std::max(a, b)) = static_cast<u32>(ideal.link_class(link.a).capacity);
  });
  std::vector votes(shape.links.size(), std::vector<u32>(raw.link_classes().size(), 0));
  raw.each_link([&](const Link& link) {
    const Node a = candidate.place[raw.from(link.a)], b = candidate.place[raw.from(link.b)];
    if (a == none<Node> || b == none<Node>) return;
    if (const u32 found = class_of.find(std::min(a, b), std::max(a, b)); found > 0)
      ++votes[found - 1][raw.link_class_index(link.a)];
  });
  for (std::size_t i = 0; i < votes.size(); ++i)
    shape.links[i] = raw.link_classes()[static_cast<std::size_t>(
        std::max_element(votes[i].begin(), votes[i].end()) - votes[i].begin())];
  if (std::all_of(shape.links.begin(), shape.links.end(),
                  [&](const LinkClass& l) { return l == shape.links[0]; }))
    shape.links.assign(shape.links.size(), LinkClass{});
}

// Faults beyond which an answer would be a guess. A small fabric could be made up from many others.
std::optional<std::string> too_many_faults(const Fabric& raw, const Fabric& ideal, const Recognition& found) {
  const u64 wrong = found.wrong.size(), undecided = found.undecided.size(), links = ideal.links();
  const u64 missing = static_cast<u64>(std::count_if(
      found.missing.begin(), found.missing.end(),
      [](const MissingCable& cable) { return cable.raw_a != none<Node> && cable.raw_b != none<Node>; }));
  const bool small = raw.switches() < 32;
  if (missing > (links < 100 ? links / 20 + 2 : links / 8) || 4 * found.missing.size() > links)
    return fmt::format("{} of {} cables are missing", found.missing.size(), links);
  if (u64{small ? 20u : 3u} * raw.hosts() < u64{small ? 19u : 2u} * ideal.hosts())
    return fmt::format("{} of {} hosts are not there", ideal.hosts() - raw.hosts(), ideal.hosts());
  if (wrong > std::max<u64>(2, raw.links() / 50))
    return fmt::format("{} of {} cables are wrong", wrong, raw.links());
  if (links < 100 && wrong == 1 && undecided == 0)
    return "one cable seems wrong, but there is none that it was swapped with";
  if (4 * undecided > raw.nodes().size())
    return fmt::format("{} of {} nodes have no certain place", undecided, raw.nodes().size());
  return std::nullopt;
}

// Whether cables of a HyperX are missing whose lack would make a path of each ring of three or four in one
// direction. Two switches in each of two dimensions are a ring of four. A swap may have filled two such
// places.
bool may_be_mesh(const Recognition& found) {
  const auto* hyperx = std::get_if<HyperX>(&found.candidate.shape);
  if (!hyperx || found.missing.empty()) return false;
  const Grid& grid = hyperx->grid;
  const Planes planes = planes_of(*hyperx, found.candidate.planes);
  std::map<std::array<u32, 3>, u64> lacking;  // by dimension, another and a coordinate there: missing cables
  u64 all = 0;
  for (const MissingCable& cable : found.missing) {
    if (planes.is_nic(cable.ideal_a) || planes.is_nic(cable.ideal_b)) continue;
    ++all;
    const u32 a = planes.switch_number(cable.ideal_a), b = planes.switch_number(cable.ideal_b);
    u32 d = 0;
    while (grid.coordinate(a, d) == grid.coordinate(b, d)) ++d;
    if (grid.widths[d] == 3) ++lacking[{d, d, 3 - grid.coordinate(a, d) - grid.coordinate(b, d)}];
    for (u32 e = 0; e < grid.dimensions(); ++e)
      if (e != d && grid.widths[d] == 2 && grid.widths[e] == 2) ++lacking[{d, e, grid.coordinate(a, e)}];
  }
  return std::any_of(lacking.begin(), lacking.end(), [&](const auto& entry) {
    const auto& [where, count] = entry;
    const u64 lines = grid.size() / (grid.widths[where[0]] == 3 ? 3 : 4);
    const u64 whole = found.candidate.planes * hyperx->trunk[where[0]] * lines;
    return count + 2 >= whole && all >= whole;
  });
}

u64 faults(const Recognition& r) { return r.missing.size() + r.wrong.size() + r.undecided.size(); }

// A HyperX whose dimensions all have two switches: the torus of rings of four is the same graph, and the
// usual name for it.
bool is_cube(const Candidate& candidate) {
  const auto* hyperx = std::get_if<HyperX>(&candidate.shape);
  return hyperx && hyperx->grid.dimensions() > 3 &&
         std::all_of(hyperx->grid.widths.begin(), hyperx->grid.widths.end(), [](u32 w) { return w == 2; }) &&
         std::all_of(hyperx->trunk.begin(), hyperx->trunk.end(), [](u32 t) { return t == 1; });
}

Recognition compare_with(const Fabric& raw, const Fabric& ideal, Candidate candidate) {
  const auto* tree = std::get_if<Pgft>(&candidate.shape);
  if (!tree || tree->nics_are_endpoints())
    place_by_other_rails(raw, ideal, candidate.place);  // else guess_nics() did
  IdVector<Node, Node> at(ideal.nodes().size(), none<Node>);
  Recognition out;
  for (Node v : raw.nodes()) {
    if (candidate.place[v] == none<Node>)
      out.undecided.push_back(v);
    else
      at[candidate.place[v]] = v;
  }
  IdVector<Node, u32> undecided_at(ideal.nodes().size(),
                                   0);  // cables of undecided NICs at leaves that want some
  const IdVector<Node, Node> stands = likely_places(candidate, static_cast<u32>(ideal.nodes().size()));
  PairCounts counts(ideal.links() + raw.links());
  const auto wanted = [&](Node u, Node v) -> u32& { return counts(std::min(u, v), std::max(u, v)); };
  ideal.each_link([&](const Link& link) { ++wanted(ideal.from(link.a), ideal.from(link.b)); });
  raw.each_link([&](const Link& link) {
    Node u = raw.from(link.a), v = raw.from(link.b);
    if (raw.is_switch(u)) std::swap(u, v);
    const Node pu = candidate.place[u], pv = candidate.place[v];
    if (pu != none<Node> && pv != none<Node>) {
      if (u32& left = wanted(pu, pv); left == 0)
        out.wrong.push_back(link);
      else
        --left;
    } else if (!raw.is_switch(u) && (!raw.is_switch(v) || (pv != none<Node> && !has_hosts(ideal, pv)))) {
      out.wrong.push_back(link);
    } else if (stands[u] != none<Node> && stands[v] != none<Node>) {
      if (u32& left = wanted(stands[u], stands[v]); left > 0) --left;
    } else if (!raw.is_switch(u) && stands[v] != none<Node>) {
      ++undecided_at[stands[v]];
    }
  });
  ideal.each_link([&](const Link& link) {
    const Node a = ideal.from(link.a), b = ideal.from(link.b);
    u32& left = wanted(a, b);
    if (left == 0) return;
    --left;
    if (!ideal.is_switch(a) && at[a] == none<Node> && undecided_at[b] > 0)
      --undecided_at[b];
    else
      out.missing.push_back({a, b, at[a], at[b]});
  });
  out.candidate = std::move(candidate);
  out.doubts = out.candidate.doubts;
  tell_undecided(raw, out);
  return out;
}

}  // namespace

IdVector<Node, Node> likely_places(const Candidate& candidate, u32 ideal_nodes) {
  IdVector<Node, Node> out = candidate.place;
  IdVector<Node, bool> taken(ideal_nodes, false);
  for (const Node at : out)
    if (at != none<Node>) taken[at] = true;
  for (const Node v : candidate.likely.ids()) {
    const Node at = candidate.likely[v];
    if (out[v] == none<Node> && at != none<Node> && !taken[at]) out[v] = at, taken[at] = true;
  }
  return out;
}

Recognition compare(const Fabric& raw, Candidate candidate) {
  const Fabric ideal = build(candidate.shape, candidate.planes).fabric;
  return compare_with(raw, ideal, std::move(candidate));
}

std::variant<Recognition, Unrecognised> recognise(const Fabric& raw) {
  std::optional<Recognition> best;
  std::string why = "it is no fat-tree";
  const auto judge = [&](Candidate candidate) {
    const Fabric ideal = build(candidate.shape, candidate.planes).fabric;
    Recognition next = compare_with(raw, ideal, std::move(candidate));
    if (const auto reason = too_many_faults(raw, ideal, next))
      why = *reason;
    else if (may_be_mesh(next))
      why = "cables are missing, and it is not certain whether it is a HyperX or a mesh";
    else if (!best || faults(next) < faults(*best) ||
             (faults(next) == faults(*best) && is_cube(best->candidate)))
      best = std::move(next);
  };
  auto tree = guess_pgft(raw);
  if (auto* candidate = std::get_if<Candidate>(&tree))
    judge(std::move(*candidate));
  else
    why = "no fat-tree: " + std::get<Unrecognised>(tree).why;
  if (raw.columns() > 1) {
    auto nics = guess_nics(raw);
    if (auto* candidate = std::get_if<Candidate>(&nics))
      judge(std::move(*candidate));
    else if (!best)
      why += "; no tree with several NICs of a host: " + std::get<Unrecognised>(nics).why;
  }
  using Guess = std::variant<Candidate, Unrecognised> (*)(const Fabric&);
  const std::pair<const char*, Guess> direct[] = {{"HyperX", guess_hyperx},
                                                  {"torus or mesh", guess_torus},
                                                  {"Dragonfly", guess_dragonfly},
                                                  {"graph of another family", guess_listed}};
  for (const auto& [name, guess] : direct) {
    if (best && faults(*best) == 0 && !is_cube(best->candidate)) break;
    auto found = guess(raw);
    if (auto* candidate = std::get_if<Candidate>(&found))
      judge(std::move(*candidate));
    else if (const std::string& reason = std::get<Unrecognised>(found).why; !best && !reason.empty())
      why += fmt::format("; no {}: {}", name, reason);
  }
  if (best) {
    if (auto* pgft = std::get_if<Pgft>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *pgft);
    if (auto* hyperx = std::get_if<HyperX>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *hyperx);
    if (auto* torus = std::get_if<Torus>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *torus);
    if (auto* dragonfly = std::get_if<Dragonfly>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *dragonfly);
    if (auto* plus = std::get_if<DragonflyPlus>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *plus);
    if (auto* graph = std::get_if<GraphShape>(&best->candidate.shape))
      adopt_link_classes(raw, best->candidate, *graph);
    return std::move(*best);
  }
  return Unrecognised{why};
}

}  // namespace banyan::topology
