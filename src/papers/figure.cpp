#include "papers/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace banyan::papers {
namespace {

bool has_one_value(const Figure& figure) {
  return figure.kind == Figure::Kind::heat || figure.kind == Figure::Kind::gains;
}

std::string shown(const Figure& figure, const Figure::Samples& cell) {
  if (cell.empty()) return "-";
  if (figure.kind == Figure::Kind::gains) return fmt::format("{:+.2f}", cell[0]);
  if (cell.size() == 1) return fmt::format("{:.4g}", cell[0]);
  if (figure.kind == Figure::Kind::bars) return fmt::format("{:.4g}", mean(cell));
  const auto five = five_numbers(cell);
  return fmt::format("{:.4g} / {:.4g} / {:.4g}", five[0], five[2], five[4]);
}

ShownTable heat_table(const Figure& figure) {
  ShownTable out{figure.title, {"panel", "mean", "least", "most"}, {}};
  for (const Figure::Panel& panel : figure.panels) {
    Figure::Samples all;
    for (const auto& cell : panel.cells) all.insert(all.end(), cell.begin(), cell.end());
    if (all.empty()) continue;
    const auto [least, maximum] = std::minmax_element(all.begin(), all.end());
    out.rows.push_back({panel.title, fmt::format("{:.4g}", mean(all)), fmt::format("{:.4g}", *least),
                        fmt::format("{:.4g}", *maximum)});
  }
  return out;
}

void write_cell(JsonWriter& json, const Figure& figure, const Figure::Samples& cell) {
  if (cell.empty()) {
    json.null();
  } else if (has_one_value(figure)) {
    json.value(cell[0]);
  } else {
    json.begin_array();
    for (const double x : five_numbers(cell)) json.value(x);
    json.value(mean(cell)).end_array();
  }
}

}  // namespace

std::string_view name(Figure::Kind kind) {
  constexpr std::string_view names[] = {"heat", "gains", "whiskers", "bars"};
  return names[static_cast<std::size_t>(kind)];
}

Figure::Panel make_panel(std::string title, std::vector<std::string> rows, std::vector<std::string> columns) {
  const std::size_t cells = rows.size() * columns.size();
  return {std::move(title), std::move(rows), std::move(columns), std::vector<Figure::Samples>(cells)};
}

void check(const Figure& figure) {
  for (const Figure::Panel& panel : figure.panels) {
    if (panel.cells.size() != panel.rows.size() * panel.columns.size())
      throw std::logic_error(fmt::format("'{}', '{}': {} cells for {} rows and {} columns", figure.title,
                                         panel.title, panel.cells.size(), panel.rows.size(),
                                         panel.columns.size()));
    for (const auto& cell : panel.cells) {
      if (has_one_value(figure) && cell.size() > 1)
        throw std::logic_error(fmt::format("'{}' has a cell with {} values", figure.title, cell.size()));
      if (!std::all_of(cell.begin(), cell.end(), [](double x) { return std::isfinite(x); }))
        throw std::logic_error(fmt::format("'{}' has a cell that is not a number", figure.title));
    }
  }
}

std::array<double, 5> five_numbers(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  std::array<double, 5> out{};
  for (std::size_t q = 0; q < out.size(); ++q) {
    const double at = 0.25 * static_cast<double>(q) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    out[q] = sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
  }
  return out;
}

double mean(std::span<const double> samples) {
  double sum = 0;
  for (const double x : samples) sum += x;
  return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

ShownTable as_table(const Figure& figure) {
  if (figure.kind == Figure::Kind::heat) return heat_table(figure);
  const bool several = figure.panels.size() > 1;
  ShownTable out{figure.title + (figure.unit.empty() ? "" : ", " + figure.unit), {}, {}};
  std::vector<std::string> said;  // heads that the next row stands under
  for (const Figure::Panel& panel : figure.panels) {
    std::vector<std::string> heads;
    if (several) heads.push_back("panel");
    heads.push_back(figure.down);
    heads.insert(heads.end(), panel.columns.begin(), panel.columns.end());
    if (out.columns.empty())
      out.columns = heads;
    else if (heads != said)
      out.rows.push_back(heads);
    said = std::move(heads);
    for (std::size_t r = 0; r < panel.rows.size(); ++r) {
      std::vector<std::string> row;
      if (several) row.push_back(panel.title);
      row.push_back(panel.rows[r]);
      for (std::size_t c = 0; c < panel.columns.size(); ++c) row.push_back(shown(figure, panel.at(r, c)));
      out.rows.push_back(std::move(row));
    }
  }
  std::size_t widest = out.columns.size();
  for (const auto& row : out.rows) widest = std::max(widest, row.size());
  out.columns.resize(widest);
  for (auto& row : out.rows) row.resize(widest);
  return out;
}

void write(JsonWriter& json, const Figure& figure) {
  json.begin_object().field("kind", name(figure.kind)).field("title", figure.title);
  json.field("down", figure.down).field("across", figure.across);
  json.field("value", figure.value).field("unit", figure.unit).field("statements", figure.statements);
  json.field("note", figure.note).key("panels").begin_array();
  for (const Figure::Panel& panel : figure.panels) {
    json.begin_object().field("title", panel.title).field("note", panel.note);
    json.field("rows", panel.rows).field("columns", panel.columns).key("cells").begin_array();
    for (std::size_t r = 0; r < panel.rows.size(); ++r) {
      json.begin_array();
      for (std::size_t c = 0; c < panel.columns.size(); ++c) write_cell(json, figure, panel.at(r, c));
      json.end_array();
    }
    json.end_array().end_object();
  }
  json.end_array().key("theirs").begin_array();
  for (const Figure::Mark& mark : figure.theirs)
    json.begin_object()
        .field("panel", mark.panel)
        .field("row", mark.row)
        .field("column", mark.column)
        .field("low", mark.low)
        .field("high", mark.high)
        .field("text", mark.text)
        .end_object();
  json.end_array().end_object();
}

}  // namespace banyan::papers
