// Recognising a torus or a mesh: cables that are opposite in a square run between the same two layers of a
// dimension (square_classes), and a switch stands where its layers meet. Rings of four are found as two
// dimensions of two, which are the same graph.
#include <algorithm>
#include <numeric>

#include "topology/recognise/guess_graphs.hpp"
#include "topology/recognise/placed_switches.hpp"
#include "topology/recognise/square_classes.hpp"

namespace banyan::topology {
namespace {

// A dimension of the answer: its width, and the coordinate of every switch.
struct TorusAxis {
  u32 width = 0;
  bool is_ring = false;
  std::vector<u32> coordinate;  // by switch, or nowhere
};

// Two dimensions of two are a ring of four.
TorusAxis ring_of_four(const TorusAxis& a, const TorusAxis& b) {
  TorusAxis out{4, true, std::vector<u32>(a.coordinate.size(), nowhere)};
  for (std::size_t sw = 0; sw < out.coordinate.size(); ++sw) {
    const u32 x = a.coordinate[sw], y = b.coordinate[sw];
    if (x != nowhere && y != nowhere) out.coordinate[sw] = x == 0 ? y : 3 - y;
  }
  return out;
}

std::optional<std::vector<TorusAxis>> axes_of(const SwitchNeighbours& graph, const IgnoredCable& ignored) {
  const auto classes = square_classes(graph, ignored);
  if (!classes || classes->dimensions.empty()) return std::nullopt;
  const auto found = layers(graph, *classes);
  std::vector<TorusAxis> out;
  for (std::size_t d = 0; d < found.size(); ++d)
    out.push_back({classes->dimensions[d].width(), classes->dimensions[d].is_ring, found[d]});
  return out;
}

// Rings only, or lines only; a dimension of two is both.
std::optional<bool> do_wrap(const std::vector<TorusAxis>& axes) {
  const bool has_ring = std::any_of(axes.begin(), axes.end(), [](const TorusAxis& a) { return a.is_ring; });
  const bool has_line =
      std::any_of(axes.begin(), axes.end(), [](const TorusAxis& a) { return !a.is_ring && a.width > 2; });
  return has_ring && has_line ? std::nullopt : std::optional(!has_line);
}

void join_twos(std::vector<TorusAxis>& axes) {
  std::stable_sort(axes.begin(), axes.end(),
                   [](const TorusAxis& a, const TorusAxis& b) { return a.width > b.width; });
  while (axes.size() > 1 && axes[axes.size() - 2].width == 2) {
    TorusAxis joined = ring_of_four(axes[axes.size() - 2], axes.back());
    axes.resize(axes.size() - 2);
    axes.insert(axes.begin(), std::move(joined));
  }
  std::stable_sort(axes.begin(), axes.end(),
                   [](const TorusAxis& a, const TorusAxis& b) { return a.width > b.width; });
}

std::optional<PlacedSwitches> placed(const RawSwitches& raw, u32 hosts, std::vector<TorusAxis> axes) {
  const auto wraps = do_wrap(axes);
  if (!wraps) return std::nullopt;
  if (*wraps) join_twos(axes);
  if (!*wraps)
    std::stable_sort(axes.begin(), axes.end(),
                     [](const TorusAxis& a, const TorusAxis& b) { return a.width > b.width; });
  Grid grid;
  for (const TorusAxis& axis : axes) grid.widths.push_back(axis.width);
  const u64 switches = raw.graph.size();
  if (axes.size() > 16 || grid.size() < switches || 20 * (grid.size() - switches) > switches + 20)
    return std::nullopt;
  std::vector<u32> place(switches, 0);
  for (u32 sw = 0; sw < switches; ++sw)
    for (u32 d = 0; d < grid.dimensions() && place[sw] != nowhere; ++d)
      place[sw] =
          axes[d].coordinate[sw] == nowhere ? nowhere : place[sw] + axes[d].coordinate[sw] * grid.stride(d);
  const Torus shape{grid, *wraps, hosts, std::vector<LinkClass>(grid.dimensions() + 1)};
  return PlacedSwitches(raw, shape, ideal_switches(shape), std::move(place));
}

// One ring, which has no squares. With a cable missing it would be a line as well.
std::optional<PlacedSwitches> one_ring(const RawSwitches& raw, u32 hosts) {
  const u32 count = static_cast<u32>(raw.graph.size());
  TorusAxis axis{count, true, std::vector<u32>(count, nowhere)};
  u32 at = 0, before = nowhere;
  for (u32 i = 0; i < count; ++i) {
    if (raw.graph[at].size() != 2 || axis.coordinate[at] != nowhere) return std::nullopt;
    axis.coordinate[at] = i;
    const u32 next = raw.graph[at][0].to == before ? raw.graph[at][1].to : raw.graph[at][0].to;
    before = at;
    at = next;
  }
  if (at != 0) return std::nullopt;
  return placed(raw, hosts, {std::move(axis)});
}

// The cables that would close the lines of a mesh are so few that all may be missing.
bool lines_are_short(const Shape& shape) {
  constexpr u32 few = 12;
  const Torus& torus = std::get<Torus>(shape);
  for (u32 d = 0; d < torus.grid.dimensions() && !torus.wraps; ++d)
    if (torus.grid.widths[d] > 2 && torus.grid.lines(d) < few) return true;
  return false;
}

// The best of all cables, and of all but one, which may be wrong and make squares that are none.
std::optional<PlacedSwitches> best_placed(const RawSwitches& raw, u32 hosts) {
  std::optional<PlacedSwitches> best;
  const auto attempt = [&](const IgnoredCable& ignored) {
    auto axes = axes_of(raw.graph, ignored);
    auto next = axes ? placed(raw, hosts, std::move(*axes)) : std::nullopt;
    if (next && (!best || next->faults() < best->faults())) best.emplace(std::move(*next));
  };
  attempt({});
  u64 cables = 0;
  for (const auto& neighbours : raw.graph) cables += neighbours.size();
  constexpr std::size_t max_attempts = 32, max_cables = 20'000;
  if (cables > max_cables || (best && 20 * best->faults() <= raw.graph.size())) return best;
  for (const IgnoredCable& cable : odd_cables(raw.graph, max_attempts)) attempt(cable);
  return best;
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_torus(const Fabric& fabric) {
  const auto seen = read_plane(fabric);
  if (const auto* why = std::get_if<Unrecognised>(&seen)) return *why;
  const auto& [raw, hosts] = std::get<PlaneOfSwitches>(seen);
  constexpr u32 max_degree = 32;
  u64 cables = 0;
  for (const auto& neighbours : raw.graph) cables += neighbours.size();
  if (cables > max_degree * raw.graph.size()) return Unrecognised{"its switches have too many neighbours"};
  auto ring = one_ring(raw, hosts.count);
  auto found = ring ? std::move(ring) : best_placed(raw, hosts.count);
  if (!found) return Unrecognised{"its cables form no squares between layers of switches"};
  return found->candidate(fabric, hosts, lines_are_short(found->shape()));
}

}  // namespace banyan::topology
