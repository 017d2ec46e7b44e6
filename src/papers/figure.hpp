// A figure as a paper shows it: panels of rows and columns, with what was measured in every cell. What kind
// it is decides how the cells are drawn; the cells are the same for all.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"

namespace banyan::papers {

struct Figure {
  // heat: a colour for each cell, one scale for all panels, such as the bandwidth between any two ranks.
  // gains: shares above and below a baseline, with their numbers, such as by message size and hosts.
  // whiskers: least, quartiles, median and most of each cell; columns side by side, rows along the axis.
  // bars: the mean of each cell and how far single values go; columns side by side, rows below each other.
  enum class Kind : u8 { heat, gains, whiskers, bars };
  using Samples = std::vector<double>;  // none: not measured

  struct Panel {
    std::string title;
    std::vector<std::string> rows, columns;
    std::vector<Samples> cells;  // row by row; heat and gains have one value in each
    std::string note = {};       // such as its mean
    Samples& at(std::size_t row, std::size_t column) { return cells[row * columns.size() + column]; }
    const Samples& at(std::size_t row, std::size_t column) const {
      return cells[row * columns.size() + column];
    }
  };

  Kind kind = Kind::heat;
  std::string title;
  std::string down, across;      // what rows and columns are: "hosts", "message size"
  std::string value, unit = {};  // what a cell holds: "bandwidth", "GB/s"
  std::vector<std::string> statements =
      {};  // ids of the paper's statements that it bears on, shown beside it
  std::vector<Panel> panels = {};
  std::string note = {};  // what was left out, and why

  // A number of the paper's text, drawn where ours stands; of whiskers and bars. A range, or twice the same.
  struct Mark {
    std::size_t panel = 0, row = 0, column = 0;
    double low = 0, high = 0;
    std::string text;
  };
  std::vector<Mark> theirs = {};
};

std::string_view name(Figure::Kind kind);

// A panel with an empty cell for every row and column.
Figure::Panel make_panel(std::string title, std::vector<std::string> rows, std::vector<std::string> columns);

// Throws std::logic_error where a panel has another number of cells than rows times columns, or a cell of
// heat or gains more than one value.
void check(const Figure& figure);

// Least, first quartile, median, third quartile, most. Between two values quartiles are interpolated (type 7
// of Hyndman and Fan 1996).
std::array<double, 5> five_numbers(std::span<const double> samples);
double mean(std::span<const double> samples);

struct ShownTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  // Where the table is drawn as curves over its first column: numbers of the paper's text. From x to x_end
  // the value is low to high; without a column it concerns all lines.
  struct Mark {
    double x = 0, x_end = 0, low = 0, high = 0;
    std::string text, column = {};
  };
  std::vector<Mark> theirs = {};
  std::vector<std::string> statements = {};  // ids, shown below it
  bool is_throughput = false;  // over an offered load, both in per cent or as shares: the ideal is drawn
};
// For who reads text: panels one after another, cells "least / median / most" where there are several values.
// Of a heat map only what each panel comes to.
ShownTable as_table(const Figure& figure);

// One object. A cell is null, a number (heat, gains), or least, quartiles, median, most and mean.
void write(JsonWriter& json, const Figure& figure);

}  // namespace banyan::papers
