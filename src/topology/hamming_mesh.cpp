// HammingMesh (Hoefler et al., SC 2022): boards of a x b accelerators in a mesh, x times y boards; a switch
// for each row of accelerators joins both ends of that row on all boards of the row, and so for columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

// Accelerator (column, row) of all columns = a x and rows = b y has the number row * columns + column; then
// come the switches of rows, then those of columns. An accelerator forwards what is not its own, so it is a
// switch with one host.
void list_hamming_mesh(u32 a, u32 b, u32 columns, u32 rows, GraphShape& shape) {
  const u32 row_switch = columns * rows, column_switch = row_switch + rows;
  const auto at = [&](u32 column, u32 row) { return row * columns + column; };
  for (u32 row = 0; row < rows; ++row)
    for (u32 column = 0; column < columns; ++column) {
      if (column % a + 1 < a) shape.edges.push_back({at(column, row), at(column + 1, row)});
      if (row % b + 1 < b) shape.edges.push_back({at(column, row), at(column, row + 1)});
      if (column % a == 0) shape.edges.push_back({at(column, row), row_switch + row});
      if (column % a + 1 == a) shape.edges.push_back({at(column, row), row_switch + row});
      if (row % b == 0) shape.edges.push_back({at(column, row), column_switch + column});
      if (row % b + 1 == b) shape.edges.push_back({at(column, row), column_switch + column});
    }
  const u32 across = columns / a, boards = across * (rows / b);
  for (u32 s = 0; s < row_switch; ++s) shape.groups[s] = s / columns / b * across + s % columns / a;
  for (u32 s = row_switch; s < shape.switches(); ++s) shape.groups[s] = boards + (s >= column_switch);
}

FamilyResult hamming_mesh(const Notation& n) {
  const char* const expected = "expected a board and how many of them: HammingMesh(a,b; x,y)";
  if (n.groups.size() != 2) n.fail(expected);
  const auto board = n.numbers(0, "a,b"), boards = n.numbers(1, "x,y");
  if (board.size() != 2 || boards.size() != 2) n.fail(expected);
  const u64 columns = u64{board[0]} * boards[0], rows = u64{board[1]} * boards[1];
  // A switch of a row has two cables to each of its boards, so all of them together have fewer ports than
  // accelerators have.
  GraphShape shape = read_graph(
      n, fmt::format("HammingMesh({},{}; {},{}", board[0], board[1], boards[0], boards[1]),
      {.leaves = saturating_multiply(columns, rows), .degree = 4, .hosts = 1, .others = columns + rows});
  list_hamming_mesh(board[0], board[1], static_cast<u32>(columns), static_cast<u32>(rows), shape);
  return shape;
}

// All boards look alike, so searches from the accelerators of one find all distances.
Distances hamming_distances(const GraphShape& shape, u32 a, u32 b, u32 columns) {
  std::vector<std::vector<u32>> near(shape.switches());
  for (const auto& [v, w] : shape.edges) near[v].push_back(w), near[w].push_back(v);
  HopSum all;
  for (u32 start = 0; start < a * b; ++start) {
    std::vector<u32> distance(shape.switches(), ~u32{0}), queue = {start / a * columns + start % a};
    distance[queue[0]] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const u32 next : near[queue[i]])
        if (distance[next] == ~u32{0}) {
          distance[next] = distance[queue[i]] + 1;
          queue.push_back(next);
        }
    for (u32 s = 0; s < shape.leaves; ++s) {
      all.sum += distance[s];
      all.farthest = std::max(all.farthest, distance[s]);
    }
  }
  all.sum *= shape.leaves / (a * b);
  return distances_by(all, shape.leaves, 1);
}

// Cables between the first half of the accelerators, by `rank` of column and row, and the others; a switch
// stands where most of its cables end.
template <class Rank>
u64 cut_behind_half(const GraphShape& shape, u32 columns, Rank rank) {
  std::vector<std::pair<u64, u32>> order(shape.leaves);
  for (u32 s = 0; s < shape.leaves; ++s) order[s] = {rank(s % columns, s / columns), s};
  std::nth_element(order.begin(), order.begin() + shape.leaves / 2, order.end());
  std::vector<u8> is_first(shape.leaves);
  for (u32 i = 0; i < shape.leaves / 2; ++i) is_first[order[i].second] = 1;
  u64 cut = 0;
  std::vector<std::array<u32, 2>> ends(shape.others);
  for (const auto& [v, w] : shape.edges)
    if (w < shape.leaves)
      cut += is_first[v] != is_first[w];
    else
      ++ends[w - shape.leaves][is_first[v]];
  for (const auto& [first, second] : ends) cut += std::min(first, second);
  return cut;
}

// No cut into halves has been found that is smaller: through columns, through rows, around boards in a
// corner; or the mean over all cuts into halves.
u64 hamming_cut(const GraphShape& shape, u32 a, u32 b, u32 x, u32 y) {
  const double n = shape.leaves, between = shape.leaves % 2 ? (n + 1) / (2 * n) : n / (2 * (n - 1));
  const u64 mean = static_cast<u64>(static_cast<double>(shape.edges.size()) * between + 1e-9);
  const u64 columns = u64{a} * x, rows = u64{b} * y;
  const auto by = [&](auto rank) { return cut_behind_half(shape, static_cast<u32>(columns), rank); };
  return std::min({mean, by([&](u64 column, u64 row) { return column * rows + row; }),
                   by([&](u64 column, u64 row) { return row * columns + column; }),
                   by([&](u64 column, u64 row) { return std::max(column / a * y, row / b * x); })});
}

void propose_board(const Proposals& out, u32 a, u32 b, u32 x, u32 y) {
  const SizeDemand& demand = out.demand();
  const Notation notation = parse_notation(fmt::format("HammingMesh({},{}; {},{}, hosts=1)", a, b, x, y));
  GraphShape shape = std::get<GraphShape>(std::get<Shape>(hamming_mesh(notation).what));
  shape.known = {hamming_distances(shape, a, b, a * x), hamming_cut(shape, a, b, x, y)};
  const u64 of_lines = 2 * u64{x} * y * (a + b);  // two cables of each row and column of each board
  const u64 ends = 2 * shape.edges.size();
  Outline found = outline(std::move(shape), demand.rails, demand.ports);
  found.far_permutation = false;  // not known
  found.built_in = found.leaves;
  found.built_in_ports = demand.rails * (ends - of_lines);
  out.add(std::move(found));
}

// Boards of up to 64 accelerators in up to ports / 2 rows and columns of boards; of two that differ only in
// their direction, one.
void propose_hamming_mesh(const Proposals& out) {
  constexpr u64 max_accelerators = 1 << 14;  // whose cables are listed
  const SizeDemand& demand = out.demand();
  for (u32 a = 2; a <= 8; ++a)
    for (u32 b = 2; b <= a; ++b)
      for (u32 x = 2; 2 * x <= demand.ports; ++x) {
        const u64 row = u64{a} * b * x, y = std::max<u64>(2, (demand.hosts + row - 1) / row);
        if (2 * y > demand.ports || row * y > std::min<u64>(max_accelerators, demand.hosts_at_most)) continue;
        if ((a > b || x >= y) &&
            demand.fills(static_cast<double>(b * y + a * x), static_cast<double>(2 * x * y * (a + b)),
                         static_cast<double>(row * y)))
          propose_board(out, a, b, x, static_cast<u32>(y));
      }
}

}  // namespace

u32 built_in_switches(const Topology& topology) {
  const auto* graph = topology.as<GraphShape>();
  return graph && graph->parameters.starts_with("HammingMesh(") ? topology.planes * graph->leaves : 0;
}

Family hamming_mesh_family() {
  return {"HammingMesh",
          "HammingMesh(a,b; x,y)",
          "HammingMesh(2,2; 3,3)",
          "x times y boards, each a mesh of a times b accelerators; a switch joins the boards of each row "
          "and column",
          "Hoefler et al., SC 2022",
          hamming_mesh,
          propose_hamming_mesh};
}

}  // namespace banyan::topology
