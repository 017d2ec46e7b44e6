// HammingMesh (Hoefler et al., SC 2022): boards of a x b accelerators in a mesh, x times y boards; a switch
// for each row of accelerators joins both ends of that row on all boards of the row, and so for columns.
#include <fmt/format.h>

#include "topology/family.hpp"

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

}  // namespace

Family hamming_mesh_family() {
  return {"HammingMesh",
          "HammingMesh(a,b; x,y)",
          "HammingMesh(2,2; 3,3)",
          "x times y boards, each a mesh of a times b accelerators; a switch joins the boards of each row "
          "and column",
          "Hoefler et al., SC 2022",
          hamming_mesh};
}

}  // namespace banyan::topology
